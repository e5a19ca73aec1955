import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createConnection } from '../http/connection.ts';
import { openEventStream } from './event-stream.ts';

const patience = { timeout: 20_000 };

/** One connection the page has made, as the host sees it. */
interface Line {
  url: string;
  send: (text: string) => void;
  drop: () => void;
  aborted: () => boolean;
}

let lines: Line[] = [];
let arrived: (line: Line) => void = () => {};
let statuses: number[] = [];

function fakeFetch(url: string, { signal }: { signal: AbortSignal }): Promise<Response> {
  const status = statuses.shift() ?? 200;
  if (status !== 200) return Promise.resolve(new Response(null, { status }));
  let line: Line | undefined;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      signal.addEventListener('abort', () => controller.error(signal.reason));
      line = {
        url,
        send: (text) => controller.enqueue(new TextEncoder().encode(text)),
        drop: () => controller.error(new TypeError('network error')),
        aborted: () => signal.aborted,
      };
    },
  });
  if (line) {
    lines.push(line);
    arrived(line);
  }
  return Promise.resolve(new Response(body));
}

const nextLine = () => new Promise<Line>((resolve) => (arrived = resolve));

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('fetch', fakeFetch);
  lines = [];
  statuses = [];
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function open() {
  const events: { seq: number }[] = [];
  const marks: string[] = [];
  const stream = openEventStream(createConnection(), {
    path: () => `/events?after=${events.at(-1)?.seq ?? 0}`,
    onMessage: ({ data }) => events.push(JSON.parse(data) as { seq: number }),
    onOpen: () => marks.push('open'),
    onDown: () => marks.push('down'),
    isLast: ({ code }) => code === 'unauthenticated',
    onEnd: () => marks.push('signed out'),
  });
  return { events, marks, stream };
}

describe('openEventStream', () => {
  it('goes on from the last event after the line broke', async () => {
    const first = nextLine();
    const { events, marks, stream } = open();
    (await first).send('id: 1\ndata: {"seq":1}\n\nid: 2\ndata: {"seq":2}\n\ndata: {"se');
    await vi.waitFor(() => expect(events).toHaveLength(2), patience);
    const second = nextLine();
    lines[0]!.drop();
    await vi.advanceTimersByTimeAsync(1000);
    expect((await second).url).toBe('/events?after=2');
    (await second).send('data: {"seq":3}\n\n');
    await vi.waitFor(() => expect(events.map(({ seq }) => seq)).toEqual([1, 2, 3]), patience);
    expect(marks).toEqual(['open', 'down', 'open']);
    stream.close();
  });

  it('waits longer after each failure and comes back', async () => {
    statuses = [503, 503, 503];
    const { marks, stream } = open();
    await vi.advanceTimersByTimeAsync(20_000);
    expect(marks).toEqual(['down', 'down', 'down', 'open']);
    stream.close();
  });

  it('notices a line without heartbeats', async () => {
    const first = nextLine();
    const { stream } = open();
    (await first).send(': beat\n\n');
    await vi.advanceTimersByTimeAsync(50_000);
    expect(lines.length).toBeGreaterThan(1);
    stream.close();
  });

  it('ends for good when the host does not know the browser', async () => {
    statuses = [401];
    const { marks } = open();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(marks).toEqual(['signed out']);
  });

  it('goes on trying while the host answers with anything else', async () => {
    statuses = [404, 403, 500];
    const { marks, stream } = open();
    await vi.advanceTimersByTimeAsync(20_000);
    expect(marks).toEqual(['down', 'down', 'down', 'open']);
    stream.close();
  });

  it('tries at once when it is woken', async () => {
    statuses = [503, 503, 503, 503];
    const { marks, stream } = open();
    await vi.advanceTimersByTimeAsync(5000);
    const before = marks.length;
    stream.wake();
    await vi.advanceTimersByTimeAsync(1);
    expect(marks.length).toBe(before + 1);
    stream.close();
  });

  it('takes a line that was silent too long for dead when it is woken, and no other', async () => {
    const first = nextLine();
    const { stream } = open();
    (await first).send(': beat\n\n');
    await vi.advanceTimersByTimeAsync(10_000);
    stream.wake();
    expect(lines[0]!.aborted()).toBe(false);
    await vi.advanceTimersByTimeAsync(15_000);
    stream.wake();
    expect(lines[0]!.aborted()).toBe(true);
    stream.close();
  });

  it('says nothing more once it is closed', async () => {
    const first = nextLine();
    const { events, stream } = open();
    const line = await first;
    line.send('data: {"seq":1}\n\n');
    stream.close();
    await vi.advanceTimersByTimeAsync(20_000);
    expect(line.aborted()).toBe(true);
    expect(events).toEqual([]);
    expect(lines).toHaveLength(1);
  });

  it('says nothing of a part that was read as its line was given up', async () => {
    const first = nextLine();
    const { events, marks, stream } = open();
    const line = await first;
    await vi.waitFor(() => expect(marks).toEqual(['open']), patience);
    const second = nextLine();
    line.send('data: {"seq":1}\n\n');
    stream.reconnect();
    await vi.advanceTimersByTimeAsync(1000);
    expect((await second).url).toBe('/events?after=0');
    expect(events).toEqual([]);
    stream.close();
  });
});
