import { errorInfo, CeriseError, type ErrorInfo, toErrorInfo } from '#shared/errors/errors.ts';
import { say, toWords } from '#shared/errors/sentence.ts';
import { parseSanitised, sanitiseJson } from '#shared/text/text.ts';
import { CallError } from '#shared/vocabulary/call-error.ts';
import type { JsonObject } from '#shared/vocabulary/json.ts';
import {
  type CallReach,
  shutdownReason,
  type Tool,
  type ToolContext,
  type ToolOutcome,
  type ToolResult,
} from '#shared/vocabulary/tool.ts';

/** What is said of a call that ran when its process ended, whichever way that was. */
export const unknownOutcome: ErrorInfo = errorInfo(
  'outcome_unknown',
  say(
    'ended-while-call',
  )`Cerise shut down while this call was running. It's unknown whether it took effect.`,
  { hint: say('check-before-repeating')`Check before you run it again.` },
);

/** What is said of a call that was called off before it was sent. */
export const neverRan: ErrorInfo = errorInfo(
  'cancelled',
  say('cancelled-before-run')`The call was cancelled before it ran.`,
);

/**
 * Runs a tool and judges how it went and how far it came; never throws. A result of more than `most`
 * bytes is not kept.
 */
export async function executeCall(
  tool: Pick<Tool, 'execute'>,
  args: JsonObject,
  context: ToolContext,
  most: number,
): Promise<ToolOutcome> {
  try {
    return judgeResult(await tool.execute(args, context), most);
  } catch (error) {
    return judgeError(error, context);
  }
}

function judgeResult(answered: ToolResult, most: number): ToolOutcome {
  const json = JSON.stringify(answered);
  if (json.length > most) {
    const message = say(
      'result-over',
    )`The result is larger than ${most / 1024 / 1024} MiB and wasn't saved.`;
    return { reach: 'ended', state: 'failed', error: errorInfo('result_too_large', message) };
  }
  const result = parseSanitised(json) as ToolResult;
  if (!result.isError) return { reach: 'ended', state: 'succeeded', result };
  const text = result.content.find((part) => part.type === 'text')?.text;
  return {
    reach: 'ended',
    state: 'failed',
    result,
    error: errorInfo(
      'tool_failed',
      text ? toWords(text, result.errorSaid) : say('tool-said-error')`The tool reported an error.`,
    ),
  };
}

function judgeError(thrown: unknown, context: ToolContext): ToolOutcome {
  const { aborted, reason } = context.signal;
  const error = sanitiseJson(toErrorInfo(thrown, aborted ? 'cancelled' : 'tool_failed'));
  const reach = reachOf(thrown, context);
  if (error.code === 'outcome_unknown') return { reach: 'left', state: 'outcome_unknown', error };
  if (error.code === 'timed_out') return { reach, state: 'timed_out', error };
  if (error.code !== 'cancelled' && !aborted) return { reach, state: 'failed', error };
  // Nobody wanted this one ended.
  if (reach === 'left' && reason === shutdownReason)
    return { reach, state: 'outcome_unknown', error: unknownOutcome };
  return { reach, state: 'cancelled', error };
}

/** A tool that says nothing of it has ended with its failure, unless it was cut or is a bug. */
function reachOf(error: unknown, { signal, resume }: ToolContext): CallReach {
  if (error instanceof CallError) return error.reach;
  return error instanceof CeriseError && !signal.aborted && !resume ? 'ended' : 'left';
}
