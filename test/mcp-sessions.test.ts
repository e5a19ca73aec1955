import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { McpService } from '#mcp/service/mcp-service.ts';
import { approved, callTool, testService } from './fakes/mcp-servers.ts';
import { type NewsServer, startModernServer, startSessionServer } from './fakes/news-servers.ts';

const patience = { timeout: 20_000 };

const done = [{ type: 'text', text: 'done' }];

interface Meeting {
  service: McpService;
  server: NewsServer;
  id: string;
}

async function meet(start: () => Promise<NewsServer>, config: object = {}): Promise<Meeting> {
  const server = await start();
  onTestFinished(() => server.close());
  const service = testService();
  onTestFinished(() => service.close());
  const record = approved({ type: 'streamableHttp', baseUrl: server.url, ...config });
  await service.setServer(record);
  return { service, server, id: record.id };
}

async function toolNames({ service, id }: Meeting): Promise<string[]> {
  return (await service.listTools(id)).map(({ name }) => name);
}

describe.each([
  ['legacy', startSessionServer],
  ['modern', startModernServer],
] as const)('a %s server over HTTP', (era, start) => {
  it('speaks its era', async () => {
    const { service, id } = await meet(start);
    expect((await service.initClient(id)).greeting.agreement.era).toBe(era);
  });

  it('is called once though it was restarted since the last call', async () => {
    const { service, server, id } = await meet(start);
    await callTool(service, id, 'act', { what: 'before' });
    await server.restart();
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 });
    onTestFinished(() => void vi.useRealTimers());
    expect((await callTool(service, id, 'act', { what: 'after' })).content).toEqual(done);
    expect(server.acts).toEqual(['before', 'after']);
  });

  it('is called at most once right after a restart, and again without harm', async () => {
    const { service, server, id } = await meet(start);
    await callTool(service, id, 'act', { what: 'before' });
    await server.restart();
    const first = await service.batchToolCalls([
      { serverId: id, callId: 'first', name: 'act', arguments: { what: 'first' } },
    ]);
    await callTool(service, id, 'act', { what: 'second' });
    const carriedOut = 'result' in first[0]! ? ['first'] : [];
    expect(server.acts).toEqual(['before', ...carriedOut, 'second']);
  });

  it('tells of a change of its tools, also after it was restarted', async () => {
    const meeting = await meet(start);
    const { server } = meeting;
    expect(await toolNames(meeting)).not.toContain('extra1');
    await listening(meeting);
    server.grow();
    await vi.waitFor(async () => expect(await toolNames(meeting)).toContain('extra1'), patience);
    await server.restart();
    server.grow();
    const seen = async () => expect(await toolNames(meeting)).toContain('extra2');
    await vi.waitFor(seen, { ...patience, interval: 100 });
    await listening(meeting);
    server.grow();
    await vi.waitFor(async () => expect(await toolNames(meeting)).toContain('extra3'), patience);
  });

  it('tells of a change of a resource until that is not wanted any more', async () => {
    const { service, server, id } = await meet(start);
    await service.getResource(id, 'memo:note');
    let changes = 0;
    const end = await service.subscribeResource(id, 'memo:note', () => (changes += 1));
    await vi.waitFor(
      () => {
        server.change();
        expect(changes).toBeGreaterThan(0);
      },
      { ...patience, interval: 100 },
    );
    await end();
    const seen = changes;
    server.change();
    await service.checkConnectivity(id);
    expect(changes).toBe(seen);
  });

  it('sees that a call is cancelled, and that its time is over', async () => {
    const { service, server, id } = await meet(start);
    const call = callTool(service, id, 'wait', {}, { callId: 'stop-me' });
    await server.waiting;
    expect(service.abortTool('stop-me')).toBe(true);
    await expect(call).rejects.toMatchObject({ code: 'cancelled' });
    await vi.waitFor(() => expect(server.waits).toEqual(['cancelled']), patience);
    const late = callTool(service, id, 'wait', {}, { timeout: 0.2 });
    await expect(late).rejects.toMatchObject({ code: 'timed_out' });
    await vi.waitFor(() => expect(server.waits).toEqual(['cancelled', 'cancelled']), patience);
  });

  it('reports progress and logs at the level it was told', async () => {
    const { service, server, id } = await meet(start, { logLevel: 'warning' });
    const heard: unknown[] = [];
    const onProgress = (progress: unknown): void => void heard.push(progress);
    expect((await callTool(service, id, 'report', {}, { onProgress })).content).toEqual(done);
    expect(heard).toEqual([{ progress: 1, total: 4, ratio: 0.25, message: 'a quarter' }]);
    await vi.waitFor(
      () => expect(service.logs(id).join('\n')).toContain('warning: loud enough'),
      patience,
    );
    if (era === 'legacy') expect(server.levels).toEqual(['warning']);
    else expect(service.logs(id).join('\n')).not.toContain('too quiet');
  });
});

/** What a server says before anybody listens is lost; whoever has subscribed listens. */
async function listening({ service, server, id }: Meeting): Promise<void> {
  const heard = Promise.withResolvers<void>();
  const end = await service.subscribeResource(id, 'memo:note', () => heard.resolve());
  const timer = setInterval(() => server.change(), 20);
  await heard.promise;
  clearInterval(timer);
  await end();
}

describe.each(['legacy', 'modern'])('a %s server over stdio', (era) => {
  async function meetProcess(): Promise<Pick<Meeting, 'service' | 'id'>> {
    const service = testService();
    onTestFinished(() => service.close());
    const script = join(import.meta.dirname, 'fakes/news-server.ts');
    const record = approved({ type: 'stdio', command: process.execPath, args: [script, era] });
    await service.setServer(record);
    expect((await service.initClient(record.id)).greeting.agreement.era).toBe(era);
    return { service, id: record.id };
  }

  it('tells of a change of its tools', async () => {
    const { service, id } = await meetProcess();
    const names = async () => (await service.listTools(id)).map(({ name }) => name);
    expect(await names()).not.toContain('extra1');
    await callTool(service, id, 'grow');
    await vi.waitFor(async () => expect(await names()).toContain('extra1'), patience);
  });

  it('sees that a call is cancelled', async () => {
    const { service, id } = await meetProcess();
    const call = callTool(service, id, 'wait', {}, { callId: 'stop-me' });
    const logged = (text: string) => () => expect(service.logs(id).join('\n')).toContain(text);
    await vi.waitFor(logged('waiting'), patience);
    service.abortTool('stop-me');
    await expect(call).rejects.toMatchObject({ code: 'cancelled' });
    await vi.waitFor(logged('told to stop'), patience);
    expect((await service.diagnose(id)).processes).toHaveLength(1);
  });

  it('reports progress', async () => {
    const { service, id } = await meetProcess();
    const heard: unknown[] = [];
    await callTool(service, id, 'report', {}, { onProgress: (step) => void heard.push(step) });
    expect(heard).toEqual([{ progress: 1, total: 4, ratio: 0.25, message: 'a quarter' }]);
  });
});
