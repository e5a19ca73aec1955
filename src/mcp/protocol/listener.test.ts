import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { JsonObject } from '#shared/vocabulary/json.ts';
import { Listener, missingFromFilter } from './listener.ts';
import { RpcError } from './messages.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Every subscription that was opened, and how to end it. */
function listening(lists: JsonObject) {
  const opened: { filter: JsonObject; end: () => void; fail: (error: Error) => void }[] = [];
  const onReopened = vi.fn();
  const listener = new Listener(lists, {
    listen: (filter, signal) => {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      signal.addEventListener('abort', () => reject(new Error('aborted')));
      opened.push({ filter, end: resolve, fail: reject });
      return promise;
    },
    onReopened,
    note: () => undefined,
  });
  return { listener, opened, onReopened };
}

it('opens nothing when there is nothing to hear of', () => {
  expect(listening({}).opened).toEqual([]);
});

it('opens again after every end, with growing pauses, and says that it may have missed something', async () => {
  const { opened, onReopened, listener } = listening({ toolsListChanged: true });
  for (const [at, pause] of [1000, 2000, 4000].entries()) {
    opened[at]?.end();
    await vi.advanceTimersByTimeAsync(pause * 0.7);
    expect(opened).toHaveLength(at + 1);
    await vi.advanceTimersByTimeAsync(pause * 0.6);
    expect(opened).toHaveLength(at + 2);
    expect(onReopened).toHaveBeenCalledTimes(at + 1);
  }
  await vi.advanceTimersByTimeAsync(60_001);
  opened[3]?.fail(new Error('broken'));
  await vi.advanceTimersByTimeAsync(1300);
  expect(opened).toHaveLength(5);
  listener.close();
  await vi.advanceTimersByTimeAsync(120_000);
  expect(opened).toHaveLength(5);
});

it('opens at once with a new filter when a resource is added or removed', async () => {
  const { listener, opened } = listening({});
  listener.setResource('a', true);
  listener.setResource('a', true);
  await vi.advanceTimersByTimeAsync(0);
  listener.setResource('b', true);
  await vi.advanceTimersByTimeAsync(0);
  listener.setResource('a', false);
  await vi.advanceTimersByTimeAsync(0);
  expect(opened.map(({ filter }) => filter.resourceSubscriptions)).toEqual([
    ['a'],
    ['a', 'b'],
    ['b'],
  ]);
  listener.setResource('b', false);
  await vi.advanceTimersByTimeAsync(120_000);
  expect(opened).toHaveLength(3);
});

it('does not insist with a server that does not know subscriptions', async () => {
  const { opened } = listening({ toolsListChanged: true });
  opened[0]?.fail(new RpcError({ code: -32601, message: 'no' }));
  await vi.advanceTimersByTimeAsync(120_000);
  expect(opened).toHaveLength(1);
});

describe('the filter a server honours', () => {
  it('is compared with the one asked for', () => {
    const asked = { toolsListChanged: true, resourceSubscriptions: ['a', 'b'] };
    expect(missingFromFilter(asked, asked)).toEqual([]);
    expect(missingFromFilter(asked, { toolsListChanged: true })).toEqual(['resourceSubscriptions']);
    expect(missingFromFilter(asked, { resourceSubscriptions: ['a'] })).toEqual([
      'toolsListChanged',
      'resourceSubscriptions',
    ]);
    expect(missingFromFilter(asked, 'odd')).toHaveLength(2);
  });
});
