import type { ErrorInfo } from '#shared/errors/errors.ts';
import {
  type Block,
  type BlockOf,
  type Citation,
  type CitationBlock,
  isMediaBlock,
  type MediaBlock,
  type TextBlock,
  type ThinkingBlock,
  type ToolBlock,
} from '#shared/vocabulary/block.ts';
import type { EventBody } from '#shared/vocabulary/event.ts';
import type { Usage } from '#shared/vocabulary/usage.ts';
import type { FinishReason } from '#shared/vocabulary/chunk.ts';
import { reduceBlock } from '#shared/vocabulary/reduce.ts';
import type { BlockStore } from '../topic/block-manager.ts';

/** What a model's request came to, without the calls. */
export interface StreamEnd {
  finishReason?: FinishReason;
  usage?: Usage;
}

/**
 * What a program wants to hear of a stream; all are optional. Blocks are as they stand at that moment.
 * What one of them throws, or rejects with, reaches `onCallbackError` and nobody else.
 */
export interface StreamCallbacks {
  /** The model has begun to answer; called once. */
  onLLMResponseCreated?(): unknown;
  /** Every block that begins, before the callback of its type. */
  onBlockCreated?(block: Block): unknown;
  /** The model's text begins; its block is still empty. */
  onTextStart?(block: TextBlock): unknown;
  /** The new text, and all of the block's text so far. */
  onTextChunk?(delta: string, text: string, block: TextBlock): unknown;
  /** All of the block's text. */
  onTextComplete?(text: string, block: TextBlock): unknown;
  /** The model's thinking begins; its block is still empty. */
  onThinkingStart?(block: ThinkingBlock): unknown;
  /** The new thinking, and all of the block's so far. */
  onThinkingChunk?(delta: string, text: string, block: ThinkingBlock): unknown;
  /** All of the block's thinking, and how long it took. */
  onThinkingComplete?(text: string, milliseconds: number, block: ThinkingBlock): unknown;
  /** The model writes the arguments of a call: the new text, and all of it so far, which is not yet JSON. */
  onToolArgumentStreaming?(delta: string, text: string, block: ToolBlock): unknown;
  /** The model has written a whole call, which is yours to run. */
  onToolCallPending?(block: ToolBlock): unknown;
  /** You said that the call runs (`tool-in-progress`). */
  onToolCallInProgress?(block: ToolBlock): unknown;
  /** The call has its result (`tool-complete`), or the stream ended without one. */
  onToolCallComplete?(block: ToolBlock): unknown;
  /** A tool that the model's vendor runs itself, such as its web search. */
  onExternalToolInProgress?(block: ToolBlock): unknown;
  /** Its result; the sources that it found follow as `onCitation`. */
  onExternalToolComplete?(block: ToolBlock): unknown;
  /** Sources of a search or a tool's result; their numbers run through all rounds of a processor. */
  onCitation?(citations: readonly Citation[], block: CitationBlock): unknown;
  /** The model begins an image. */
  onImageCreated?(block: BlockOf<'image'>): unknown;
  /** The image is there, as base64 `data`. */
  onImageGenerated?(block: BlockOf<'image'>): unknown;
  /** A file or a video that the model made. */
  onFileGenerated?(block: MediaBlock): unknown;
  /** Every block that ended, whatever its type and status. */
  onBlockComplete?(block: Block): unknown;
  /** The model's request ended as it should. */
  onLLMResponseComplete?(end: StreamEnd): unknown;
  /** The model's request failed; `onComplete` follows. */
  onError?(error: ErrorInfo): unknown;
  /** Nothing follows; called once, also after an error. */
  onComplete?(status: 'success' | 'error', blocks: readonly Block[]): unknown;
  /** Hears what another callback threw. */
  onCallbackError?(error: unknown, callback: CallbackName): void;
}

/** The callbacks that a stream calls. */
export type CallbackName = Exclude<keyof StreamCallbacks, 'onCallbackError'>;

type Listener<Name extends CallbackName> = NonNullable<StreamCallbacks[Name]>;

/** A store of blocks that tells callbacks of everything that happens to them. */
export class CallbackStore implements BlockStore {
  readonly #callbacks: StreamCallbacks;
  readonly #open = new Map<string, Block>();
  readonly #announced = new Set<string>();
  readonly #ended: Block[] = [];

  constructor(callbacks: StreamCallbacks) {
    this.#callbacks = callbacks;
  }

  /** Every block so far, in the order in which they began. */
  blocks(): Block[] {
    return [...this.#ended, ...this.#open.values()].toSorted((a, b) => a.ordinal - b.ordinal);
  }

  appendDelta(_messageId: string, blockId: string, _offset: number, text: string): void {
    const block = this.#open.get(blockId);
    if (!block) return;
    block.content += text;
    if (block.type === 'main_text') this.call('onTextChunk', text, block.content, block);
    else if (block.type === 'thinking') this.call('onThinkingChunk', text, block.content, block);
    else if (block.type === 'tool')
      this.call('onToolArgumentStreaming', text, block.content, block);
  }

  append(event: EventBody): void {
    if (event.type === 'block-start') this.#start({ ...event.block });
    else if (event.type === 'block-update' || event.type === 'block-end') this.#change(event);
  }

  /** Tells of a call that the model has written, once. */
  announce(blockId: string): void {
    const block = this.#open.get(blockId);
    if (block?.type !== 'tool' || this.#announced.has(blockId)) return;
    this.#announced.add(blockId);
    this.call('onToolCallPending', block);
  }

  /** Calls one of them, if it is there. */
  call<Name extends CallbackName>(name: Name, ...args: Parameters<Listener<Name>>): void {
    const callback = this.#callbacks[name] as ((...args: unknown[]) => unknown) | undefined;
    if (!callback) return;
    try {
      const result = callback.apply(this.#callbacks, args);
      if (isThenable(result)) result.then(undefined, (error: unknown) => this.#report(error, name));
    } catch (error) {
      this.#report(error, name);
    }
  }

  #report(error: unknown, name: CallbackName): void {
    try {
      this.#callbacks.onCallbackError?.(error, name);
    } catch {
      // Whoever is told of errors and throws has nobody left to tell.
    }
  }

  #start(block: Block): void {
    this.#open.set(block.id, block);
    this.call('onBlockCreated', block);
    if (block.type === 'main_text') this.call('onTextStart', block);
    else if (block.type === 'thinking') this.call('onThinkingStart', block);
    else if (block.type === 'image') this.call('onImageCreated', block);
    else if (block.type === 'tool' && block.vendor !== undefined)
      this.call('onExternalToolInProgress', block);
  }

  #change(event: Extract<EventBody, { type: 'block-update' | 'block-end' }>): void {
    const before = this.#open.get(event.blockId);
    if (!before) return;
    const block = reduceBlock(before, event);
    if (event.type === 'block-end') return this.#end(block);
    this.#open.set(block.id, block);
    if (block.type !== 'tool' || before.type !== 'tool') return;
    if (event.patch.arguments) this.announce(block.id);
    if (block.state === 'dispatching' && before.state !== 'dispatching')
      this.call('onToolCallInProgress', block);
  }

  #end(block: Block): void {
    this.#open.delete(block.id);
    this.#ended.push(block);
    if (block.type === 'tool')
      this.call(
        block.vendor === undefined ? 'onToolCallComplete' : 'onExternalToolComplete',
        block,
      );
    else if (block.status === 'success') this.#complete(block);
    this.call('onBlockComplete', block);
  }

  #complete(block: Block): void {
    const { content, startedAt, endedAt = startedAt } = block;
    if (block.type === 'main_text') this.call('onTextComplete', content, block);
    else if (block.type === 'thinking')
      this.call('onThinkingComplete', content, endedAt - startedAt, block);
    else if (block.type === 'citation') this.call('onCitation', block.citations, block);
    else if (block.type === 'image') this.call('onImageGenerated', block);
    else if (isMediaBlock(block)) this.call('onFileGenerated', block);
  }
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as PromiseLike<unknown> | undefined)?.then === 'function';
}
