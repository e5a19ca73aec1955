import { errorInfo, type ErrorInfo } from '#shared/errors/errors.ts';
import { counted, say } from '#shared/errors/sentence.ts';
import { truncate } from '#shared/text/text.ts';
import type { ToolBlock } from '#shared/vocabulary/block.ts';
import type { JsonObject } from '#shared/vocabulary/json.ts';
import type { Limits } from '#shared/vocabulary/limits.ts';
import type { Tool } from '#shared/vocabulary/tool.ts';
import { validateArguments } from '#tools/formats/json-schema.ts';
import { argumentsHash } from '#tools/policy/policy.ts';

/** A call as the limits count it: what the model asked for, whatever a person made of it. */
interface EarlierCall {
  modelToolName: string;
  argsHash: string;
}

/** The calls that an answer has made so far. What was cut before it was recorded is asked for again. */
export function earlierCalls(
  blocks: readonly ToolBlock[],
  records: readonly { id: string }[],
): EarlierCall[] {
  const recorded = new Set(records.map(({ id }) => id));
  return blocks
    .filter(({ toolCallId }) => recorded.has(toolCallId))
    .map(({ modelToolName, arguments: args, proposedArguments }) => ({
      modelToolName,
      argsHash: argumentsHash(proposedArguments ?? args),
    }));
}

/** Why a call cannot be run as the model asked for it; undefined if it can. */
export function refuseCall(
  call: ProposedCall,
  argsHash: string,
  { earlier, limits }: { earlier: readonly EarlierCall[]; limits: Limits },
): ErrorInfo | undefined {
  if (call.problem) return call.problem;
  if (!call.tool)
    return errorInfo(
      'tool_not_found',
      say('no-such-tool')`There is no tool named ${truncate(call.modelToolName, 100)}.`,
      { hint: say('only-given-tools')`Use only the tools provided.` },
    );
  if (call.arguments === null)
    return errorInfo(
      'invalid_arguments',
      say('arguments-no-object')`The arguments must be a JSON object.`,
      { details: truncate(call.rawArguments, 2000) },
    );
  if (earlier.length >= limits.callsPerTurn)
    return errorInfo(
      'call_limit',
      say('calls-at-most')`An answer can make up to ${counted(limits.callsPerTurn, 'call')}.`,
      { hint: say('answer-with-known')`Answer with what you already know.` },
    );
  if (isRepeated({ modelToolName: call.modelToolName, argsHash }, earlier, limits.repeatedCalls))
    return errorInfo(
      'repeated_call',
      say('same-call-again')`The same call was repeated too many times with the same arguments.`,
      { hint: say('answer-with-result')`Answer with the result it returned before.` },
    );
  const violation = validateArguments(call.tool.inputSchema, call.arguments);
  return violation ? errorInfo('invalid_arguments', violation) : undefined;
}

function isRepeated(call: EarlierCall, earlier: readonly EarlierCall[], most: number): boolean {
  const before = earlier.slice(1 - most);
  return (
    before.length === most - 1 &&
    before.every(
      (other) => other.modelToolName === call.modelToolName && other.argsHash === call.argsHash,
    )
  );
}

/** A call the model asked for in this round, in the order asked. */
export interface ProposedCall {
  toolCallId: string;
  blockId: string;
  callId: string;
  modelToolName: string;
  /** The tool that is really meant; undefined if there is none. */
  tool: Tool | undefined;
  /** Why the call cannot be made. */
  problem?: ErrorInfo;
  /** Null if what the model wrote is no JSON object. */
  arguments: JsonObject | null;
  rawArguments: string;
}
