import { setTimeout } from 'node:timers/promises';
import type { DurableEvent, EventBody } from '#shared/event.ts';
import { limits } from '#shared/limits.ts';
import type { Conversation, Message, Topic } from '#shared/message.ts';
import { isMessageRunning } from '#shared/message.ts';
import { reduce, reduceMessage } from '#shared/reduce.ts';
import { encodeEvent, insertEvents } from '#store/events.ts';
import { finishMessage } from '#store/messages.ts';
import type { Db, JournalRow, Store } from '#store/store.ts';
import { setTopicSeq } from '#store/topics.ts';
import type { Journal, JournalBatch, JournalSource } from './journal.ts';
import type { Viewers } from './viewers.ts';

type DeltaEvent = Extract<EventBody, { type: 'block-delta' }>;
type EndEvent = Extract<EventBody, { type: 'message-end' }>;

/** An event with its number and its JSON, made once for the journal and every viewer. */
interface Numbered {
  seq: number;
  event: EventBody;
  body: string;
}

/** Events together with the rows they belong to: both are committed, or neither. */
export interface Change {
  events: EventBody[];
  rows?(tx: Db): Promise<unknown>;
  /** True if the rows alone say all that the events say, so that the journal need not keep them. */
  inRows?: boolean;
}

/**
 * The single writer of one topic while somebody writes or watches it. It numbers events, keeps what
 * is not yet durable, and shows viewers each event once it is committed. State in here is exactly
 * the durable state, overlaid on the rows when a snapshot is read.
 */
export class LiveTopic implements JournalSource {
  readonly owner: string;
  topic: Topic;
  /** True once the topic is deleted: whoever still holds this must not write any more. */
  isDeleted = false;
  /** The last durable event. */
  seq: number;
  /** A cursor below this cannot be served from `tail`. */
  floor: number;
  readonly viewers: Viewers;
  readonly #store: Store;
  readonly #journal: Journal;
  readonly #onChange: (topic: Topic) => void;
  readonly #messages = new Map<string, Message>();
  #tail: { seq: number; body: string }[] = [];
  #pending: EventBody[] = [];
  /** Deltas in `pending` that may still grow: one a block, until another event of that block. */
  readonly #growing = new Map<string, DeltaEvent>();
  #accepting: Promise<unknown> = Promise.resolve();
  #busy: Promise<void> | undefined;
  #readers = 0;

  constructor(parts: {
    owner: string;
    topic: Topic;
    seq: number;
    store: Store;
    journal: Journal;
    viewers: Viewers;
    onChange: (topic: Topic) => void;
  }) {
    this.owner = parts.owner;
    this.topic = parts.topic;
    this.seq = parts.seq;
    this.floor = parts.seq;
    this.#store = parts.store;
    this.#journal = parts.journal;
    this.viewers = parts.viewers;
    this.#onChange = parts.onChange;
  }

  get id(): string {
    return this.topic.id;
  }

  /** Makes what was streamed so far durable, so that a snapshot is not behind what others see. */
  async #flush(): Promise<void> {
    if (this.#pending.length > 0) await this.#journal.flush();
  }

  /** Resolves when nothing is being written and nothing waits to be. */
  async idle(): Promise<void> {
    while (this.#busy || this.#pending.length > 0) {
      await this.#journal.flush();
      await this.#busy;
      if (this.#pending.length > 0) await setTimeout(limits.journalTick);
    }
  }

  /** The durable state of a message that changed since this topic became live. */
  message(messageId: string): Message | undefined {
    return this.#messages.get(messageId);
  }

  /** Takes over an answer that an earlier process left unfinished, as its journal tells it. */
  adopt(message: Message, seq: number, journalIds: number[]): void {
    this.#messages.set(message.id, message);
    this.topic = { ...this.topic, isLoading: true };
    this.seq = Math.max(this.seq, seq);
    this.floor = this.seq;
    this.#journal.wrote(message.id, journalIds);
  }

  /** One after the other: what decides on the state of the topic and then changes it. */
  async serially<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#accepting.then(work);
    this.#accepting = result.catch(() => undefined);
    return result;
  }

  /** Reads rows and moves them on to exactly `seq` by what this topic knows of since. */
  async snapshot(
    read: () => Promise<Pick<Conversation, 'messages' | 'hasEarlier'>>,
  ): Promise<Conversation> {
    await this.#flush();
    this.#readers += 1;
    try {
      return this.#overlay(await read());
    } finally {
      this.#readers -= 1;
    }
  }

  #overlay(rows: Pick<Conversation, 'messages' | 'hasEarlier'>): Conversation {
    const messages = rows.messages.map((message) => this.#messages.get(message.id) ?? message);
    const known = new Set(messages.map(({ id }) => id));
    for (const message of this.#messages.values())
      if (!known.has(message.id)) messages.push(message);
    return { ...rows, topic: this.topic, messages, seq: this.seq };
  }

  /** Durable events after `seq` as `{seq, body}`, or undefined if they reach further back than kept. */
  eventsAfter(seq: number): { seq: number; body: string }[] | undefined {
    if (seq < this.floor || seq > this.seq) return undefined;
    return this.#tail.slice(this.#tail.length - (this.seq - seq));
  }

  /** Adds text to a block: shown to viewers within a frame, durable at the next tick. The hot path. */
  appendDelta(messageId: string, blockId: string, offset: number, text: string): void {
    const growing = this.#growing.get(blockId);
    if (growing) growing.text += text;
    else {
      const delta: DeltaEvent = { type: 'block-delta', messageId, blockId, offset, text };
      this.#growing.set(blockId, delta);
      this.#pending.push(delta);
      this.#journal.later(this);
    }
    this.viewers.showText(messageId, blockId, offset, text);
  }

  /** Queues an event: durable at the end of this macrotask, or with the next tick. */
  append(event: EventBody, when: 'soon' | 'tick'): void {
    if ('blockId' in event) this.#growing.delete(event.blockId);
    this.#pending.push(event);
    if (when === 'soon') this.#journal.soon(this);
    else this.#journal.later(this);
  }

  take(): JournalBatch | undefined {
    if (this.#busy || this.#pending.length === 0) return undefined;
    const unlock = this.#lock();
    const taken = this.#takePending();
    const numbered = this.#number(taken);
    return {
      rows: this.#rows(numbered),
      written: (ids) => {
        this.#remember(numbered, ids);
        this.#committed(numbered);
        unlock();
      },
      failed: () => {
        this.#restorePending(taken);
        unlock();
      },
    };
  }

  /** Durable (against power loss too) when it resolves; on failure nothing of `change` happened. */
  async commit(change: Change): Promise<void> {
    await this.#exclusively(async (taken) => {
      const before = this.#number(taken);
      const own = this.#number(change.events, this.seq + before.length);
      const journaled = change.inRows ? before : [...before, ...own];
      const ids = await this.#store.transaction(async (tx) => {
        await change.rows?.(tx);
        const last = this.seq + before.length + own.length;
        if (change.inRows) await setTopicSeq(tx, this.id, { nextSeq: last + 1, floorSeq: last });
        if (journaled.length === 0) return [];
        return insertEvents(tx, this.#rows(journaled));
      }, 'full');
      this.#remember(journaled, ids);
      this.#committed([...before, ...own]);
    });
  }

  /**
   * Ends an answer: its events are folded into rows and leave the journal, in one transaction. What
   * waits to be written of another answer, while one that only queued is stopped, is journaled.
   */
  async finish(end: EndEvent, rows?: (tx: Db) => Promise<unknown>): Promise<Message> {
    return this.#exclusively(async (taken) => {
      const numbered = this.#number([...taken, end]);
      const present = this.#messages.get(end.messageId);
      if (!present) throw new Error(`answer ${end.messageId} is not live`);
      const final = numbered.reduce(
        (message, { event }) =>
          messageOf(event) === message.id ? reduceMessage(message, event) : message,
        present,
      );
      const others = numbered.filter(({ event }) => messageOf(event) !== final.id);
      const last = this.seq + numbered.length;
      const ids = await this.#store.transaction(async (tx) => {
        await finishMessage(tx, final);
        await rows?.(tx);
        await this.#journal.fold(tx, this.id, final.id);
        await setTopicSeq(tx, this.id, { nextSeq: last + 1, floorSeq: last });
        return others.length === 0 ? [] : insertEvents(tx, this.#rows(others));
      }, 'full');
      this.#remember(others, ids);
      this.#journal.folded(final.id);
      this.#committed(numbered);
      this.#forgetFinished(final.id);
      return final;
    });
  }

  async #exclusively<T>(work: (taken: EventBody[]) => Promise<T>): Promise<T> {
    while (this.#busy) await this.#busy;
    const unlock = this.#lock();
    const taken = this.#takePending();
    try {
      return await work(taken);
    } catch (error) {
      this.#restorePending(taken);
      throw error;
    } finally {
      unlock();
    }
  }

  #lock(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#busy = promise;
    return () => {
      this.#busy = undefined;
      resolve();
      if (this.#pending.length > 0) this.#journal.later(this);
    };
  }

  #takePending(): EventBody[] {
    const taken = this.#pending;
    this.#pending = [];
    this.#growing.clear();
    return taken;
  }

  #restorePending(taken: EventBody[]): void {
    this.#pending = [...taken, ...this.#pending];
  }

  #number(events: EventBody[], after = this.seq): Numbered[] {
    return events.map((event, index) => ({
      seq: after + index + 1,
      event,
      body: JSON.stringify(event),
    }));
  }

  #rows(events: Numbered[]): JournalRow[] {
    return events.map(({ seq, event, body }) => ({
      topicId: this.id,
      seq,
      body: encodeEvent(event, body),
    }));
  }

  #remember(events: Numbered[], ids: number[]): void {
    for (const [index, { event }] of events.entries()) {
      const messageId = messageOf(event);
      if (messageId !== undefined) this.#journal.wrote(messageId, ids.slice(index, index + 1));
    }
  }

  #committed(events: Numbered[]): void {
    const topic = this.topic;
    for (const numbered of events) {
      this.seq = numbered.seq;
      this.#apply({ ...numbered.event, seq: numbered.seq });
      this.#tail.push({ seq: numbered.seq, body: numbered.body });
    }
    this.viewers.showEvents(events);
    if (this.topic !== topic) this.#onChange(this.topic);
  }

  /** Runs the one reducer over the part of the conversation that this topic holds. */
  #apply(event: DurableEvent): void {
    const messages = [...this.#messages.values()];
    const held = { topic: this.topic, messages, hasEarlier: true, seq: event.seq - 1 };
    const next = reduce(held, event);
    this.topic = next.topic;
    for (const message of next.messages) this.#messages.set(message.id, message);
    if (event.type === 'message-start' && isMessageRunning(event.message)) this.#trimTail();
  }

  /** What came before the answer that begins is in rows; a viewer that far back gets a snapshot. */
  #trimTail(): void {
    if (this.#tail.length < 64) return;
    this.#tail = this.#tail.slice(-2);
    this.floor = (this.#tail[0]?.seq ?? this.seq + 1) - 1;
  }

  /** What has ended is in rows; but whoever reads those right now may have read them before. */
  #forgetFinished(exceptId: string): void {
    if (this.#readers > 0) return;
    for (const message of this.#messages.values())
      if (message.id !== exceptId && !isMessageRunning(message)) this.#messages.delete(message.id);
  }
}

/** The message an event tells of, if it tells of one. */
function messageOf(event: EventBody): string | undefined {
  return 'messageId' in event ? event.messageId : undefined;
}
