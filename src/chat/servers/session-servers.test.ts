import { McpServer } from '@modelcontextprotocol/server';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { McpService } from '#mcp/service/mcp-service.ts';
import { usualLimits } from '#shared/vocabulary/limits.ts';
import type { Attachment, ServerRecord } from '#shared/vocabulary/server.ts';
import { approved, hostile, testService } from '../../../test/fakes/mcp-servers.ts';
import { SessionServers } from './session-servers.ts';

const patience = { timeout: 20_000 };

const halfHour = 30 * 60_000;
const topic = (id: string, assistantId = 'default') => ({ id, assistantId });

/** Sessions over in-memory servers, which say when one is made and when it ends. */
async function start(...attachments: Attachment[]) {
  const alive = new Set<number>();
  let made = 0;
  const gate = Promise.withResolvers<void>();
  const builtin = async (): Promise<McpServer> => {
    const number = ++made;
    const server = new McpServer({ name: 'counting', version: '1' });
    const content = [{ type: 'text' as const, text: String(number) }];
    server.registerTool('number', {}, () => ({ content }));
    server.registerTool('wait', {}, () => gate.promise.then(() => ({ content })));
    alive.add(number);
    const close = server.close.bind(server);
    server.close = async () => {
      alive.delete(number);
      await close();
    };
    return server;
  };
  const main = testService({ builtin });
  const records = attachments.map((attachedTo): ServerRecord => ({
    ...approved({ type: 'inMemory', builtin: 'x' }),
    attachedTo,
  }));
  for (const record of records) await main.setServer(record);
  const told: string[] = [];
  const sessions = new SessionServers(main, {
    limits: usualLimits,
    createService: (statusOf) =>
      testService({
        builtin,
        onStatus: (id, own) => void told.push(statusOf(id, own).state),
      }),
  });
  onTestFinished(() => sessions.close());
  return { main, sessions, records, alive, told, gate };
}

let lastCall = 0;
async function call(sessions: SessionServers, topicId: string, serverId: string, name = 'number') {
  const request = { serverId, name, arguments: {}, callId: `c${++lastCall}` };
  const { content } = await sessions.of(topic(topicId)).callTool(request);
  return content[0]?.type === 'text' ? content[0].text : '';
}

function stopClock(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
}

describe('session servers', () => {
  it('run once for each topic, from their first use on', async () => {
    const { sessions, records, alive } = await start({ assistant: 'default' });
    const id = records[0]!.id;
    expect(alive.size).toBe(0);
    expect(await call(sessions, 'a', id)).toBe('1');
    expect(await call(sessions, 'b', id)).toBe('2');
    expect(await call(sessions, 'a', id)).toBe('1');
    const [list] = await sessions.of(topic('a')).listServerTools([id]);
    expect(list?.tools?.map(({ name }) => name)).toEqual(['number', 'wait']);
    expect([...alive]).toEqual([1, 2]);
  });

  it('end after half an hour without a call in their topic, and start again at the next', async () => {
    const { sessions, records, alive } = await start({ assistant: 'default' });
    const id = records[0]!.id;
    stopClock();
    await call(sessions, 'a', id);
    vi.advanceTimersByTime(halfHour - 1);
    await call(sessions, 'b', id);
    expect([...alive]).toEqual([1, 2]);
    vi.advanceTimersByTime(1);
    await vi.waitFor(() => expect([...alive]).toEqual([2]), patience);
    expect(await call(sessions, 'a', id)).toBe('3');
    vi.advanceTimersByTime(halfHour);
    await vi.waitFor(() => expect(alive.size).toBe(0), patience);
  });

  it('do not end while a call runs, however long it takes', async () => {
    const { sessions, records, alive, gate } = await start({ topic: 'a' });
    const id = records[0]!.id;
    await call(sessions, 'a', id);
    const main = { ...records[0]!, config: { ...records[0]!.config, timeout: 86_000 } };
    await sessions.changed(main);
    stopClock();
    const waiting = call(sessions, 'a', id, 'wait');
    await call(sessions, 'a', id);
    vi.advanceTimersByTime(halfHour * 2);
    expect([...alive]).toEqual([1]);
    gate.resolve();
    expect(await waiting).toBe('1');
    vi.advanceTimersByTime(halfHour);
    await vi.waitFor(() => expect(alive.size).toBe(0), patience);
  });

  it('end with their topic, which takes its own servers along', async () => {
    const { main, sessions, records, alive } = await start(
      { topic: 'a' },
      { assistant: 'default' },
    );
    const [own, preset] = records;
    for (const { id } of records) await call(sessions, 'a', id);
    await call(sessions, 'b', preset!.id);
    await sessions.topicDeleted('a');
    expect([...alive]).toEqual([3]);
    expect(main.servers().map(({ id }) => id)).toEqual([preset!.id]);
    await expect(call(sessions, 'b', own!.id)).rejects.toMatchObject({ code: 'server_not_found' });
  });

  it('end with their assistant in every topic, and those of another owner go on', async () => {
    const { main, sessions, records, alive } = await start(
      { assistant: 'x' },
      { assistant: 'x' },
      { topic: 'a' },
    );
    const [ours, theirs, inTopic] = records;
    await main.setServer({ ...theirs!, owner: 'somebody' });
    for (const [place, { id }] of [
      ['a', ours!],
      ['b', ours!],
      ['c', theirs!],
      ['a', inTopic!],
    ] as const)
      await call(sessions, place, id);
    await sessions.assistantDeleted('local', 'x');
    expect([...alive]).toEqual([3, 4]);
    expect(main.servers().map(({ id }) => id)).toEqual([theirs!.id, inTopic!.id]);
  });

  it('end in a topic that moved to another assistant', async () => {
    const { sessions, records, alive } = await start({ assistant: 'x' }, { topic: 'a' });
    const [preset, own] = records;
    await sessions.of(topic('a', 'x')).listServerTools([preset!.id, own!.id]);
    expect(alive.size).toBe(2);
    await sessions.of(topic('a', 'y')).listServerTools([own!.id]);
    expect(alive.size).toBe(1);
    expect(sessions.status(preset!.id)).toBeUndefined();
    expect(sessions.status(own!.id)?.state).toBe('connected');
  });

  it('end when their record is disabled or removed, and start again when it is enabled', async () => {
    const { sessions, records, alive } = await start({ topic: 'a' });
    const [record] = records;
    const { id } = record!;
    await call(sessions, 'a', id);
    await sessions.changed({ ...record!, config: { ...record!.config, disabled: true } });
    expect(alive.size).toBe(0);
    await expect(call(sessions, 'a', id)).rejects.toMatchObject({ code: 'server_disabled' });
    await sessions.changed(record!);
    expect(await call(sessions, 'a', id)).toBe('2');
    await sessions.endServer(id);
    expect(alive.size).toBe(0);
  });

  it('end with the host, and nothing starts afterwards', async () => {
    const { sessions, records, alive } = await start({ assistant: 'default' });
    const id = records[0]!.id;
    await call(sessions, 'a', id);
    await call(sessions, 'b', id);
    await sessions.close();
    expect(alive.size).toBe(0);
    await expect(call(sessions, 'a', id)).rejects.toMatchObject({ code: 'shutting_down' });
    expect(alive.size).toBe(0);
  });

  it('show the state that says most, and what their processes wrote', async () => {
    const { main, sessions, records, told } = await start({ assistant: 'default' });
    const id = records[0]!.id;
    expect(sessions.status(id)).toBeUndefined();
    await call(sessions, 'a', id);
    expect(sessions.status(id)?.state).toBe('connected');
    expect(told).toEqual(['idle', 'connecting', 'connected']);
    const broken = hostile({ exitAtStart: 1, stderr: 'no such database' });
    await main.setServer({ ...broken, attachedTo: { topic: 'a' } });
    const lists = await sessions.of(topic('a')).listServerTools([broken.id, id]);
    expect(lists.map(({ tools, error }) => tools?.length ?? error?.code)).toEqual([
      'connection_lost',
      2,
    ]);
    expect(sessions.status(broken.id)).toMatchObject({
      state: 'reconnecting',
      reason: expect.stringContaining('no such database'),
    });
    expect(sessions.logs(broken.id).join('\n')).toContain('no such database');
    await sessions.topicDeleted('a');
    expect(told.at(-1)).toBe('idle');
    expect(isStarted(main, id)).toBe(false);
  });
});

function isStarted(service: McpService, id: string): boolean {
  return service.status(id).state !== 'idle';
}
