import { streamsApi } from '#client/api/streams.ts';
import type { Connection } from '#client/http/connection.ts';
import { newKey } from '#client/http/key.ts';
import { at } from '#client/http/path.ts';
import { type EventStream, openEventStream } from '#client/stream/event-stream.ts';
import { KeyedQueue } from '#shared/async/keyed-queue.ts';
import { CeriseError } from '#shared/errors/errors.ts';
import type { SseMessage } from '#shared/text/sse-parser.ts';
import type { HostEvent } from '#shared/vocabulary/event.ts';
import type { Place, ToHub, ToTab } from './hub-protocol.ts';

type Post = (message: ToTab) => void;
type Waiting = Extract<HostEvent, { type: 'tool-call-waiting' | 'input-requested' }>;

/** How much of a topic a snapshot brings when the events that are missed are no longer kept. */
const snapshotBlocks = 50;

/**
 * Holds the one stream of a browser and hands what comes to the tabs that want it. It is open while
 * a tab is attached, and follows what any of them follows.
 */
export class Hub {
  readonly #id = newKey();
  readonly #tabs = new Map<Post, Set<string>>();
  /** The last event that is known of each topic that is wanted. */
  readonly #wanted = new Map<string, number>();
  /** What the host was asked to send over the present line. */
  readonly #carried = new Set<string>();
  /** Those that it is to send again from an earlier place. */
  readonly #anew = new Set<string>();
  /** Calls and questions that wait: a tab that comes later must hear of them too. */
  readonly #waiting = new Map<string, Waiting>();
  readonly #queue = new KeyedQueue();
  #stream: EventStream | undefined;
  #isOpen = false;
  #topicOfFrames = '';
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** A tab says something; `post` is its address. */
  take(post: Post, message: ToHub): void {
    switch (message.type) {
      case 'attach':
        return this.#attach(post, message.topics);
      case 'detach':
        return this.leave(post);
      case 'follow':
        return this.#follow(post, message.topicId, message.after);
      case 'unfollow':
        return this.#unfollow(post, message.topicId);
      case 'wake':
        return this.#stream?.wake();
    }
  }

  /** A tab is gone, whether it said so or not. */
  leave(post: Post): void {
    const topics = this.#tabs.get(post);
    if (!topics) return;
    this.#tabs.delete(post);
    if (this.#tabs.size === 0) this.#close();
    for (const topicId of topics) this.#unfollow(post, topicId);
  }

  #attach(post: Post, topics: Place[]): void {
    this.#tabs.set(post, new Set());
    for (const { topicId, after } of topics) this.#follow(post, topicId, after);
    post({ type: 'welcome' });
    if (this.#isOpen) {
      post({ type: 'open' });
      for (const event of this.#waiting.values()) post({ type: 'host', event });
    }
    this.#stream ??= openEventStream(this.#connection, {
      path: () => this.#path(),
      onOpen: () => this.#opened(),
      onDown: () => this.#down(),
      onMessage: (message) => this.#receive(message),
      isLast: isSignedOut,
      onEnd: () => this.#signedOut(),
    });
  }

  #follow(post: Post, topicId: string, after: number): void {
    this.#tabs.get(post)?.add(topicId);
    const known = this.#wanted.get(topicId);
    if (known !== undefined && known <= after) return;
    // Who knows less than the others gets it again from there; to the others that is a repetition.
    this.#wanted.set(topicId, after);
    this.#anew.add(topicId);
    this.#settle(topicId);
  }

  #unfollow(post: Post, topicId: string): void {
    this.#tabs.get(post)?.delete(topicId);
    if ([...this.#tabs.values()].some((topics) => topics.has(topicId))) return;
    this.#wanted.delete(topicId);
    this.#settle(topicId);
  }

  /** Brings what the host sends in line with what is wanted, one request after the other. */
  #settle(topicId: string): void {
    if (!this.#isOpen) return;
    const act = () => this.#ask(topicId).catch((error: unknown) => this.#judge(topicId, error));
    void this.#queue.run(topicId, act);
  }

  async #ask(topicId: string): Promise<void> {
    const streams = streamsApi(this.#connection);
    const after = this.#wanted.get(topicId);
    const isAnew = this.#anew.delete(topicId);
    if (!this.#isOpen) return;
    if (after === undefined) {
      if (this.#carried.delete(topicId)) await streams.unfollow(this.#id, topicId);
      return;
    }
    if (this.#carried.has(topicId) && !isAnew) return;
    this.#carried.add(topicId);
    await streams.follow(this.#id, { topicId, after, blocks: snapshotBlocks });
  }

  #judge(topicId: string, error: unknown): void {
    if (!(error instanceof CeriseError)) throw error;
    if (isSignedOut(error)) this.#signedOut();
    else if (error.code === 'topic_not_found') this.#tellGone(topicId);
    // Another instance may have been asked, or the line is going down: the next one carries all.
    else this.#stream?.reconnect();
  }

  #path(): string {
    this.#carried.clear();
    this.#anew.clear();
    for (const topicId of this.#wanted.keys()) this.#carried.add(topicId);
    const topics = [...this.#wanted].map(([id, after]) => `${id}:${after}`).join(',');
    return at`/api/streams/${this.#id}?topics=${topics}&blocks=${snapshotBlocks}`;
  }

  #opened(): void {
    this.#isOpen = true;
    this.#waiting.clear();
    this.#tell({ type: 'open' });
    for (const topicId of new Set([...this.#wanted.keys(), ...this.#carried]))
      this.#settle(topicId);
  }

  #down(): void {
    this.#isOpen = false;
    this.#tell({ type: 'down' });
  }

  #receive({ event, id, data }: SseMessage): void {
    if (event === 'topic') this.#topicOfFrames = readTopicId(data);
    else if (event === 'gone') this.#tellGone(readTopicId(data));
    else if (event === 'host') this.#receiveHostEvent(JSON.parse(data) as HostEvent);
    else this.#receiveTopicEvent(this.#topicOfFrames, id, data);
  }

  #receiveTopicEvent(topicId: string, id: string | undefined, data: string): void {
    if (!this.#wanted.has(topicId)) return;
    // While it is to be begun anew, what still comes of before says nothing about the place.
    if (id !== undefined && !this.#anew.has(topicId)) this.#wanted.set(topicId, Number(id));
    this.#tell({ type: 'topic', topicId, data }, topicId);
  }

  #receiveHostEvent(event: HostEvent): void {
    if (event.type === 'tool-call-waiting') this.#waiting.set(event.toolCallId, event);
    else if (event.type === 'tool-call-decided') this.#waiting.delete(event.toolCallId);
    else if (event.type === 'input-requested') this.#waiting.set(event.inputId, event);
    else if (event.type === 'input-answered') this.#waiting.delete(event.inputId);
    this.#tell({ type: 'host', event });
  }

  #tellGone(topicId: string): void {
    this.#tell({ type: 'gone', topicId }, topicId);
    for (const topics of this.#tabs.values()) topics.delete(topicId);
    this.#wanted.delete(topicId);
    this.#carried.delete(topicId);
  }

  #signedOut(): void {
    this.#close();
    this.#tell({ type: 'signed-out' });
    this.#tabs.clear();
    this.#wanted.clear();
  }

  #close(): void {
    this.#stream?.close();
    this.#stream = undefined;
    this.#isOpen = false;
  }

  /** To all tabs, or to those that follow a topic. */
  #tell(message: ToTab, topicId?: string): void {
    for (const [post, topics] of this.#tabs)
      if (topicId === undefined || topics.has(topicId)) post(message);
  }
}

function isSignedOut({ code }: CeriseError): boolean {
  return code === 'unauthenticated';
}

function readTopicId(data: string): string {
  return (JSON.parse(data) as { topicId: string }).topicId;
}
