import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { useSession } from '../state/session.ts';
import { openEventStream } from './event-stream.ts';

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
const listeners = new Map<string, () => void>();
const page = {
  hidden: false,
  addEventListener: (name: string, run: () => void) => listeners.set(name, run),
  removeEventListener: (name: string) => listeners.delete(name),
};

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
  vi.stubGlobal('document', page);
  vi.stubGlobal('window', page);
  vi.stubGlobal('fetch', fakeFetch);
  lines = [];
  statuses = [];
  page.hidden = false;
  useSession.setState({ signedOut: false });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function open() {
  const events: { seq: number }[] = [];
  const marks: string[] = [];
  const stream = openEventStream<{ seq: number }>({
    url: () => `/events?after=${events.at(-1)?.seq ?? 0}`,
    onEvent: (event) => events.push(event),
    onOpen: () => marks.push('open'),
    onDown: () => marks.push('down'),
    onGone: (status) => marks.push(`gone ${status}`),
  });
  return { events, marks, stream };
}

describe('openEventStream', () => {
  it('goes on from the last event after the line broke', async () => {
    const first = nextLine();
    const { events, marks, stream } = open();
    (await first).send('id: 1\ndata: {"seq":1}\n\nid: 2\ndata: {"seq":2}\n\ndata: {"se');
    await vi.waitFor(() => expect(events).toHaveLength(2));
    const second = nextLine();
    lines[0]!.drop();
    await vi.advanceTimersByTimeAsync(1000);
    expect((await second).url).toBe('/events?after=2');
    (await second).send('data: {"seq":3}\n\n');
    await vi.waitFor(() => expect(events.map(({ seq }) => seq)).toEqual([1, 2, 3]));
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

  it('ends for good when there is nothing there', async () => {
    statuses = [404];
    const { marks } = open();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(marks).toEqual(['gone 404']);
  });

  it('shows the sign-in page when the host does not know the browser', async () => {
    statuses = [401];
    open();
    await vi.advanceTimersByTimeAsync(1);
    expect(useSession.getState().signedOut).toBe(true);
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

  it('lets go of the line while the page is long hidden, and takes it up again', async () => {
    const { stream } = open();
    await vi.advanceTimersByTimeAsync(1);
    page.hidden = true;
    listeners.get('visibilitychange')?.();
    await vi.advanceTimersByTimeAsync(120_000);
    expect(lines).toHaveLength(1);
    expect(lines[0]!.aborted()).toBe(true);
    page.hidden = false;
    listeners.get('visibilitychange')?.();
    await vi.advanceTimersByTimeAsync(1);
    expect(lines).toHaveLength(2);
    stream.close();
  });
});
