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
      say('answer-ended-first')`The answer ended before this call ran.`,
    ),
    // Its outcome may have met a database that could not take it.
    outcome_unknown: errorInfo(
      'outcome_unknown',
      say(
        'outcome-not-recorded',
      )`The result of this call couldn't be saved. The call may have run.`,
      { hint: say('check-before-repeating')`Check before you run it again.` },
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
