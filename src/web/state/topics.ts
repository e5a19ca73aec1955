import { create } from 'zustand';
import type { Topic } from '#shared/message.ts';
import type { TopicPatch } from '#shared/event.ts';
import { topicsApi } from '../api/topics-api.ts';
import { showTopic } from './conversation.ts';

interface TopicsState {
  /** Newest first. */
  topics: Topic[];
  loaded: boolean;
  /** Ids of calls that wait for a decision, with their topic. */
  waiting: Record<string, string>;
}

/** The topic list with its marks. */
export const useTopics = create<TopicsState>(() => ({ topics: [], loaded: false, waiting: {} }));

const { setState: set, getState: get } = useTopics;

/** Reads the whole list again. */
export async function loadTopics(): Promise<void> {
  const { topics } = await topicsApi.list();
  set({ topics: byRecency(topics), loaded: true });
}

/** Puts a new or changed topic into the list. */
export function keepTopic(topic: Topic): void {
  set({ topics: byRecency([topic, ...get().topics.filter(({ id }) => id !== topic.id)]) });
}

/** Takes a topic out of the list. */
export function dropTopic(topicId: string): void {
  set({ topics: get().topics.filter(({ id }) => id !== topicId) });
}

/** Changes a topic at the host and shows the result everywhere. */
export async function changeTopic(id: string, patch: TopicPatch): Promise<void> {
  const topic = await topicsApi.update(id, patch);
  keepTopic(topic);
  showTopic(topic);
}

/** Deletes a topic at the host; it leaves the list at once and comes back if that fails. */
export async function deleteTopic(topic: Topic): Promise<void> {
  dropTopic(topic.id);
  try {
    await topicsApi.remove(topic.id);
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
