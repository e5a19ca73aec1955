import { CeriseError } from '#shared/errors/errors.ts';
import { rpcCode } from '#shared/errors/rpc-code.ts';
import { say } from '#shared/errors/sentence.ts';
import type { ToolResult } from '#shared/vocabulary/tool.ts';
import { wasOver, wasForgotten } from '../connection/ask-again.ts';
import type { Connection, ConnectionCall } from '../connection/connection.ts';
import type { CallLimits } from '../protocol/call-limits.ts';
import { pause } from '../protocol/pause.ts';
import type { Step } from '../protocol/round-trip.ts';
import type { McpTool } from '../results/types.ts';
import type { CallDeps } from './call-request.ts';

const listingTimeoutMs = 5000;

/** What became of a call that was sent, with the definition it was sent by. */
export type CallStep = Step<ToolResult> & { tool?: McpTool | undefined };

/** Sends a call, or its next round, once; over the given connection, or over the one there is. */
export async function sendCall(
  call: ConnectionCall,
  deps: CallDeps,
  given?: Connection,
): Promise<CallStep> {
  const connection =
    given ?? deps.connection ?? (await abortable(deps.connect(), deps.stop.signal));
  const tools = deps.catalog.tools.peek() ?? (await listInTime(deps, call.limits));
  const tool = tools?.find(({ name }) => name === call.name);
  const known = { ...call, tool };
  let step: Step<ToolResult>;
  try {
    step = await connection.callTool(known);
  } catch (error) {
    step = await sendAgain(error, known, connection, deps);
  }
  return tool ? { ...step, tool } : step;
}

/** Rejects with `cancelled` as soon as the signal says so. */
export async function abortable<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = Promise.withResolvers<never>();
  const onAbort = (): void =>
    aborted.reject(new CeriseError('cancelled', say('call-cancelled')`The call was cancelled.`));
  if (signal.aborted) onAbort();
  signal.addEventListener('abort', onAbort);
  return Promise.race([promise, aborted.promise]).finally(() =>
    signal.removeEventListener('abort', onAbort),
  );
}

/** Sends a call that certainly did not run once more; throws what came of it otherwise. */
async function sendAgain(
  error: unknown,
  call: ConnectionCall,
  connection: Connection,
  deps: CallDeps,
): Promise<Step<ToolResult>> {
  // A process that took no more was ended for it; only a session is begun again in silence. A later
  // round has its own way: what it waits for is parked again first.
  const isOver = wasOver(error) || wasForgotten(error);
  if (connection.kind !== 'stdio' && !call.input && isOver) {
    const fresh = await abortable(deps.connect(), deps.stop.signal);
    try {
      return await fresh.callTool(call);
    } catch (next) {
      return withNewHeaders(next, call, fresh, deps);
    }
  }
  return withNewHeaders(error, call, connection, deps);
}

/** The server refused a call because our idea of its headers is old: it is listed again first. */
async function withNewHeaders(
  error: unknown,
  call: ConnectionCall,
  connection: Connection,
  deps: CallDeps,
): Promise<Step<ToolResult>> {
  if (!isHeaderMismatch(error)) throw error;
  deps.catalog.tools.reset();
  const listed = await listInTime(deps, call.limits);
  const tool = listed?.find(({ name }) => name === call.name);
  return connection.callTool({ ...call, tool });
}

/** The tools as they are listed; a server that cannot list them, or not in time, may still know one. */
export async function listInTime(
  { catalog, stop }: CallDeps,
  limits: CallLimits,
): Promise<McpTool[] | void> {
  const time = Math.min(listingTimeoutMs, limits.total);
  const over = new AbortController();
  const late = pause(time, AbortSignal.any([stop.signal, over.signal]));
  try {
    return await Promise.race([catalog.tools.get().catch(ignoreExpected), late]);
  } finally {
    // A timer that is left would keep a program alive that has nothing else to do.
    over.abort();
  }
}

function isHeaderMismatch(error: unknown): boolean {
  if (!(error instanceof CeriseError) || error.code !== 'protocol_error') return false;
  return (error.details as { code?: number } | undefined)?.code === rpcCode.headerMismatch;
}

function ignoreExpected(error: unknown): undefined {
  if (!(error instanceof CeriseError)) throw error;
  return undefined;
}
