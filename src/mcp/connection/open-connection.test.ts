// Starts processes.
import { describe, expect, it, onTestFinished } from 'vitest';
import { CeriseError, hintOf } from '#shared/errors/errors.ts';
import { textOf } from '#shared/errors/sentence.ts';
import { approved, testService } from '../../../test/fakes/mcp-servers.ts';
import { LogRing } from '../process/log-ring.ts';
import { explainLoss } from './open-connection.ts';

/** A process that runs this script, and what became of starting it. */
async function start(script: string, more: Record<string, unknown> = {}) {
  const service = testService();
  onTestFinished(() => service.close());
  const args = ['-e', script];
  const record = approved({ type: 'stdio', command: process.execPath, args, ...more });
  await service.setServer(record);
  const error: unknown = await service.initClient(record.id).catch((failure: unknown) => failure);
  const starts = service.logs(record.id).filter((line) => line.includes('started process'));
  return { error, status: service.status(record.id), starts: starts.length };
}

describe('a server that does not start', () => {
  it('says which variable it needs, is started once only and waits for a person', async () => {
    const { error, status, starts } = await start(
      "throw new Error('ACME_API_KEY environment variable is required')",
    );
    expect(error).toMatchObject({
      code: 'connection_lost',
      message:
        'The server exited with code 1. It reported: Error: ACME_API_KEY environment variable is required.',
      hint: 'Add the variable ACME_API_KEY to this server.',
    });
    expect(status).toMatchObject({
      state: 'failed',
      fix: { kind: 'variable', name: 'ACME_API_KEY' },
    });
    expect(starts).toBe(1);
  });

  it('never shows a secret it prints', async () => {
    const { status } = await start(
      'console.error("Invalid token " + process.env.T); process.exit(1)',
      {
        env: { T: 'hush-hush-hush' },
      },
    );
    expect(status.reason).toContain('Invalid token [redacted]');
  });

  it('offers the address that it listens at instead', async () => {
    const script =
      "console.log('MCP server listening on http://localhost:3001/mcp'); setInterval(() => 0, 1000)";
    const { status } = await start(script, { startTimeout: 1.5 });
    expect(status.reason).toContain('http://localhost:3001/mcp');
    expect(status).toMatchObject({
      state: 'failed',
      fix: { kind: 'address', url: 'http://localhost:3001/mcp' },
    });
  });

  it('is tried again where that may help', async () => {
    const { status } = await start(
      "console.error('Error: connect ECONNREFUSED 127.0.0.1:6379'); process.exit(1)",
    );
    expect(status.state).toBe('reconnecting');
    expect(status.reason).toContain("It can't reach 127.0.0.1:6379.");
  });

  it('says where to look where it says nothing itself', async () => {
    const { status } = await start('process.exit(1)');
    expect(status.reason).toBe(
      'The server exited with code 1. Check its log, and its documentation for the variables and arguments it needs.',
    );
  });

  it('says what an end without words means', async () => {
    expect((await start('process.exit(0)')).status.reason).toContain('It ended without an error');
    expect((await start("console.error('All set.')")).status.reason).toContain(
      'It reported: All set. It ended without an error',
    );
    const killed = (signal: string) => `process.kill(process.pid, '${signal}')`;
    expect((await start(killed('SIGKILL'))).status.reason).toContain('memory ran out');
    expect((await start(killed('SIGSEGV'))).status.reason).toContain('error in the server itself');
  });

  it('shows the question that it waits with, which has no end of line', async () => {
    const script =
      "process.stdout.write('Welcome\\nEnter your API key: '); setInterval(() => 0, 1000)";
    const { status } = await start(script, { startTimeout: 1.5 });
    expect(status.reason).toContain('It reported: Enter your API key:');
    expect(status.reason).toContain('It waits for input');
    expect(status.state).toBe('failed');
  });

  it('is not started as a shell that takes messages for commands', async () => {
    for (const args of [[], ['-y'], ['-y\u00a0acme-mcp']]) {
      const { error, starts } = await start('', { command: 'npx', args });
      expect(error).toMatchObject({
        code: 'invalid_server',
        message: 'npx has no package to run.',
      });
      expect(starts).toBe(0);
    }
  });

  it('has the time that its config gives it', async () => {
    const before = performance.now();
    const { error } = await start('setInterval(() => 0, 1000)', { startTimeout: 1.2 });
    expect(error).toMatchObject({
      code: 'timed_out',
      message: "The server didn't respond within 1.2 s.",
    });
    expect(performance.now() - before).toBeLessThan(10_000);
  });
});

it('says what to do about the end of a server that was connected, which is tried again', () => {
  const log = new LogRing(10_000);
  log.push('stderr', 'Error: connect ECONNREFUSED 127.0.0.1:3306');
  const { config } = approved({ type: 'stdio', command: 'acme', args: [] });
  const lost = explainLoss(new CeriseError('connection_lost', 'It ended.'), config, log);
  expect(lost.message).toContain('ECONNREFUSED 127.0.0.1:3306');
  expect(textOf(hintOf(lost) ?? '')).toContain("can't reach 127.0.0.1:3306");
  expect(lost.details ?? {}).not.toHaveProperty('final');
  const silent = explainLoss(
    new CeriseError('connection_lost', 'It ended.'),
    config,
    new LogRing(10_000),
  );
  expect(textOf(hintOf(silent) ?? '')).toContain('Check its log');
});
