import type { LanguageModelV4StreamPart } from '@ai-sdk/provider';
import { CeriseError } from '#shared/errors/errors.ts';
import type { Chunk } from '#shared/vocabulary/chunk.ts';
import type { ModelAdapter } from '#shared/vocabulary/model.ts';
import type { AnswerBounds } from '../answers/answer-bounds.ts';
import { createAnswerStream, type Attempt } from '../answers/answer-stream.ts';
import { classifyModelError, cutStream, isMediaRefusal } from '../failures/model-errors.ts';
import { hasMedia } from '../requests/result-content.ts';
import { toCallOptions } from './call-options.ts';
import { ChunkMapper } from './chunk-mapper.ts';

/** What an adapter needs to know of its vendor. */
export interface LanguageModelOptions extends Pick<
  ModelAdapter,
  'vendor' | 'dialect' | 'capabilities'
> {
  /** Where media of tool results go; `inline` unless told. */
  toolMedia?: 'inline' | 'after';
  /** Texts that must never appear in an error, such as the key. */
  secrets?: string[];
  /** How to wait between tries; replaced in tests. */
  wait?: (delay: number, signal: AbortSignal) => Promise<void>;
  /** How much an answer may bring. */
  bounds?: AnswerBounds;
}

/** A model of the AI SDK, of version 5 or newer: all that is used of it. */
export interface StreamingModel {
  doStream(options: never): PromiseLike<{ stream: ReadableStream<unknown> }>;
}

type Source = StreamingModel | (() => Promise<StreamingModel>);

/**
 * A model of the AI SDK as our adapter. A model that turns out to take no media gets them described in
 * words from then on.
 */
export function fromLanguageModel(
  source: Source,
  options: LanguageModelOptions = {},
): ModelAdapter {
  let takesMedia = true;
  const { toolMedia = 'inline', vendor, dialect, capabilities, bounds, ...rest } = options;
  const known = {
    ...(vendor && { vendor }),
    ...(dialect && { dialect }),
    ...(capabilities && { capabilities }),
  };
  const adapter = createAnswerStream<ChunkMapper>({
    ...rest,
    createReader: (emit) => new ChunkMapper(emit, bounds),
    async run(attempt) {
      const { request, signal } = attempt;
      const model = typeof source === 'function' ? await source() : source;
      const media = takesMedia ? toolMedia : 'described';
      const opening = model.doStream(toCallOptions(request, signal, media) as never);
      const { stream } = await Promise.race([opening, rejectOnAbort(signal)]);
      await pump(stream as ReadableStream<LanguageModelV4StreamPart>, attempt);
    },
    learn(error, request) {
      if (!takesMedia || !hasMedia(request) || !isMediaRefusal(error)) return false;
      takesMedia = false;
      return true;
    },
  });
  return { ...known, ...adapter };
}

/**
 * The stream of a model's own `doStream`, as batches of chunks. It never throws: a failure is the last chunk.
 * Nothing is tried again, because the request was the caller's.
 */
export async function* fromModelStream(stream: ReadableStream<unknown>): AsyncGenerator<Chunk[]> {
  let batch: Chunk[] = [];
  const mapper = new ChunkMapper((chunk) => void batch.push(chunk));
  try {
    for await (const part of stream) {
      mapper.step(part as LanguageModelV4StreamPart);
      if (batch.length > 0) yield batch;
      batch = [];
      if (mapper.finished) return;
    }
    throw new CeriseError(cutStream.code, cutStream.message, cutStream);
  } catch (failure) {
    mapper.close();
    yield [...batch, { type: 'error', error: classifyModelError(failure, []) }];
  }
}

/** Reads until the model is done. No stage in between: a part becomes chunks in the buffer. */
async function pump(
  stream: ReadableStream<LanguageModelV4StreamPart>,
  attempt: Attempt<ChunkMapper>,
): Promise<void> {
  const { reader: mapper, signal } = attempt;
  const reader = stream.getReader();
  const cancel = () => void reader.cancel().catch(() => undefined);
  signal.addEventListener('abort', cancel, { once: true });
  try {
    while (!mapper.finished) {
      const { done, value } = await reader.read();
      signal.throwIfAborted();
      if (done) throw new CeriseError(cutStream.code, cutStream.message, cutStream);
      mapper.step(value);
      if (attempt.room) await attempt.room;
    }
  } finally {
    signal.removeEventListener('abort', cancel);
    cancel();
  }
}

function rejectOnAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const give = () => reject(signal.reason as Error);
    if (signal.aborted) give();
    else signal.addEventListener('abort', give, { once: true });
  });
}
