import { CallError } from '#shared/call-error.ts';
import { CeriseError } from '#shared/errors.ts';
import type { JsonObject } from '#shared/json.ts';
import type { Limits } from '#shared/limits.ts';
import type { Origin } from '#shared/origin.ts';
import type { Logger } from '#shared/ports.ts';
import { say } from '#shared/sentence.ts';
import type { ServerRecord } from '#shared/server.ts';
import type { RequestAnswers } from '#shared/server-request.ts';
import {
  type Continuation,
  type ToolProgress,
  type ToolResult,
  type TraceContext,
  withProblem,
} from '#shared/tool.ts';
import { assertDefinition } from './assert-definition.ts';
import { type CallLimits, callLimits } from './call-limits.ts';
import { carryCall } from './carry-call.ts';
import type { Catalog } from './catalog.ts';
import type { Connection } from './connection.ts';
import { CallWay } from './protocol/call-way.ts';
import type { McpTool } from './protocol/types.ts';
import { outputProblem } from './schema/output-problem.ts';
import type { Stop } from './stop.ts';

/** A call to one tool. `callId` names it for `abortTool`. */
export interface ToolCallRequest {
  serverId: string;
  name: string;
  /** What the tool was when it was chosen; a server that says otherwise by now is not called. */
  definitionHash?: string;
  arguments: JsonObject;
  callId: string;
  /** Aborted with `shutdownReason` a call that is parked is left to its server as it is. */
  signal?: AbortSignal;
  onProgress?: (progress: ToolProgress) => void;
  /** Seconds the call may take where the server's config sets none. */
  timeout?: number;
  /** W3C trace context that goes to the server. */
  trace?: TraceContext;
  /** The call waits and can go on from here; awaited before anything is asked. */
  onParked?: (continuation: Continuation) => Promise<void>;
  /** A parked call is to be sent again; awaited before that. */
  onUnparked?: () => Promise<void>;
  /** Goes on from here instead of calling anew. */
  resume?: Continuation;
  /** Of untrusted words in the arguments; only servers that ship with Cerise are told. */
  origins?: () => Promise<Origin[]>;
}

/** What a call needs of its server. */
export interface CallParts {
  record: ServerRecord;
  limits: Limits;
  /** The connection that was open when the call began, if there was one. */
  connection: Connection | undefined;
  connect: () => Promise<Connection>;
  catalog: Catalog;
  /** Aborted by `abortTool` and when the server is stopped. */
  stop: Stop;
  logger: Logger;
  answers?: RequestAnswers;
}

/** Connects if need be and calls once; the outcome goes to the log. Throws CallError. */
export async function callTool(request: ToolCallRequest, parts: CallParts): Promise<ToolResult> {
  const { signal } = request;
  const { stop } = parts;
  const started = performance.now();
  const way = new CallWay(request.resume ? 'left' : 'never-left');
  const onAbort = (): void => stop.abort(signal?.reason);
  if (signal?.aborted) onAbort();
  signal?.addEventListener('abort', onAbort);
  try {
    const limits = limitsOf(request, parts);
    if (isSwitchedOff(request, parts)) throw switchedOff(request, parts);
    await assertDefinition(request, parts, limits);
    const { result: answer, tool } = await carryCall({ request, parts, limits, way });
    const result = checked(answer, tool);
    logOutcome(request, parts, started, result.isError ? 'tool_error' : 'succeeded');
    return result;
  } catch (error) {
    const outcome = error instanceof CeriseError ? error.code : 'internal';
    logOutcome(request, parts, started, outcome);
    throw error instanceof CeriseError ? CallError.of(error, way.reach) : error;
  } finally {
    signal?.removeEventListener('abort', onAbort);
  }
}

/** The result says itself where it breaks the promise of its tool. */
function checked(result: ToolResult, tool: McpTool | undefined): ToolResult {
  const problem = tool && outputProblem(tool, result);
  return problem === undefined ? result : withProblem(result, problem);
}

function limitsOf({ timeout }: ToolCallRequest, { record, limits }: CallParts): CallLimits {
  const { config } = record;
  return callLimits(timeout === undefined ? config : { timeout, ...config }, limits);
}

function isSwitchedOff({ name }: ToolCallRequest, { record }: CallParts): boolean {
  return record.config.disabledTools?.includes(name) ?? false;
}

function switchedOff({ name }: ToolCallRequest, { record }: CallParts): CeriseError {
  return new CeriseError('tool_not_found', say('tool-off')`The tool ${name} is switched off.`, {
    hint: say('tool-off-hint')`Switch it on in the settings of ${record.config.name}.`,
  });
}

function logOutcome(
  { name, callId }: ToolCallRequest,
  { record, logger }: CallParts,
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
  if (outcome === 'succeeded' || outcome === 'tool_error') logger.info(fields, 'tool call ended');
  else logger.warn(fields, 'tool call failed');
}
