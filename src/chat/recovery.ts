import { reduceMessage } from '#shared/reduce.ts';
import { readJournal } from '#store/events.ts';
import { listRunning } from '#store/messages.ts';
import type { Store } from '#store/store.ts';
import type { LiveTopics } from './live-topics.ts';
import type { AnswerRequest } from './run-turn.ts';
import type { Turns } from './turns.ts';

/**
 * Goes on with every answer that an earlier process left open: its journal is folded to where it
 * stood, and the turn resumes from there. Resolves to how many there were.
 */
export async function recover(store: Store, topics: LiveTopics, turns: Turns): Promise<number> {
  const running = await listRunning(store.db);
  if (running.length === 0) return 0;
  const journal = Map.groupBy(await readJournal(store.db), ({ topicId }) => topicId);
  for (const { owner, message, request } of running) {
    await topics.use(owner, message.topicId, async (live) => {
      const events = journal.get(message.topicId) ?? [];
      const own = events.filter(
        ({ event }) => 'messageId' in event && event.messageId === message.id,
      );
      const folded = own.reduce((state, { event }) => reduceMessage(state, event), message);
      const seq = events.at(-1)?.event.seq ?? 0;
      live.adopt(
        folded,
        seq,
        own.map(({ id }) => id),
      );
      const queued = {
        answerId: message.id,
        request: request as unknown as AnswerRequest,
        steers: false,
      };
      await turns.start(owner, message.topicId, queued);
    });
  }
  return running.length;
}
