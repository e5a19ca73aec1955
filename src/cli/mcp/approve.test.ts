import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ServerView } from '#shared/api/api.ts';
import { run, startCommand, startServer } from '../../../test/fixtures/cerise-in-process.ts';
import { freshPlace } from '../../../test/fixtures/http.ts';

const pliable = join(import.meta.dirname, '../../../test/fakes/pliable-server.mjs');

async function start() {
  const { home } = await freshPlace();
  const env = { CERISE_HOME: home, CERISE_DEMO_PACE: '0' };
  return { env, mcp: (...args: string[]) => run(['mcp', ...args], env) };
}

/** The same command at a terminal where someone answers its question. */
async function answered(env: Record<string, string>, args: string[], answer: string) {
  const command = startCommand(['mcp', ...args], env, 'pipe');
  Object.assign(command.stdin, { isTTY: true });
  await command.says(/\[N\]o: /);
  command.stdin.write(`${answer}\n`);
  return { code: await command.ended, stdout: command.stdout(), stderr: command.stderr() };
}

async function stateOf(mcp: Awaited<ReturnType<typeof start>>['mcp'], name: string) {
  const { servers } = JSON.parse((await mcp('list', '--json')).stdout) as { servers: ServerView[] };
  return servers.find((server) => server.name === name)?.state;
}

describe('cerise mcp approve', { timeout: 60_000 }, () => {
  it('shows every draft and approves them all after one plain yes', async () => {
    const { env, mcp } = await start();
    for (const name of ['one', 'two'])
      await mcp('add', name, '--', process.execPath, '-e', `"${name}"`);
    const unasked = await mcp('approve', '--all');
    expect(unasked).toMatchObject({ code: 1, stdout: '' });
    expect(unasked.stderr).toMatch(
      /one will run[^]*\\"one\\"[^]*two will run[^]*\\"two\\"[^]*--yes/,
    );
    for (const answer of ['n', 'yes please', '']) {
      const { code, stdout } = await answered(env, ['approve', '--all'], answer);
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    }
    expect(await stateOf(mcp, 'one')).toBe('draft');
    const yes = await answered(env, ['approve', '--all'], 'y');
    expect(yes.code).toBe(0);
    expect(yes.stdout).toMatch(/^[^\n]*one[^\n]*\n[^\n]*two[^\n]*\n$/);
    expect(yes.stderr.match(/\[N\]o: /g)).toHaveLength(1);
    for (const name of ['one', 'two']) expect(await stateOf(mcp, name)).not.toBe('draft');
    const none = await mcp('approve', '--all');
    expect(none).toMatchObject({ code: 0, stdout: 'No servers need approval.\n', stderr: '' });
  });

  it('shows how a tool changed and approves exactly that', async () => {
    const { env, mcp } = await start();
    // No server sees the data folder.
    const folder = await mkdtemp(join(tmpdir(), 'cerise-tools-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const file = join(folder, 'tools.json');
    const say = (description: string) =>
      writeFile(
        file,
        JSON.stringify({
          tools: ['pay', 'other'].map((name) => ({
            name,
            description: name === 'pay' ? description : 'Same.',
            inputSchema: { type: 'object' },
          })),
        }),
      );
    await say('Pays.');
    await startServer(env);
    await mcp('add', 'bank', '--', process.execPath, pliable, file);
    await mcp('approve', 'bank', '--yes');
    expect((await mcp('tools', 'bank')).stdout).toContain('Pays.');
    const same = await mcp('approve', 'bank', 'pay');
    expect(same).toMatchObject({ code: 0, stdout: "pay hasn't changed.\n", stderr: '' });
    await say('Pays \u001b[31mtwice.');
    await mcp('restart', 'bank');
    const unasked = await mcp('approve', 'bank', 'pay');
    expect(unasked).toMatchObject({ code: 1, stdout: '' });
    expect(unasked.stderr).toMatch(/\n- .*"Pays\."[^]*\n\+ .*twice/);
    expect(unasked.stderr).not.toContain('\u001b[31m');
    expect((await answered(env, ['approve', 'bank', 'pay'], 'no')).code).toBe(1);
    expect((await mcp('call', 'bank', 'pay', '--yes')).code).toBe(1);
    const yes = await answered(env, ['approve', 'bank', 'pay'], 'yes');
    expect(yes).toMatchObject({ code: 0, stdout: 'Approved pay.\n' });
    expect((await mcp('call', 'bank', 'pay', '--yes')).code).toBe(0);
    expect((await mcp('approve', 'bank', 'nothing')).code).toBe(1);
  });

  it.each([
    ['neither a server nor --all', ['approve']],
    ['a server and --all', ['approve', 'demo', '--all']],
  ])('refuses %s with the usage', async (_, args) => {
    const { mcp } = await start();
    const { code, stdout, stderr } = await mcp(...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^cerise: [^\n]+Usage: [^\n]+ mcp approve [^\n]+\n$/);
  });
});
