import { create } from 'zustand';
import { Rereading } from '#shared/async/rereading.ts';
import { KeyedQueue } from '#shared/async/keyed-queue.ts';
import type { TopicChange } from '#shared/vocabulary/event.ts';
import type { Topic } from '#shared/vocabulary/message.ts';
import { api } from '../session/api.ts';
import { showTopic } from './conversation.ts';
import { dropFiltered, keepFiltered, loadFiltered } from './filtered-topics.ts';
import { mostAtOnce, readNext, readPages, type TopicPages, withTopic } from './topic-pages.ts';

interface TopicsState extends TopicPages {
  /** All that are pinned, the last one first. */
  pinned: Topic[];
  loaded: boolean;
  /** Ids of calls that wait for a decision, with their topic. */
  waiting: Record<string, string>;
}

/** The topics that are not archived, newest first, with their marks. */
export const useTopics = create<TopicsState>(() => ({
  topics: [],
  pinned: [],
  loaded: false,
  hasMore: false,
  waiting: {},
}));

const { setState: set, getState: get } = useTopics;

const reading = new Rereading(readTopics);

/** Reads the list again, as far back as it was read before, and what a filter leaves. */
export async function loadTopics(): Promise<void> {
  await Promise.all([reading.load(), loadFiltered()]);
}

async function readTopics(): Promise<void> {
  const [pages, { topics: pinned }] = await Promise.all([
    readPages({}, get().topics.length),
    api.topics.list({ pinned: '1', limit: mostAtOnce }),
  ]);
  set({ ...pages, pinned, loaded: true });
}

let loadingMore: Promise<void> | undefined;

/** Reads the next page of older topics; once at a time. */
export function loadMoreTopics(): Promise<void> {
  loadingMore ??= readMore().finally(() => (loadingMore = undefined));
  return loadingMore;
}

async function readMore(): Promise<void> {
  if (get().hasMore) set(await readNext({}, get));
}

/** Puts a new or changed topic into the lists that it belongs to. */
export function keepTopic(topic: Topic): void {
  reading.changed();
  keepFiltered(topic);
  const { topics, pinned } = get();
  const without = (list: Topic[]) => list.filter(({ id }) => id !== topic.id);
  set({
    topics: topic.archived ? without(topics) : withTopic(get(), topic),
    pinned: topic.pinnedAt === undefined ? without(pinned) : byPin([topic, ...without(pinned)]),
  });
}

/** Takes a topic out of the lists. */
export function dropTopic(topicId: string): void {
  reading.changed();
  dropFiltered(topicId);
  const without = (list: Topic[]) => list.filter(({ id }) => id !== topicId);
  set({ topics: without(get().topics), pinned: without(get().pinned) });
}

/** Changes of a topic and its messages reach the host in the order in which they were made. */
export const topicQueue = new KeyedQueue();

/** Changes a topic at the host and shows the result everywhere. */
export async function changeTopic(id: string, change: TopicChange): Promise<void> {
  const topic = await topicQueue.run(id, () => api.topics.update(id, change));
  keepTopic(topic);
  showTopic(topic);
}

/** Deletes a topic at the host, where it can be restored for a time; comes back if that fails. */
export async function deleteTopic(topic: Topic): Promise<void> {
  dropTopic(topic.id);
  try {
    await topicQueue.run(topic.id, () => api.topics.remove(topic.id, { undo: true }));
  } catch (error) {
    keepTopic(topic);
    throw error;
  }
}

/** Brings a topic back that was deleted a moment ago. */
export async function restoreTopic({ id }: Topic): Promise<void> {
  keepTopic(await api.topics.restore(id));
}

/** Copies the branch up to a message into a new topic. */
export async function forkTopic(messageId: string): Promise<Topic> {
  const topic = await api.messages.fork(messageId);
  keepTopic(topic);
  return topic;
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

function byPin(topics: Topic[]): Topic[] {
  return topics.toSorted((a, b) => (b.pinnedAt ?? 0) - (a.pinnedAt ?? 0));
}
