import type { ServerStatus } from '#mcp/service/server-status.ts';
import type { Logger } from '#shared/vocabulary/ports.ts';

/** Nothing is to be remembered of a server in one of these. */
const resting: ReadonlySet<string> = new Set(['draft', 'disabled', 'idle']);

/** Notes the state of a server. */
export type StatusLog = (server: { serverId: string; name: string }, status: ServerStatus) => void;

/** Writes into the log what servers do; how long connecting took is told by the state before. */
export function createStatusLog(logger: Logger): StatusLog {
  const before = new Map<string, Pick<ServerStatus, 'state' | 'since'>>();
  return ({ serverId, name }, { state, since, reason, reasonCode }) => {
    const last = before.get(serverId);
    if (last?.state === state) return;
    if (resting.has(state)) before.delete(serverId);
    else before.set(serverId, { state, since });
    if (!last && resting.has(state)) return;
    const isConnected = state === 'connected' && last?.state === 'connecting';
    const durationMs = isConnected ? since - last.since : undefined;
    const took = durationMs === undefined ? '' : ` in ${durationMs} ms`;
    const why = reason === undefined ? '' : `: ${reason}`;
    const fields = { serverId, state, ...(durationMs !== undefined && { durationMs }) };
    logger.info({ ...fields, ...(reasonCode && { reasonCode }) }, `${name}: ${state}${took}${why}`);
  };
}
