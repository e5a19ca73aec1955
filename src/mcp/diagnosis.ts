import type { JsonObject } from '#shared/json.ts';
import type { ServerState } from '#shared/server.ts';
import type { ManagedServer } from './managed-server.ts';
import type { ProcessInfo } from './process/process-tree.ts';

/** Everything that explains why a server works or does not. Holds no secret. */
export interface Diagnosis {
  id: string;
  name: string;
  state: ServerState;
  reason?: string;
  since: number;
  retryAt?: number;
  /** As configured, and what was found to work if that differs. */
  transport: { configured: string; used?: string };
  era?: 'legacy' | 'modern';
  protocolVersion?: string;
  serverInfo?: { name: string; version: string; title?: string };
  capabilities?: JsonObject;
  /** What was asked to find the era, and what came of it. */
  probes: string[];
  auth: { state: 'not-needed' | 'none' | 'signed-in' | 'expired'; issuer?: string; scope?: string };
  /** Milliseconds since each list was loaded. */
  cacheAges: Record<string, number>;
  lateAnswers: number;
  errors: { at: number; message: string }[];
  processes: ProcessInfo[];
  /** What a person should do next. */
  hint: string;
}

/** Puts together what is known of a server; asks nobody. */
export function diagnose(
  server: ManagedServer,
  known: { auth: Diagnosis['auth']; processes: ProcessInfo[] },
): Diagnosis {
  const { record, status, connection } = server;
  const { greeting } = connection ?? {};
  return {
    id: record.id,
    name: record.config.name,
    ...status,
    transport: {
      configured: record.config.type,
      ...(connection && connection.kind !== record.config.type && { used: connection.kind }),
    },
    ...(greeting && {
      era: greeting.agreement.era,
      protocolVersion: greeting.agreement.version,
      ...(greeting.serverInfo && { serverInfo: greeting.serverInfo }),
      capabilities: greeting.capabilities,
    }),
    probes: [...server.probes],
    auth: known.auth,
    cacheAges: server.catalog.ages(),
    lateAnswers: connection?.lateAnswers ?? 0,
    errors: [...server.errors],
    processes: known.processes,
    hint: hintFor(server),
  };
}

function hintFor({ status, record }: ManagedServer): string {
  switch (status.state) {
    case 'draft':
      return 'Read its exact command and approve it; it is not started before.';
    case 'disabled':
      return 'Enable it to use its tools.';
    case 'idle':
      return 'It is connected when it is first used.';
    case 'connecting':
      return 'Wait; the reason will be here if it fails.';
    case 'connected':
      return 'It works.';
    case 'needs-auth':
      return 'Sign in to it, or correct the credentials in its headers.';
    case 'reconnecting':
      return 'It is tried again by itself. Restart it to try at once.';
    case 'failed':
      return record.config.type === 'stdio'
        ? 'Mend what the reason names (its log says more), then restart it.'
        : 'Mend what the reason names, then connect it again.';
  }
}
