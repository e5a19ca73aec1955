import type { TopicListQuery } from '#shared/api/topic-api.ts';
import type { Topic } from '#shared/vocabulary/message.ts';
import { api } from '../session/api.ts';

/** Which topics, without the page. */
export type TopicWish = Omit<TopicListQuery, 'limit' | 'before'>;

/** A list as far back as it was read. */
export interface TopicPages {
  topics: Topic[];
  /** There are older ones that were not read. */
  hasMore: boolean;
}

const pageSize = 100;
/** The most the host gives at a time. */
export const mostAtOnce = 500;

/** Reads a list from its beginning, so many topics or a page. */
export async function readPages(wish: TopicWish, count: number): Promise<TopicPages> {
  const wanted = Math.max(pageSize, count);
  const topics: Topic[] = [];
  let hasMore = true;
  while (hasMore && topics.length < wanted) {
    const limit = Math.min(mostAtOnce, wanted - topics.length);
    const page = await api.topics.list({ ...wish, limit, before: topics.at(-1)?.id });
    topics.push(...page.topics);
    hasMore = page.topics.length === limit;
  }
  return { topics: byRecency(topics), hasMore };
}

/** The page after a list, put to what that is by then. */
export async function readNext(wish: TopicWish, now: () => TopicPages): Promise<TopicPages> {
  const page = await api.topics.list({ ...wish, limit: pageSize, before: now().topics.at(-1)?.id });
  const { topics } = now();
  const present = new Set(topics.map(({ id }) => id));
  const further = page.topics.filter(({ id }) => !present.has(id));
  return {
    topics: byRecency([...topics, ...further]),
    hasMore: page.topics.length === pageSize,
  };
}

/** A list with a new or changed topic in it, unless its place is among those that were not read. */
export function withTopic({ topics, hasMore }: TopicPages, topic: Topic): Topic[] {
  const others = topics.filter(({ id }) => id !== topic.id);
  const oldest = topics.at(-1);
  const isBeyond = hasMore && oldest !== undefined && topic.updatedAt < oldest.updatedAt;
  if (isBeyond && others.length === topics.length) return topics;
  return byRecency([topic, ...others]);
}

function byRecency(topics: Topic[]): Topic[] {
  return topics.toSorted((a, b) => b.updatedAt - a.updatedAt);
}
