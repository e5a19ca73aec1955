import { errorInfo, type ErrorInfo } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import { cutToolReach, cutToolState } from '#shared/vocabulary/block.ts';
import type { Message } from '#shared/vocabulary/message.ts';
import type { CallReach, ToolCallState } from '#shared/vocabulary/tool.ts';

type CutState = (typeof cutToolState)[keyof typeof cutToolState];

/** What is said of calls that an answer leaves open when it ends, by the state that they end in. */
export function cutErrors(ending: Message['status']): Record<CutState, ErrorInfo> {
  return {
    cancelled: errorInfo(
      ending === 'stopped' ? 'cancelled' : 'interrupted',
      say('answer-ended-first')`The answer ended before this call was run.`,
    ),
    // Its outcome may have met a database that could not take it.
    outcome_unknown: errorInfo(
      'outcome_unknown',
      say(
        'outcome-not-recorded',
      )`What came of this call could not be recorded; it may have happened.`,
      { hint: say('check-before-repeating')`Check before you repeat it.` },
    ),
  };
}

/** How the block of such a call ends. */
export function cutPatch(
  state: ToolCallState,
  errors: Record<CutState, ErrorInfo>,
): { state: CutState; reach: CallReach; approval: null; error: ErrorInfo } {
  const cut = (cutToolState as Partial<Record<ToolCallState, CutState>>)[state] ?? 'cancelled';
  return { state: cut, reach: cutToolReach[cut], approval: null, error: errors[cut] };
}
