import type {
  LanguageModelV4FinishReason,
  LanguageModelV4Source,
  LanguageModelV4StreamPart,
} from '@ai-sdk/provider';
import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import type { Citation } from '#shared/vocabulary/block.ts';
import type { Chunk, FinishReason } from '#shared/vocabulary/chunk.ts';
import { isJsonObject } from '#shared/vocabulary/json.ts';
import type { Usage } from '#shared/vocabulary/usage.ts';
import { type AnswerBounds, AnswerFull, refuseCrowd } from '../answers/answer-bounds.ts';
import { AnswerWriter } from '../answers/answer-writer.ts';
import { assertAnswered } from '../answers/endings.ts';
import { countOf, fieldsOf } from '../answers/event-data.ts';
import { findCitations } from '../answers/provider-search.ts';
import { parseArguments } from '../answers/tool-arguments.ts';
import { displayArguments, displayResult } from '../answers/vendor-tools.ts';

type Part<T extends LanguageModelV4StreamPart['type']> = Extract<
  LanguageModelV4StreamPart,
  { type: T }
>;
type Metadata = Record<string, unknown>;

/** Turns the parts of one model stream into chunks, handed to `emit` as soon as they are known. */
export class ChunkMapper {
  readonly #answer: AnswerWriter;
  /** What was attached to thinking that is still open. */
  readonly #attached = new Map<string, Metadata>();
  /** Our ids of calls by the vendor's. */
  readonly #calls = new Map<string, string>();
  #files = 0;
  #customs = 0;

  constructor(emit: (chunk: Chunk) => void, bounds?: AnswerBounds) {
    this.#answer = new AnswerWriter(emit, bounds);
  }

  /** True once a chunk was emitted: from then on the request must not be repeated. */
  get begun(): boolean {
    return this.#answer.begun;
  }

  /** True after the last chunk; nothing more should be read. */
  get finished(): boolean {
    return this.#answer.finished;
  }

  /** Throws what the model reported as an error. */
  step(part: LanguageModelV4StreamPart): void {
    try {
      this.#step(part);
    } catch (error) {
      if (!(error instanceof AnswerFull)) throw error;
    }
  }

  #step(part: LanguageModelV4StreamPart): void {
    switch (part.type) {
      case 'text-delta':
        assertDelta(part.delta);
        this.#answer.textDelta(part.id, part.delta);
        return this.#signText(part);
      case 'text-end':
        this.#signText(part);
        return this.#answer.textEnd(part.id);
      case 'reasoning-start':
      case 'reasoning-delta':
        return this.#thinking(part);
      case 'reasoning-end':
        return this.#thinkingEnd(part.id, part.providerMetadata);
      case 'tool-input-start':
        if (!part.providerExecuted) this.#callId(part.id, part.toolName);
        return undefined;
      case 'tool-input-delta':
        return this.#answer.callDelta(this.#calls.get(part.id) ?? '', part.delta);
      case 'tool-call':
        return part.providerExecuted ? this.#vendorCall(part) : this.#toolCall(part);
      case 'tool-result':
        return this.#vendorResult(part);
      case 'tool-approval-request':
        return this.#vendorAsks(part);
      case 'custom':
        return this.#custom(part);
      case 'source':
        return this.#answer.source(toSource(part));
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
    for (const id of this.#attached.keys()) this.#thinkingEnd(id);
    this.#answer.close();
  }

  #signText({ id, providerMetadata }: Part<'text-delta' | 'text-end'>): void {
    if (!providerMetadata) return;
    const signature = toSignature(providerMetadata, isWantedBack);
    if (signature !== undefined) this.#answer.textSign(id, signature);
  }

  #thinking(part: Part<'reasoning-start' | 'reasoning-delta'>): void {
    const known = this.#attached.get(part.id);
    if (!known) refuseCrowd(this.#attached);
    const attached = known ?? {};
    for (const [vendor, value] of Object.entries(part.providerMetadata ?? {})) {
      this.#answer.keep(lengthOf(value) - lengthOf(attached[vendor]));
      attached[vendor] = value;
    }
    this.#attached.set(part.id, attached);
    if (part.type === 'reasoning-delta') this.#answer.thinkingDelta(part.id, part.delta);
  }

  #thinkingEnd(id: string, metadata?: object): void {
    const attached = this.#attached.get(id);
    if (!attached) return;
    this.#attached.delete(id);
    const signature = toSignature(Object.assign(attached, metadata), isFilled);
    if (signature !== undefined) this.#answer.thinkingSign(id, signature);
    this.#answer.thinkingEnd(id);
  }

  #callId(vendorId: string, toolName: string): string {
    const call = this.#calls.get(vendorId);
    if (call !== undefined) return call;
    const callId = this.#answer.callStart(vendorId, toolName);
    this.#calls.set(vendorId, callId);
    return callId;
  }

  #toolCall({ toolCallId, toolName, input, providerMetadata }: Part<'tool-call'>): void {
    const signature = toSignature(providerMetadata ?? {}, isWantedBack);
    this.#answer.callEnd(this.#callId(toolCallId, toolName), input, signature);
  }

  /** A tool that the vendor runs itself. */
  #vendorCall({ toolCallId, toolName, input }: Part<'tool-call'>): void {
    const args = parseArguments(input) ?? { input };
    this.#answer.vendorStart(toolCallId, toolName, displayArguments(args));
  }

  #vendorResult({ toolCallId, toolName, result, preliminary, isError }: Part<'tool-result'>): void {
    if (preliminary) return;
    const citations = findCitations(result);
    const isSearch = citations.length > 0 && toolName === 'web_search';
    this.#answer.vendorEnd(toolCallId, {
      toolName,
      citations,
      ...(!isSearch && { result: displayResult(result, isError) }),
    });
  }

  /** The vendor asks whether a tool of its own may run, which nobody here can say. */
  #vendorAsks({ approvalId, toolCallId }: Part<'tool-approval-request'>): void {
    const args = displayArguments({ approvalId, toolCallId });
    this.#answer.vendorEnd(approvalId, { toolName: 'approval_request', arguments: args });
  }

  /** `vendor.kind` with what the vendor says of it; how its stream begins is of no interest. */
  #custom({ kind, providerMetadata }: Part<'custom'>): void {
    const [vendor = '', toolName = kind] = kind.split('.', 2);
    if (toolName === 'message_start') return;
    this.#customs += 1;
    const args = displayArguments(providerMetadata?.[vendor], ['type']);
    this.#answer.vendorEnd(`custom-${this.#customs}`, { toolName, arguments: args });
  }

  #file({ mediaType, data: file, providerMetadata }: Part<'file'>): void {
    if (file.type === 'url') {
      const id = `link-${this.#files}`;
      this.#files += 1;
      this.#answer.textDelta(id, `[${mediaType}](${file.url.href})`);
      return this.#answer.textEnd(id);
    }
    const data =
      typeof file.data === 'string' ? file.data : Buffer.from(file.data).toString('base64');
    const signature = toSignature(providerMetadata ?? {}, isWantedBack);
    this.#answer.file(mediaType, data, { signature });
  }

  #finish({ finishReason, usage }: Part<'finish'>): void {
    const reason = toFinishReason(finishReason);
    if (!this.#answer.answered) assertAnswered(reason);
    for (const id of this.#attached.keys()) this.#thinkingEnd(id);
    this.#answer.finish(reason, toUsage(usage));
  }
}

/** What the vendor attached, in its own form, so that it can be given back untouched. */
/** Other streams of the AI SDK have parts of the same types with other fields. */
function assertDelta(delta: unknown): void {
  if (typeof delta === 'string') return;
  throw new CeriseError(
    'invalid_request',
    say('no-model-stream')`This isn't the stream of a model.`,
    {
      hint: say(
        'no-model-stream-hint',
      )`Pass the stream that the model's “doStream” returns, in AI SDK 5 or newer.`,
    },
  );
}

function toSignature(metadata: Metadata, isKept: (value: Metadata) => boolean): string | undefined {
  const kept = Object.entries(metadata).filter(
    ([, value]) => isJsonObject(value) && isKept(value as Metadata),
  );
  return kept.length > 0 ? JSON.stringify(Object.fromEntries(kept)) : undefined;
}

function lengthOf(value: unknown): number {
  return value === undefined ? 0 : JSON.stringify(value).length;
}

function isFilled(value: Metadata): boolean {
  return Object.keys(value).length > 0;
}

/** Much that is attached to texts and calls is only for the curious. */
function isWantedBack({ thoughtSignature, caller }: Metadata): boolean {
  if (typeof thoughtSignature === 'string') return true;
  return isJsonObject(caller) && caller['type'] !== undefined && caller['type'] !== 'direct';
}

function toSource(part: LanguageModelV4Source): Omit<Citation, 'number'> {
  if (part.sourceType === 'url') {
    return { url: part.url, ...(part.title !== undefined && { title: part.title }) };
  }
  return { title: part.title };
}

/** Packages of an earlier specification say no more than the reason itself. */
function toFinishReason(said: LanguageModelV4FinishReason | string | undefined): FinishReason {
  const unified = typeof said === 'object' ? said.unified : (said ?? '');
  if (unified === 'error')
    throw new CeriseError('model_failed', say('model-stopped')`The model stopped with an error.`);
  if (unified === 'interrupted') throw new Error('terminated');
  return finishReasons.find((reason) => reason === unified) ?? 'other';
}

const finishReasons: FinishReason[] = ['stop', 'tool-calls', 'length', 'content-filter'];

/** What a package counted, as far as it did. */
function toUsage(usage: unknown): Usage | undefined {
  const { inputTokens, outputTokens } = fieldsOf(usage);
  const input = fieldsOf(inputTokens);
  const output = fieldsOf(outputTokens);
  const counts = {
    inputTokens: countOf(input['total'] ?? inputTokens),
    outputTokens: countOf(output['total'] ?? outputTokens),
    reasoningTokens: countOf(output['reasoning']),
    cachedInputTokens: countOf(input['cacheRead']),
    cacheWriteTokens: countOf(input['cacheWrite']) || undefined,
  };
  const known = Object.entries(counts).filter(([, count]) => count !== undefined);
  return known.length > 0 ? Object.fromEntries(known) : undefined;
}
