import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { memorySkillFiles, SkillsExtension } from '@modelcontextprotocol/server/ext/skills';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { ServerView } from '#shared/api/api.ts';
import { listen } from '../../../test/fakes/loopback.ts';
import { startModernServer, startSessionServer } from '../../../test/fakes/news-servers.ts';
import { run, startCommand, startServer } from '../../../test/fixtures/cerise-in-process.ts';
import { freshPlace } from '../../../test/fixtures/http.ts';

/** A running host with one server at this address. */
async function startWith(name: string, url: string) {
  const { home } = await freshPlace();
  const env = { CERISE_HOME: home, CERISE_DEMO_PACE: '0' };
  const server = await startServer(env);
  const { id } = await server.json<ServerView>('POST', '/api/servers', { name, baseUrl: url });
  return { env, server, id, mcp: (...args: string[]) => run(['mcp', ...args], env) };
}

describe.each([
  ['sessions', startSessionServer],
  ['modern', startModernServer],
])('cerise mcp watch (%s)', (_, startNews) => {
  it('prints a resource now and whenever it changes, until Ctrl-C', async () => {
    const news = await startNews();
    onTestFinished(() => news.close());
    const { env } = await startWith('news', news.url);
    const watching = startCommand(['mcp', 'watch', 'news', 'memo:note', '--json'], env);
    const lines = () => watching.stdout().split('\n').length - 1;
    await vi.waitUntil(() => lines() === 1, { timeout: 20_000 });
    news.change();
    await vi.waitUntil(() => lines() === 2, { timeout: 20_000 });
    watching.signal('SIGINT');
    expect(await watching.ended).toBe(0);
  });

  it('refuses what is no resource of the server', async () => {
    const news = await startNews();
    onTestFinished(() => news.close());
    const { server, id } = await startWith('news', news.url);
    const response = await server.send('GET', `/api/servers/${id}/resources/events`);
    expect(response.status).toBe(400);
    const other = await server.send('GET', '/api/servers/none/resources/events?uri=memo:note');
    expect(other.status).toBe(404);
  });
});

describe('cerise mcp skills', () => {
  it('lists them and prints their files, checked', async () => {
    const files = {
      'pdf/SKILL.md': '---\nname: pdf\ndescription: Reads PDFs\n---\nDo it.\n',
      'pdf/references/forms.md': 'Forms.\n',
    };
    const skills = await SkillsExtension.load(memorySkillFiles(files));
    const handler = createMcpHandler(() => {
      const made = new McpServer({ name: 'skilled', version: '1' });
      skills.attach(made);
      return made;
    });
    const web = await listen((request) => handler.fetch(request));
    onTestFinished(() => web.close());
    const { mcp } = await startWith('skilled', web.url);
    const listed = await mcp('skills', 'skilled');
    expect(listed.stdout).toMatch(/pdf +skill:\/\/pdf\/SKILL\.md +Reads PDFs/);
    expect((await mcp('skills', 'skilled', 'skill://pdf/SKILL.md')).stdout).toContain('Do it.');
    const form = ['skills', 'skilled', 'skill://pdf/SKILL.md', 'skill://pdf/references/forms.md'];
    expect(JSON.parse((await mcp(...form, '--json')).stdout)).toMatchObject({
      text: 'Forms.\n',
      verified: true,
    });
    expect(await mcp('skills', 'skilled', 'skill://other/SKILL.md')).toMatchObject({ code: 1 });
  });
});

describe('cerise mcp batch', () => {
  it('makes several calls, each with its own outcome, and none twice under a key', async () => {
    const news = await startModernServer();
    onTestFinished(() => news.close());
    const { env, server } = await startWith('news', news.url);
    await server.json('PUT', '/api/policy', {
      ...(await server.json<object>('GET', '/api/policy')),
      rules: [{ serverId: '*', toolName: '*', action: 'allow' }],
    });
    const lines = [
      { server: 'news', tool: 'act', arguments: { what: 'one' } },
      { server: 'news', tool: 'act', arguments: { what: 'one' } },
      { server: 'news', tool: 'act', arguments: {} },
      { server: 'news', tool: 'none' },
      { server: 'calculator', tool: 'calculate', arguments: { expression: '6*7' } },
    ];
    const make = async () => {
      const batch = startCommand(['mcp', 'batch', '-', '--key', 'k'], env, 'pipe');
      batch.stdin.end(lines.map((line) => JSON.stringify(line)).join('\n'));
      expect(await batch.ended).toBe(1);
      return batch
        .stdout()
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as object);
    };
    const first = await make();
    expect(first).toMatchObject([
      { call: { state: 'succeeded' } },
      { call: { state: 'succeeded' } },
      { error: { code: 'invalid_arguments' } },
      { error: { code: 'tool_not_found' } },
      { call: { state: 'succeeded', result: { content: [{ text: '42' }] } } },
    ]);
    expect(news.acts).toEqual(['one', 'one']);
    const again = await make();
    expect(again.slice(0, 2)).toEqual(first.slice(0, 2));
    expect(news.acts).toEqual(['one', 'one']);
  });

  it('names the line that is no call', async () => {
    const { home } = await freshPlace();
    const batch = startCommand(['mcp', 'batch', '-'], { CERISE_HOME: home }, 'pipe');
    batch.stdin.end('{"server": "a", "tool": "b"}\n{"server": 1}\n');
    expect(await batch.ended).toBe(2);
    expect(batch.stderr()).toMatch(/^cerise: Line 2 isn't a call\./);
  });
});

describe('cerise mcp complete', () => {
  it('wants either a prompt or a template', async () => {
    const { home } = await freshPlace();
    const { code, stderr } = await run(['mcp', 'complete', 'a', 'b'], { CERISE_HOME: home });
    expect(code).toBe(2);
    expect(stderr).toContain('--prompt or --template');
  });
});
