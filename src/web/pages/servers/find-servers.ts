import type { ServerView } from '#shared/api/api.ts';
import type { ServerState } from '#shared/vocabulary/server.ts';

/** A choice of servers by what they need. */
export type ServerFilter = 'all' | 'connected' | 'waiting' | 'off';

const groups: Record<ServerState, Exclude<ServerFilter, 'all'>> = {
  connected: 'connected',
  draft: 'waiting',
  'needs-auth': 'waiting',
  failed: 'waiting',
  reconnecting: 'waiting',
  installing: 'connected',
  connecting: 'connected',
  idle: 'off',
  disabled: 'off',
};

/** The servers of a group whose name, kind, tags or target has all the words; those that ship come last. */
export function findServers(
  servers: readonly ServerView[],
  filter: ServerFilter,
  query: string,
): ServerView[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const found = servers.filter((server) => {
    if (filter !== 'all' && groups[server.state] !== filter) return false;
    const { command, args, baseUrl, tags, description } = server.config as Record<string, unknown>;
    const text = JSON.stringify([
      server.name,
      server.type,
      command,
      args,
      baseUrl,
      tags,
      description,
    ]);
    return words.every((word) => text.toLowerCase().includes(word));
  });
  return found.toSorted((a, b) => Number(a.builtin) - Number(b.builtin));
}
