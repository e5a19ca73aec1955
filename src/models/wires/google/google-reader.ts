import type { CeriseError } from '#shared/errors/errors.ts';
import { say, type Sentence } from '#shared/errors/sentence.ts';
import { truncate } from '#shared/text/text.ts';
import type { Chunk, FinishReason } from '#shared/vocabulary/chunk.ts';
import type { Usage } from '#shared/vocabulary/usage.ts';
import { EventReader } from '../event-reader.ts';
import type { AnswerBounds } from '../../answers/answer-bounds.ts';
import { cutSilent, emptyAnswerError } from '../../answers/endings.ts';
import {
  countOf,
  fieldsOf,
  parseEventData,
  refusal,
  reportedError,
  textOf,
  type Fields,
} from '../../answers/event-data.ts';
import { findCitations } from '../../answers/provider-search.ts';
import { displayArguments, displayResult } from '../../answers/vendor-tools.ts';
import { PartialArguments } from './google-partial-arguments.ts';
import { findGoogleSources } from './google-sources.ts';

/**
 * Reads one answer of Google's streamGenerateContent. The stream has no farewell: the answer is
 * finished by `close()`, when a finish reason has been seen. Kinds of parts it does not know are shown as
 * what the vendor ran.
 */
export class GoogleReader extends EventReader {
  readonly #newCallId: () => string;
  #text: string | undefined;
  #thinking: string | undefined;
  /** A call whose arguments are still coming. */
  #partial: { callId: string; args: PartialArguments; signature: string | undefined } | undefined;
  #blocks = 0;
  #code = 0;
  #others = 0;
  #usage: Usage | undefined;
  #finishReason: string | undefined;
  #heard: 'nothing' | 'no candidate' | 'a candidate' = 'nothing';

  constructor(
    emit: (chunk: Chunk) => void,
    bounds?: AnswerBounds,
    newCallId: () => string = randomCallId,
  ) {
    super(emit, bounds);
    this.#newCallId = newCallId;
  }

  /** The vendor answered in its own form, but nothing of it was an answer. */
  get unfinished(): CeriseError | undefined {
    return this.#heard === 'no candidate' ? emptyAnswerError() : undefined;
  }

  protected get ended(): boolean {
    return this.#finishReason !== undefined;
  }

  protected step(data: string): void {
    const event = parseEventData(data);
    if (event['error'] !== undefined && event['error'] !== null) {
      throw toError(fieldsOf(event['error']));
    }
    if (event['usageMetadata'] !== undefined) this.#usage = toUsage(event['usageMetadata']);
    const { blockReason, blockReasonMessage } = fieldsOf(event['promptFeedback']);
    if (typeof blockReason === 'string' && blockReason !== 'BLOCKED_REASON_UNSPECIFIED') {
      throw refusal(blockReason, textOf(blockReasonMessage));
    }
    const { candidates } = event;
    if (Array.isArray(candidates) && candidates.length > 0) {
      this.#heard = 'a candidate';
      this.#candidate(fieldsOf(candidates[0]));
    } else if (this.#heard === 'nothing') this.#heard = 'no candidate';
  }

  protected finish(): void {
    this.#endPartial();
    this.answer.finish(finishReasons.get(this.#finishReason ?? '') ?? 'other', this.#usage);
  }

  #candidate(candidate: Fields): void {
    const { content, finishReason, finishMessage } = candidate;
    const { parts } = fieldsOf(content);
    if (Array.isArray(parts)) for (const part of parts) this.#part(fieldsOf(part));
    for (const source of findGoogleSources(candidate)) this.answer.source(source);
    if (candidate['groundingMetadata']) this.#searched(fieldsOf(candidate['groundingMetadata']));
    if (typeof finishReason === 'string') this.#stop(finishReason, textOf(finishMessage));
  }

  #searched(grounding: Fields): void {
    const queries = searches.flatMap((field) => grounding[field] ?? []).map(textOf);
    this.answer.searched(queries.filter(Boolean));
  }

  #part(part: Fields): void {
    if (typeof part['text'] === 'string') return this.#textPart(part['text'], part);
    if (part['functionCall'] !== undefined) {
      return this.#functionCall(fieldsOf(part['functionCall']), signatureOf(part));
    }
    if (part['audioTranscription'] !== undefined) {
      const { text } = fieldsOf(part['audioTranscription']);
      this.#textPart(textOf(text), {});
      if (part['inlineData'] === undefined) return;
    }
    if (part['inlineData'] !== undefined) {
      return this.#inlineData(fieldsOf(part['inlineData']), part);
    }
    for (const [kind, value] of Object.entries(part)) {
      if (isMetadata.has(kind) || value === undefined || value === null) continue;
      this.#endText();
      this.#endThinking();
      this.#vendorPart(kind, fieldsOf(value));
    }
  }

  /** What the vendor ran itself: a program, one of its tools, or something that nobody knows yet. */
  #vendorPart(kind: string, value: Fields): void {
    if (kind === 'executableCode') {
      this.#code += 1;
      const { code, language } = value;
      const args = { code: textOf(code), language: textOf(language).toLowerCase() || 'python' };
      this.answer.vendorStart(`code-${this.#code}`, 'code_execution', args);
      return this.answer.vendorInput(`code-${this.#code}`, args);
    }
    const { id, toolType, args, response, ...rest } = value;
    const name = textOf(toolType).toLowerCase();
    if (kind === 'toolCall')
      return this.answer.vendorStart(textOf(id) || name, name || kind, displayArguments(args));
    if (kind === 'toolResponse') {
      const outcome = { toolName: name || kind, citations: findCitations(response) };
      return this.answer.vendorEnd(textOf(id) || name, {
        ...outcome,
        result: displayResult(response),
      });
    }
    if (kind === 'codeExecutionResult') {
      const { outcome } = rest;
      const failed = typeof outcome === 'string' && outcome !== 'OUTCOME_OK';
      return this.answer.vendorEnd(`code-${this.#code}`, {
        toolName: 'code_execution',
        result: displayResult(rest, failed),
      });
    }
    this.#others += 1;
    this.answer.vendorEnd(`part-${this.#others}`, {
      toolName: kind,
      arguments: displayArguments(value),
    });
  }

  #textPart(text: string, part: Fields): void {
    if (text === '') return this.#emptyPart(part);
    if (part['thought'] === true) {
      this.#endText();
      this.#thinking ??= this.#newBlock();
      this.answer.thinkingDelta(this.#thinking, text);
      const signature = signatureOf(part);
      if (signature !== undefined) this.answer.thinkingSign(this.#thinking, signature);
      return;
    }
    this.#endThinking();
    this.#text ??= this.#newBlock();
    this.answer.textDelta(this.#text, text);
    if (part['thoughtSignature'] !== undefined) this.#signText(part);
  }

  #signText(part: Fields): void {
    const signature = signatureOf(part);
    if (this.#text !== undefined && signature !== undefined) {
      this.answer.textSign(this.#text, signature);
    }
  }

  /** A part may hold nothing but a signature, of the text or of the thought before it. */
  #emptyPart(part: Fields): void {
    const signature = signatureOf(part);
    if (signature === undefined) return;
    if (this.#text !== undefined) return this.#signText(part);
    this.#endThinking();
    const id = this.#newBlock();
    if (part['thought'] !== true) return;
    this.answer.thinkingSign(id, signature);
    this.answer.thinkingEnd(id);
  }

  /** Calls usually come whole and without an id; or their arguments follow, value by value. */
  #functionCall(call: Fields, signature: string | undefined): void {
    const { id, name, args, partialArgs, willContinue } = call;
    if (typeof name !== 'string' || name === '') return this.#goOn(call, signature);
    this.#endText();
    this.#endThinking();
    this.#endPartial();
    const callId = this.answer.callStart(textOf(id) || this.#newCallId(), name);
    if (willContinue === true || Array.isArray(partialArgs)) {
      this.#partial = { callId, args: new PartialArguments(), signature };
      return this.#goOn(call, signature);
    }
    if (args !== undefined && args !== null) {
      this.answer.callDelta(callId, typeof args === 'string' ? args : JSON.stringify(args));
    }
    this.answer.callEnd(callId, '{}', signature);
  }

  /** A call that nothing is said of any more has ended. */
  #goOn({ partialArgs, willContinue }: Fields, signature: string | undefined): void {
    if (!this.#partial) return;
    const { callId, args } = this.#partial;
    this.#partial.signature ??= signature;
    this.#grow(callId, args, partialArgs);
    const open = Array.isArray(partialArgs) ? partialArgs.map(fieldsOf) : [];
    if (willContinue !== true && open.every((value) => value['willContinue'] !== true)) {
      this.#endPartial();
    }
  }

  #grow(callId: string, args: PartialArguments, values: unknown): void {
    if (!this.answer.callHeld(callId, '')) return;
    const text = args.add(values);
    // What has no place, or came out of order and is written where the call ends, counts as it came.
    if (text === '') this.answer.callHeld(callId, JSON.stringify(values ?? ''));
    else this.answer.callDelta(callId, text);
  }

  #endPartial(): void {
    if (!this.#partial) return;
    const { callId, args, signature } = this.#partial;
    this.#partial = undefined;
    const { rest, whole } = args.end();
    this.answer.callDelta(callId, rest);
    if (whole !== undefined) this.answer.callCorrect(callId, whole);
    this.answer.callEnd(callId, '{}', signature);
  }

  #inlineData({ mimeType, data }: Fields, part: Fields): void {
    this.#endText();
    this.#endThinking();
    if (part['thought'] === true || typeof data !== 'string' || typeof mimeType !== 'string')
      return;
    this.answer.file(mimeType, data, { signature: signatureOf(part) });
  }

  /** A call that could not be read is missing, whatever was said before it. */
  #stop(reason: string, message: string): void {
    if (reason === 'FINISH_REASON_UNSPECIFIED') return;
    if (reason === 'MALFORMED_FUNCTION_CALL' || !this.answer.answered) {
      throw wordless(reason, message);
    }
    this.#finishReason = reason;
  }

  #newBlock(): string {
    this.#blocks += 1;
    return String(this.#blocks - 1);
  }

  #endText(): void {
    if (this.#text === undefined) return;
    this.answer.textEnd(this.#text);
    this.#text = undefined;
  }

  #endThinking(): void {
    if (this.#thinking === undefined) return;
    this.answer.thinkingEnd(this.#thinking);
    this.#thinking = undefined;
  }
}

/** Where Google tells what it searched for. */
const searches = ['webSearchQueries', 'imageSearchQueries', 'retrievalQueries'] as const;

/** Fields of a part that only say more of another one. */
const isMetadata: ReadonlySet<string> = new Set([
  'thought',
  'thoughtSignature',
  'videoMetadata',
  'mediaResolution',
  'mediaProcessing',
  'partMetadata',
  'speechMetadata',
]);

const finishReasons: ReadonlyMap<string, FinishReason> = new Map([
  ['STOP', 'stop'],
  ['MAX_TOKENS', 'length'],
  ['CONTINUATION', 'length'],
  ['SAFETY', 'content-filter'],
  ['RECITATION', 'content-filter'],
  ['BLOCKLIST', 'content-filter'],
  ['PROHIBITED_CONTENT', 'content-filter'],
  ['SPII', 'content-filter'],
  ['IMAGE_SAFETY', 'content-filter'],
  ['IMAGE_PROHIBITED_CONTENT', 'content-filter'],
  ['IMAGE_RECITATION', 'content-filter'],
]);

/** What an answer that ended like this without a word means to a person. */
function wordless(reason: string, message: string): Error {
  const finishReason = finishReasons.get(reason);
  if (finishReason === 'content-filter') return refusal(reason, message);
  if (finishReason === 'length') return cutSilent();
  if (finishReason === 'stop') return emptyAnswerError();
  return emptyAnswerError(failures.get(reason), {
    reason: truncate(reason, 100),
    ...(message !== '' && { vendorMessage: truncate(message, 500) }),
  });
}

/** Reasons that leave a person without an answer and without a word, so we find one. */
const failures: ReadonlyMap<string, Sentence> = new Map([
  ['MALFORMED_RESPONSE', say('google-unreadable')`The model's answer couldn't be read.`],
  [
    'MISSING_THOUGHT_SIGNATURE',
    say('google-signature')`The model is missing its signature for an earlier call.`,
  ],
  [
    'MALFORMED_FUNCTION_CALL',
    say('google-call')`The model wrote a tool call that couldn't be read.`,
  ],
  ['UNEXPECTED_TOOL_CALL', say('google-tool')`The model tried to use a tool it doesn't have.`],
  ['TOO_MANY_TOOL_CALLS', say('google-many-calls')`The model called too many tools in a row.`],
  ['LANGUAGE', say('google-language')`The model doesn't support the language of this chat.`],
  ['NO_IMAGE', say('google-no-image')`The model was asked for an image but didn't return one.`],
  ['IMAGE_OTHER', say('google-image-failed')`The model couldn't generate the image.`],
]);

/** Kept in the words of the AI SDK, so that it can be given back by either way to the vendor. */
function signatureOf({ thoughtSignature }: Fields): string | undefined {
  return typeof thoughtSignature === 'string' && thoughtSignature !== ''
    ? JSON.stringify({ google: { thoughtSignature } })
    : undefined;
}

function toUsage(value: unknown): Usage | undefined {
  const usage = fieldsOf(value);
  const count = (field: string) => countOf(usage[field]) ?? 0;
  if (value === null) return undefined;
  return {
    inputTokens: count('promptTokenCount') + count('toolUsePromptTokenCount'),
    outputTokens: count('candidatesTokenCount') + count('thoughtsTokenCount'),
    reasoningTokens: count('thoughtsTokenCount'),
    cachedInputTokens: count('cachedContentTokenCount'),
  };
}

const rpcStatuses: ReadonlyMap<string, number> = new Map([
  ['INVALID_ARGUMENT', 400],
  ['FAILED_PRECONDITION', 400],
  ['OUT_OF_RANGE', 400],
  ['UNAUTHENTICATED', 401],
  ['PERMISSION_DENIED', 403],
  ['NOT_FOUND', 404],
  ['RESOURCE_EXHAUSTED', 429],
  ['INTERNAL', 500],
  ['UNKNOWN', 500],
  ['UNAVAILABLE', 503],
  ['DEADLINE_EXCEEDED', 504],
]);

function toError({ code, status, message, details }: Fields): Error {
  const type = textOf(status);
  return reportedError({
    message: textOf(message),
    type,
    status: typeof code === 'number' ? code : rpcStatuses.get(type),
    details,
  });
}

function randomCallId(): string {
  return crypto.randomUUID();
}
