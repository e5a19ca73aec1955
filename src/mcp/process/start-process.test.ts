import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { McpProcessTracker } from './process-tracker.ts';
import { startProcess, type StartDeps } from './start-process.ts';

function start(config: object, more: Partial<StartDeps> = {}) {
  const tracker = new McpProcessTracker();
  const events: string[] = [];
  const log = { push: (_source: string, text: string) => void events.push(text) };
  const server = {
    type: 'stdio' as const,
    name: 'test',
    command: process.execPath,
    args: [],
    env: {},
    ...config,
  };
  return { tracker, events, started: startProcess(server, { tracker, log, ...more }) };
}

describe('startProcess', () => {
  it('gives the streams and the end of a process with the environment of its config', async () => {
    const code =
      "process.stdin.on('data', (x) => { console.log(process.env.KEY + x); process.exit(3) })";
    const { tracker, started } = start({ args: ['-e', code], env: { KEY: 'value' } });
    const server = await started;
    expect(tracker.tracked()).toEqual([server.id]);
    server.stdin.write('!');
    const [said] = (await once(server.stdout, 'data')) as [Buffer];
    expect(String(said)).toBe('value!\n');
    expect(await server.exited).toEqual({ code: 3, signal: null });
    await server.close();
    expect(tracker.tracked()).toEqual([]);
  });

  it.each([
    ['a working folder that is not there', { cwd: '/no/such/folder' }, 'invalid_server'],
    ['an argument with a zero character', { args: ['a\0b'] }, 'invalid_server'],
    ['a variable with a zero character', { env: { A: 'a\0b' } }, 'invalid_server'],
    ['arguments beyond all bounds', { args: ['x'.repeat(4 * 1024 * 1024)] }, 'invalid_server'],
    ['a command that is not there', { command: '/no/such/program' }, 'command_not_found'],
    ['a folder as the command', { command: '/' }, 'command_not_found'],
  ])('refuses %s with a hint, and tracks nothing', async (_what, config, code) => {
    const { tracker, started } = start(config);
    await expect(started).rejects.toMatchObject({ code, hint: expect.any(String) });
    expect(tracker.tracked()).toEqual([]);
  });

  it('starts nothing when it was cancelled before', async () => {
    const { tracker, started } = start({}, { signal: AbortSignal.abort() });
    await expect(started).rejects.toMatchObject({ code: 'cancelled' });
    expect(tracker.tracked()).toEqual([]);
  });

  it('cannot be made to lose its marker', async () => {
    const code = 'console.log(process.env.CERISE_SERVER)';
    const { started } = start({ args: ['-e', code], env: { CERISE_SERVER: 'mine' } });
    const server = await started;
    const [said] = (await once(server.stdout, 'data')) as [Buffer];
    expect(String(said)).toMatch(/^[0-9a-f-]{36}\n$/);
    await server.close();
  });
});
