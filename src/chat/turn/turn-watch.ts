import type { AnswerRef, Telemetry } from '#shared/telemetry/telemetry.ts';
import type { Chunk } from '#shared/vocabulary/chunk.ts';
import type { Message } from '#shared/vocabulary/message.ts';
import type { ModelAdapter } from '#shared/vocabulary/model.ts';
import type { Usage } from '#shared/vocabulary/usage.ts';
import type { LiveTopic } from '../topic/live-topic.ts';
import type { Ending } from './rounds.ts';
import type { RoundResult } from './stream-processor.ts';
import { withCost } from './add-usage.ts';

interface Watched {
  ref: AnswerRef;
  /** Has the answer as it is by now, and takes each request to the model when it has ended. */
  live: Pick<LiveTopic, 'message' | 'append'>;
  telemetry: Telemetry | undefined;
  now: () => number;
}

/** A request to the model on its way. */
interface RequestWatch {
  /** Something arrived, not always from the model. */
  received(batch: readonly Chunk[]): void;
  end(result: RoundResult, isAborted: boolean): void;
}

/** Chunks that tell of the request, before or instead of what the model makes. */
const notMade: ReadonlySet<Chunk['type']> = new Set(['retrying', 'response-created', 'error']);

/** Tells of an answer while it is made: its rounds, its model requests, its end. */
export class TurnWatch {
  readonly #watched: Watched;
  #current: { round: number; startedAt: number; resumes?: number } | undefined;

  constructor(watched: Watched) {
    this.#watched = watched;
  }

  /** A round begins where the one before it ended, also where that was in another process. */
  beginRound(round: number, resumes?: number): void {
    const { telemetry, live, ref } = this.#watched;
    if (!telemetry?.detail || this.#current?.round === round) return;
    this.endRound();
    const { blocks = [], createdAt = 0 } = live.message(ref.answerId) ?? {};
    const before = blocks.filter((block) => block.round < round);
    const ends = before.map(({ endedAt, startedAt }) => endedAt ?? startedAt);
    const startedAt = Math.max(createdAt, ...ends);
    this.#current = { round, startedAt, ...(resumes !== undefined && { resumes }) };
  }

  endRound(): void {
    const { telemetry, ref, now } = this.#watched;
    const current = this.#current;
    this.#current = undefined;
    if (current) telemetry?.detail?.roundEnded({ ...ref, ...current, endedAt: now() });
  }

  /** A request of the round that runs; it is noted in the answer when it has ended. */
  modelStarted(
    { vendor, price }: ModelAdapter,
    round: number,
    content: () => unknown,
  ): RequestWatch {
    const { telemetry, ref, now, live } = this.#watched;
    const { answerId: messageId } = ref;
    const startedAt = now();
    const within = { ...ref, round };
    const request = { purpose: 'answer', vendor, model: ref.model, within, content };
    const watch = telemetry?.detail?.modelStarted(request);
    let firstAt: number | undefined;
    return {
      received: (batch) => {
        const made = batch.filter(({ type }) => !notMade.has(type)).length;
        if (made === 0) return;
        firstAt ??= now();
        watch?.received(made);
      },
      end: ({ usage: counted, finishReason, error }, isAborted) => {
        const usage = withCost(counted, price);
        const end = { usage, finishReason, error: isAborted ? 'cancelled' : error?.code };
        const noted = { round, startedAt, firstAt, endedAt: now(), ...end };
        live.append({ type: 'model-end', messageId, request: noted }, 'tick');
        const blocks = () =>
          live.message(messageId)?.blocks.filter((block) => block.round === round);
        watch?.end({ ...end, content: blocks });
      },
    };
  }

  /** `answer` is as it was when it began. */
  ended(
    { createdAt: startedAt }: Message,
    ending: Exclude<Ending, 'left open'>,
    { at: endedAt, usage }: { at: number; usage: Usage | undefined },
  ): void {
    this.endRound();
    const { status } = ending;
    const error = ending.status === 'error' ? ending.error.code : undefined;
    const { ref, telemetry } = this.#watched;
    telemetry?.turnEnded({ ...ref, status, startedAt, endedAt, usage, error });
  }
}
