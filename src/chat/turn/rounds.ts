import { errorInfo, type ErrorInfo } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import type { Block } from '#shared/vocabulary/block.ts';
import type { FinishReason } from '#shared/vocabulary/chunk.ts';
import type { ProposedCall } from '../calls/refuse-call.ts';
import type { BlockManager } from '../topic/block-manager.ts';
import type { RoundResult } from './stream-processor.ts';

/** How an answer ended; one that the host leaves open goes on elsewhere. */
export type Ending =
  | { status: 'success' | 'stopped' }
  | { status: 'error'; error: ErrorInfo }
  | 'left open';

/** What the loop asks of the place where an answer is made: a topic, or memory alone. */
export interface RoundSteps {
  signal: AbortSignal;
  /** The answer so far, and what adds to it. */
  answer(): readonly Block[];
  blocks: BlockManager;
  /** Whether the model has to answer now, without tools. */
  isLast(): boolean;
  askModel(isLast: boolean): Promise<RoundResult>;
  /** Resolves when every call has its outcome. */
  runTools(calls: ProposedCall[]): Promise<void>;
  /** Whether the answer ends before its next round, because something newer waits. */
  mustYield(): boolean;
  /** What an abort means here. */
  stopped(): Ending;
}

/** The loop: asks the model, runs the tools it wants, asks again, until there is an end. */
export async function runRounds(steps: RoundSteps, first = 0): Promise<Ending> {
  const { signal, blocks } = steps;
  for (blocks.round = first; ; blocks.round += 1) {
    if (signal.aborted) return steps.stopped();
    const isLast = steps.isLast();
    const result = await steps.askModel(isLast);
    if (signal.aborted) return steps.stopped();
    if (result.error) return { status: 'error', error: result.error };
    if (result.calls.length === 0 || isLast) return endingOf(result, steps);
    await steps.runTools(result.calls);
    if (signal.aborted) return steps.stopped();
    if (steps.mustYield()) return { status: 'success' };
  }
}

/** An answer that the model did not end by itself says so. */
function endingOf({ calls, finishReason }: RoundResult, steps: RoundSteps): Ending {
  const { blocks } = steps;
  const hasSpoken = steps
    .answer()
    .some(({ type, round }) => type === 'main_text' && round === blocks.round);
  if (calls.length > 0 && !hasSpoken) return { status: 'error', error: onlyCalls };
  const error = finishReason && cutAnswers[finishReason];
  if (error) blocks.add({ type: 'error', status: 'error', error });
  return { status: 'success' };
}

const onlyCalls: ErrorInfo = errorInfo(
  'call_limit',
  say('calls-without-end')`The model kept calling tools without reaching an answer.`,
  { hint: say('go-on-or-other')`Ask it to continue with what it has, or choose another model.` },
);

const cutAnswers: Partial<Record<FinishReason, ErrorInfo>> = {
  length: errorInfo(
    'model_length',
    say('answer-length')`The answer is incomplete: the model reached its maximum output length.`,
    { hint: say('go-on-or-more')`Ask it to continue, or raise the maximum output tokens.` },
  ),
  'content-filter': errorInfo(
    'model_refused',
    say('answer-withheld')`The answer is incomplete: the provider withheld the rest.`,
    { hint: say('ask-otherwise')`Rephrase your question, or choose another model.` },
  ),
  refusal: errorInfo(
    'model_refused',
    say('model-refuses')`The model declined to answer this request.`,
    {
      hint: say('rephrase')`Rephrase your message, or choose another model.`,
      details: { reason: 'refusal' },
    },
  ),
};
