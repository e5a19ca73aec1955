import type { Block } from '#shared/vocabulary/block.ts';
import type { EventBody } from '#shared/vocabulary/event.ts';
import type { Message } from '#shared/vocabulary/message.ts';
import { reduceMessage } from '#shared/vocabulary/reduce.ts';
import type { BlockStore } from './block-manager.ts';

/** Keeps the blocks of one answer in memory, by the reducer that every other store uses. */
export class MemoryBlocks implements BlockStore {
  #message: Message;
  readonly #onEvent: ((event: EventBody) => void) | undefined;

  /** `onEvent` hears each event after it was applied. */
  constructor(messageId = 'answer', onEvent?: (event: EventBody) => void) {
    this.#onEvent = onEvent;
    this.#message = {
      id: messageId,
      topicId: 'memory',
      parentId: null,
      role: 'assistant',
      status: 'pending',
      createdAt: Date.now(),
      blocks: [],
    };
  }

  /** The answer as it stands. */
  get message(): Message {
    return this.#message;
  }

  /** Its blocks, in the order in which they began. */
  get blocks(): readonly Block[] {
    return this.#message.blocks;
  }

  append(event: EventBody): void {
    this.#message = reduceMessage(this.#message, event);
    this.#onEvent?.(event);
  }

  appendDelta(messageId: string, blockId: string, offset: number, text: string): void {
    this.append({ type: 'block-delta', messageId, blockId, offset, text });
  }
}
