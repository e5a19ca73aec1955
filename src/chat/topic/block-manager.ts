import {
  type Block,
  type BlockStatus,
  type Citation,
  isBlockOpen,
} from '#shared/vocabulary/block.ts';
import type { BlockPatch, ChangingType, EventBody } from '#shared/vocabulary/event.ts';
import type { Retry } from '#shared/vocabulary/message.ts';

type DistributiveOmit<T, K extends PropertyKey> = T extends T ? Omit<T, K> : never;
/** What the caller says of a block that begins; identity, order and time are given here. */
export type NewBlock = DistributiveOmit<
  Block,
  'id' | 'messageId' | 'ordinal' | 'content' | 'round' | 'startedAt' | 'endedAt'
>;

/**
 * Where the events of an answer go: a live topic, memory, or a store of one's own. Nothing waits for it: what it
 * writes elsewhere it queues, and failures of that are its own.
 */
export interface BlockStore {
  /** Takes an event that changes what blocks there are; `soon` marks those that cannot wait for a tick. */
  append(event: EventBody, when: 'soon' | 'tick'): void;
  /** Adds text to a block at its end, which is `offset`. */
  appendDelta(messageId: string, blockId: string, offset: number, text: string): void;
}

/** Blocks are named after their message and their place in it. */
export function blockId(messageId: string, ordinal: number): string {
  return `${messageId}.${ordinal}`;
}

/**
 * Keeps the blocks of one running answer: gives each its id and ordinal, and turns what happens to
 * it into events. Text goes through here once, cleaned so that it can be stored.
 */
export class BlockManager {
  round = 0;
  readonly #live: BlockStore;
  readonly #messageId: string;
  readonly #now: () => number;
  #nextOrdinal: number;
  /** How many sources the answer has. */
  #citationCount = 0;
  readonly #open = new Map<string, OpenBlock>();

  constructor(
    live: BlockStore,
    answer: { readonly id: string; readonly blocks: readonly Block[] },
    now: () => number = Date.now,
  ) {
    this.#live = live;
    this.#messageId = answer.id;
    this.#now = now;
    this.#nextOrdinal = (answer.blocks.at(-1)?.ordinal ?? -1) + 1;
    for (const block of answer.blocks) {
      if (block.type === 'citation') this.#citationCount += block.citations.length;
      if (isBlockOpen(block)) this.#open.set(block.id, toOpen(block, block.content.length));
    }
  }

  /** How many blocks have begun. */
  get count(): number {
    return this.#nextOrdinal;
  }

  /** Begins a block; it stands after every block that began before it. */
  start(fields: NewBlock): string {
    const event = this.#startEvent(fields);
    this.#live.append(event, 'soon');
    return event.blockId;
  }

  /** Adds text to a block. */
  append(blockId: string, text: string): void {
    const block = this.#open.get(blockId);
    if (!block) return;
    const clean = cleanDelta(block, text);
    if (clean === '') return;
    this.#live.appendDelta(this.#messageId, blockId, block.length, clean);
    block.length += clean.length;
  }

  /** Changes fields of a block, seen at the next tick. */
  update<T extends ChangingType>(blockId: string, type: T, patch: BlockPatch<T>): void {
    if (this.#open.has(blockId)) this.#live.append(this.updateEvent(blockId, type, patch), 'tick');
  }

  /** Ends a block, at once. */
  end<T extends ChangingType>(
    blockId: string,
    status: BlockStatus,
    type?: T,
    patch?: BlockPatch<T>,
  ): void {
    if (this.#open.has(blockId))
      this.#live.append(this.endEvent(blockId, status, type, patch), 'soon');
  }

  /** A whole block that begins and ends at once. */
  add(fields: NewBlock): string {
    const [start, end] = this.addEvents(fields);
    this.#live.append(start, 'soon');
    this.#live.append(end, 'soon');
    return start.blockId;
  }

  /** Adds sources, numbered on through the answer; nothing where there are none. */
  cite(sources: readonly Omit<Citation, 'number'>[], toolBlockId?: string): void {
    for (const event of this.citeEvents(sources, toolBlockId)) this.#live.append(event, 'soon');
  }

  /** Says that the model is asked again, and when; undefined: that this is over. */
  retrying(next?: Omit<Retry, 'at'> & { delay: number }): void {
    const retry = next && {
      reason: next.reason,
      attempt: next.attempt,
      of: next.of,
      at: this.#now() + next.delay,
    };
    this.#live.append(
      { type: 'message-retry', messageId: this.#messageId, retry: retry ?? null },
      'soon',
    );
  }

  /** Ends every block that is still open; a tool's state follows from what happened to it. */
  endAll(
    textStatus: BlockStatus,
    toolStatus: BlockStatus,
    toolPatch: BlockPatch<'tool'> = {},
  ): void {
    for (const [blockId, { type }] of this.#open) {
      if (type === 'tool') this.end(blockId, toolStatus, type, toolPatch);
      else this.end(blockId, textStatus);
    }
  }

  /** The block was ended by somebody else's commit. */
  forget(blockId: string): void {
    this.#open.delete(blockId);
  }

  #startEvent(fields: NewBlock): Extract<EventBody, { type: 'block-start' }> {
    const id = blockId(this.#messageId, this.#nextOrdinal);
    const block = {
      ...fields,
      id,
      messageId: this.#messageId,
      ordinal: this.#nextOrdinal,
      content: '',
      round: this.round,
      startedAt: this.#now(),
    } as Block;
    this.#nextOrdinal += 1;
    this.#open.set(id, toOpen(block, 0));
    return { type: 'block-start', messageId: this.#messageId, blockId: id, block };
  }

  /** A block begins open, whatever it ends as: only what is open can end. */
  addEvents(
    fields: NewBlock,
  ): [start: Extract<EventBody, { type: 'block-start' }>, end: EventBody] {
    const start = this.#startEvent({ ...fields, status: 'processing' });
    return [start, this.endEvent(start.blockId, fields.status)];
  }

  citeEvents(sources: readonly Omit<Citation, 'number'>[], toolBlockId?: string): EventBody[] {
    if (sources.length === 0) return [];
    const citations = sources.map((source) => ({ ...source, number: (this.#citationCount += 1) }));
    return this.addEvents({
      type: 'citation',
      status: 'success',
      citations,
      ...(toolBlockId && { toolBlockId }),
    });
  }

  /** For a change that is committed together with rows of its own. */
  updateEvent<T extends ChangingType>(blockId: string, type: T, patch: BlockPatch<T>): EventBody {
    this.#mustBe(blockId, type);
    return { type: 'block-update', messageId: this.#messageId, blockId, patch };
  }

  endEvent<T extends ChangingType>(
    blockId: string,
    status: BlockStatus,
    type?: T,
    patch?: BlockPatch<T>,
  ): EventBody {
    if (type) this.#mustBe(blockId, type);
    const block = this.#open.get(blockId);
    this.#open.delete(blockId);
    return {
      type: 'block-end',
      messageId: this.#messageId,
      blockId,
      status,
      length: block?.keepsText ? block.length : 0,
      at: this.#now(),
      ...(patch && { patch }),
    };
  }

  #mustBe(blockId: string, type: ChangingType): void {
    const open = this.#open.get(blockId);
    if (open && open.type !== type) throw new Error(`block ${blockId} is no ${type}`);
  }
}

/** What is open: how long its text is, and half a character that waits for its other half. */
interface OpenBlock {
  type: Block['type'];
  length: number;
  half: string;
  keepsText: boolean;
}

/** Of a call the text is its arguments in the making; a program that runs it gets them as they were written. */
function toOpen(block: Block, length: number): OpenBlock {
  const { type } = block;
  return { type, length, half: '', keepsText: type !== 'tool' || block.client === true };
}

/**
 * Text that both databases keep as it is: NUL and lone surrogates become U+FFFD, and a character
 * that the model cut in two waits for its second half.
 */
function cleanDelta(block: { half: string }, text: string): string {
  let whole = block.half === '' ? text : block.half + text;
  block.half = '';
  if (whole.isWellFormed() && !whole.includes('\0')) return whole;
  const last = whole.charCodeAt(whole.length - 1);
  if (last >= 0xd800 && last <= 0xdbff) {
    block.half = whole.slice(-1);
    whole = whole.slice(0, -1);
  }
  return whole.toWellFormed().replaceAll('\0', '\uFFFD');
}
