import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Topic } from '#shared/vocabulary/message.ts';
import { startFakeOpenAi, textChunks } from './fakes/fake-openai.ts';
import { run, startCommand, startServer } from './fixtures/cerise-in-process.ts';
import { freshPlace } from './fixtures/http.ts';

interface Printed {
  cases: {
    name: string;
    passed: boolean;
    checks: { passed: boolean; reason?: string }[];
    error?: { code: string };
  }[];
}

async function start() {
  const { home } = await freshPlace();
  const env = { CERISE_HOME: home, CERISE_DEMO_PACE: '0' };
  const server = await startServer(env);
  const cerise = (...args: string[]) => run(args, env);
  const topics = async () =>
    (await server.json<{ topics: Topic[] }>('GET', '/api/topics')).topics.map(({ id }) => id);
  expect(await cerise('chat', 'What is 6*7?')).toMatchObject({ code: 0 });
  const [topic = ''] = await topics();
  const file = join(home, 'cases.json');
  const evaluate = async (content: unknown, ...args: string[]) => {
    writeFileSync(file, JSON.stringify(content));
    return cerise('eval', file, ...args);
  };
  return { home, server, topic, topics, evaluate };
}

describe('cerise eval', () => {
  it('says of each check whether the new answer passes it, and leaves no copy behind', async () => {
    const { topic, topics, evaluate } = await start();
    const checks = [
      { contains: '42' },
      { contains: '43' },
      { tool: 'calculate', arguments: { expression: '6*7' } },
      { tool: 'calculate', arguments: { expression: '7*7' } },
      { tool: 'get_current_time' },
      { schema: { type: 'object' } },
    ];
    const cases = [
      { name: 'numbers', topic, checks },
      { name: 'gone', topic: 'none', checks },
      { name: 'unknown model', topic, model: 'nobody/none', checks },
    ];
    const { code, stdout } = await evaluate({ cases }, '--json');
    expect(code).toBe(1);
    const [numbers, gone, unknown] = (JSON.parse(stdout) as Printed).cases;
    expect(numbers?.checks.map(({ passed }) => passed)).toEqual([
      true,
      false,
      true,
      false,
      false,
      false,
    ]);
    expect(numbers?.checks.map(({ reason }) => reason)).toEqual([
      undefined,
      "The answer doesn't contain “43”.",
      undefined,
      'calculate was called, but never with {"expression":"7*7"}.',
      "get_current_time wasn't called.",
      "The answer isn't JSON.",
    ]);
    expect(gone?.error?.code).toBe('topic_not_found');
    expect(unknown?.passed).toBe(false);
    expect(unknown?.error).toBeDefined();
    expect(await topics()).toEqual([topic]);
  });

  it('makes the answer with the model that it had, unless the case names another', async () => {
    const { server, evaluate } = await start();
    const vendor = await startFakeOpenAi();
    onTestFinished(() => vendor.close());
    vendor.respond({ chunks: textChunks(['By the chosen model.']) });
    const provider = { name: 'vendor', baseUrl: vendor.baseUrl, models: ['fake-model'] };
    await server.json('POST', '/api/providers', provider);
    const { id: topic } = await server.json<Topic>('POST', '/api/topics', {});
    const asked = { text: 'What is 6*7?', model: 'vendor/fake-model' };
    const { answerId } = await server.json<{ answerId: string }>(
      'POST',
      `/api/topics/${topic}/messages`,
      asked,
    );
    const status = async () =>
      (await server.json<{ status: string }>('GET', `/api/answers/${answerId}/timeline`)).status;
    await expect.poll(status).toBe('success');
    const checks = [{ contains: 'By the chosen model.' }];
    const same = { name: 'same', topic, checks };
    const other = { name: 'other', topic, checks, model: 'demo/scripted' };
    const { stdout } = await evaluate({ cases: [same, other] }, '--json');
    expect((JSON.parse(stdout) as Printed).cases.map(({ passed }) => passed)).toEqual([
      true,
      false,
    ]);
  });

  it('asks a model as judge, and checks JSON against a schema', async () => {
    const fake = await startFakeOpenAi(['m']);
    onTestFinished(() => fake.close());
    const { server, topic, evaluate } = await start();
    const provider = { name: 'vendor', apiKey: 'x', baseUrl: fake.baseUrl, models: ['m'] };
    await server.json('POST', '/api/providers', provider);
    const say = (text: string) => ({ chunks: textChunks([text]) });
    fake.respond(
      say('```json\n{"total": 42}\n```'),
      say('{"pass": true, "reason": "It says 42."}'),
      say('{"pass": false, "reason": "Not polite."}'),
      say('{"total": "many"}'),
      say('Yes!'),
    );
    const schema = { type: 'object', properties: { total: { type: 'number' } } };
    const judges = [{ judge: 'It says 42.' }, { judge: 'It is polite.' }];
    const cases = [
      { name: 'right', topic, checks: [{ schema }, ...judges] },
      { name: 'wrong', topic, checks: [{ schema }, { judge: 'Anything.' }] },
    ];
    const given = { model: 'vendor/m', judge: 'vendor/m', cases };
    const { stdout } = await evaluate(given, '--json');
    const [right, wrong] = (JSON.parse(stdout) as Printed).cases;
    expect(right?.checks).toMatchObject([
      { passed: true },
      { passed: true, reason: 'It says 42.' },
      { passed: false, reason: 'Not polite.' },
    ]);
    expect(wrong).toMatchObject({
      passed: false,
      checks: [
        { passed: false, reason: expect.stringContaining('total') },
        { passed: false, reason: 'The judge vendor/m gave no verdict.' },
      ],
    });
    const asked = fake.requests.filter(({ path }) => path.endsWith('/chat/completions'));
    expect(JSON.stringify(asked[1]?.body)).toContain('6*7');
    expect(asked[1]?.body).not.toHaveProperty('tools');
  });

  it.each(['SIGINT', 'SIGTERM'] as const)(
    'leaves no copy behind at %s, and tells of the cases before',
    async (signal) => {
      const fake = await startFakeOpenAi(['m']);
      onTestFinished(() => fake.close());
      const { home, server, topic, topics } = await start();
      const provider = { name: 'vendor', apiKey: 'x', baseUrl: fake.baseUrl, models: ['m'] };
      await server.json('POST', '/api/providers', provider);
      fake.respond({ chunks: textChunks(['It begins']), hang: true });
      const file = join(home, 'cases.json');
      const chats = () => fake.requests.filter(({ path }) => path.endsWith('/completions')).length;
      const checks = [{ contains: '42' }];
      const cases = [
        { name: 'first', topic, checks },
        { name: 'second', topic, model: 'vendor/m', checks },
        { name: 'third', topic, checks },
      ];
      writeFileSync(file, JSON.stringify({ cases }));
      const env = { CERISE_HOME: home };
      const command = startCommand(['eval', file, '--json'], env);
      await expect.poll(chats, { timeout: 10_000 }).toBe(1);
      command.signal(signal);
      expect(await command.ended).toBe(130);
      expect((JSON.parse(command.stdout()) as Printed).cases).toMatchObject([{ name: 'first' }]);
      expect(await topics()).toEqual([topic]);
    },
  );

  it('writes JUnit XML in which no text is markup', async () => {
    const { home, topic, evaluate } = await start();
    const name = 'a "b" <c> & \u0000d';
    const checks = [{ contains: '<&"\n>' }];
    const cases = [
      { name, topic, checks },
      { name: 'fine', topic, checks: [{ contains: '42' }] },
      { name: 'none', topic: 'none', checks },
    ];
    const junit = join(home, 'results.xml');
    expect(await evaluate({ cases }, '--junit', junit)).toMatchObject({ code: 1 });
    const times = / time="[\d.]+"| timestamp="[\d:T-]+"/g;
    const lines = readFileSync(junit, 'utf8').replaceAll(times, '').split('\n');
    expect(lines).toEqual([
      '<?xml version="1.0" encoding="UTF-8"?>',
      '<testsuites name="cerise eval" tests="3" failures="1" errors="1">',
      '  <testsuite name="cases.json" tests="3" failures="1" errors="1" skipped="0">',
      '    <testcase classname="cases.json" name="a &quot;b&quot; &lt;c&gt; &amp; d">',
      '      <failure type="contains" message="The answer doesn\'t contain “&lt;&amp;&quot;&#10;&gt;”.">{&quot;contains&quot;:&quot;&lt;&amp;\\&quot;\\n&gt;&quot;}</failure>',
      '    </testcase>',
      '    <testcase classname="cases.json" name="fine"/>',
      '    <testcase classname="cases.json" name="none">',
      '      <error type="topic_not_found" message="This chat doesn\'t exist."/>',
      '    </testcase>',
      '  </testsuite>',
      '</testsuites>',
      '',
    ]);
  });

  it('says where its file is wrong, with exit code 2', async () => {
    const { topic, evaluate } = await start();
    const judged = { name: 'x', topic, checks: [{ judge: 'x' }] };
    for (const [content, place] of [
      [[], 'a file of cases'],
      [{ cases: [] }, 'cases is missing'],
      [{ cases: [{ name: 'x', topic, checks: [{ contains: '' }] }] }, 'cases.0.checks.0'],
      [{ cases: [judged] }, 'judge is missing'],
      [{ cases: [{ ...judged, tools: 'ask' }], judge: 'm' }, 'cases.0.tools'],
    ] as const) {
      const { code, stderr } = await evaluate(content);
      expect(code).toBe(2);
      expect(stderr).toContain(place);
    }
  });
});
