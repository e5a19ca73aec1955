import { setTimeout } from 'node:timers/promises';
import type { DurableEvent, EventBody } from '#shared/event.ts';
import { fault } from '#shared/fault.ts';
import { limits } from '#shared/limits.ts';
import type { Conversation, Message, Topic } from '#shared/message.ts';
import { isMessageOpen, isMessageRunning } from '#shared/message.ts';
import { reduce, reduceMessage } from '#shared/reduce.ts';
import { insertEvents } from '#store/events.ts';
import { finishMessage } from '#store/messages.ts';
import type { Db, Store } from '#store/store.ts';
import { LeaseLost, requireFence } from '#store/leases.ts';
import { setTopicSeq } from '#store/topics.ts';
import type { Journal, JournalBatch, JournalSource } from './journal.ts';
import { messageOf, type NumberedEvent, numberEvents, toJournalRows } from './numbered-event.ts';
import type { Viewers } from './viewers.ts';

type DeltaEvent = Extract<EventBody, { type: 'block-delta' }>;
type EndEvent = Extract<EventBody, { type: 'message-end' }>;

/** Events together with the rows they belong to: both are committed, or neither. */
export interface Change {
  events: EventBody[];
  rows?(tx: Db): Promise<unknown>;
  /**
   * True if the rows alone say all that the events say. The journal then need not keep them, except
   * where other hosts read it to show them.
   */
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
  /** True once another host writes it: nothing of what is written here counts any more. */
  isLost = false;
  /** The last durable event. */
  seq: number;
  /** A cursor below this cannot be served from `tail`. */
  floor: number;
  readonly viewers: Viewers;
  readonly #fence: number | undefined;
  readonly #onLost: () => void;
  readonly #mayShow: () => boolean;
  /** The first event of each running answer: what came before all of them is in rows. */
  readonly #firstSeqs = new Map<string, number>();
  readonly #store: Store;
  readonly #journal: Journal;
  readonly #onChange: (topic: Topic) => void;
  readonly #messages = new Map<string, Message>();
  /** Rows that somebody read before may still have these. */
  readonly #deleted = new Set<string>();
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
    /** Where topics are leased: the number every write is conditional on, and who hears of its loss. */
    fence?: number;
    /** Whether text may be shown before it is durable. */
    mayShow?: () => boolean;
    onLost?: () => void;
  }) {
    this.owner = parts.owner;
    this.topic = parts.topic;
    this.seq = parts.seq;
    this.floor = parts.seq;
    this.#store = parts.store;
    this.#journal = parts.journal;
    this.viewers = parts.viewers;
    this.#onChange = parts.onChange;
    this.#fence = parts.fence;
    this.#mayShow = parts.mayShow ?? (() => true);
    this.#onLost = parts.onLost ?? (() => undefined);
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
    while (!this.isLost && (this.#busy || this.#pending.length > 0)) {
      await this.#journal.flush();
      await this.#busy;
      if (this.#pending.length > 0) await setTimeout(limits.journalTick);
    }
  }

  /** The durable state of a message that changed since this topic became live. */
  message(messageId: string): Message | undefined {
    return this.#messages.get(messageId);
  }

  /** Holds a message that is about to change as its rows say it. */
  keep(message: Message): void {
    if (!this.#messages.has(message.id)) this.#messages.set(message.id, message);
  }

  /** Takes over an answer that an earlier process left unfinished, as its journal tells it. */
  adopt(message: Message, journal: { id: number; seq: number }[]): void {
    this.#messages.set(message.id, message);
    this.topic = { ...this.topic, isLoading: true };
    this.#firstSeqs.set(message.id, journal[0]?.seq ?? this.seq + 1);
    if (this.#isShared) return;
    const ids = journal.map(({ id }) => id);
    this.#journal.wrote(message.id, ids);
  }

  /** Another host writes this topic: whatever waits here is not written any more. */
  lose(): void {
    if (this.isLost) return;
    this.isLost = true;
    this.#takePending();
    this.viewers.forgetProvisional();
    this.#onLost();
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
    const messages = rows.messages
      .filter(({ id }) => !this.#deleted.has(id))
      .map((message) => this.#messages.get(message.id) ?? message);
    const newest = messages.at(-1)?.createdAt ?? -1;
    for (const message of this.#messages.values())
      if (message.createdAt > newest) messages.push(message);
    return { ...rows, topic: this.topic, messages, seq: this.seq };
  }

  /** Durable events after `seq` as `{seq, body}`, or undefined if they reach further back than kept. */
  eventsAfter(seq: number): { seq: number; body: string }[] | undefined {
    if (seq < this.floor || seq > this.seq) return undefined;
    return this.#tail.slice(this.#tail.length - (this.seq - seq));
  }

  /** Adds text to a block: shown to viewers within a frame, durable at the next tick. The hot path. */
  appendDelta(messageId: string, blockId: string, offset: number, text: string): void {
    if (this.isLost) return;
    const growing = this.#growing.get(blockId);
    if (growing) growing.text += text;
    else {
      const delta: DeltaEvent = { type: 'block-delta', messageId, blockId, offset, text };
      this.#growing.set(blockId, delta);
      this.#pending.push(delta);
      this.#journal.later(this);
    }
    if (this.#mayShow()) this.viewers.showText(messageId, blockId, offset, text);
  }

  /** Queues an event: durable at the end of this macrotask, or with the next tick. */
  append(event: EventBody, when: 'soon' | 'tick'): void {
    if (this.isLost) return;
    if ('blockId' in event) this.#growing.delete(event.blockId);
    this.#pending.push(event);
    if (when === 'soon') this.#journal.soon(this);
    else this.#journal.later(this);
  }

  take(): JournalBatch | undefined {
    if (this.#busy || this.isLost || this.#pending.length === 0) return undefined;
    const unlock = this.#lock();
    const taken = this.#takePending();
    const numbered = numberEvents(taken, this.seq);
    return {
      rows: toJournalRows(numbered, this.id, this.#fence),
      written: (ids) => {
        const known = ids.filter((id) => id !== undefined);
        if (known.length < numbered.length) this.lose();
        else {
          this.#remember(numbered, known);
          this.#committed(numbered);
        }
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
      const before = numberEvents(taken, this.seq);
      const own = numberEvents(change.events, this.seq + before.length);
      const inRowsOnly = change.inRows && !this.#isShared;
      const journaled = inRowsOnly ? before : [...before, ...own];
      const ids = await this.#write(async (tx) => {
        await change.rows?.(tx);
        const last = this.seq + before.length + own.length;
        if (change.inRows) await this.#setSeq(tx, last);
        if (journaled.length === 0) return [];
        return insertEvents(tx, toJournalRows(journaled, this.id, this.#fence));
      });
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
      const numbered = numberEvents([...taken, end], this.seq);
      const present = this.#messages.get(end.messageId);
      if (!present) throw new Error(`answer ${end.messageId} is not live`);
      const final = numbered.reduce(
        (message, { event }) =>
          messageOf(event) === message.id ? reduceMessage(message, event) : message,
        present,
      );
      const others = numbered.filter(
        ({ event }) => this.#isShared || messageOf(event) !== final.id,
      );
      const last = this.seq + numbered.length;
      await fault('answer-ending');
      const ids = await this.#write(async (tx) => {
        await finishMessage(tx, final);
        await rows?.(tx);
        await this.#setSeq(tx, last);
        return others.length === 0
          ? []
          : insertEvents(tx, toJournalRows(others, this.id, this.#fence));
      });
      this.#remember(others, ids);
      this.#firstSeqs.delete(final.id);
      this.#committed(numbered);
      this.#journal.folded(final.id, this.#isShared ? this.trimmable() : undefined);
      this.#forgetFinished(final.id);
      return final;
    });
  }

  /** What the journal has of this topic that rows say as well. */
  trimmable(): { topicId: string; seq: number } {
    return {
      topicId: this.id,
      seq: Math.min(this.seq, ...this.#firstSeqs.values().map((n) => n - 1)),
    };
  }

  /** Other hosts may read the journal, to show it or to take over. */
  get #isShared(): boolean {
    return this.#fence !== undefined;
  }

  /** A durable transaction that only the holder of the topic can make. */
  async #write<T>(work: (tx: Db) => Promise<T>): Promise<T> {
    const fence = this.#fence;
    try {
      return await this.#store.transaction(async (tx) => {
        if (this.isLost) throw new LeaseLost(this.id);
        if (fence !== undefined) await requireFence(tx, this.id, fence);
        return await work(tx);
      }, 'full');
    } catch (error) {
      if (error instanceof LeaseLost) this.lose();
      throw error;
    }
  }

  /** Where nobody else reads the journal, it reaches back to what is not in rows, and no further. */
  async #setSeq(tx: Db, last: number): Promise<void> {
    const floor = this.#isShared ? {} : { floorSeq: last };
    await setTopicSeq(tx, this.id, { nextSeq: last + 1, ...floor });
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

  #remember(events: NumberedEvent[], ids: number[]): void {
    for (const [index, { event, seq }] of events.entries()) {
      const messageId = messageOf(event);
      if (messageId === undefined) continue;
      if (!this.#isShared) this.#journal.wrote(messageId, ids.slice(index, index + 1));
      const begins = event.type === 'message-start' && isMessageRunning(event.message);
      if (begins || event.type === 'message-reopen') this.#firstSeqs.set(messageId, seq);
    }
  }

  #committed(events: NumberedEvent[]): void {
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
    if (event.type === 'messages-delete') this.#drop(event.messageIds);
    if (event.type === 'message-start' && isMessageRunning(event.message)) this.#trimTail();
  }

  #drop(messageIds: string[]): void {
    for (const id of messageIds) {
      this.#messages.delete(id);
      this.#deleted.add(id);
    }
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
      if (message.id !== exceptId && !isMessageOpen(message)) this.#messages.delete(message.id);
  }
}
