import { randomUUIDv7 } from 'node:crypto';
import type { ErrorInfo } from '#shared/errors/errors.ts';
import { type MediaBlock, mediaBlockType, toolBlockStatus } from '#shared/vocabulary/block.ts';
import type { Chunk, FinishReason } from '#shared/vocabulary/chunk.ts';
import type { Tool } from '#shared/vocabulary/tool.ts';
import type { Usage } from '#shared/vocabulary/usage.ts';
import type { ModelCall, ResolvedCall } from '#tools/search/deferred-tools.ts';
import type { ProposedCall } from '../calls/refuse-call.ts';
import { nestingProblem, sanitiseArguments } from '../calls/sanitise-arguments.ts';
import type { BlockManager } from '../topic/block-manager.ts';

/** What one model request came to. */
export interface RoundResult {
  calls: ProposedCall[];
  finishReason: FinishReason | undefined;
  usage: Usage | undefined;
  error: ErrorInfo | undefined;
}

/** What is done to blocks while a model speaks. */
export type BlockWriter = Pick<
  BlockManager,
  'start' | 'append' | 'update' | 'end' | 'add' | 'cite' | 'retrying'
>;

/**
 * Gives the chunks of one round their meaning: which block begins, grows or ends. Synchronous; what
 * it decides goes to the block manager at once.
 */
export class StreamProcessor {
  readonly #blocks: BlockWriter;
  readonly #resolve: (call: ModelCall) => ResolvedCall;
  /** Who runs the tools that the model does not ask us to run. */
  readonly #vendor: string;
  /** Blocks by the id their part has in this stream. */
  readonly #parts = new Map<string, string>();
  /** The part that received text last: usually the next text is for it too. */
  #growing: (Pick<TextDelta, 'type' | 'id'> & { blockId: string }) | undefined;
  readonly #calls = new Map<string, ProposedCall>();
  readonly #result: RoundResult = {
    calls: [],
    finishReason: undefined,
    usage: undefined,
    error: undefined,
  };

  constructor(blocks: BlockWriter, resolve: (call: ModelCall) => ResolvedCall, vendor: string) {
    this.#blocks = blocks;
    this.#resolve = resolve;
    this.#vendor = vendor;
  }

  process(chunks: Chunk[]): void {
    const said = withoutFalseEnds(chunks);
    for (let at = 0; at < said.length; at += 1) {
      const chunk = said[at];
      if (!chunk) continue;
      if (chunk.type !== 'text-delta' && chunk.type !== 'thinking-delta') {
        this.#processChunk(chunk);
        continue;
      }
      // What came together grows the block once: this is the hot path.
      let { text } = chunk;
      for (let next = said[at + 1]; isMore(next, chunk); next = said[at + 1]) {
        text += next.text;
        at += 1;
      }
      this.#grow(chunk, text);
    }
  }

  /** The calls that the model has made so far, as it is still writing them. */
  get calls(): readonly ProposedCall[] {
    return this.#result.calls;
  }

  /** The round's calls, end and cost. Text that is still open is complete now, unless it was cut. */
  finish(wasCut: boolean): RoundResult {
    if (!this.#result.error && !wasCut) this.#endParts();
    return this.#result;
  }

  #processChunk(chunk: Exclude<Chunk, TextDelta>): void {
    switch (chunk.type) {
      case 'text-start':
      case 'thinking-start':
      case 'response-created':
        return; // A block begins with its first text, so that none is ever empty.
      case 'retrying':
        return this.#blocks.retrying(chunk);
      case 'text-complete':
        return this.#endPart(`text ${chunk.id}`, chunk.signature);
      case 'thinking-complete':
        return this.#endPart(`thinking ${chunk.id}`, chunk.signature);
      case 'response-complete':
        this.#result.finishReason = chunk.finishReason;
        this.#result.usage = chunk.usage;
        return;
      case 'error':
        this.#result.error = chunk.error;
        return;
      default:
        return this.#processPart(chunk);
    }
  }

  /** Calls, tools of the vendor and media. A new type of chunk does not compile before it has its case. */
  #processPart(chunk: PartChunk): void {
    switch (chunk.type) {
      case 'tool-created':
        this.#startCall(chunk.callId, chunk.toolName);
        return;
      case 'tool-input-delta':
        return this.#growCall(chunk.callId, chunk.text);
      case 'tool-pending':
        return this.#completeCall(chunk);
      case 'vendor-tool-start':
        return this.#startVendorTool(chunk);
      case 'vendor-tool-complete':
        return this.#completeVendorTool(chunk);
      case 'image-created':
        this.#parts.set(
          `image ${chunk.id}`,
          this.#blocks.start({ type: 'image', status: 'processing' }),
        );
        return;
      case 'image-complete':
        return this.#completeImage(chunk);
      case 'file-complete':
        return this.#addFile(chunk);
    }
  }

  #grow({ type, id }: TextDelta, text: string): void {
    let growing = this.#growing;
    if (growing?.type !== type || growing.id !== id) {
      const blockId =
        type === 'text-delta'
          ? this.#textBlock(`text ${id}`, 'main_text')
          : this.#textBlock(`thinking ${id}`, 'thinking');
      growing = this.#growing = { type, id, blockId };
    }
    this.#blocks.append(growing.blockId, text);
  }

  #textBlock(part: string, type: 'main_text' | 'thinking'): string {
    const block = this.#parts.get(part);
    if (block) return block;
    const blockId = this.#blocks.start({ type, status: 'streaming' });
    this.#parts.set(part, blockId);
    return blockId;
  }

  #endPart(part: string, signature?: string): void {
    const blockId = this.#parts.get(part);
    if (!blockId) {
      // Thinking that the vendor does not show is kept for what it wants back.
      if (signature !== undefined && part.startsWith('thinking '))
        this.#blocks.add({ type: 'thinking', status: 'success', signature });
      return;
    }
    this.#parts.delete(part);
    this.#growing = undefined;
    const type = part.startsWith('text ') ? 'main_text' : 'thinking';
    this.#blocks.end(blockId, 'success', type, signature === undefined ? undefined : { signature });
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
      ...(tool?.kind === 'client' && { client: true }),
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
    const started = this.#calls.get(chunk.callId);
    const fresh = started && started.rawArguments === '' && started.arguments === null;
    const call = fresh ? started : this.#startCall(chunk.callId, chunk.toolName);
    const resolved = this.#resolve({ toolName: chunk.toolName, arguments: chunk.arguments });
    call.rawArguments = chunk.rawArguments || '{}';
    if (resolved.tool) this.#takeTool(call, resolved.tool);
    else call.problem = resolved.problem;
    const written = resolved.tool ? resolved.arguments : chunk.arguments;
    const problem = chunk.problem ?? (written && nestingProblem(written));
    if (problem) call.problem = problem;
    const args = problem ? null : written && sanitiseArguments(written);
    call.arguments = args;
    const { signature } = chunk;
    if (args || signature !== undefined)
      this.#blocks.update(call.blockId, 'tool', {
        ...(args && { arguments: args }),
        signature,
      });
  }

  /** A call through `call_tool` is shown and judged as what it is: a call of the tool it names. */
  #takeTool(call: ProposedCall, tool: Tool): void {
    if (call.tool === tool) return;
    call.tool = tool;
    call.modelToolName = tool.name;
    this.#blocks.update(call.blockId, 'tool', {
      modelToolName: tool.name,
      serverId: tool.serverId,
      serverName: tool.serverName,
      toolName: tool.toolName,
      ...(tool.title && { title: tool.title }),
    });
  }

  /** A tool the vendor itself runs: shown as a tool, with nothing for us to do. */
  #startVendorTool(chunk: Extract<Chunk, { type: 'vendor-tool-start' }>): void {
    const { id, toolName, serverName = '' } = chunk;
    this.#endParts();
    const blockId = this.#blocks.start({
      type: 'tool',
      status: 'processing',
      state: 'dispatching',
      toolCallId: randomUUIDv7(),
      callId: id,
      modelToolName: toolName,
      serverId: '',
      serverName,
      toolName,
      arguments: chunk.arguments ?? {},
      vendor: this.#vendor,
    });
    this.#parts.set(`vendor ${id}`, blockId);
  }

  #completeVendorTool(chunk: Extract<Chunk, { type: 'vendor-tool-complete' }>): void {
    const toolBlockId = this.#parts.get(`vendor ${chunk.id}`);
    this.#parts.delete(`vendor ${chunk.id}`);
    const { arguments: args, result } = chunk;
    const state = result?.isError ? 'failed' : 'succeeded';
    if (toolBlockId)
      this.#blocks.end(toolBlockId, toolBlockStatus[state], 'tool', {
        state,
        ...(args && { arguments: args }),
        ...(result && { result }),
      });
    this.#blocks.cite(chunk.citations, toolBlockId);
  }

  #completeImage(chunk: Extract<Chunk, { type: 'image-complete' }>): void {
    const blockId = this.#parts.get(`image ${chunk.id}`);
    const { signature } = chunk;
    const media = { ...mediaFields(chunk), ...(signature !== undefined && { signature }) };
    if (blockId) this.#blocks.end(blockId, 'success', 'image', media);
    else this.#blocks.add({ type: 'image', status: 'success', ...media });
  }

  #addFile(chunk: Extract<Chunk, { type: 'file-complete' }>): void {
    const { mimeType, name = defaultName(mimeType) } = chunk;
    const type = mediaBlockType(mimeType);
    this.#blocks.add({ type, status: 'success', name, ...mediaFields(chunk) });
  }
}

type TextDelta = Extract<Chunk, { type: 'text-delta' | 'thinking-delta' }>;
type PartChunk = Extract<Chunk, { type: `${'tool' | 'vendor-tool' | 'image' | 'file'}-${string}` }>;

/** Whether a chunk only adds to the text before it. */
function isMore(chunk: Chunk | undefined, before: TextDelta): chunk is TextDelta {
  return chunk?.type === before.type && chunk.id === before.id;
}

type MediaChunk = Extract<Chunk, { type: 'image-complete' | 'file-complete' }>;

function mediaFields({
  mimeType,
  data,
  stored,
}: MediaChunk): Pick<MediaBlock, 'mimeType' | 'data' | 'stored'> {
  return { mimeType, ...(stored ? { stored } : { data }) };
}

/** A name to save a file under that its maker gave none. */
function defaultName(mimeType: string): string {
  const [kind = '', subtype = ''] = (mimeType.split(';', 1)[0] ?? '').toLowerCase().split('/');
  const ending = endings.get(subtype) ?? subtype;
  const name = /^(audio|video)$/.test(kind) ? kind : 'file';
  return /^[a-z0-9]{1,8}$/.test(ending) ? `${name}.${ending}` : name;
}

const endings: ReadonlyMap<string, string> = new Map([
  ['plain', 'txt'],
  ['markdown', 'md'],
  ['mpeg', 'mp3'],
  ['octet-stream', 'bin'],
  ['vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'xlsx'],
  ['vnd.openxmlformats-officedocument.wordprocessingml.document', 'docx'],
  ['vnd.openxmlformats-officedocument.presentationml.presentation', 'pptx'],
]);

/**
 * Adapters balance their parts when a stream breaks. Text, thinking and tools of the vendor that an error
 * cut are not complete; sources that were noted for the end stay, without a search of their own.
 */
function withoutFalseEnds(chunks: Chunk[]): Chunk[] {
  if (chunks.at(-1)?.type !== 'error') return chunks;
  const said = chunks.findLastIndex(
    ({ type }) => type !== 'error' && !/^(text|thinking|file)-complete$|^vendor-tool-/.test(type),
  );
  return chunks.filter((chunk, index) => index <= said || !isFalseEnd(chunk, chunks[index + 1]));
}

function isFalseEnd(chunk: Chunk, next: Chunk | undefined): boolean {
  if (chunk.type === 'vendor-tool-complete') return chunk.citations.length === 0 && !chunk.result;
  if (chunk.type !== 'vendor-tool-start')
    return chunk.type === 'text-complete' || chunk.type === 'thinking-complete';
  return chunk.id === 'sources' && next?.type === 'vendor-tool-complete';
}
