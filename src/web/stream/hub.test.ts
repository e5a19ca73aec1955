import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createConnection } from '#client/http/connection.ts';
import type { Place, ToHub, ToTab } from './hub-protocol.ts';
import { Hub } from './hub.ts';

/** The stream as the host sees it. */
interface Line {
  url: URL;
  send: (...frames: string[]) => void;
  drop: () => void;
  isAborted: () => boolean;
}

let lines: Line[];
let requests: { method: string; path: string; body?: unknown }[];
let answerOf: (path: string) => Response;

function fakeFetch(path: string, init: RequestInit): Promise<Response> {
  const url = new URL(path, 'http://host');
  if (new Headers(init.headers).get('accept') === 'text/event-stream')
    return Promise.resolve(openLine(url, init));
  const body = typeof init.body === 'string' ? (JSON.parse(init.body) as unknown) : undefined;
  requests.push({
    method: init.method ?? '',
    path: url.pathname,
    ...(body !== undefined && { body }),
  });
  return Promise.resolve(answerOf(url.pathname));
}

function openLine(url: URL, { signal }: RequestInit): Response {
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      signal?.addEventListener('abort', () => controller.error(signal.reason));
      lines.push({
        url,
        send: (...frames) => frames.forEach((frame) => controller.enqueue(encoder.encode(frame))),
        drop: () => controller.error(new TypeError('network error')),
        isAborted: () => signal?.aborted ?? false,
      });
    },
  });
  return new Response(body);
}

class Tab {
  readonly heard: ToTab[] = [];
  readonly post = (message: ToTab): void => void this.heard.push(message);

  readonly #hub: Hub;

  constructor(hub: Hub, topics: Place[] = []) {
    this.#hub = hub;
    this.say({ type: 'attach', topics });
  }

  say(message: ToHub): void {
    this.#hub.take(this.post, message);
  }

  follow(topicId: string, after: number): void {
    this.say({ type: 'follow', topicId, after });
  }

  /** The numbers of the events of a topic, in the order they came. */
  seqs(topicId: string): number[] {
    return this.heard.flatMap((one) =>
      one.type === 'topic' && one.topicId === topicId
        ? [(JSON.parse(one.data) as { seq: number }).seq]
        : [],
    );
  }

  types(): string[] {
    return this.heard.map(({ type }) => type);
  }
}

const mark = (topicId: string) => `event: topic\ndata: {"topicId":"${topicId}"}\n\n`;
const event = (seq: number) => `id: ${seq}\ndata: {"seq":${seq},"type":"x"}\n\n`;
const settled = () => vi.advanceTimersByTimeAsync(0);

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('fetch', fakeFetch);
  lines = [];
  requests = [];
  answerOf = () => new Response(null, { status: 204 });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('the hub', () => {
  it('holds one stream for all tabs and gives each what it follows', async () => {
    const hub = new Hub(createConnection());
    const [a, b] = [new Tab(hub), new Tab(hub)];
    a.follow('one', 3);
    b.follow('two', 0);
    await settled();
    expect(lines).toHaveLength(1);
    lines[0]!.send(mark('one'), event(4), mark('two'), event(1), event(2));
    lines[0]!.send('event: host\ndata: {"type":"topic-deleted","topicId":"x"}\n\n');
    await settled();
    expect([a.seqs('one'), a.seqs('two'), b.seqs('two')]).toEqual([[4], [], [1, 2]]);
    for (const tab of [a, b]) expect(tab.types()).toContain('host');
  });

  it('asks for topics that come later, and no longer for those that nobody follows', async () => {
    const hub = new Hub(createConnection());
    const [a, b] = [new Tab(hub), new Tab(hub)];
    await settled();
    a.follow('one', 3);
    b.follow('one', 5);
    await settled();
    a.say({ type: 'unfollow', topicId: 'one' });
    await settled();
    expect(requests).toMatchObject([{ method: 'POST', body: { topicId: 'one', after: 3 } }]);
    b.say({ type: 'unfollow', topicId: 'one' });
    await settled();
    expect(requests[1]).toMatchObject({ method: 'DELETE' });
    expect(requests[1]?.path).toMatch(/\/topics\/one$/);
  });

  it('begins a topic anew for a tab that knows less of it', async () => {
    const hub = new Hub(createConnection());
    const [a, b] = [new Tab(hub, [{ topicId: 'one', after: 0 }]), new Tab(hub)];
    await settled();
    lines[0]!.send(mark('one'), event(1), event(2), event(3));
    await settled();
    expect(a.seqs('one')).toEqual([1, 2, 3]);
    b.follow('one', 1);
    await settled();
    expect(requests).toMatchObject([{ body: { topicId: 'one', after: 1 } }]);
    b.follow('one', 3);
    await settled();
    expect(requests).toHaveLength(1);
  });

  it('ends where it was told to when a topic is followed and left in one go', async () => {
    const hub = new Hub(createConnection());
    const tab = new Tab(hub);
    await settled();
    tab.follow('one', 0);
    tab.say({ type: 'unfollow', topicId: 'one' });
    tab.follow('one', 0);
    tab.say({ type: 'unfollow', topicId: 'one' });
    await settled();
    expect(requests.at(-1)?.method).toBe('DELETE');
  });

  it('goes on after the last event of each topic when the line broke', async () => {
    const hub = new Hub(createConnection());
    const tab = new Tab(hub);
    tab.follow('one', 3);
    tab.follow('two', 8);
    await settled();
    lines[0]!.send(mark('one'), event(4), event(5));
    await settled();
    lines[0]!.drop();
    await vi.advanceTimersByTimeAsync(1000);
    expect(lines[1]!.url.searchParams.get('topics')).toBe('one:5,two:8');
    expect(tab.types().filter((type) => type !== 'topic')).toEqual([
      'welcome',
      'open',
      'down',
      'open',
    ]);
  });

  it('opens the stream anew with all topics when the host does not know it', async () => {
    const hub = new Hub(createConnection());
    const tab = new Tab(hub);
    await settled();
    answerOf = () => Response.json({ error: { code: 'stream_not_found' } }, { status: 404 });
    tab.follow('one', 7);
    await vi.advanceTimersByTimeAsync(1000);
    expect(lines).toHaveLength(2);
    expect(lines[0]!.isAborted()).toBe(true);
    expect(lines[1]!.url.searchParams.get('topics')).toBe('one:7');
  });

  it('tells those who follow a topic that it is gone', async () => {
    const hub = new Hub(createConnection());
    const [a, b] = [new Tab(hub), new Tab(hub)];
    a.follow('one', 0);
    await settled();
    lines[0]!.send('event: gone\ndata: {"topicId":"one"}\n\n');
    answerOf = () => Response.json({ error: { code: 'topic_not_found' } }, { status: 404 });
    b.follow('two', 0);
    await settled();
    expect(a.heard).toContainEqual({ type: 'gone', topicId: 'one' });
    expect(b.heard).toContainEqual({ type: 'gone', topicId: 'two' });
    expect(lines).toHaveLength(1);
  });

  it('tells a tab that comes later what waits for a person', async () => {
    const hub = new Hub(createConnection());
    const first = new Tab(hub);
    await settled();
    lines[0]!.send(
      'event: host\ndata: {"type":"tool-call-waiting","toolCallId":"c1","topicId":"t"}\n\n',
      'event: host\ndata: {"type":"tool-call-waiting","toolCallId":"c2","topicId":"t"}\n\n',
      'event: host\ndata: {"type":"tool-call-decided","toolCallId":"c1","topicId":"t"}\n\n',
    );
    await settled();
    const later = new Tab(hub);
    expect(later.heard).toEqual([
      { type: 'welcome' },
      { type: 'open' },
      { type: 'host', event: { type: 'tool-call-waiting', toolCallId: 'c2', topicId: 't' } },
    ]);
    expect(first.types().filter((type) => type === 'host')).toHaveLength(3);
  });

  it('lets the line go with the last tab, and takes it up with the next', async () => {
    const hub = new Hub(createConnection());
    const [a, b] = [new Tab(hub), new Tab(hub)];
    a.follow('one', 0);
    await settled();
    hub.leave(a.post);
    hub.leave(a.post);
    await settled();
    expect(lines[0]!.isAborted()).toBe(false);
    b.say({ type: 'detach' });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(lines).toHaveLength(1);
    expect(lines[0]!.isAborted()).toBe(true);
    const later = new Tab(hub);
    await settled();
    expect(lines).toHaveLength(2);
    expect(lines[1]!.url.searchParams.get('topics')).toBe('');
    expect(later.types()).toEqual(['welcome', 'open']);
  });

  it('tells every tab that the sign-in has ended, and does not ask again', async () => {
    const hub = new Hub(createConnection());
    const [a, b] = [new Tab(hub), new Tab(hub)];
    await settled();
    answerOf = () => Response.json({ error: { code: 'unauthenticated' } }, { status: 401 });
    a.follow('one', 0);
    await vi.advanceTimersByTimeAsync(60_000);
    for (const tab of [a, b]) expect(tab.types().at(-1)).toBe('signed-out');
    expect(lines).toHaveLength(1);
    expect(lines[0]!.isAborted()).toBe(true);
  });
});
