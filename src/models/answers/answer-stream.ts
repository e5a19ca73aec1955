import { errorInfo, type ErrorInfo } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import type { Chunk } from '#shared/vocabulary/chunk.ts';
import type { ModelAdapter, ModelRequest } from '#shared/vocabulary/model.ts';
import { classifyModelError, type ModelErrorDetails } from '../failures/model-errors.ts';
import { createBatchQueue, type BatchQueue } from './batch-queue.ts';
import { emptyAnswer } from './endings.ts';
import { maxTries, retryDelay, retryReason, waitForRetry } from './retry.ts';

const maxBuffered = 1000;

/** What reads one answer and says how far it has come. */
interface AnswerReader {
  readonly begun: boolean;
  readonly finished: boolean;
  /** Completes what is still open; may find that the answer was whole. */
  close(): void;
}

/** One try at an answer. */
export interface Attempt<R extends AnswerReader> {
  request: ModelRequest;
  reader: R;
  signal: AbortSignal;
  /** A promise while so much waits to be taken that no more should be read. */
  readonly room: Promise<void> | undefined;
}

interface AnswerStreamOptions<R extends AnswerReader> {
  createReader: (emit: (chunk: Chunk) => void) => R;
  /** Asks and reads until the reader is finished. Throws what went wrong. */
  run: (attempt: Attempt<R>) => Promise<void>;
  /** Whether the next request will be another one, because of why this one was refused. */
  learn: (error: unknown, request: ModelRequest) => boolean;
  /** Texts that must never appear in an error, such as the key. */
  secrets?: string[];
  /** How to wait between tries; replaced in tests. */
  wait?: (delay: number, signal: AbortSignal) => Promise<void>;
}

/**
 * An adapter around one kind of request. Before the first chunk, passing failures are tried again, and
 * refusals that something was learned from at once. It never throws.
 */
export function createAnswerStream<R extends AnswerReader>(
  options: AnswerStreamOptions<R>,
): ModelAdapter {
  const { secrets = [], wait = waitForRetry } = options;

  async function produce(request: ModelRequest, signal: AbortSignal, queue: BatchQueue<Chunk>) {
    for (let tries = 1; ; tries += 1) {
      const reader = options.createReader((chunk) => queue.push(chunk));
      const failure = await attempt(options, { request, reader, signal, queue });
      if (failure === undefined) break;
      const error = signal.aborted ? cancelled : classifyModelError(failure.error, secrets);
      if (!reader.begun && !signal.aborted && options.learn(failure.error, request)) continue;
      const isDone = isSilent(error) && request.messages.at(-1)?.role === 'tool';
      const delay = reader.begun || isDone ? undefined : retryDelay(error, tries);
      if (delay === undefined) {
        reader.close();
        if (isDone && !reader.begun) queue.push({ type: 'response-created' });
        if (!reader.finished) queue.push(isDone ? nothingToAdd : { type: 'error', error });
        break;
      }
      const tried = { attempt: tries + 1, of: maxTries, delay };
      queue.push({ type: 'retrying', reason: retryReason(error), ...tried });
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

/** After a tool has run there may be nothing left to say. */
const nothingToAdd: Chunk = { type: 'response-complete', finishReason: 'stop' };

function isSilent({ details }: ErrorInfo): boolean {
  return (details as ModelErrorDetails | undefined)?.reason === emptyAnswer;
}

const cancelled: ErrorInfo = errorInfo(
  'cancelled',
  say('request-cancelled')`The request was cancelled.`,
);

interface Trial<R> {
  request: ModelRequest;
  reader: R;
  signal: AbortSignal;
  queue: BatchQueue<Chunk>;
}

/** One request. Undefined when it was answered to the end; never throws. */
async function attempt<R extends AnswerReader>(
  { run }: AnswerStreamOptions<R>,
  { queue, ...trial }: Trial<R>,
): Promise<{ error: unknown } | undefined> {
  try {
    trial.signal.throwIfAborted();
    await run({
      ...trial,
      get room() {
        return queue.room;
      },
    });
    return undefined;
  } catch (error) {
    return { error };
  }
}
