import { isUnreadable, toErrorInfo } from '#shared/errors/errors.ts';
import type { Logger } from '#shared/vocabulary/ports.ts';
import { readJournal } from '#store/conversations/events.ts';
import { listRunningTopics } from '#store/conversations/messages.ts';
import type { Store } from '#store/database/store.ts';
import type { LiveTopics } from '../topic/live-topics.ts';

/**
 * Opens every topic in which answers were left open and nobody works, so that they go on from where their
 * journal stands. Resolves to how many topics there were. For a store that no other host has.
 */
export async function recover(store: Store, live: LiveTopics, logger: Logger): Promise<number> {
  const open = (await listRunningTopics(store.db)).filter(({ id }) => !live.find(id));
  if (open.length === 0) return 0;
  // If the journal cannot be read as a whole, each topic reads its own part.
  const journal = await readJournal(store.db).catch((error: unknown): undefined => {
    if (!isUnreadable(error)) throw error;
  });
  await live.openAll(open, journal, (topicId, error) =>
    logger.error({ topicId, ...toErrorInfo(error) }, 'Could not resume a topic'),
  );
  return open.length;
}
