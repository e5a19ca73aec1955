import type { Topic } from '#shared/vocabulary/message.ts';

/** By the ids of their topics. */
export interface Progress {
  /** Answers that run, since when. */
  running: Record<string, number>;
  /** Answers that ended and were not looked at, since when. */
  ended: Record<string, number>;
}

/** An answer that ran and ended. */
export interface EndedAnswer {
  topicId: string;
  answerId: string | null;
  tookMs: number;
}

/** What of a topic says how far its answer is. */
export type TopicState = Pick<Topic, 'id' | 'isLoading' | 'updatedAt' | 'activeLeafId'>;

const forgetMs = 24 * 3_600_000;
const mostEnded = 100;

/** What the lists say now, compared with what was known. Pure. */
export function moveOn(
  { running: before, ended: endedBefore }: Progress,
  topics: readonly TopicState[],
  now: number,
): { progress: Progress; ended: EndedAnswer[] } {
  const running = Object.fromEntries(
    Object.entries(before).filter(([, since]) => now - since < forgetMs),
  );
  const unseen = { ...endedBefore };
  const ended: EndedAnswer[] = [];
  for (const { id, isLoading, updatedAt, activeLeafId } of topics) {
    const since = running[id];
    if (isLoading) {
      running[id] = since ?? Math.min(updatedAt, now);
      delete unseen[id];
    } else if (since !== undefined) {
      delete running[id];
      unseen[id] = now;
      ended.push({ topicId: id, answerId: activeLeafId, tookMs: now - since });
    }
  }
  const newest = Object.entries(unseen).toSorted(([, a], [, b]) => b - a);
  return {
    progress: { running, ended: Object.fromEntries(newest.slice(0, mostEnded)) },
    ended,
  };
}
