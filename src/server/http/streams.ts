import type { Host } from '#chat/host/host.ts';
import type { Visitor } from '#chat/people/visitor.ts';
import { eventFor, waitingEvent, withinOf } from '#chat/servers/key-rights.ts';
import type { Viewer } from '#chat/topic/viewers.ts';
import { KeyedQueue } from '#shared/async/keyed-queue.ts';
import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import { sseFrame } from '#shared/text/sse-frame.ts';
import type { HostEvent } from '#shared/vocabulary/event.ts';
import type { Limits } from '#shared/vocabulary/limits.ts';
import { eventStream, type ResponseViewer } from './event-stream.ts';

/** A topic that a stream is to carry: everything after an event, or a snapshot first. */
export interface Subscription {
  topicId: string;
  after?: number | undefined;
  /** How much a snapshot shows at most. */
  blocks?: number | undefined;
}

type StreamHost = Pick<Host, 'limits' | 'topics' | 'events' | 'approvals' | 'inputs' | 'streams'>;

/**
 * The streams that carry several topics and the host's own events over one connection each. A stream
 * has an id of its reader's choice, by which topics are added and taken away while it is open.
 */
export class Streams {
  readonly #host: StreamHost;
  readonly #open = new Map<string, SharedStream>();

  constructor(host: StreamHost) {
    this.#host = host;
  }

  /** Opens a stream in place of one of the same id; it ends with the credential of its visitor. */
  async open(visitor: Visitor, id: string, topics: Subscription[]): Promise<Response> {
    if (topics.length > this.#host.limits.topicsPerStream) throw tooMany(this.#host.limits);
    const key = keyOf(visitor.owner, id);
    return eventStream(this.#host.limits, async (viewer) => {
      const stream = new SharedStream(this.#host, visitor, viewer);
      try {
        await stream.start();
        await Promise.all(topics.map((topic) => stream.followIfThere(topic)));
      } catch (error) {
        stream.close();
        throw error;
      }
      this.#open.get(key)?.end();
      this.#open.set(key, stream);
      return () => {
        stream.close();
        if (this.#open.get(key) === stream) this.#open.delete(key);
      };
    });
  }

  /** Adds a topic, or begins it again after another event. Throws `stream_not_found`, `topic_not_found`. */
  async follow(owner: string, id: string, topic: Subscription): Promise<void> {
    await this.#find(owner, id).follow(topic);
  }

  async unfollow(owner: string, id: string, topicId: string): Promise<void> {
    await this.#find(owner, id).unfollow(topicId);
  }

  #find(owner: string, id: string): SharedStream {
    const stream = this.#open.get(keyOf(owner, id));
    if (stream) return stream;
    throw new CeriseError('stream_not_found', say('stream-gone')`This stream isn't open here.`, {
      hint: say('stream-gone-hint')`Open it again with all of its topics.`,
    });
  }
}

class SharedStream {
  readonly #host: StreamHost;
  readonly #owner: string;
  readonly #visitor: Visitor;
  readonly #viewer: ResponseViewer;
  readonly #queue = new KeyedQueue();
  /** What ends each topic that is followed, or is about to be. */
  readonly #followed = new Map<string, () => void>();
  #leave = (): void => undefined;
  #endHostEvents = (): void => undefined;
  #closed = false;

  constructor(host: StreamHost, visitor: Visitor, viewer: ResponseViewer) {
    this.#host = host;
    this.#owner = visitor.owner;
    this.#visitor = visitor;
    this.#viewer = viewer;
  }

  /** Begins with the host's events and whatever waits for a person. */
  async start(): Promise<void> {
    const { events, approvals, inputs, streams } = this.#host;
    this.#leave = await streams.add(this.#visitor, () => this.#viewer.end());
    const say = (event: HostEvent) => {
      const heard = eventFor(this.#visitor, event);
      if (heard) this.#viewer.send(sseFrame(heard, 'host'), true);
    };
    this.#endHostEvents = events.subscribe(this.#owner, say);
    for (const call of await approvals.waiting(this.#owner)) say(waitingEvent(call));
    for (const { id: inputId, serverId, topicId } of await inputs.list(
      this.#owner,
      withinOf(this.#visitor),
    ))
      say({ type: 'input-requested', inputId, serverId, topicId });
  }

  /** As `follow`, but says in the stream that a topic is not there. */
  async followIfThere(topic: Subscription): Promise<void> {
    try {
      await this.#attach(topic);
    } catch (error) {
      if (!(error instanceof CeriseError) || error.code !== 'topic_not_found') throw error;
      this.#viewer.send(sseFrame({ topicId: topic.topicId }, 'gone'), true);
    }
  }

  async follow(topic: Subscription): Promise<void> {
    const isNew = !this.#followed.has(topic.topicId);
    if (isNew && this.#followed.size >= this.#host.limits.topicsPerStream)
      throw tooMany(this.#host.limits);
    await this.#viewer.catchUp(() => this.#attach(topic));
  }

  async unfollow(topicId: string): Promise<void> {
    await this.#queue.run(topicId, async () => this.#detach(topicId));
  }

  /** Ends the reader's connection. */
  end(): void {
    this.#viewer.end();
  }

  /** The connection has ended: nothing is followed any more. */
  close(): void {
    this.#closed = true;
    this.#leave();
    this.#endHostEvents();
    for (const topicId of this.#followed.keys()) this.#detach(topicId);
  }

  async #attach({ topicId, after, blocks }: Subscription): Promise<void> {
    await this.#queue.run(topicId, async () => {
      this.#detach(topicId);
      let detach: (() => void) | undefined;
      let ended = false;
      const end = () => {
        ended = true;
        detach?.();
        if (this.#followed.get(topicId) === end) this.#followed.delete(topicId);
      };
      this.#followed.set(topicId, end);
      const viewer: Viewer = { send: this.#sender(topicId), end };
      try {
        detach = await this.#host.topics.watch(this.#owner, topicId, after, viewer, blocks);
      } catch (error) {
        end();
        throw error;
      }
      if (ended || this.#closed) end();
    });
  }

  /** Frames of topics are shared by all who watch them, so what says whose they are goes before them. */
  #sender(topicId: string): Viewer['send'] {
    const mark = sseFrame({ topicId }, 'topic');
    return (frames, durable) => {
      if (frames !== '') this.#viewer.send(mark + frames, durable);
    };
  }

  #detach(topicId: string): void {
    this.#followed.get(topicId)?.();
  }
}

function keyOf(owner: string, id: string): string {
  return JSON.stringify([owner, id]);
}

function tooMany({ topicsPerStream }: Limits): CeriseError {
  return new CeriseError(
    'invalid_request',
    say('stream-topics')`A stream can carry up to ${topicsPerStream} topics.`,
    { hint: say('stream-topics-hint')`Close a topic, or open another stream.` },
  );
}
