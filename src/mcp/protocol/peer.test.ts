import { afterEach, describe, expect, it, vi } from 'vitest';
import { CeriseError } from '#shared/errors/errors.ts';
import type { JsonObject } from '#shared/vocabulary/json.ts';
import { RpcError } from './messages.ts';
import { type PeerHandlers, RpcPeer } from './peer.ts';
import { TestChannel } from '../../../test/fakes/test-channel.ts';

const patience = { timeout: 20_000 };

const soon = { limits: { total: 1000 } };

async function meet(channel = new TestChannel(), handlers: Partial<PeerHandlers> = {}) {
  const closed = vi.fn<(error?: CeriseError) => void>();
  const peer = new RpcPeer(channel, {
    onRequest: async () => ({}),
    onNotification: () => undefined,
    note: () => undefined,
    onClose: closed,
    ...handlers,
  });
  await peer.open();
  return { peer, channel, closed };
}

afterEach(() => void vi.useRealTimers());

describe('a request', () => {
  it('gets its own answer, in whatever order answers come, with ids that count', async () => {
    const { peer, channel } = await meet();
    const one = peer.request('a', {}, soon);
    const two = peer.request('b', {}, soon);
    channel.result(2, { two: true });
    channel.result('1', { one: true });
    expect(await one).toEqual({ one: true });
    expect(await two).toEqual({ two: true });
    expect(channel.sent.map((message) => ('id' in message ? message.id : 0))).toEqual([1, 2]);
  });

  it('rejects with the error the server gave, also a malformed one', async () => {
    const { peer, channel } = await meet();
    channel.script = ({ id, method }) =>
      method === 'a'
        ? channel.error(id, -32601, 'what?', { x: 1 })
        : channel.receive({ jsonrpc: '2.0', id, error: 'odd' as never });
    await expect(peer.request('a', {}, soon)).rejects.toMatchObject({
      code: -32601,
      message: 'what?',
      data: { x: 1 },
    });
    await expect(peer.request('b', {}, soon)).rejects.toBeInstanceOf(RpcError);
  });

  it('tells the server when its time is over, and counts the answer that comes too late', async () => {
    vi.useFakeTimers();
    const { peer, channel } = await meet();
    const late = expect(peer.request('slow', {}, soon)).rejects.toMatchObject({
      code: 'timed_out',
    });
    await vi.advanceTimersByTimeAsync(1000);
    await late;
    expect(channel.cancelled).toEqual([1]);
    expect(channel.sent.at(-1)).toMatchObject({
      method: 'notifications/cancelled',
      params: { requestId: 1 },
    });
    channel.result(1, {});
    expect(peer.lateAnswers).toBe(1);
    expect(peer.inFlight).toBe(0);
  });

  it('is cancelled by its signal; a channel whose cancelling tells enough says nothing more', async () => {
    const { peer, channel } = await meet(new TestChannel('streamableHttp', true));
    const stop = new AbortController();
    const request = peer.request('slow', {}, { ...soon, signal: stop.signal });
    stop.abort();
    await expect(request).rejects.toMatchObject({ code: 'cancelled' });
    expect(channel.cancelled).toEqual([1]);
    expect(channel.methods()).toEqual(['slow']);
    const before = peer.request('never', {}, { ...soon, signal: stop.signal });
    await expect(before).rejects.toMatchObject({ code: 'cancelled' });
    expect(channel.methods()).toEqual(['slow']);
  });

  it('lives on as long as there is progress, but not beyond its total', async () => {
    vi.useFakeTimers();
    const { peer, channel } = await meet();
    const seen: number[] = [];
    const options = {
      limits: { idle: 100, total: 250 },
      onProgress: ({ progress }: { progress: number }) => void seen.push(progress),
    };
    const call = peer.request('work', { a: 1, _meta: { b: 2 } }, options);
    const ended = expect(call).rejects.toMatchObject({ code: 'timed_out' });
    expect(channel.sent[0]).toMatchObject({ params: { a: 1, _meta: { b: 2, progressToken: 1 } } });
    for (let step = 1; step <= 3; step++) {
      await vi.advanceTimersByTimeAsync(80);
      const params: JsonObject = { progressToken: 1, progress: step };
      channel.receive({ jsonrpc: '2.0', method: 'notifications/progress', params });
    }
    expect(peer.inFlight).toBe(1);
    await vi.advanceTimersByTimeAsync(10);
    await ended;
    expect(seen).toEqual([1, 2, 3]);
  });

  it('is not ended by a cancellation that means a request of the server', async () => {
    const { peer, channel } = await meet();
    const call = peer.request('work', {}, soon);
    const listening = peer.request('listen', {}, { ...soon, subscription: true });
    for (const requestId of [1, 2])
      channel.receive({
        jsonrpc: '2.0',
        method: 'notifications/cancelled',
        params: { requestId },
      });
    await expect(listening).rejects.toMatchObject({ code: 'cancelled' });
    channel.result(1, { done: true });
    expect(await call).toEqual({ done: true });
  });
});

describe('the end of the channel', () => {
  it('fails what is open as lost and what comes later as never sent', async () => {
    const { peer, channel, closed } = await meet();
    const open = peer.request('work', {}, soon);
    channel.end(new CeriseError('connection_lost', 'Gone.'));
    channel.end();
    await expect(open).rejects.toMatchObject({ code: 'connection_lost', reach: 'left' });
    await expect(peer.request('more', {}, soon)).rejects.toMatchObject({
      code: 'connection_lost',
      reach: 'never-left',
    });
    expect(closed).toHaveBeenCalledOnce();
    expect(channel.methods()).toEqual(['work']);
  });
});

describe('a request of the server', () => {
  it('is answered; what we do not do is an error that says no more than its kind', async () => {
    const { channel } = await meet(new TestChannel(), {
      onRequest: async (method) => {
        if (method === 'ping') return {};
        throw method === 'odd'
          ? new RpcError({ code: -32601, message: 'Method not found' })
          : new Error('secret');
      },
    });
    for (const [id, method] of [
      [7, 'ping'],
      ['x', 'odd'],
      [8, 'broken'],
    ] as const)
      channel.receive({ jsonrpc: '2.0', id, method });
    await vi.waitFor(() => expect(channel.sent).toHaveLength(3), patience);
    expect(channel.sent).toContainEqual({ jsonrpc: '2.0', id: 7, result: {} });
    expect(channel.sent).toContainEqual({
      jsonrpc: '2.0',
      id: 'x',
      error: { code: -32601, message: 'Method not found' },
    });
    expect(JSON.stringify(channel.sent)).not.toContain('secret');
  });

  it('stops the clocks of what runs: waiting for a person is not the time of the server', async () => {
    vi.useFakeTimers();
    const answer = Promise.withResolvers<JsonObject>();
    const { peer, channel } = await meet(new TestChannel(), { onRequest: () => answer.promise });
    const call = peer.request('work', {}, soon);
    const ended = expect(call).rejects.toMatchObject({ code: 'timed_out' });
    await vi.advanceTimersByTimeAsync(600);
    channel.receive({ jsonrpc: '2.0', id: 1, method: 'elicitation/create', params: {} });
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect(peer.inFlight).toBe(1);
    answer.resolve({});
    await vi.advanceTimersByTimeAsync(399);
    expect(peer.inFlight).toBe(1);
    await vi.advanceTimersByTimeAsync(2);
    await ended;
  });

  it('is not answered once the server takes it back', async () => {
    const { channel } = await meet(new TestChannel(), {
      onRequest: (_method, _params, signal) =>
        new Promise((resolve) => signal.addEventListener('abort', () => resolve({}))),
    });
    channel.receive({ jsonrpc: '2.0', id: 5, method: 'sampling/createMessage' });
    channel.receive({
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId: 5 },
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(channel.sent).toEqual([]);
  });
});
