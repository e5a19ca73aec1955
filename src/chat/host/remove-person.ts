import { topicIdsAfter } from '#store/conversations/exports.ts';
import { unfinishedImports } from '#store/conversations/imports.ts';
import { expireTopics } from '#store/conversations/recoverable-topics.ts';
import type { Store } from '#store/database/store.ts';
import type { Topics } from '../conversations/topics.ts';
import { settleImport } from '../data/staged-import.ts';
import type { LoadedServers } from '../servers/loaded-servers.ts';

const topicsAtOnce = 100;

/** Ends everything of a person that is more than rows: imports, running answers, servers. */
export async function endEverythingOf(
  deps: { store: Store; topics: Pick<Topics, 'delete'>; loaded: LoadedServers },
  owner: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { store, topics, loaded } = deps;
  for (const { seenAt: _, ...left } of await unfinishedImports(store.db, { owner }))
    await settleImport(store, left, signal);
  for (;;) {
    const ids = await topicIdsAfter(store.db, owner, '', topicsAtOnce);
    for (const id of ids) await topics.delete(owner, id);
    if (ids.length === 0) break;
  }
  await expireTopics(store, { owner }, undefined, signal);
  await loaded.unload(owner);
}
