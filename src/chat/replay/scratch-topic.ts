import { silentLogger } from '#shared/vocabulary/ports.ts';
import type { Limits } from '#shared/vocabulary/limits.ts';
import type { Message, Topic } from '#shared/vocabulary/message.ts';
import { insertMessage } from '#store/conversations/messages.ts';
import { insertTopic } from '#store/conversations/topics.ts';
import { openMemory } from '#store/database/sqlite.ts';
import type { Store } from '#store/database/store.ts';
import { Journal } from '../topic/journal.ts';
import type { LiveTopic } from '../topic/live-topic.ts';
import { LiveTopics } from '../topic/live-topics.ts';
import { Signals } from '../topic/signals.ts';
import { FrameClock } from '../topic/viewers.ts';

/** A copy of a branch in memory, in which the last answer is made again. */
export interface ScratchTopic {
  store: Store;
  live: LiveTopic;
}

/** Works on a copy of a branch in a database of its own: the host's data does not change. */
export async function inScratch<T>(
  branch: { owner: string; topic: Topic; path: readonly Message[]; request: unknown },
  limits: Limits,
  work: (scratch: ScratchTopic) => Promise<T>,
): Promise<T> {
  const { owner, topic, path, request } = branch;
  const store = await openMemory();
  const journal = new Journal(store, silentLogger, limits);
  const clock = new FrameClock(limits.viewerFrame);
  const parts = { store, journal, limits, clock, signals: new Signals() };
  const topics = new LiveTopics({ ...parts, onChange: () => undefined });
  try {
    await store.transaction(async (tx) => {
      await insertTopic(tx, owner, { ...topic, unlisted: true, forkedFrom: undefined });
      for (const message of path)
        await insertMessage(tx, message, message === path.at(-1) ? request : undefined);
    }, 'relaxed');
    return await topics.use(owner, topic.id, (live) => work({ store, live }));
  } finally {
    await journal.close();
    clock.close();
    await store.close();
  }
}
