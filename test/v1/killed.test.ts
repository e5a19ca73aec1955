import OpenAI from 'openai';
import { expect, it, onTestFinished } from 'vitest';
import { startFakeOpenAi, textChunks, toolCallChunks } from '../fakes/fake-openai.ts';
import { describeEachDatabase } from '../databases.ts';
import { startServer } from '../fixtures/cerise-process.ts';
import { freePort } from '../fixtures/free-port.ts';
import { processToken } from '../fixtures/running-command.ts';

const model = 'vendor/fake-model';
const messages = [{ role: 'user' as const, content: 'What is 17 * 23?' }];
const cerise = { servers: ['calculator'] };
const slowly = {
  chunks: textChunks(Array.from({ length: 500 }, (_, n) => `word${n} `)),
  write: 'each' as const,
  delay: 10,
};
const calculates = {
  chunks: toolCallChunks([
    { id: 'call_1', name: 'mcp__calculator__calculate', arguments: '{"expression": "17*23"}' },
  ]),
};

describeEachDatabase((_open, fresh) => {
  /** A process on a port that the next one takes over, whose model is scripted. */
  async function openProcess() {
    const { home, databaseUrl } = await fresh();
    const port = await freePort();
    const env = {
      CERISE_HOME: home,
      CERISE_PORT: String(port),
      ...(databaseUrl && { CERISE_DATABASE_URL: databaseUrl }),
    };
    const vendor = await startFakeOpenAi();
    onTestFinished(() => vendor.close());
    let server = await startServer(env);
    await server.json('POST', '/api/providers', {
      name: 'vendor',
      baseUrl: vendor.baseUrl,
      models: ['fake-model'],
    });
    const client = (maxRetries: number) =>
      new OpenAI({ baseURL: `http://127.0.0.1:${port}/v1`, apiKey: processToken, maxRetries });
    const killAndStart = async () => {
      server.child.kill('SIGKILL');
      await server.ended;
      server = await startServer(env);
    };
    const posts = () => vendor.requests.filter(({ method }) => method === 'POST').length;
    return { vendor, client, killAndStart, posts };
  }

  it('T97: a retry of the official client after kill -9 gets the answer, whose call was made once', async () => {
    const { vendor, client, killAndStart, posts } = await openProcess();
    vendor.respond(calculates, slowly, { chunks: textChunks(['It is ', '391.']) });
    const asked = client(8).chat.completions.create({ model, messages, cerise } as never);
    await expect.poll(posts, { timeout: 20_000 }).toBe(2);
    await killAndStart();
    const { choices, ...rest } = (await asked) as OpenAI.ChatCompletion;
    expect(choices[0]?.message.content).toBe('It is 391.');
    expect(rest).toMatchObject({ cerise: { tools: [{ state: 'succeeded', result: '391' }] } });
    expect(posts()).toBe(3);
  });

  it('T97: a stream that kill -9 cut is told whole, and once, to its retry', async () => {
    const { vendor, client, killAndStart, posts } = await openProcess();
    vendor.respond(slowly, { chunks: textChunks(['All ', 'of it.']) });
    const body = { model, messages, stream: true, cerise: { servers: [] } } as const;
    const read = async (options: object) => {
      let text = '';
      try {
        for await (const { choices } of await client(0).chat.completions.create(body, options)) {
          text += choices[0]?.delta.content ?? '';
          if (text.includes('word20 ')) void killOnce();
        }
      } catch {
        text += '(cut)';
      }
      return text;
    };
    let started: Promise<void> | undefined;
    const killOnce = () => (started ??= killAndStart());
    expect(await read({})).toMatch(/^word0 .*\(cut\)$/s);
    await started;
    const retry = { headers: { 'x-stainless-retry-count': '1' } };
    expect(await read(retry)).toBe('All of it.');
    expect(posts()).toBe(2);
  });
});
