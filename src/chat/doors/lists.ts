import { setTimeout } from 'node:timers/promises';
import type { McpService } from '#mcp/service/mcp-service.ts';
import type { McpPrompt, McpResource, McpResourceTemplate } from '#mcp/results/types.ts';
import type { ServerRecord } from '#shared/vocabulary/server.ts';
import { namePrompts } from './names.ts';

/** A prompt and the server that has it. */
export interface ListedPrompt {
  serverId: string;
  serverName: string;
  name: string;
  prompt: McpPrompt;
}

type UriOf = (serverId: string, uri: string) => string;

/** The prompts of servers by the names they are got by: their own where there is one server. */
export async function listPrompts(
  mcp: McpService,
  servers: readonly ServerRecord[],
  isAlone: boolean,
): Promise<Map<string, ListedPrompt>> {
  const listed = await listEach(servers, (id) => mcp.listPrompts(id));
  const all = listed.flatMap(({ server, entries }) =>
    entries.map((prompt) => ({
      serverId: server.id,
      serverName: server.config.name,
      name: prompt.name,
      prompt,
    })),
  );
  return isAlone ? new Map(all.map((each) => [each.name, each])) : namePrompts(all);
}

export async function listResources(
  mcp: McpService,
  servers: readonly ServerRecord[],
  shown: UriOf,
): Promise<McpResource[]> {
  const listed = await listEach(servers, (id) => mcp.listResources(id));
  return listed.flatMap(({ server, entries }) =>
    entries.map((entry) => ({ ...entry, uri: shown(server.id, entry.uri) })),
  );
}

export async function listTemplates(
  mcp: McpService,
  servers: readonly ServerRecord[],
  shown: UriOf,
): Promise<McpResourceTemplate[]> {
  const listed = await listEach(servers, (id) => mcp.listResourceTemplates(id));
  return listed.flatMap(({ server, entries }) =>
    entries.map((entry) => ({ ...entry, uriTemplate: shown(server.id, entry.uriTemplate) })),
  );
}

/** How long one of several servers is waited for; it goes on starting meanwhile. */
const patienceMs = 5_000;

/** Alone, a server that fails is a failure; among others it has nothing, and one that hangs as well. */
async function listEach<T>(
  servers: readonly ServerRecord[],
  list: (serverId: string) => Promise<T[]>,
): Promise<{ server: ServerRecord; entries: T[] }[]> {
  const [alone] = servers;
  if (servers.length === 1 && alone) return [{ server: alone, entries: await list(alone.id) }];
  return Promise.all(
    servers.map(async (server) => {
      const late = new AbortController();
      const waiting = setTimeout(patienceMs, [], { signal: late.signal }).catch(() => []);
      const entries = await Promise.race([list(server.id).catch(() => []), waiting]);
      late.abort();
      return { server, entries };
    }),
  );
}
