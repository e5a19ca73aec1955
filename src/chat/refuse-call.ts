import type { ErrorInfo } from '#shared/errors.ts';
import { limits } from '#shared/limits.ts';
import { truncate } from '#shared/text.ts';
import { validateArguments } from '#tools/json-schema.ts';
import type { ProposedCall } from './stream-processor.ts';

/** Why a call cannot be run as the model asked for it; undefined if it can. */
export function refuseCall(
  call: ProposedCall,
  argsHash: string,
  earlier: { modelToolName: string; argsHash: string }[],
): ErrorInfo | undefined {
  if (!call.tool)
    return (
      call.problem ?? {
        code: 'tool_not_found',
        message: `There is no tool named ${truncate(call.modelToolName, 100)}.`,
        hint: 'Use only the tools that were given.',
      }
    );
  if (call.arguments === null)
    return {
      code: 'invalid_arguments',
      message: 'The arguments are not a JSON object.',
      details: truncate(call.rawArguments, 2000),
    };
  if (earlier.length >= limits.callsPerTurn)
    return {
      code: 'call_limit',
      message: `An answer may make ${limits.callsPerTurn} calls at most.`,
      hint: 'Answer with what is known.',
    };
  if (isRepeated({ modelToolName: call.modelToolName, argsHash }, earlier))
    return {
      code: 'repeated_call',
      message: 'The same call with the same arguments was made again and again.',
      hint: 'Answer with the result it gave before.',
    };
  const violation = validateArguments(call.tool.inputSchema, call.arguments);
  return violation ? { code: 'invalid_arguments', message: violation } : undefined;
}

function isRepeated(
  call: { modelToolName: string; argsHash: string },
  earlier: { modelToolName: string; argsHash: string }[],
): boolean {
  const before = earlier.slice(1 - limits.repeatedCalls);
  return (
    before.length === limits.repeatedCalls - 1 &&
    before.every(
      (other) => other.modelToolName === call.modelToolName && other.argsHash === call.argsHash,
    )
  );
}
