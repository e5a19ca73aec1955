import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ServerView } from '#shared/api/api.ts';
import type { DiagnosisView } from '#shared/api/server-api.ts';
import { run, startServer } from '../../../test/fixtures/cerise-in-process.ts';
import { startCommand } from '../../../test/fixtures/cerise-process.ts';
import { freshPlace } from '../../../test/fixtures/http.ts';

const fakes = join(import.meta.dirname, '../../../test/fakes');
const asking = join(fakes, 'asking-server.mjs');
const hostile = join(fakes, 'hostile-server.mjs');
/** One line that says what to do, without a stack. */
const oneLine = /^cerise: [^\n]+\n$/;

/** A data folder, and `cerise mcp …` on it. */
async function start(env: Record<string, string> = {}) {
  const { home } = await freshPlace();
  const all = { CERISE_HOME: home, CERISE_DEMO_PACE: '0', ...env };
  return { home, env: all, mcp: (...args: string[]) => run(['mcp', ...args], all) };
}

/** The same with a server that runs, which makes each command fast, and the asking servers in it. */
async function startWithServers() {
  const { env, mcp } = await start();
  const server = await startServer(env);
  for (const era of ['legacy', 'modern']) {
    const config = { name: era, command: process.execPath, args: [asking, era] };
    const { id, launchHash } = await server.json<ServerView>('POST', '/api/servers', config);
    await server.json('POST', `/api/servers/${id}/approve`, { launchHash });
  }
  return { server, mcp };
}

describe('cerise mcp', { timeout: 120_000 }, () => {
  it('explains itself', async () => {
    const { mcp } = await start();
    const { code, stdout } = await mcp();
    expect(code).toBe(0);
    for (const word of ['list', 'add', 'approve', 'call', 'doctor', '--json'])
      expect(stdout).toContain(word);
  });

  it.each([
    ['an unknown command', ['lisst'], 2],
    ['a command of every object', ['toString'], 2],
    ['an unknown flag', ['list', '--frobnicate'], 2],
    ['too many words', ['list', 'x'], 2],
    ['no name', ['tools'], 2],
    ['neither a command nor an address', ['add', 'x'], 2],
    ['both a command and an address', ['add', 'x', '--url', 'http://a.example', '--', 'y'], 2],
    ['a pair without a value', ['add', 'x', '--url', 'http://a.example', '--header', 'y'], 2],
    ['an unset variable', ['add', 'x', '--env', 'NOT_SET_ANYWHERE', '--', 'y'], 2],
    ['files that are neither', ['add', 'x', '--files', 'some', '--', 'y'], 2],
    ['files in two ways', ['add', 'x', '--files', 'own', '--read', '/tmp', '--', 'y'], 2],
    ['access of an address', ['add', 'x', '--url', 'http://a.example', '--no-network'], 2],
    ['arguments that are not JSON', ['call', 'demo', 'echo', '{'], 2],
    ['arguments that are a list', ['call', 'demo', 'echo', '[]'], 2],
    ['an address that is none', ['add', 'x', '--url', 'ftp://a.example'], 1],
    ['an unknown server', ['tools', 'nobody'], 1],
    ['an unknown tool', ['call', 'demo', 'nothing'], 1],
    ['a built-in server that is to go', ['remove', 'demo'], 1],
  ])('refuses %s in one line', async (_, args, expected) => {
    const { mcp } = await start();
    const { code, stdout, stderr } = await mcp(...args);
    expect({ code, stdout }).toEqual({ code: expected, stdout: '' });
    expect(stderr).toMatch(oneLine);
  });

  it('adds a server as a draft and runs it only when exactly its command was approved', async () => {
    const { mcp } = await start();
    const command = ['--', process.execPath, asking, 'legacy', '--json'];
    const added = await mcp('add', 'shop', '--env', 'KEY=secret-value', ...command);
    expect(added).toMatchObject({ code: 0, stderr: '' });
    expect(added.stdout).toContain('mcp approve shop');
    const draft = await mcp('doctor', 'shop');
    expect(draft.code).toBe(1);
    expect(draft.stdout).toMatch(/shop {2}needs approval[^]*approve it/);
    const unasked = await mcp('approve', 'shop');
    expect(unasked.code).toBe(1);
    expect(unasked.stderr).toContain(asking);
    expect(unasked.stderr).toContain('KEY (value hidden)');
    expect(unasked.stderr).not.toContain('secret-value');
    expect(unasked.stderr).toContain('interactive terminal');
    const approved = await mcp('approve', 'shop', '--yes');
    expect(approved.code).toBe(0);
    expect(approved.stdout).toMatch(/^Approved\. State of shop: connected\nTools \(\d+\): \w/);
    const works = await mcp('doctor', 'SHOP');
    expect(works.code).toBe(0);
    for (const words of [
      'shop  connected',
      '(with handshake)',
      'asking 1',
      'initialize',
      "It's working.",
    ])
      expect(works.stdout).toContain(words);
    const twice = await mcp('add', 'shop', '--url', 'http://127.0.0.1:9/');
    expect(twice).toMatchObject({ code: 1 });
    expect(twice.stderr).toMatch(oneLine);
    expect(await mcp('disable', 'shop')).toMatchObject({ code: 0, stdout: 'shop: disabled\n' });
    expect(await mcp('enable', 'shop')).toMatchObject({ code: 0, stdout: 'shop: on demand\n' });
    expect(await mcp('remove', 'shop')).toMatchObject({ code: 0 });
    expect((await mcp('list')).stdout).not.toContain('shop');
  });

  it('adds a server with less access, and says what it may reach', async () => {
    const { mcp, home } = await start();
    const folder = join(home, 'workspace');
    mkdirSync(folder, { recursive: true });
    const command = ['--', process.execPath, asking, 'legacy'];
    await mcp('add', 'shop', '--read', fakes, '--write', folder, '--no-network', ...command);
    const { stderr } = await mcp('approve', 'shop');
    const words = ['its own folder', `${fakes} (read-only)`, `${folder} (read and write)`];
    for (const line of [...words.map((word) => `files +${word}`), 'network +blocked'])
      expect(stderr.replaceAll(/[()]/g, '')).toMatch(new RegExp(line.replaceAll(/[()]/g, '')));
    await mcp('approve', 'shop', '--yes');
    const { stdout } = await mcp('doctor', 'shop');
    expect(stdout).toMatch(/network +blocked/);
    expect(stdout).toMatch(/sandbox +\S+/);
    await mcp('add', 'small', '--files', 'own', ...command);
    expect((await mcp('approve', 'small')).stderr).toMatch(/files +only its own folder\n/);
  });

  it('shows what servers offer, and prints what the API says with --json', async () => {
    const { mcp, server } = await startWithServers();
    expect((await mcp('list')).stdout).toMatch(/NAME +STATE[^]*legacy +on demand +stdio/);
    expect((await mcp('tools', 'modern')).stdout).toMatch(/TOOL[^]*order/);
    expect((await mcp('prompts', 'modern')).stdout).toMatch(/greeting +Greets\./);
    expect((await mcp('prompts', 'modern', 'greeting')).stdout).toContain('Good morning!');
    expect((await mcp('resources', 'modern')).stdout).toMatch(/memo:note[^]*memo:\{day\}/);
    const note = await mcp('read', 'modern', 'memo:note');
    expect(note).toMatchObject({ code: 0, stdout: 'Remember the milk.\n' });
    expect((await mcp('logs', 'modern')).stdout).toContain('connected');
    const listed = JSON.parse((await mcp('list', '--json')).stdout) as object;
    expect(listed).toEqual(await server.json('GET', '/api/servers'));
    const read = JSON.parse((await mcp('read', 'modern', 'memo:note', '--json')).stdout) as object;
    expect(read).toMatchObject({ contents: [{ text: 'Remember the \u001b[31mmilk.' }] });
    expect((await mcp('restart', 'modern')).stdout).toBe('modern: connected\n');
    expect((await mcp('stop', 'modern')).stdout).toBe('modern: on demand\n');
  });

  it('says which models are not offered a tool', async () => {
    const { mcp } = await start();
    const properties = { 'filter[id]\u001b[31m': { type: 'string' } };
    const scenario = { tools: ['find', 'echo'], schemas: { find: { type: 'object', properties } } };
    await mcp('add', 'odd', '--', process.execPath, hostile, JSON.stringify(scenario));
    await mcp('approve', 'odd', '--yes');
    const { code, stdout } = await mcp('tools', 'odd');
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /\n\nfind isn't available to Anthropic[^\n]* models: [^\n]*filter\[id\]/,
    );
    expect(stdout).not.toContain("echo isn't available");
    expect(stdout).not.toMatch(/(?![\n\t])\p{Cc}|\p{Bidi_Control}/u);
  });

  it('ends quietly when nobody reads on', async () => {
    const { env } = await start();
    const command = startCommand(['mcp', 'list'], env);
    command.child.stdout?.destroy();
    expect(await command.ended).toBe(0);
    expect(command.stderr()).toBe('');
  });

  it('calls a tool with arguments as JSON or one by one', async () => {
    const { mcp } = await start();
    const json = await mcp('call', 'demo', 'echo', '{"message": "one\\u001b[31m"}');
    expect(json).toMatchObject({ code: 0, stdout: 'one\n', stderr: '' });
    const text = await mcp('call', 'demo', 'echo', '--arg', 'message=42');
    expect(text).toMatchObject({ code: 0, stdout: '42\n' });
    const number = await mcp('call', 'demo', 'large_result', '--arg', 'kilobytes=1', '--json');
    expect(number.code).toBe(0);
    expect(JSON.parse(number.stdout)).toMatchObject({ content: [{ type: 'text' }] });
    const wrong = await mcp('call', 'demo', 'echo', '{}');
    expect(wrong).toMatchObject({ code: 1, stdout: '' });
    expect(wrong.stderr).toMatch(oneLine);
  });

  it('prints a large result whole, and what media there are', async () => {
    const { mcp } = await start();
    const large = await mcp('call', 'demo', 'large_result', '--arg', 'kilobytes=300');
    expect(large).toMatchObject({ code: 0, stderr: '' });
    expect(large.stdout).toHaveLength(300 * 1024 + 1);
    expect(large.stdout.trimEnd()).toMatch(/^Line 1 of 4800[^]*\nLine 4800 of 4800[^\n]*$/);
    const { stdout } = await mcp('call', 'demo', 'play_sound');
    expect(stdout).toMatch(/\[audio: audio\/wav, [1-9]\d* KiB\]/);
    const json = await mcp('call', 'demo', 'play_sound', '--json');
    const { content } = JSON.parse(json.stdout) as { content: { data?: string }[] };
    expect(content.find(({ data }) => data)?.data?.length).toBeGreaterThan(20_000);
  });

  it('runs nothing the policy asks about unless it is told to', async () => {
    const { mcp } = await startWithServers();
    const denied = await mcp('call', 'legacy', 'folders');
    expect(denied).toMatchObject({ code: 1, stdout: '' });
    expect(denied.stderr).toContain('Use --yes');
    const run = await mcp('call', 'legacy', 'folders', '--yes');
    expect(run).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(run.stdout)).toMatchObject({ folders: { roots: [] } });
  });

  it.each(['legacy', 'modern'])(
    'declines what a %s server asks when nobody is there to answer',
    async (era) => {
      const { mcp } = await startWithServers();
      const { code, stdout, stderr } = await mcp('call', era, 'order', '--yes');
      expect(code).toBe(0);
      expect(JSON.parse(stdout)).toMatchObject({ order: { action: 'decline' } });
      expect(stderr).toBe(
        `Declined, because this isn't an interactive terminal. ${era} asked: What shall it be?\n`,
      );
    },
  );

  it('examines all servers at once, and fails when one of them does', async () => {
    const { mcp } = await start();
    const fine = await mcp('doctor');
    expect(fine.code).toBe(0);
    expect(fine.stdout).toMatch(/demo +connected +inMemory/);
    const stderr = JSON.stringify({ stderr: 'cannot \u001b[31mfind my key', exitAtStart: 3 });
    await mcp('add', 'broken', '--', process.execPath, hostile, stderr);
    expect((await mcp('doctor')).code).toBe(0);
    await mcp('approve', 'broken', '--yes');
    const all = await mcp('doctor');
    expect(all.code).toBe(1);
    expect(all.stdout).toMatch(/broken +reconnecting[^\n]*cannot find my key/);
    const one = await mcp('doctor', 'broken', '--json');
    expect(one.code).toBe(1);
    const diagnosis = JSON.parse(one.stdout) as DiagnosisView;
    expect(diagnosis.errors.length).toBeGreaterThan(0);
    const page = await mcp('doctor', 'broken');
    expect(page.stdout).toMatch(/Recent errors[^]*cannot find my key[^]*Next step/);
    for (const { stdout } of [all, one, page])
      expect(stdout).not.toMatch(/(?![\n\t])\p{Cc}|\p{Bidi_Control}/u);
  });
});
