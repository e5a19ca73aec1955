import type {
  LanguageModelV4FinishReason,
  LanguageModelV4Source,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
} from '@ai-sdk/provider';
import type { Citation } from '#shared/block.ts';
import type { Chunk, FinishReason } from '#shared/chunk.ts';
import { CeriseError } from '#shared/errors.ts';
import type { Usage } from '#shared/model.ts';
import { findCitations } from './provider-search.ts';
import { parseArguments } from './tool-arguments.ts';

type Part<T extends LanguageModelV4StreamPart['type']> = Extract<
  LanguageModelV4StreamPart,
  { type: T }
>;
type Source = Omit<Citation, 'number'>;

/**
 * Turns the parts of one model stream into chunks, handed to `emit` as soon as they are known. Starts
 * and completes always balance.
 */
export class ChunkMapper {
  /** True once a chunk was emitted: from then on the request must not be repeated. */
  begun = false;
  /** True after the last chunk; nothing more should be read. */
  finished = false;
  readonly #emit: (chunk: Chunk) => void;
  readonly #text = new Set<string>();
  readonly #thinking = new Map<string, OpenThinking>();
  readonly #calls = new Map<string, OpenCall>();
  readonly #searches = new Set<string>();
  readonly #sources = new Map<string, Source>();
  /** Addresses that a search has shown already. */
  readonly #shown = new Set<string>();
  #answered = false;
  #files = 0;

  constructor(emit: (chunk: Chunk) => void) {
    this.#emit = emit;
  }

  /** Throws what the model reported as an error. */
  step(part: LanguageModelV4StreamPart): void {
    switch (part.type) {
      case 'text-delta':
        return this.#textDelta(part.id, part.delta);
      case 'text-end':
        return this.#textEnd(part.id);
      case 'reasoning-start':
      case 'reasoning-delta':
        return this.#thinkingPart(part);
      case 'reasoning-end':
        return this.#thinkingEnd(part.id, part.providerMetadata);
      case 'tool-input-start':
        return this.#inputStart(part);
      case 'tool-input-delta':
        return this.#inputDelta(part);
      case 'tool-call':
        if (part.providerExecuted) return this.#searchStart(part);
        return this.#toolCall(part.toolCallId, part.toolName, part.input);
      case 'tool-result':
        if (part.preliminary) return undefined;
        return this.#searchEnd(part.toolCallId, findCitations(part.result));
      case 'source':
        return this.#source(part);
      case 'file':
        return this.#file(part);
      case 'finish':
        return this.#finish(part);
      case 'error':
        throw part.error;
      default:
        return undefined;
    }
  }

  /** Completes what is still open, when the stream ended or failed. Calls stay as they are. */
  close(): void {
    for (const id of this.#thinking.keys()) this.#thinkingEnd(id);
    for (const id of this.#text) this.#textEnd(id);
    this.#flushSources();
  }

  #put(chunk: Chunk): void {
    if (!this.begun) {
      this.begun = true;
      this.#emit({ type: 'response-created' });
    }
    this.#emit(chunk);
  }

  #textDelta(id: string, delta: string): void {
    if (delta === '') return;
    this.#answered = true;
    if (!this.#text.has(id)) {
      this.#text.add(id);
      this.#put({ type: 'text-start', id });
    }
    this.#put({ type: 'text-delta', id, text: delta });
  }

  #textEnd(id: string): void {
    if (this.#text.delete(id)) this.#put({ type: 'text-complete', id });
  }

  #thinkingPart(part: Part<'reasoning-start' | 'reasoning-delta'>): void {
    const open = this.#thinking.get(part.id) ?? { shown: false, metadata: {} };
    this.#thinking.set(part.id, open);
    Object.assign(open.metadata, part.providerMetadata);
    if (part.type === 'reasoning-start' || part.delta === '') return;
    this.#showThinking(part.id, open);
    this.#put({ type: 'thinking-delta', id: part.id, text: part.delta });
  }

  #showThinking(id: string, open: OpenThinking): void {
    if (open.shown) return;
    open.shown = true;
    this.#put({ type: 'thinking-start', id });
  }

  /** Thinking without text is kept only for its signature, which the vendor wants back. */
  #thinkingEnd(id: string, metadata?: object): void {
    const open = this.#thinking.get(id);
    if (!open) return;
    this.#thinking.delete(id);
    Object.assign(open.metadata, metadata);
    const signature = toSignature(open.metadata);
    if (!open.shown && signature === undefined) return;
    this.#showThinking(id, open);
    this.#put({ type: 'thinking-complete', id, ...(signature !== undefined && { signature }) });
  }

  #inputStart({ id, toolName, providerExecuted }: Part<'tool-input-start'>): void {
    if (providerExecuted || this.#calls.has(id)) return;
    this.#calls.set(id, { toolName, input: [], whole: false });
    this.#put({ type: 'tool-created', callId: id, toolName });
  }

  #inputDelta({ id, delta }: Part<'tool-input-delta'>): void {
    const call = this.#calls.get(id);
    if (!call || call.whole || delta === '') return;
    call.input.push(delta);
    this.#put({ type: 'tool-input-delta', callId: id, text: delta });
  }

  #toolCall(callId: string, toolName: string, rawArguments: string): void {
    const call = this.#calls.get(callId);
    if (call?.whole) return;
    this.#answered = true;
    this.#calls.set(callId, { toolName, input: [], whole: true });
    if (!call) this.#put({ type: 'tool-created', callId, toolName });
    const parsed = parseArguments(rawArguments);
    this.#put({ type: 'tool-pending', callId, toolName, arguments: parsed, rawArguments });
  }

  #searchStart({ toolCallId: id, input }: Part<'tool-call'>): void {
    const query = parseArguments(input)?.['query'];
    this.#searches.add(id);
    this.#put({
      type: 'web-search-in-progress',
      id,
      ...(typeof query === 'string' && { query }),
    });
  }

  #searchEnd(id: string, citations: Source[]): void {
    if (!this.#searches.delete(id)) this.#put({ type: 'web-search-in-progress', id });
    for (const { url } of citations) if (url !== undefined) this.#shown.add(url);
    this.#put({ type: 'web-search-complete', id, citations });
  }

  #source(part: LanguageModelV4Source): void {
    const source = toSource(part);
    this.#sources.set(source.url ?? part.id, source);
  }

  /** Sources that no search has shown yet are shown once, where the answer ends. */
  #flushSources(): void {
    for (const id of this.#searches) this.#searchEnd(id, []);
    const rest = [...this.#sources.values()].filter(
      ({ url }) => url === undefined || !this.#shown.has(url),
    );
    this.#sources.clear();
    if (rest.length > 0) this.#searchEnd('sources', rest);
  }

  #file({ mediaType, data: file }: Part<'file'>): void {
    this.#answered = true;
    const id = `file-${this.#files}`;
    this.#files += 1;
    if (file.type === 'url') {
      this.#textDelta(id, `[${mediaType}](${file.url.href})`);
      return this.#textEnd(id);
    }
    const data =
      typeof file.data === 'string' ? file.data : Buffer.from(file.data).toString('base64');
    this.#put({ type: 'image-created', id });
    this.#put({ type: 'image-complete', id, mimeType: mediaType, data });
  }

  #finish(part: Part<'finish'>): void {
    assertFinished(part.finishReason, this.#answered);
    for (const [id, call] of this.#calls) {
      if (!call.whole) this.#toolCall(id, call.toolName, call.input.join(''));
    }
    this.close();
    this.finished = true;
    const usage = toUsage(part.usage);
    const finishReason = toFinishReason(part.finishReason, this.#calls.size > 0);
    this.#put({ type: 'response-complete', finishReason, ...(usage && { usage }) });
  }
}

interface OpenThinking {
  shown: boolean;
  metadata: Record<string, unknown>;
}

interface OpenCall {
  toolName: string;
  input: string[];
  whole: boolean;
}

/** What the vendor attached to its thinking, whole, so that it can be given back untouched. */
function toSignature(metadata: Record<string, unknown>): string | undefined {
  const filled = Object.entries(metadata).filter(
    ([, value]) => typeof value === 'object' && value !== null && Object.keys(value).length > 0,
  );
  return filled.length > 0 ? JSON.stringify(Object.fromEntries(filled)) : undefined;
}

function toSource(part: LanguageModelV4Source): Source {
  if (part.sourceType === 'url') {
    return { url: part.url, ...(part.title !== undefined && { title: part.title }) };
  }
  return { title: part.title };
}

function assertFinished({ unified }: LanguageModelV4FinishReason, answered: boolean): void {
  if (unified === 'error')
    throw new CeriseError('model_failed', 'The model stopped with an error.');
  if (unified === 'interrupted') throw new Error('terminated');
  if (unified === 'content-filter' && !answered) throw new Error('content_filter');
}

/** Some vendors say `stop` although they have called tools. */
function toFinishReason({ unified }: LanguageModelV4FinishReason, called: boolean): FinishReason {
  if (unified === 'stop' && called) return 'tool-calls';
  return unified === 'error' || unified === 'interrupted' ? 'other' : unified;
}

function toUsage({ inputTokens, outputTokens }: LanguageModelV4Usage): Usage | undefined {
  const usage: Usage = {
    ...(inputTokens.total !== undefined && { inputTokens: inputTokens.total }),
    ...(outputTokens.total !== undefined && { outputTokens: outputTokens.total }),
    ...(outputTokens.reasoning !== undefined && { reasoningTokens: outputTokens.reasoning }),
    ...(inputTokens.cacheRead !== undefined && { cachedInputTokens: inputTokens.cacheRead }),
  };
  return Object.keys(usage).length > 0 ? usage : undefined;
}
