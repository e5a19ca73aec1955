import { toErrorInfo } from '#shared/errors/errors.ts';
import type { Logger } from '#shared/vocabulary/ports.ts';
import { readJournal } from '#store/conversations/events.ts';
import { listRunning } from '#store/conversations/messages.ts';
import type { Store } from '#store/database/store.ts';
import type { LiveTopics } from '../topic/live-topics.ts';

/**
 * Opens every topic in which answers were left open and nobody works, so that they go on from where their
 * journal stands. Resolves to how many topics there were. For a store that no other host has.
 */
export async function recover(store: Store, topics: LiveTopics, logger: Logger): Promise<number> {
  const running = (await listRunning(store.db)).filter(
    ({ isParked, message }) => !isParked && !topics.find(message.topicId),
  );
  const open = new Map(running.map(({ owner, message }) => [message.topicId, owner]));
  if (open.size === 0) return 0;
  await topics.openAll(
    [...open].map(([id, owner]) => ({ id, owner })),
    await readJournal(store.db),
    (topicId, error) =>
      logger.error({ topicId, ...toErrorInfo(error) }, 'A topic cannot be gone on with'),
  );
  return open.size;
}
