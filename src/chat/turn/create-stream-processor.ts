import { randomUUIDv7 } from 'node:crypto';
import { errorInfo, type ErrorInfo, toErrorInfo } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import { type Block, toolBlockStatus } from '#shared/vocabulary/block.ts';
import type { Chunk, FinishReason } from '#shared/vocabulary/chunk.ts';
import type { Tool, ToolResult } from '#shared/vocabulary/tool.ts';
import type { Usage } from '#shared/vocabulary/usage.ts';
import { citationsOf } from '#tools/results/citations.ts';
import type { ProposedCall } from '../calls/refuse-call.ts';
import { BlockManager } from '../topic/block-manager.ts';
import { CallbackStore, type StreamCallbacks } from './stream-callbacks.ts';
import { StreamProcessor } from './stream-processor.ts';

/** A chunk of a model, or what became of a call that it made, by the model's id of it or the `toolCallId` of its block. */
export type StreamChunk =
  | Chunk
  | { type: 'tool-in-progress'; callId: string }
  | { type: 'tool-complete'; callId: string; result: ToolResult };

/** What a processor may know beforehand. */
export interface StreamProcessorOptions {
  /** The id of the answer, by which its blocks are named; absent: a new one. */
  messageId?: string;
  /** Tools by the names that the model uses, so that blocks can say where they come from. */
  tools?: readonly Tool[];
  /** Who runs the tools that the vendor runs itself. */
  vendor?: string;
}

/** What a stream came to. */
export interface StreamResult {
  blocks: Block[];
  calls: ProposedCall[];
  finishReason: FinishReason | undefined;
  usage: Usage | undefined;
  error: ErrorInfo | undefined;
}

/** Gives chunks their meaning and tells callbacks of it. */
export interface CallbackProcessor {
  /** Takes chunks as they arrive. */
  process(chunks: StreamChunk | readonly StreamChunk[]): void;
  /** Reads a whole stream of a model; what the stream throws is an error of the result. */
  read(source: AsyncIterable<StreamChunk | readonly StreamChunk[]>): Promise<StreamResult>;
  /** Ends the round: `onComplete` follows. A processor that goes on after its tools ran ends later. */
  finish(): StreamResult;
}

/**
 * Tells callbacks what the chunks of a model mean: which block begins, grows and ends. The engine's own
 * processor, with callbacks in the place of a topic.
 */
export function createStreamProcessor(
  callbacks: StreamCallbacks,
  options: StreamProcessorOptions = {},
): CallbackProcessor {
  return new CallbackStream(callbacks, options);
}

class CallbackStream implements CallbackProcessor {
  readonly #store: CallbackStore;
  readonly #blocks: BlockManager;
  readonly #processor: StreamProcessor;
  readonly #knowsTools: boolean;
  #isCreated = false;
  #announced = 0;
  #result: StreamResult | undefined;

  constructor(callbacks: StreamCallbacks, options: StreamProcessorOptions) {
    const { messageId = randomUUIDv7(), tools = [], vendor = '' } = options;
    const byName = new Map(tools.map((tool) => [tool.name, tool]));
    this.#knowsTools = options.tools !== undefined;
    this.#store = new CallbackStore(callbacks);
    this.#blocks = new BlockManager(this.#store, { id: messageId, blocks: [] });
    this.#processor = new StreamProcessor(
      this.#blocks,
      (call) => {
        const tool = byName.get(call.toolName);
        return tool ? { tool, arguments: call.arguments } : { problem: unknownTool(call.toolName) };
      },
      vendor,
    );
  }

  process(chunks: StreamChunk | readonly StreamChunk[]): void {
    if (this.#result) return;
    const batch = 'type' in chunks ? [chunks] : chunks;
    if (batch.some(isOfCall)) for (const chunk of batch) this.#processOne(chunk);
    else this.#take(batch as Chunk[]);
  }

  async read(source: AsyncIterable<StreamChunk | readonly StreamChunk[]>): Promise<StreamResult> {
    try {
      for await (const chunks of source) this.process(chunks);
    } catch (error) {
      const isAborted = error instanceof Error && error.name === 'AbortError';
      const code = isAborted ? 'cancelled' : 'internal';
      this.process({ type: 'error', error: toErrorInfo(error, code) });
    }
    return this.finish();
  }

  finish(): StreamResult {
    if (this.#result) return this.#result;
    const { finishReason, usage, error, ...round } = this.#processor.finish(false);
    // Who named no tools runs what the model asks for by themselves: none of it is a mistake.
    const calls = this.#knowsTools ? round.calls : round.calls.map(asOwnCall);
    for (const { blockId } of calls) this.#store.announce(blockId);
    this.#blocks.endAll(error ? 'error' : 'success', 'cancelled', { state: 'cancelled' });
    if (error) this.#store.call('onError', error);
    else
      this.#store.call('onLLMResponseComplete', {
        ...(finishReason && { finishReason }),
        ...(usage && { usage }),
      });
    const blocks = this.#store.blocks();
    this.#store.call('onComplete', error ? 'error' : 'success', blocks);
    return (this.#result = { blocks, calls, finishReason, usage, error });
  }

  #take(chunks: Chunk[]): void {
    if (!this.#isCreated && chunks.some(({ type }) => type !== 'retrying' && type !== 'error')) {
      this.#isCreated = true;
      this.#store.call('onLLMResponseCreated');
    }
    this.#processor.process(chunks);
    const { calls } = this.#processor;
    if (calls.length === this.#announced) return;
    for (const { blockId, rawArguments } of calls)
      if (rawArguments !== '') this.#store.announce(blockId);
    this.#announced = calls.filter(({ rawArguments }) => rawArguments !== '').length;
  }

  #processOne(chunk: StreamChunk): void {
    if (!isOfCall(chunk)) return this.#take([chunk]);
    const call = this.#processor.calls.findLast(
      ({ callId, toolCallId }) => callId === chunk.callId || toolCallId === chunk.callId,
    );
    if (!call) return;
    if (chunk.type === 'tool-in-progress')
      return this.#blocks.update(call.blockId, 'tool', { state: 'dispatching' });
    const { result } = chunk;
    const state = result.isError ? 'failed' : 'succeeded';
    this.#blocks.end(call.blockId, toolBlockStatus[state], 'tool', { state, result });
    this.#blocks.cite(citationsOf(result), call.blockId);
  }
}

type CallChunk = Extract<StreamChunk, { type: 'tool-in-progress' | 'tool-complete' }>;

function isOfCall(chunk: StreamChunk): chunk is CallChunk {
  return chunk.type === 'tool-in-progress' || chunk.type === 'tool-complete';
}

function asOwnCall(call: ProposedCall): ProposedCall {
  const { problem, ...own } = call;
  return problem?.code === 'tool_not_found' ? own : call;
}

function unknownTool(name: string): ErrorInfo {
  return errorInfo(
    'tool_not_found',
    say('no-such-tool')`There is no tool named ${name.slice(0, 200)}.`,
  );
}
