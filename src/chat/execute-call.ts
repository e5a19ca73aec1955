import { errorInfo, CeriseError, toErrorInfo } from '#shared/errors.ts';
import type { JsonObject } from '#shared/json.ts';
import { say } from '#shared/sentence.ts';
import { sanitiseJson } from '#shared/text.ts';
import type { Tool, ToolContext, ToolOutcome, ToolResult } from '#shared/tool.ts';

/** Runs a tool and judges how it went; never throws. A result of more than `most` bytes is not kept. */
export async function executeCall(
  tool: Pick<Tool, 'execute'>,
  args: JsonObject,
  context: ToolContext,
  most: number,
): Promise<ToolOutcome> {
  try {
    return judgeResult(await tool.execute(args, context), most);
  } catch (error) {
    return judgeError(error, context.signal);
  }
}

function judgeResult(answered: ToolResult, most: number): ToolOutcome {
  const size = JSON.stringify(answered).length;
  if (size > most) {
    const message = say(
      'result-over',
    )`The result is larger than ${most / 1024 / 1024} MiB and was not kept.`;
    return { state: 'failed', error: errorInfo('result_too_large', message) };
  }
  const result = sanitiseJson(answered);
  if (!result.isError) return { state: 'succeeded', result };
  const text = result.content.find((part) => part.type === 'text')?.text;
  return {
    state: 'failed',
    result,
    error: errorInfo('tool_failed', text || say('tool-said-error')`The tool reported an error.`),
  };
}

function judgeError(error: unknown, signal: AbortSignal): ToolOutcome {
  const info = sanitiseJson(toErrorInfo(error, signal.aborted ? 'cancelled' : 'tool_failed'));
  if (error instanceof CeriseError) {
    if (error.code === 'timed_out') return { state: 'timed_out', error: info };
    if (error.code === 'outcome_unknown') return { state: 'outcome_unknown', error: info };
    if (error.code === 'cancelled') return { state: 'cancelled', error: info };
  }
  return { state: signal.aborted ? 'cancelled' : 'failed', error: info };
}
