import { setTimeout } from 'node:timers/promises';
import type { McpService } from '#mcp/service/mcp-service.ts';
import type { ServerView } from '#shared/api/api.ts';
import { lastUses } from '#store/usage/last-uses.ts';
import type { Db } from '#store/database/store.ts';

/** How long a list waits for numbers of tools. */
const countMs = 200;

/** Lists the tools of connected servers that nobody has listed yet; one that is slow is counted the next time. */
export async function countTools(
  mcp: Pick<McpService, 'listTools'>,
  servers: readonly ServerView[],
): Promise<void> {
  const uncounted = servers.filter(
    ({ state, toolCount }) => state === 'connected' && toolCount === undefined,
  );
  if (uncounted.length === 0) return;
  const counted = uncounted.map(({ id }) => mcp.listTools(id));
  await Promise.race([Promise.allSettled(counted), setTimeout(countMs)]);
}

/** The same servers with when their owner last used each. */
export async function withLastUse(
  db: Db,
  owner: string,
  servers: readonly ServerView[],
): Promise<ServerView[]> {
  const uses = await lastUses(db, owner);
  return servers.map((view) => {
    const lastUsedAt = uses.get(view.id);
    return lastUsedAt === undefined ? view : { ...view, lastUsedAt };
  });
}
