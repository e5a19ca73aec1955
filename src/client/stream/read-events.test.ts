import { getEventListeners } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createConnection } from '../http/connection.ts';
import { readHostEvents, readTopicEvents } from './read-events.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const event = (seq: number) => `id: ${seq}\ndata: {"seq":${seq},"type":"x"}\n\n`;

/** A host that gives these answers one after the other, and then none. */
function hostWith(...answers: (string | Response)[]) {
  const asked: string[] = [];
  const connection = createConnection({
    fetch: async (url) => {
      asked.push(url);
      const answer = answers.shift();
      if (answer === undefined) throw new TypeError('fetch failed');
      return typeof answer === 'string' ? new Response(answer) : answer;
    },
  });
  return { connection, asked };
}

/** Everything that comes until the end. */
async function collect(events: AsyncIterable<{ seq?: number }>) {
  const seqs: (number | undefined)[] = [];
  for await (const { seq } of events) seqs.push(seq);
  return seqs;
}

describe('the events of a topic', () => {
  it('go on after the last one where the line broke, and end where the host stays away', async () => {
    const { connection, asked } = hostWith(event(1) + event(2), event(3));
    const seqs = collect(readTopicEvents(connection, 'a/b'));
    await vi.advanceTimersByTimeAsync(200_000);
    expect(await seqs).toEqual([1, 2, 3]);
    const path = '/api/topics/a%2Fb/events';
    expect(asked.slice(0, 3)).toEqual([path, `${path}?after=2`, `${path}?after=3`]);
    expect(asked).toHaveLength(14);
  });

  it('throw what the host refuses', async () => {
    const error = { code: 'topic_not_found', message: 'No topic.' };
    const { connection, asked } = hostWith(Response.json({ error }, { status: 404 }));
    await expect(collect(readTopicEvents(connection, 't'))).rejects.toMatchObject(error);
    expect(asked).toHaveLength(1);
  });

  it('leave nothing behind on the signal', async () => {
    const { signal } = new AbortController();
    const seqs = collect(readTopicEvents(hostWith(event(1)).connection, 't', signal));
    await vi.advanceTimersByTimeAsync(200_000);
    expect(await seqs).toEqual([1]);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('let the line go when nobody reads on', async () => {
    const cancel = vi.fn<() => void>();
    const start = (part: ReadableStreamDefaultController) =>
      part.enqueue(new TextEncoder().encode(event(1)));
    const { connection } = hostWith(new Response(new ReadableStream({ start, cancel })));
    for await (const { seq } of readTopicEvents(connection, 't')) {
      expect(seq).toBe(1);
      break;
    }
    await vi.advanceTimersByTimeAsync(0);
    expect(cancel).toHaveBeenCalledOnce();
  });
});

describe('the events of the host', () => {
  it('end with the signal', async () => {
    const end = new AbortController();
    const { connection } = hostWith(new Response(new ReadableStream()));
    const seqs = collect(readHostEvents(connection, end.signal) as AsyncIterable<object>);
    await vi.advanceTimersByTimeAsync(1000);
    end.abort();
    expect(await seqs).toEqual([]);
  });
});
