import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { McpService } from '#mcp/service/mcp-service.ts';
import type { ServerRecord } from '#shared/vocabulary/server.ts';
import { hostile, testService } from '../../../test/fakes/mcp-servers.ts';
import { type ITool, loadMcpTools, McpToolAdapter } from './mcp-tool-adapter.ts';
import type { LoadFailure } from './tools-loader.ts';

const open: McpService[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((service) => service.close()));
});

async function serviceWith(...records: ServerRecord[]): Promise<McpService> {
  const service = testService();
  open.push(service);
  for (const record of records) await service.setServer(record);
  return service;
}

async function load(record: ServerRecord, toolName: string): Promise<ITool> {
  const service = await serviceWith(record);
  const tools = await loadMcpTools(service, [record.id]);
  const tool = tools.find(({ name }) => name === `mcp__test__${toolName}`);
  if (!tool) throw new Error(`there is no ${toolName}`);
  return tool;
}

/** A call that never ends at a server that writes down what it hears, and the clock in our hand. */
async function startSlowCall(config: Record<string, unknown> = {}) {
  const journal = join(mkdtempSync(join(tmpdir(), 'cerise-')), 'journal');
  const slow = await load(hostile({ journal }, config), 'slow');
  const began = Promise.withResolvers<void>();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const call = slow.execute({}, { onProgress: () => began.resolve() });
  const outcome = call.then(
    () => 'succeeded',
    (error: { code: string }) => error.code,
  );
  await began.promise;
  const heard = (method: string): boolean => readFileSync(journal, 'utf8').includes(method);
  return { outcome, heard };
}

async function stillRuns(outcome: Promise<string>): Promise<boolean> {
  const later = new Promise((done) => setImmediate(done, 'runs'));
  return (await Promise.race([outcome, later])) === 'runs';
}

describe('McpToolAdapter', () => {
  it('runs a tool and hands on progress, arguments and the whole result', async () => {
    const progress: unknown[] = [];
    const record = hostile({ tools: ['echo', 'progress'] });
    const service = await serviceWith(record);
    const [echo, steps] = await loadMcpTools(service, ['test']);
    expect(echo).toBeInstanceOf(McpToolAdapter);
    expect(echo).toMatchObject({ name: 'mcp__test__echo', description: 'Tool echo' });
    expect(echo?.parameters).toMatchObject({ type: 'object' });
    expect(await echo?.execute({ a: [1] })).toEqual({
      content: [{ type: 'text', text: '{"a":[1]}' }],
    });
    await steps?.execute({}, { onProgress: (each) => void progress.push(each) });
    expect(progress).toEqual([{ progress: 1, total: 4, ratio: 0.25, message: 'a quarter' }]);
  });

  it('gives a call 120 seconds where the server sets no time, then cancels it at the server', async () => {
    const { outcome, heard } = await startSlowCall();
    vi.advanceTimersByTime(119_000);
    expect(await stillRuns(outcome)).toBe(true);
    expect(heard('notifications/cancelled')).toBe(false);
    vi.advanceTimersByTime(1000);
    expect(await outcome).toBe('timed_out');
    vi.useRealTimers();
    await expect.poll(() => heard('notifications/cancelled')).toBe(true);
  });

  it.each([2, 300])('leaves a server its own time of %i seconds', async (timeout) => {
    const { outcome } = await startSlowCall({ timeout });
    vi.advanceTimersByTime(timeout * 1000 - 500);
    expect(await stillRuns(outcome)).toBe(true);
    vi.advanceTimersByTime(500);
    expect(await outcome).toBe('timed_out');
  });

  it('cancels by signal, and by the id of the call', async () => {
    const record = hostile();
    const service = await serviceWith(record);
    const slow = (await loadMcpTools(service, [record.id])).find(({ name }) =>
      name.endsWith('slow'),
    );
    const controller = new AbortController();
    const bySignal = slow?.execute(
      {},
      { signal: controller.signal, onProgress: () => controller.abort() },
    );
    await expect(bySignal).rejects.toMatchObject({ code: 'cancelled' });
    const byId = slow?.execute(
      {},
      { callId: 'mine', onProgress: () => void service.abortTool('mine') },
    );
    await expect(byId).rejects.toMatchObject({ code: 'cancelled' });
  });
});

describe('loadMcpTools', () => {
  it('gives the tools of the healthy servers and tells what is missing', async () => {
    const healthy = hostile({ tools: ['echo', 'monstrous'] }, { name: 'healthy' });
    const broken = hostile({ exitAtStart: 1 }, { name: 'broken' });
    const service = await serviceWith(healthy, broken);
    const failures: LoadFailure[] = [];
    const tools = await loadMcpTools(service, [broken.id, healthy.id, 'nobody'], {
      onFailure: (failure) => void failures.push(failure),
    });
    expect(tools.map(({ name }) => name)).toEqual(['mcp__healthy__echo']);
    expect(failures.map(({ serverName, error }) => [serverName, error.code])).toEqual([
      ['broken', 'connection_lost'],
      ['nobody', 'server_not_found'],
      ['healthy', 'unreadable_response'],
    ]);
  });

  it("never gives a user another's servers, not even by their id", async () => {
    const theirs = { ...hostile({}, { name: 'theirs' }), owner: 'somebody' };
    const service = await serviceWith(theirs);
    const codes: string[] = [];
    const tools = await loadMcpTools(service, [theirs.id, 'theirs'], {
      owner: 'local',
      onFailure: ({ error }) => void codes.push(error.code),
    });
    expect(tools).toEqual([]);
    expect(codes).toEqual(['server_not_found', 'server_not_found']);
    expect(service.status(theirs.id).state).toBe('idle');
  });
});
