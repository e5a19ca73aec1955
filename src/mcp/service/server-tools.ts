import { type ErrorInfo, toErrorInfo } from '#shared/errors/errors.ts';
import { stillStarting } from '../connection/cached.ts';
import type { McpTool } from '../results/types.ts';
import type { ManagedServer } from './managed-server.ts';
import { type Patience, settleSoon } from './settle-soon.ts';

/** The tools of one server, or why they could not be had. */
export interface ServerTools {
  serverId: string;
  tools?: McpTool[];
  error?: ErrorInfo;
}

/** A server that hangs costs the others no more than the patience; it goes on starting meanwhile. */
export async function listTogether(
  servers: readonly ManagedServer[],
  patience: Patience,
  isKnownEnough = false,
): Promise<ServerTools[]> {
  const lists = await settleSoon(
    // A little less, so that whoever was waited for just now is not waited for again.
    servers.map((server) => toServerTools(server, patience.least * 0.9, isKnownEnough)),
    patience,
  );
  return lists.map(
    (list, at) =>
      list ?? { serverId: servers[at]?.record.id ?? '', error: toErrorInfo(stillStarting()) },
  );
}

async function toServerTools(
  server: ManagedServer,
  patience: number,
  isKnownEnough: boolean,
): Promise<ServerTools> {
  const serverId = server.record.id;
  const { tools } = server.catalog;
  try {
    server.assertFree();
    const list = isKnownEnough ? tools.getKnown(patience) : tools.getUnlessStuck(patience);
    return { serverId, tools: await list };
  } catch (error) {
    return { serverId, error: toErrorInfo(error) };
  }
}
