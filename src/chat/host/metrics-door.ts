import type { McpService } from '#mcp/service/mcp-service.ts';
import type { Troubles } from '#shared/vocabulary/troubles.ts';
import type { OpenStreams } from '../people/open-streams.ts';
import { equalTokens } from '../people/secret-token.ts';
import type { SignIns } from '../people/sign-ins.ts';
import type { HostTelemetry } from '../telemetry/host-telemetry.ts';
import { counter, gauge } from '../telemetry/metrics.ts';
import type { Series } from '../telemetry/series.ts';
import type { Engine } from './engine.ts';

/** The door of `/metrics`: its own key, and what is behind it. */
export interface MetricsDoor {
  /** False for a wrong key, which is counted by the address it came from. Throws `too_many_requests`. */
  opens(key: string | undefined, address: string): Promise<boolean>;
  /** Everything in the text format of Prometheus. `connections` are those to the port. */
  write(connections: number | undefined): string;
}

interface Parts {
  engine: Engine;
  mcp: McpService;
  signIns: Pick<SignIns, 'wrongBearer'>;
  streams: OpenStreams;
  troubles: Troubles;
}

/** Undefined if nothing is counted. */
export function createMetricsDoor(
  { metrics, metricsKey: key }: HostTelemetry,
  parts: Parts,
): MetricsDoor | undefined {
  if (!metrics || key === undefined) return undefined;
  return {
    opens: async (input, address) => {
      if (input !== undefined && equalTokens(input, key)) return true;
      if (input !== undefined && address) await parts.signIns.wrongBearer(address);
      return false;
    },
    write: (connections) => metrics.write(moment(parts, connections)),
  };
}

/** The values at this moment, which are only collected when requested. */
function moment(
  { engine, mcp, streams, troubles }: Parts,
  connections: number | undefined,
): Series[] {
  const { running, waiting, queued, liveTopics, callsQueued, journalLagMs, leases } = engine.load;
  const turns = gauge('cerise_turns', 'Answers at this moment, by what they do.');
  for (const [state, count] of Object.entries({ running, waiting, queued }))
    turns.set(count, { state });
  const servers = gauge('cerise_servers', 'MCP servers in memory, by type and state.');
  for (const record of mcp.servers()) {
    const { state } = mcp.status(record.id);
    servers.add(1, { type: record.config.type, state });
  }
  const problems = counter('cerise_troubles_total', 'Warnings and errors in the log, by code.');
  for (const { code, count } of troubles.list()) problems.add(count, { code });
  const one = (name: string, help: string, value: number) => {
    const series = gauge(name, help);
    series.set(value);
    return series;
  };
  return [
    turns,
    servers,
    problems,
    one('cerise_live_topics', 'Conversations that are written or watched here.', liveTopics),
    one('cerise_tool_calls_queued', 'Calls that wait for a place at their server.', callsQueued),
    one('cerise_journal_lag_seconds', 'Age of the oldest unwritten event.', journalLagMs / 1000),
    one('cerise_leases', 'Conversations that this instance holds among others.', leases),
    one('cerise_streams', 'Event streams that are open.', streams.size),
    ...(connections === undefined
      ? []
      : [one('cerise_connections', 'Connections to the port.', connections)]),
  ];
}
