import { CeriseError } from '#shared/errors.ts';
import type { JsonObject } from '#shared/json.ts';
import type { Logger } from '#shared/ports.ts';
import type { ServerRecord } from '#shared/server.ts';
import type { ToolProgress, ToolResult, TraceContext } from '#shared/tool.ts';
import { type CallLimits, callLimits } from './call-limits.ts';
import type { Catalog } from './catalog.ts';
import type { Connection, ConnectionCall } from './connection.ts';
import { pause } from './pause.ts';
import { rpcCode } from './protocol/messages.ts';
import type { McpTool } from './protocol/types.ts';
import { outputProblem } from './schema/output-problem.ts';
import type { Stop, StopSignal } from './stop.ts';

const listingTime = 5000;

/** A call to one tool. `callId` names it for `abortTool`. */
export interface ToolCallRequest {
  serverId: string;
  name: string;
  arguments: JsonObject;
  callId: string;
  signal?: AbortSignal;
  onProgress?: (progress: ToolProgress) => void;
  /** Seconds the call may take where the server's config sets none. */
  timeout?: number;
  /** W3C trace context that goes to the server. */
  trace?: TraceContext;
}

/** What a call needs of its server. */
interface CallParts {
  record: ServerRecord;
  /** The open connection, if there is one. */
  connection: Connection | undefined;
  connect: () => Promise<Connection>;
  catalog: Catalog;
  /** Aborted by `abortTool` and when the server is stopped. */
  stop: Stop;
  logger: Logger;
}

/** Connects if need be and calls once; the outcome goes to the log. Throws CeriseError. */
export async function callTool(request: ToolCallRequest, parts: CallParts): Promise<ToolResult> {
  const { signal } = request;
  const { stop } = parts;
  const started = performance.now();
  const onAbort = (): void => stop.abort();
  if (signal?.aborted) onAbort();
  signal?.addEventListener('abort', onAbort);
  try {
    const limits = limitsOf(request, parts);
    if (isSwitchedOff(request, parts)) throw switchedOff(request, parts);
    const connection = parts.connection ?? (await abortable(parts.connect(), stop));
    const tools = parts.catalog.tools.peek() ?? (await listInTime(parts, limits));
    const tool = tools?.find(({ name }) => name === request.name);
    const call = toConnectionCall(request, { limits, signal: stop, tool });
    const answer = await connection
      .callTool(call)
      .catch((error: unknown) => sendAgain(error, call, connection, parts));
    const result = withProblem(answer, tool);
    logOutcome(request, parts, started, result.isError ? 'tool_error' : 'succeeded');
    return result;
  } catch (error) {
    const outcome = error instanceof CeriseError ? error.code : 'internal';
    logOutcome(request, parts, started, outcome);
    throw error;
  } finally {
    signal?.removeEventListener('abort', onAbort);
  }
}

function toConnectionCall(
  { name, arguments: given, callId, onProgress, trace }: ToolCallRequest,
  { limits, signal, tool }: Pick<ConnectionCall, 'limits' | 'signal' | 'tool'>,
): ConnectionCall {
  return { name, arguments: given, callId, limits, signal, tool, onProgress, trace };
}

/** The result says itself where it breaks the promise of its tool. */
function withProblem(result: ToolResult, tool: McpTool | undefined): ToolResult {
  const problem = tool && outputProblem(tool, result);
  return problem === undefined ? result : { ...result, problem };
}

/** Sends a call that certainly did not run once more; throws what came of it otherwise. */
async function sendAgain(
  error: unknown,
  call: ConnectionCall,
  connection: Connection,
  parts: CallParts,
): Promise<ToolResult> {
  // A process that took no more was ended for it; only a session is begun anew in silence.
  if (connection.kind !== 'stdio' && wasNeverSent(error)) {
    const fresh = await abortable(parts.connect(), parts.stop);
    try {
      return await fresh.callTool(call);
    } catch (next) {
      return withNewHeaders(next, call, fresh, parts);
    }
  }
  return withNewHeaders(error, call, connection, parts);
}

/** The server refused a call because our idea of its headers is old: it is listed again first. */
async function withNewHeaders(
  error: unknown,
  call: ConnectionCall,
  connection: Connection,
  parts: CallParts,
): Promise<ToolResult> {
  if (!isHeaderMismatch(error)) throw error;
  parts.catalog.tools.reset();
  const listed = await listInTime(parts, call.limits);
  const tool = listed?.find(({ name }) => name === call.name);
  return connection.callTool({ ...call, tool });
}

function limitsOf({ timeout }: ToolCallRequest, { record }: CallParts): CallLimits {
  return callLimits(timeout === undefined ? record.config : { timeout, ...record.config });
}

/** The tools as they are listed; a server that cannot list them, or not in time, may still know one. */
async function listInTime(
  { catalog, stop }: CallParts,
  limits: CallLimits,
): Promise<McpTool[] | void> {
  const time = Math.min(listingTime, limits.total);
  return Promise.race([catalog.tools.get().catch(ignoreExpected), pause(time, stop)]);
}

/** The connection was over before the call; a call that left is never sent again. */
function wasNeverSent(error: unknown): boolean {
  if (!(error instanceof CeriseError) || error.code !== 'connection_lost') return false;
  return (error.details as { sent?: boolean } | undefined)?.sent === false;
}

function isHeaderMismatch(error: unknown): boolean {
  if (!(error instanceof CeriseError) || error.code !== 'protocol_error') return false;
  return (error.details as { code?: number } | undefined)?.code === rpcCode.headerMismatch;
}

function isSwitchedOff({ name }: ToolCallRequest, { record }: CallParts): boolean {
  return record.config.disabledTools?.includes(name) ?? false;
}

function switchedOff({ name }: ToolCallRequest, { record }: CallParts): CeriseError {
  return new CeriseError('tool_not_found', `The tool ${name} is switched off.`, {
    hint: `Switch it on in the settings of ${record.config.name}.`,
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

async function abortable<T>(promise: Promise<T>, signal: StopSignal): Promise<T> {
  const aborted = Promise.withResolvers<never>();
  const onAbort = (): void =>
    aborted.reject(new CeriseError('cancelled', 'The call was cancelled.'));
  if (signal.aborted) onAbort();
  signal.addEventListener('abort', onAbort);
  return Promise.race([promise, aborted.promise]).finally(() =>
    signal.removeEventListener('abort', onAbort),
  );
}

function ignoreExpected(error: unknown): undefined {
  if (!(error instanceof CeriseError)) throw error;
  return undefined;
}
