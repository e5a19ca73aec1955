import { describe, expect, it } from 'vitest';
import type { Topic } from '#shared/vocabulary/message.ts';
import { run, startServer } from '../../../test/fixtures/cerise-in-process.ts';
import { freshPlace } from '../../../test/fixtures/http.ts';

async function start() {
  const { home } = await freshPlace();
  const env = { CERISE_HOME: home, CERISE_DEMO_PACE: '0' };
  const server = await startServer(env);
  return { server, env, cerise: (...args: string[]) => run(args, env) };
}

describe('cerise topics', () => {
  it('lists, finds, prints and deletes chats', async () => {
    const { cerise, server } = await start();
    await cerise('chat', 'What is 6*7?');
    const { topics } = await server.json<{ topics: Topic[] }>('GET', '/api/topics');
    const { id = '', title = '' } = topics[0] ?? {};
    const listed = await cerise('topics');
    expect(listed.stdout).toMatch(new RegExp(`${id} +\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d +`));
    expect(listed.stdout).toContain(title);
    const json = await cerise('topics', '--json', '--limit', '1');
    expect(JSON.parse(json.stdout)).toMatchObject({ topics: [{ id }] });
    expect((await cerise('topics', 'search', '6*7')).stdout).toContain(id);
    const exported = await cerise('topics', 'export', id);
    expect(exported).toMatchObject({ code: 0, stderr: '' });
    expect(exported.stdout).toContain('What is 6*7?');
    const whole = await cerise('topics', 'export', id, '--format', 'json');
    expect(JSON.parse(whole.stdout.split('\n')[0] ?? '')).toBeTypeOf('object');
    expect(await cerise('topics', 'delete', id)).toMatchObject({ code: 1 });
    expect(await cerise('topics', 'delete', id, 'nothing', '--yes')).toMatchObject({ code: 1 });
    expect((await cerise('topics')).stdout).toContain(id);
    expect(await cerise('topics', 'delete', id, '--yes')).toMatchObject({ code: 0 });
    expect((await cerise('topics')).stdout).not.toContain(id);
  });

  it('refuses what it cannot do, with its usage', async () => {
    const { cerise } = await start();
    for (const args of [
      ['topics', '--limit', 'all'],
      ['topics', 'export', 'x', '--format', 'pdf'],
      ['tools'],
      ['tools', 'export', '--format', 'xml'],
      ['secrets'],
      ['completion', 'tcsh'],
    ]) {
      const { code, stdout, stderr } = await cerise(...args);
      expect({ args, code, stdout }).toEqual({ args, code: 2, stdout: '' });
      expect(stderr).toMatch(/^cerise: [^\n]+\n$/);
    }
  });
});

describe('cerise models and tools', () => {
  it('lists the models, with the default one marked', async () => {
    const { cerise } = await start();
    expect((await cerise('models')).stdout).toMatch(/demo\/scripted \(default\)/);
    const { stdout } = await cerise('models', '--json');
    expect(JSON.parse(stdout)).toMatchObject({ defaultModel: 'demo/scripted' });
  });

  it.each([
    ['openai', { type: 'function', function: { name: 'mcp__calculator__calculate' } }],
    ['anthropic', { name: 'mcp__calculator__calculate', input_schema: { type: 'object' } }],
    ['google', { functionDeclarations: [{ name: 'mcp__calculator__calculate' }] }],
  ])('writes tools as %s takes them', async (format, tool) => {
    const { cerise } = await start();
    const { code, stdout } = await cerise('tools', 'export', 'calculator', '--format', format);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject([tool]);
    expect((await cerise('tools', 'export', 'nobody')).code).toBe(1);
  });
});

describe('cerise doctor and config', () => {
  it('says what there is, and that all is well', async () => {
    const { cerise, server } = await start();
    const { code, stdout } = await cerise('doctor');
    expect(stdout).toMatch(/Version +\d+\.\d+\.\d+ \(Node \d+/);
    expect(stdout).toContain(server.url);
    expect(stdout).toMatch(/Database +SQLite/);
    expect(stdout).toMatch(/calculator +(?:connected|on demand)/);
    expect(code).toBe(0);
    const json = await cerise('doctor', '--json');
    expect(JSON.parse(json.stdout)).toMatchObject({ problems: [], defaultModel: 'demo/scripted' });
  });

  it('names a server that does not work, with the next step', async () => {
    const { cerise } = await start();
    await cerise('mcp', 'add', 'gone', '--url', 'http://127.0.0.1:9/mcp');
    const { code, stdout } = await cerise('doctor');
    expect(code).toBe(1);
    expect(stdout).toMatch(/gone +reconnecting .*127\.0\.0\.1:9/);
  });

  it('prints settings without their secrets, and limits', async () => {
    const { home } = await freshPlace();
    const env = {
      CERISE_HOME: home,
      CERISE_TOKEN: 'canary-token',
      CERISE_SECRET_KEY: 'canary-key',
      CERISE_DATABASE_URL: 'postgres://u:canary@127.0.0.1/x',
      CERISE_LIMIT_HTTP_BODY: '2MiB',
    };
    const { stdout } = await run(['config'], env);
    expect(stdout).toMatch(new RegExp(`CERISE_HOME +set +${home}`));
    expect(stdout).toMatch(/CERISE_PORT +default +4310/);
    expect(stdout).toMatch(/CERISE_LIMIT_HTTP_BODY +set +2 MiB/);
    expect(stdout).not.toContain('canary');
    expect(stdout).not.toContain('CERISE_LIMIT_CONNECTIONS');
    const all = await run(['config', '--limits', '--json'], env);
    expect(all.stdout).not.toContain('canary');
    expect(JSON.parse(all.stdout)).toMatchObject({
      settings: expect.arrayContaining([
        { name: 'CERISE_LIMIT_CONNECTIONS', value: '2000', isSet: false },
      ]),
    });
  });
});
