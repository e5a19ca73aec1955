import { unfinishedImports } from '#store/conversations/imports.ts';
import type { Store } from '#store/database/store.ts';
import type { Topics } from '../conversations/topics.ts';
import { settleImport } from '../data/staged-import.ts';
import type { LoadedServers } from '../servers/loaded-servers.ts';

const topicsAtOnce = 100;

/** Ends what somebody has that is more than rows: imports, what runs in their topics, their servers. */
export async function endEverythingOf(
  deps: { store: Store; topics: Pick<Topics, 'list' | 'delete'>; loaded: LoadedServers },
  owner: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { store, topics, loaded } = deps;
  for (const { seenAt: _, ...left } of await unfinishedImports(store.db, { owner }))
    await settleImport(store, left, signal);
  for (;;) {
    const some = await topics.list(owner, { limit: topicsAtOnce });
    for (const { id } of some) await topics.delete(owner, id);
    if (some.length === 0) break;
  }
  await loaded.unload(owner);
}
