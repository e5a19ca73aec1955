import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import { CallError } from '#shared/vocabulary/call-error.ts';
import { type ToolResult, withProblem } from '#shared/vocabulary/tool.ts';
import { type CallLimits, callLimits } from '../protocol/call-limits.ts';
import { CallWay } from '../protocol/call-way.ts';
import type { McpTool } from '../results/types.ts';
import { outputProblem } from '../schema/output-problem.ts';
import { assertDefinition } from './assert-definition.ts';
import type { ToolCallRequest, CallDeps } from './call-request.ts';
import { runRounds } from './run-rounds.ts';

/** Connects if need be and calls once; the outcome goes to the log. Throws CallError. */
export async function callTool(request: ToolCallRequest, callDeps: CallDeps): Promise<ToolResult> {
  const deps = withSteps(request, callDeps);
  const { signal } = request;
  const { stop } = deps;
  const started = performance.now();
  const way = new CallWay(request.resume ? 'left' : 'never-left', () => request.onStep?.('sent'));
  const onAbort = (): void => stop.abort(signal?.reason);
  if (signal?.aborted) onAbort();
  signal?.addEventListener('abort', onAbort);
  try {
    const limits = limitsOf(request, deps);
    if (isSwitchedOff(request, deps)) throw switchedOff(request, deps);
    if (!deps.connection) request.onStep?.('connecting');
    if (request.definitionHash !== undefined) await assertDefinition(request, deps, limits);
    const { result: answer, tool } = await runRounds({ request, deps, limits, way });
    const result = checked(answer, tool);
    logOutcome(request, deps, started, result.isError ? 'tool_error' : 'succeeded');
    return result;
  } catch (error) {
    const outcome = error instanceof CeriseError ? error.code : 'internal';
    logOutcome(request, deps, started, outcome);
    throw error instanceof CeriseError ? CallError.of(error, way.reach) : error;
  } finally {
    signal?.removeEventListener('abort', onAbort);
  }
}

/** Says when there is a connection, where one had to be opened. */
function withSteps({ onStep }: ToolCallRequest, deps: CallDeps): CallDeps {
  if (!onStep || deps.connection) return deps;
  const connect = async () => {
    const connection = await deps.connect();
    onStep('connected');
    return connection;
  };
  return { ...deps, connect };
}

/** The result says itself where it breaks the promise of its tool. */
function checked(result: ToolResult, tool: McpTool | undefined): ToolResult {
  const problem = tool && outputProblem(tool, result);
  return problem === undefined ? result : withProblem(result, problem);
}

function limitsOf({ timeout }: ToolCallRequest, { record, limits }: CallDeps): CallLimits {
  const { config } = record;
  return callLimits(timeout === undefined ? config : { timeout, ...config }, limits);
}

function isSwitchedOff({ name }: ToolCallRequest, { record }: CallDeps): boolean {
  return record.config.disabledTools?.includes(name) ?? false;
}

function switchedOff({ name }: ToolCallRequest, { record }: CallDeps): CeriseError {
  return new CeriseError('tool_not_found', say('tool-off')`The tool ${name} is disabled.`, {
    hint: say('tool-off-hint')`Enable it in the settings of ${record.config.name}.`,
  });
}

function logOutcome(
  { name, callId }: ToolCallRequest,
  { record, logger }: CallDeps,
  started: number,
  outcome: string,
): void {
  const ms = Math.round(performance.now() - started);
  const fields = {
    serverId: record.id,
    server: record.config.name,
    tool: name,
    callId,
    outcome,
    ms,
  };
  // What the tool itself says is told where the call was made.
  if (outcome === 'succeeded' || outcome === 'tool_error') logger.debug(fields, 'Tool call ended');
  else logger.warn(fields, 'Tool call failed');
}
