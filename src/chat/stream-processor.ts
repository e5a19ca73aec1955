import { randomUUIDv7 } from 'node:crypto';
import type { Citation } from '#shared/block.ts';
import type { Chunk, FinishReason } from '#shared/chunk.ts';
import type { ErrorInfo } from '#shared/errors.ts';
import type { JsonObject } from '#shared/json.ts';
import type { Usage } from '#shared/model.ts';
import type { Tool } from '#shared/tool.ts';
import type { ModelCall, ResolvedCall } from '#tools/deferred-tools.ts';
import type { BlockManager } from './block-manager.ts';

/** A call the model asked for in this round, in the order asked. */
export interface ProposedCall {
  toolCallId: string;
  blockId: string;
  callId: string;
  modelToolName: string;
  /** The tool that is really meant; undefined if there is none, and `problem` says why. */
  tool: Tool | undefined;
  problem?: ErrorInfo;
  /** Null if what the model wrote is no JSON object. */
  arguments: JsonObject | null;
  rawArguments: string;
}

/** What one model request came to. */
export interface RoundResult {
  calls: ProposedCall[];
  finishReason: FinishReason | undefined;
  usage: Usage | undefined;
  error: ErrorInfo | undefined;
}

/**
 * Gives the chunks of one round their meaning: which block begins, grows or ends. Synchronous; what
 * it decides goes to the block manager at once.
 */
export class StreamProcessor {
  readonly #blocks: BlockManager;
  readonly #resolve: (call: ModelCall) => ResolvedCall;
  #citationCount: number;
  /** Blocks by the id their part has in this stream. */
  readonly #parts = new Map<string, string>();
  readonly #calls = new Map<string, ProposedCall>();
  readonly #result: RoundResult = {
    calls: [],
    finishReason: undefined,
    usage: undefined,
    error: undefined,
  };

  constructor(
    blocks: BlockManager,
    resolve: (call: ModelCall) => ResolvedCall,
    citationCount: number,
  ) {
    this.#blocks = blocks;
    this.#resolve = resolve;
    this.#citationCount = citationCount;
  }

  process(chunks: Chunk[]): void {
    for (const chunk of withoutFalseEnds(chunks)) this.#processChunk(chunk);
  }

  /** The round's calls, end and cost. Text that is still open is complete now. */
  finish(): RoundResult {
    if (!this.#result.error) this.#endParts();
    return this.#result;
  }

  #processChunk(chunk: Chunk): void {
    switch (chunk.type) {
      case 'text-delta':
        return this.#blocks.append(this.#textBlock(`text ${chunk.id}`, 'main_text'), chunk.text);
      case 'thinking-delta':
        return this.#blocks.append(this.#textBlock(`thinking ${chunk.id}`, 'thinking'), chunk.text);
      case 'text-start':
      case 'thinking-start':
      case 'response-created':
        return; // A block begins with its first text, so that none is ever empty.
      case 'text-complete':
        return this.#endPart(`text ${chunk.id}`);
      case 'thinking-complete':
        return this.#endPart(`thinking ${chunk.id}`, chunk.signature);
      case 'block-complete':
        return this.#endParts();
      case 'response-complete':
        this.#result.finishReason = chunk.finishReason;
        this.#result.usage = chunk.usage;
        return;
      case 'error':
        this.#result.error = chunk.error;
        return;
      default:
        return this.#processRest(chunk);
    }
  }

  #processRest(chunk: Chunk): void {
    switch (chunk.type) {
      case 'tool-created':
        this.#startCall(chunk.callId, chunk.toolName);
        return;
      case 'tool-input-delta':
        return this.#growCall(chunk.callId, chunk.text);
      case 'tool-pending':
        return this.#completeCall(chunk);
      case 'web-search-in-progress':
        this.#startSearch(chunk.id, chunk.query);
        return;
      case 'web-search-complete':
        return this.#completeSearch(chunk);
      case 'image-created':
        this.#parts.set(
          `image ${chunk.id}`,
          this.#blocks.start({ type: 'image', status: 'processing' }),
        );
        return;
      case 'image-complete':
        return this.#completeImage(chunk);
      default:
        return;
    }
  }

  #textBlock(part: string, type: 'main_text' | 'thinking'): string {
    const known = this.#parts.get(part);
    if (known) return known;
    const blockId = this.#blocks.start({ type, status: 'streaming' });
    this.#parts.set(part, blockId);
    return blockId;
  }

  #endPart(part: string, signature?: string): void {
    const blockId = this.#parts.get(part);
    if (!blockId) {
      // Thinking that the vendor does not show is kept for what it wants back.
      if (signature !== undefined)
        this.#blocks.add({ type: 'thinking', status: 'success', signature });
      return;
    }
    this.#parts.delete(part);
    this.#blocks.end(blockId, 'success', signature === undefined ? undefined : { signature });
  }

  #endParts(): void {
    for (const part of this.#parts.keys())
      if (part.startsWith('text ') || part.startsWith('thinking ')) this.#endPart(part);
  }

  #startCall(callId: string, modelToolName: string): ProposedCall {
    this.#endParts();
    const { tool } = this.#resolve({ toolName: modelToolName, arguments: {} });
    const toolCallId = randomUUIDv7();
    const blockId = this.#blocks.start({
      type: 'tool',
      status: 'pending',
      state: 'proposed',
      toolCallId,
      callId,
      modelToolName,
      serverId: tool?.serverId ?? '',
      serverName: tool?.serverName ?? '',
      toolName: tool?.toolName ?? modelToolName,
      ...(tool?.title && { title: tool.title }),
      arguments: {},
    });
    const call: ProposedCall = {
      toolCallId,
      blockId,
      callId,
      modelToolName,
      tool,
      arguments: null,
      rawArguments: '',
    };
    this.#calls.set(callId, call);
    this.#result.calls.push(call);
    return call;
  }

  #growCall(callId: string, text: string): void {
    const call = this.#calls.get(callId);
    if (call) this.#blocks.append(call.blockId, text);
  }

  /** A vendor may use one id for two calls of a round: the second whole call is a call of its own. */
  #completeCall(chunk: Extract<Chunk, { type: 'tool-pending' }>): void {
    const known = this.#calls.get(chunk.callId);
    const fresh = known && known.rawArguments === '' && known.arguments === null;
    const call = fresh ? known : this.#startCall(chunk.callId, chunk.toolName);
    const resolved = this.#resolve({ toolName: chunk.toolName, arguments: chunk.arguments });
    call.rawArguments = chunk.rawArguments || '{}';
    if (resolved.tool) this.#takeTool(call, resolved.tool);
    else call.problem = resolved.problem;
    const args = resolved.tool ? resolved.arguments : chunk.arguments;
    call.arguments = args;
    const { signature } = chunk;
    if (args || signature !== undefined)
      this.#blocks.update(call.blockId, { ...(args && { arguments: args }), signature });
  }

  /** A call through `call_tool` is shown and judged as what it is: a call of the tool it names. */
  #takeTool(call: ProposedCall, tool: Tool): void {
    if (call.tool === tool) return;
    call.tool = tool;
    call.modelToolName = tool.name;
    this.#blocks.update(call.blockId, {
      modelToolName: tool.name,
      serverId: tool.serverId,
      serverName: tool.serverName,
      toolName: tool.toolName,
      ...(tool.title && { title: tool.title }),
    });
  }

  /** A search the vendor itself runs: shown as a tool, with nothing for us to do. */
  #startSearch(id: string, query: string | undefined): string {
    this.#endParts();
    const blockId = this.#blocks.start({
      type: 'tool',
      status: 'processing',
      state: 'dispatching',
      toolCallId: randomUUIDv7(),
      callId: id,
      modelToolName: 'web_search',
      serverId: '',
      serverName: '',
      toolName: 'web_search',
      arguments: query === undefined ? {} : { query },
    });
    this.#parts.set(`search ${id}`, blockId);
    return blockId;
  }

  #completeSearch(chunk: Extract<Chunk, { type: 'web-search-complete' }>): void {
    const toolBlockId = this.#parts.get(`search ${chunk.id}`);
    if (toolBlockId) this.#blocks.end(toolBlockId, 'success', { state: 'succeeded' });
    if (chunk.citations.length === 0) return;
    const citations: Citation[] = chunk.citations.map((citation) => ({
      ...citation,
      number: (this.#citationCount += 1),
    }));
    this.#blocks.add({
      type: 'citation',
      status: 'success',
      citations,
      ...(toolBlockId && { toolBlockId }),
    });
  }

  #completeImage({ id, mimeType, data }: Extract<Chunk, { type: 'image-complete' }>): void {
    const blockId = this.#parts.get(`image ${id}`);
    if (blockId) this.#blocks.end(blockId, 'success', { mimeType, data });
    else this.#blocks.add({ type: 'image', status: 'success', mimeType, data });
  }
}

/** Adapters balance their parts when a stream breaks; text that an error cut is not complete. */
function withoutFalseEnds(chunks: Chunk[]): Chunk[] {
  const last = chunks.at(-1);
  if (last?.type !== 'error') return chunks;
  const said = chunks.slice(0, -1);
  const kept = said.findLastIndex(
    ({ type }) => type !== 'text-complete' && type !== 'thinking-complete',
  );
  return [...said.slice(0, kept + 1), last];
}
