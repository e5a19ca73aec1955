import type { CeriseError } from '#shared/errors/errors.ts';
import type { Chunk } from '#shared/vocabulary/chunk.ts';
import type { ModelCapabilities, ModelRequest } from '#shared/vocabulary/model.ts';
import type { AnswerBounds } from '../answers/answer-bounds.ts';

/** Where and how one model of a vendor is reached. Holds the key in the clear: never stored or logged. */
export interface WireTarget {
  model: string;
  baseUrl: string;
  apiKey?: string | undefined;
  headers?: Record<string, string>;
  capabilities: ModelCapabilities;
  quirks?: WireQuirks | undefined;
}

/** How a vendor departs from the wire it speaks. Data, so that a new vendor needs no code. */
export interface WireQuirks {
  /** The name of the field that bounds the answer. */
  maxTokensField?: 'max_tokens' | 'max_completion_tokens';
  /** The vendor refuses to be asked for usage in the stream. */
  noStreamUsage?: boolean;
  /** Tool results may hold images (otherwise they follow in a user message). */
  mediaInToolResults?: boolean;
  /** After results the model has to speak before the user does. */
  noUserAfterResults?: boolean;
  /** Temperature and top-p are refused. */
  noSampling?: boolean;
  /** Thinking is not shown, not even in short. */
  noReasoningSummary?: boolean;
  /** How much to think is said in this way; absent: it cannot be said. */
  reasoning?: 'reasoning_effort' | 'thinking' | 'enable_thinking' | undefined;
  /** Thinking of the same turn has to be given back: as `reasoning_content`, or in tags as it came. */
  replayReasoning?: 'reasoning_content' | 'think_tags';
  /** Thinking may come in tags, and without the opening one if that is a part of the prompt. */
  rawThinking?: boolean;
}

export interface WireRequest {
  url: string;
  headers: Record<string, string>;
  /** JSON in UTF-8, in pieces that may be kept for the next request. */
  body: Buffer[];
}

/** One server-sent event of an answer. */
export interface WireEvent {
  event: string;
  data: string;
}

/** Reads one answer, event by event, without input or output of its own. */
export interface WireReader {
  /** True once a chunk was emitted: from then on the request must not be repeated. */
  readonly begun: boolean;
  /** True after the last chunk; nothing more should be read. */
  readonly finished: boolean;
  /** True if it was ended because it is too much: the vendor is left at once. */
  readonly isFull?: boolean;
  /** True when the vendor said that it is done, although more may follow, such as usage. */
  readonly settled?: boolean;
  /** What it means when the stream ends like this; undefined: it was cut. */
  readonly unfinished?: CeriseError | undefined;
  /** Throws what the vendor reported as an error. */
  read(event: WireEvent): void;
  /**
   * Completes what is still open, when the stream ended or failed. Calls stay as they are, unless the
   * reader is settled: then the answer is whole, and `response-complete` is its last chunk.
   */
  close(): void;
}

/** A vendor's protocol: how a request is written and an answer read. Pure. */
export interface Wire {
  readonly name: string;
  toRequest(request: ModelRequest, target: WireTarget): WireRequest;
  createReader(emit: (chunk: Chunk) => void, bounds?: AnswerBounds): WireReader;
}
