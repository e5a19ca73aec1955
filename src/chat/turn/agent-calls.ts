import { errorInfo, toErrorInfo } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import { toolBlockStatus } from '#shared/vocabulary/block.ts';
import type { JsonObject } from '#shared/vocabulary/json.ts';
import type { Limits } from '#shared/vocabulary/limits.ts';
import type { Tool, ToolOutcome, ToolProgress } from '#shared/vocabulary/tool.ts';
import { argumentsHash } from '#tools/policy/policy.ts';
import { citationsOf } from '#tools/results/citations.ts';
import { executeCall, neverRan } from '../calls/execute-call.ts';
import { type ProposedCall, refuseCall } from '../calls/refuse-call.ts';
import type { BlockManager } from '../topic/block-manager.ts';

/** A call that a bare agent is about to make. */
export interface AgentCall {
  tool: Tool;
  arguments: JsonObject;
  callId: string;
}

interface CallRound {
  blocks: BlockManager;
  signal: AbortSignal;
  limits: Limits;
  /** Calls that came before in this answer, for the limits. */
  earlier: { modelToolName: string; argsHash: string }[];
  approve: ((call: AgentCall) => boolean | Promise<boolean>) | undefined;
}

/** Runs the calls of one round in parallel, each at most once; resolves when all have their outcome. */
export async function runAgentCalls(calls: readonly ProposedCall[], round: CallRound) {
  const { blocks } = round;
  await Promise.all(
    calls.map(async (call) => {
      const { state, reach, result, error } = await outcomeOf(call, round);
      blocks.end(call.blockId, toolBlockStatus[state], 'tool', {
        state,
        reach,
        progress: null,
        ...(result && { result }),
        ...(error && { error }),
      });
      if (result) blocks.cite(citationsOf(result), call.blockId);
    }),
  );
}

async function outcomeOf(call: ProposedCall, round: CallRound): Promise<ToolOutcome> {
  const { tool, modelToolName, toolCallId: callId, blockId } = call;
  const args = call.arguments ?? {};
  const argsHash = argumentsHash(args);
  const refusal = refuseCall(call, argsHash, round);
  round.earlier.push({ modelToolName, argsHash });
  if (refusal) return { state: 'failed', reach: 'never-left', error: refusal };
  if (!tool) throw new Error(`call ${callId} has no tool`);
  const refused = await askProgram({ tool, arguments: args, callId }, round);
  if (refused) return refused;
  round.blocks.update(blockId, 'tool', { state: 'dispatching', startedAt: Date.now() });
  const context = {
    callId,
    signal: round.signal,
    onProgress: (progress: ToolProgress) => round.blocks.update(blockId, 'tool', { progress }),
  };
  return executeCall(tool, args, context, round.limits.storedResult);
}

/** Why a call does not run: the program said no, or the answer was stopped while it thought about it. */
async function askProgram(call: AgentCall, round: CallRound): Promise<ToolOutcome | undefined> {
  const { approve, signal } = round;
  const stopped = Promise.withResolvers<undefined>();
  const stop = () => stopped.resolve(undefined);
  signal.addEventListener('abort', stop);
  try {
    const answer = approve && (await Promise.race([approve(call), stopped.promise]));
    if (signal.aborted) return { state: 'cancelled', reach: 'never-left', error: neverRan };
    if (answer ?? true) return undefined;
    return { state: 'denied', reach: 'never-left', error: denied };
  } catch (error) {
    return { state: 'failed', reach: 'never-left', error: toErrorInfo(error) };
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

const denied = errorInfo('denied', say('call-refused')`This call wasn't approved.`);
