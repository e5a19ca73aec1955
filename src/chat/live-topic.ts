import { setTimeout } from 'node:timers/promises';
import type { EventBody } from '#shared/event.ts';
import { fault } from '#shared/fault.ts';
import { limits } from '#shared/limits.ts';
import type { Conversation, Message, Topic } from '#shared/message.ts';
import { isMessageRunning } from '#shared/message.ts';
import { reduceMessage } from '#shared/reduce.ts';
import { CommitInDoubt } from '#store/commit-in-doubt.ts';
import { insertEvents } from '#store/events.ts';
import { finishMessage } from '#store/messages.ts';
import type { Db, Store } from '#store/store.ts';
import { LeaseLost, requireFence } from '#store/leases.ts';
import { setTopicSeq } from '#store/topics.ts';
import { EventTail } from './event-tail.ts';
import { HeldMessages } from './held-messages.ts';
import type { Journal, JournalBatch, JournalSource } from './journal.ts';
import { messageOf, type NumberedEvent, numberEvents, toJournalRows } from './numbered-event.ts';
import { PendingEvents } from './pending-events.ts';
import type { Viewers } from './viewers.ts';

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

/** A write whose end was not heard, and what follows when it is known. */
interface Doubt {
  happened: () => Promise<boolean>;
  committed: () => void;
  taken: EventBody[];
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
  readonly viewers: Viewers;
  readonly #fence: number | undefined;
  readonly #onLost: () => void;
  readonly #mayShow: () => boolean;
  /** The first event of each running answer: what came before all of them is in rows. */
  readonly #firstSeqs = new Map<string, number>();
  readonly #store: Store;
  readonly #journal: Journal;
  readonly #onChange: (topic: Topic) => void;
  readonly #messages = new HeldMessages();
  readonly #tail: EventTail;
  readonly #pending = new PendingEvents();
  #accepting: Promise<unknown> = Promise.resolve();
  #busy: Promise<void> | undefined;
  /** A transaction that happened or not: nothing is written before that is known. */
  #doubt: Doubt | undefined;
  /** True while the first of what is pending may be in the journal already. */
  #mayBeWritten = false;

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
    this.#tail = new EventTail(parts.seq);
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

  /** Resolves when nothing is being written and nothing waits to be. */
  async idle(): Promise<void> {
    while (!this.isLost && (this.#busy || this.#isBehind)) {
      await this.#journal.flush();
      await this.#busy;
      if (this.#isBehind) await setTimeout(limits.journalTick);
    }
  }

  /** The durable state of a message that changed since this topic became live. */
  message(messageId: string): Message | undefined {
    return this.#messages.get(messageId);
  }

  /** Takes over an answer that an earlier process left unfinished, as its journal tells it. */
  adopt(message: Message, journal: { id: number; seq: number }[]): void {
    this.#messages.set(message);
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
    this.#doubt = undefined;
    this.#pending.take();
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
    // What was streamed so far is made durable: a snapshot is not behind what others see.
    if (!this.#pending.isEmpty) await this.#journal.flush();
    return this.#messages.overlay(read, () => ({ topic: this.topic, seq: this.seq }));
  }

  /** Durable events after `seq` as `{seq, body}`, or undefined if they reach further back than kept. */
  eventsAfter(seq: number): { seq: number; body: string }[] | undefined {
    return this.#tail.after(seq);
  }

  /** Adds text to a block: shown to viewers within a frame, durable at the next tick. The hot path. */
  appendDelta(messageId: string, blockId: string, offset: number, text: string): void {
    if (this.isLost) return;
    if (this.#pending.addText(messageId, blockId, offset, text)) this.#journal.later(this);
    if (this.#mayShow()) this.viewers.showText(messageId, blockId, offset, text);
  }

  /** Queues an event: durable at the end of this macrotask, or with the next tick. */
  append(event: EventBody, when: 'soon' | 'tick'): void {
    if (this.isLost) return;
    this.#pending.add(event);
    if (when === 'soon') this.#journal.soon(this);
    else this.#journal.later(this);
  }

  take(): JournalBatch | undefined {
    if (this.#busy || this.isLost || !this.#isBehind) return undefined;
    if (this.#doubt) {
      // Tried again with the next tick for as long as the database cannot say.
      void this.settled().catch(() => undefined);
      return undefined;
    }
    const unlock = this.#lock();
    const taken = this.#pending.take();
    const numbered = numberEvents(taken, this.seq);
    return {
      rows: toJournalRows(numbered, this.id, this.#fence),
      written: (ids) => {
        this.#journaled(numbered, ids);
        unlock();
      },
      failed: () => {
        this.#mayBeWritten = this.#isShared;
        this.#pending.restore(taken);
        unlock();
      },
    };
  }

  /** Resolves when it is known what is durable; throws while the database cannot say. */
  async settled(): Promise<void> {
    while (this.#busy) await this.#busy;
    if (!this.#doubt) return;
    const unlock = this.#lock();
    await this.#settle().finally(unlock);
  }

  /** Durable (against power loss too) when it resolves; on failure nothing of `change` happened. */
  async commit(change: Change): Promise<void> {
    await this.#exclusively(async (taken) => {
      const before = numberEvents(taken, this.seq);
      const own = numberEvents(change.events, this.seq + before.length);
      const inRowsOnly = change.inRows && !this.#isShared;
      const journaled = inRowsOnly ? before : [...before, ...own];
      const write = async (tx: Db): Promise<number[]> => {
        await change.rows?.(tx);
        const last = this.seq + before.length + own.length;
        if (change.inRows) await this.#setSeq(tx, last);
        if (journaled.length === 0) return [];
        return insertEvents(tx, toJournalRows(journaled, this.id, this.#fence));
      };
      await this.#write(taken, write, (ids) => {
        this.#remember(journaled, ids);
        this.#committed([...before, ...own]);
      });
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
      if (!isMessageRunning(present)) {
        this.#pending.restore(taken);
        return present;
      }
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
      const write = async (tx: Db): Promise<number[]> => {
        await finishMessage(tx, final);
        await rows?.(tx);
        await this.#setSeq(tx, last);
        return others.length === 0
          ? []
          : insertEvents(tx, toJournalRows(others, this.id, this.#fence));
      };
      await this.#write(taken, write, (ids) => {
        this.#remember(others, ids);
        this.#firstSeqs.delete(final.id);
        this.#committed(numbered);
        this.#journal.folded(final.id, this.#isShared ? this.trimmable() : undefined);
        this.#messages.forgetFinished(final.id);
      });
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

  /** Something is to be written, or to be found out before. */
  get #isBehind(): boolean {
    return !this.#pending.isEmpty || this.#doubt !== undefined;
  }

  /** A durable transaction that only the holder of the topic can make. */
  async #write<T>(
    taken: EventBody[],
    work: (tx: Db) => Promise<T>,
    committed: (result: T) => void,
  ): Promise<void> {
    const fence = this.#fence;
    let result: T;
    try {
      result = await this.#store.transaction(async (tx) => {
        if (this.isLost) throw new LeaseLost(this.id);
        if (fence !== undefined) await requireFence(tx, this.id, fence);
        return await work(tx);
      }, 'full');
    } catch (error) {
      if (error instanceof LeaseLost) this.lose();
      if (!(error instanceof CommitInDoubt)) throw error;
      const { happened } = error;
      this.#doubt = { happened, committed: () => committed(error.result as T), taken };
      throw error;
    }
    committed(result);
  }

  /** Finds out what is durable before anything else is written. */
  async #settle(): Promise<void> {
    const doubt = this.#doubt;
    if (doubt) {
      const happened = await doubt.happened();
      if (this.isLost) throw new LeaseLost(this.id);
      this.#doubt = undefined;
      if (happened) doubt.committed();
      else this.#pending.restore(doubt.taken);
    }
    if (this.#mayBeWritten) await this.#journalAgain();
  }

  async #journalAgain(): Promise<void> {
    const taken = this.#pending.take();
    const numbered = numberEvents(taken, this.seq);
    try {
      const rows = toJournalRows(numbered, this.id, this.#fence);
      this.#journaled(numbered, await this.#store.appendEvents(rows, 'full'));
    } catch (error) {
      this.#pending.restore(taken);
      throw error;
    }
  }

  #journaled(numbered: NumberedEvent[], ids: (number | undefined)[]): void {
    const known = ids.filter((id) => id !== undefined);
    if (known.length < numbered.length) return this.lose();
    this.#mayBeWritten = false;
    this.#remember(numbered, known);
    this.#committed(numbered);
  }

  /** Where nobody else reads the journal, it reaches back to what is not in rows, and no further. */
  async #setSeq(tx: Db, last: number): Promise<void> {
    const floor = this.#isShared ? {} : { floorSeq: last };
    await setTopicSeq(tx, this.id, { nextSeq: last + 1, ...floor });
  }

  async #exclusively<T>(work: (taken: EventBody[]) => Promise<T>): Promise<T> {
    while (this.#busy) await this.#busy;
    const unlock = this.#lock();
    let taken: EventBody[] = [];
    try {
      await this.#settle();
      taken = this.#pending.take();
      return await work(taken);
    } catch (error) {
      if (!(error instanceof CommitInDoubt && this.#doubt)) this.#pending.restore(taken);
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
      if (this.#isBehind) this.#journal.later(this);
    };
  }

  #remember(events: NumberedEvent[], ids: number[]): void {
    for (const [index, { event, seq }] of events.entries()) {
      const messageId = messageOf(event);
      if (messageId === undefined) continue;
      if (!this.#isShared) this.#journal.wrote(messageId, ids.slice(index, index + 1));
      if (event.type === 'message-start' && isMessageRunning(event.message))
        this.#firstSeqs.set(messageId, seq);
    }
  }

  #committed(events: NumberedEvent[]): void {
    const topic = this.topic;
    for (const numbered of events) {
      this.seq = numbered.seq;
      const { event } = numbered;
      this.topic = this.#messages.apply(this.topic, { ...event, seq: numbered.seq });
      if (event.type === 'message-start' && isMessageRunning(event.message)) this.#tail.trim();
      this.#tail.push(numbered);
    }
    this.viewers.showEvents(events);
    if (this.topic !== topic) this.#onChange(this.topic);
  }
}
