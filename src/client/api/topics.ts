import type { z } from 'zod';
import type { createTopicSchema, SearchHit } from '#shared/api/api.ts';
import type { TopicListQuery, TopicUses } from '#shared/api/topic-api.ts';
import type { TopicChange } from '#shared/vocabulary/event.ts';
import type { Conversation, Message, Topic } from '#shared/vocabulary/message.ts';
import type { Connection } from '../http/connection.ts';
import { newKey } from '../http/key.ts';
import { at, queryOf } from '../http/path.ts';

/** How much of a long topic is read at a time. */
const pageBlocks = 50;

/** Where a topic is read as a file. */
export function topicExportPath(id: string, format: 'markdown' | 'json'): string {
  return at`/api/topics/${id}/export?format=${format}`;
}

/** Topics: list, make, change, remove, search. */
export const topicsApi = ({ request }: Connection) => ({
  list: (query: Partial<TopicListQuery> = {}) =>
    request<{ topics: Topic[] }>(`/api/topics?${queryOf(query)}`),
  uses: () => request<TopicUses>('/api/topic-uses'),
  create: (body: z.input<typeof createTopicSchema> = {}, key = newKey()) =>
    request<Topic>('/api/topics', { method: 'POST', body, key }),
  update: (id: string, body: TopicChange) =>
    request<Topic>(at`/api/topics/${id}`, { method: 'PATCH', body }),
  remove: (id: string, { undo = false } = {}) =>
    request<void>(at`/api/topics/${id}` + (undo ? '?undo=1' : ''), { method: 'DELETE' }),
  restore: (id: string) => request<Topic>(at`/api/topics/${id}/restore`, { method: 'POST' }),
  search: (query: string, signal?: AbortSignal) =>
    request<{ hits: SearchHit[] }>(at`/api/search?q=${query}`, { signal }),
  find: (topicId: string, query: string, signal?: AbortSignal) =>
    request<{ hits: SearchHit[] }>(at`/api/search?q=${query}&topicId=${topicId}`, { signal }),
  conversation: (id: string, signal?: AbortSignal) =>
    request<Conversation>(at`/api/topics/${id}?blocks=${pageBlocks}`, { signal }),
  /** As many of its newest messages as the host gives at once. */
  whole: (id: string) => request<Conversation>(at`/api/topics/${id}`),
  earlier: (id: string, place: { before: string; ordinal?: number }, blocks = pageBlocks) =>
    request<{ messages: Message[]; hasEarlier: boolean }>(
      at`/api/topics/${id}/messages?blocks=${blocks}&before=${place.before}` +
        (place.ordinal === undefined ? '' : at`&ordinal=${place.ordinal}`),
    ),
});
