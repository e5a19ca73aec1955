import type { LanguageModelV4, LanguageModelV4StreamPart } from '@ai-sdk/provider';
import type { Chunk } from '#shared/chunk.ts';
import { CeriseError, type ErrorInfo } from '#shared/errors.ts';
import type { ModelAdapter, ModelRequest } from '#shared/model.ts';
import { createBatchQueue, type BatchQueue } from './batch-queue.ts';
import { hasMedia, toCallOptions, type MediaHandling } from './call-options.ts';
import { ChunkMapper } from './chunk-mapper.ts';
import { classifyModelError, cutStream, isMediaRefusal } from './model-errors.ts';
import { retryDelay, waitForRetry } from './retry.ts';

const maxBuffered = 1000;

/** What an adapter needs to know of its vendor. */
export interface LanguageModelOptions {
  /** Where media of tool results go; `inline` unless told. */
  toolMedia?: 'inline' | 'after';
  /** Texts that must never appear in an error, such as the key. */
  secrets?: string[];
  /** How to wait between tries; replaced in tests. */
  wait?: (delay: number, signal: AbortSignal) => Promise<void>;
}

type Source = LanguageModelV4 | (() => Promise<LanguageModelV4>);

/**
 * A model of the AI SDK as our adapter. Before the first chunk, passing failures are tried again;
 * a model that turns out to take no media gets them described in words from then on.
 */
export function fromLanguageModel(
  source: Source,
  options: LanguageModelOptions = {},
): ModelAdapter {
  let takesMedia = true;
  const { toolMedia = 'inline', secrets = [], wait = waitForRetry } = options;

  async function produce(request: ModelRequest, signal: AbortSignal, queue: BatchQueue<Chunk>) {
    for (let tries = 1; ; tries += 1) {
      const mapper = new ChunkMapper((chunk) => queue.push(chunk));
      const failure = await attempt(source, request, takesMedia ? toolMedia : 'described', {
        signal,
        queue,
        mapper,
      });
      if (failure === undefined) break;
      const error = signal.aborted ? cancelled : classifyModelError(failure.error, secrets);
      if (!mapper.begun && takesMedia && hasMedia(request) && isMediaRefusal(failure.error)) {
        takesMedia = false;
        continue;
      }
      const delay = mapper.begun ? undefined : retryDelay(error, tries);
      if (delay === undefined) {
        mapper.close();
        queue.push({ type: 'error', error });
        break;
      }
      await wait(delay, signal);
    }
    queue.end();
  }

  return {
    stream(request, signal) {
      const left = new AbortController();
      const either = AbortSignal.any([signal, left.signal]);
      const queue: BatchQueue<Chunk> = createBatchQueue({
        limit: maxBuffered,
        onStart: () => void produce(request, either, queue),
        onReturn: () => left.abort(),
      });
      return queue;
    },
  };
}

const cancelled: ErrorInfo = { code: 'cancelled', message: 'The request was cancelled.' };

interface Attempt {
  signal: AbortSignal;
  queue: BatchQueue<Chunk>;
  mapper: ChunkMapper;
}

/** One request. Undefined when it was answered to the end; never throws. */
async function attempt(
  source: Source,
  request: ModelRequest,
  media: MediaHandling,
  { signal, queue, mapper }: Attempt,
): Promise<{ error: unknown } | undefined> {
  try {
    signal.throwIfAborted();
    const model = typeof source === 'function' ? await source() : source;
    const opening = model.doStream(toCallOptions(request, signal, media));
    const { stream } = await Promise.race([opening, rejectOnAbort(signal)]);
    await pump(stream, mapper, queue, signal);
    return undefined;
  } catch (error) {
    return { error };
  }
}

/** Reads until the model is done. No stage in between: a part becomes chunks in the buffer. */
async function pump(
  stream: ReadableStream<LanguageModelV4StreamPart>,
  mapper: ChunkMapper,
  queue: BatchQueue<Chunk>,
  signal: AbortSignal,
): Promise<void> {
  const reader = stream.getReader();
  const cancel = () => void reader.cancel().catch(() => undefined);
  signal.addEventListener('abort', cancel, { once: true });
  try {
    while (!mapper.finished) {
      const { done, value } = await reader.read();
      signal.throwIfAborted();
      if (done) throw new CeriseError(cutStream.code, cutStream.message, cutStream);
      mapper.step(value);
      if (queue.room) await queue.room;
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
