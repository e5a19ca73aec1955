import { create } from 'zustand';
import { Rereading } from '#shared/async/rereading.ts';
import { KeyedQueue } from '#shared/async/keyed-queue.ts';
import type { TopicPatch } from '#shared/vocabulary/event.ts';
import type { Topic } from '#shared/vocabulary/message.ts';
import { api } from '../session/api.ts';
import { showTopic } from './conversation.ts';

interface TopicsState {
  /** Newest first, as far back as was read. */
  topics: Topic[];
  loaded: boolean;
  /** There are older ones that were not read. */
  hasMore: boolean;
  /** Ids of calls that wait for a decision, with their topic. */
  waiting: Record<string, string>;
}

/** The topic list with its marks. */
export const useTopics = create<TopicsState>(() => ({
  topics: [],
  loaded: false,
  hasMore: false,
  waiting: {},
}));

const pageSize = 100;
/** The most the host gives at a time. */
const mostAtOnce = 500;

const { setState: set, getState: get } = useTopics;

const reading = new Rereading(readTopics);

/** Reads the list again, as far back as it was read before. */
export function loadTopics(): Promise<void> {
  return reading.load();
}

async function readTopics(): Promise<void> {
  const wanted = Math.max(pageSize, get().topics.length);
  const topics: Topic[] = [];
  let hasMore = true;
  while (hasMore && topics.length < wanted) {
    const limit = Math.min(mostAtOnce, wanted - topics.length);
    const page = await api.topics.list(limit, topics.at(-1)?.id);
    topics.push(...page.topics);
    hasMore = page.topics.length === limit;
  }
  set({ topics: byRecency(topics), loaded: true, hasMore });
}

let loadingMore: Promise<void> | undefined;

/** Reads the next page of older topics; once at a time. */
export function loadMoreTopics(): Promise<void> {
  loadingMore ??= readMore().finally(() => (loadingMore = undefined));
  return loadingMore;
}

async function readMore(): Promise<void> {
  const { topics, hasMore } = get();
  if (!hasMore) return;
  const page = await api.topics.list(pageSize, topics.at(-1)?.id);
  const known = new Set(get().topics.map(({ id }) => id));
  const further = page.topics.filter(({ id }) => !known.has(id));
  set({
    topics: byRecency([...get().topics, ...further]),
    hasMore: page.topics.length === pageSize,
  });
}

/** Puts a new or changed topic into the list, unless its place is among those that were not read. */
export function keepTopic(topic: Topic): void {
  reading.changed();
  const { topics, hasMore } = get();
  const others = topics.filter(({ id }) => id !== topic.id);
  const oldest = topics.at(-1);
  const isBeyond = hasMore && oldest !== undefined && topic.updatedAt < oldest.updatedAt;
  if (isBeyond && others.length === topics.length) return;
  set({ topics: byRecency([topic, ...others]) });
}

/** Takes a topic out of the list. */
export function dropTopic(topicId: string): void {
  reading.changed();
  set({ topics: get().topics.filter(({ id }) => id !== topicId) });
}

/** Changes of a topic and its messages reach the host in the order in which they were made. */
export const topicQueue = new KeyedQueue();

/** Changes a topic at the host and shows the result everywhere. */
export async function changeTopic(id: string, patch: TopicPatch): Promise<void> {
  const topic = await topicQueue.run(id, () => api.topics.update(id, patch));
  keepTopic(topic);
  showTopic(topic);
}

/** Deletes a topic at the host; it leaves the list at once and comes back if that fails. */
export async function deleteTopic(topic: Topic): Promise<void> {
  dropTopic(topic.id);
  try {
    await api.topics.remove(topic.id);
  } catch (error) {
    keepTopic(topic);
    throw error;
  }
}

/** Marks or unmarks a call that waits for a person. */
export function markWaiting(toolCallId: string, topicId: string | null): void {
  const { [toolCallId]: _, ...others } = get().waiting;
  set({ waiting: topicId === null ? others : { ...others, [toolCallId]: topicId } });
}

/** Forgets all marks; the host says again what waits. */
export function clearWaiting(): void {
  set({ waiting: {} });
}

function byRecency(topics: Topic[]): Topic[] {
  return topics.toSorted((a, b) => b.updatedAt - a.updatedAt);
}
