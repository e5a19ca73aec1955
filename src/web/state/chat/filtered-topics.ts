import { create } from 'zustand';
import { Rereading } from '#shared/async/rereading.ts';
import type { Topic } from '#shared/vocabulary/message.ts';
import { logFault } from '../page/log-fault.ts';
import { readNext, readPages, type TopicPages, type TopicWish, withTopic } from './topic-pages.ts';

/** What the reader wants to see of their topics; without any of it, all that are not archived. */
export type TopicFilter = Pick<TopicWish, 'archived' | 'state' | 'model' | 'server'>;

interface FilteredState extends TopicPages {
  filter: TopicFilter;
  loaded: boolean;
}

const nothing = { topics: [], hasMore: false, loaded: false };

/** The topics that a filter leaves, where there is one. */
export const useFiltered = create<FilteredState>(() => ({ filter: {}, ...nothing }));

const { setState: set, getState: get } = useFiltered;

/** Whether a filter leaves anything out. */
export function isFiltered(filter: TopicFilter): boolean {
  return Object.values(filter).some((value) => value !== undefined);
}

/** Shows what another filter leaves. */
export function setFilter(filter: TopicFilter): void {
  set({ filter, ...nothing });
  loadFiltered().catch(logFault);
}

const reading = new Rereading(async () => {
  const { filter, topics } = get();
  if (!isFiltered(filter)) return;
  const pages = await readPages(filter, topics.length);
  if (get().filter === filter) set({ ...pages, loaded: true });
});

/** Reads what the filter leaves, as far back as it was read before. */
export function loadFiltered(): Promise<void> {
  return reading.load();
}

/** Reads the next page of older ones. */
export async function loadMoreFiltered(): Promise<void> {
  const { filter, hasMore } = get();
  if (!hasMore) return;
  const pages = await readNext(filter, get);
  if (get().filter === filter) set(pages);
}

/** A topic has changed: only the host knows whether a filter leaves it, but for archived ones. */
export function keepFiltered(topic: Topic): void {
  const { filter, topics } = get();
  if (!isFiltered(filter)) return;
  const isHere = topics.some(({ id }) => id === topic.id);
  const isOut = (filter.archived === '1') !== (topic.archived === true);
  if (isOut) return dropFiltered(topic.id);
  const { archived: _, ...others } = filter;
  if (isHere || !isFiltered(others)) set({ topics: withTopic(get(), topic) });
  reading.changed();
  if (isFiltered(others)) loadFiltered().catch(logFault);
}

/** Takes a topic out. */
export function dropFiltered(topicId: string): void {
  reading.changed();
  set({ topics: get().topics.filter(({ id }) => id !== topicId) });
}
