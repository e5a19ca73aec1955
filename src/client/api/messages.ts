import type { z } from 'zod';
import type { regenerateSchema, sendMessageSchema } from '#shared/api/api.ts';
import type { Replay } from '#shared/api/topic-api.ts';
import type { Timeline } from '#shared/telemetry/timeline-api.ts';
import type { Topic } from '#shared/vocabulary/message.ts';
import type { Connection } from '../http/connection.ts';
import { newKey } from '../http/key.ts';
import { at } from '../http/path.ts';

/** The body of a message to send. */
export type MessageBody = z.input<typeof sendMessageSchema>;

/** Messages and answers. */
export const messagesApi = ({ request }: Connection) => ({
  /** The same key again sends nothing twice. */
  send: (topicId: string, body: MessageBody, key = newKey()) =>
    request<{ userMessageId: string; answerId: string }>(at`/api/topics/${topicId}/messages`, {
      method: 'POST',
      body,
      key,
    }),
  timeline: (answerId: string, signal?: AbortSignal) =>
    request<Timeline>(at`/api/answers/${answerId}/timeline`, { signal }),
  stop: (answerId: string) =>
    request<unknown>(at`/api/answers/${answerId}/stop`, { method: 'POST' }),
  /** Makes another version of an answer, with changes. */
  regenerate: (answerId: string, body: z.input<typeof regenerateSchema> = {}) =>
    request<{ answerId: string }>(at`/api/answers/${answerId}/regenerate`, {
      method: 'POST',
      body,
      key: newKey(),
    }),
  /** Makes the answer again from its record, and returns the differences. */
  replay: (answerId: string) =>
    request<Replay>(at`/api/answers/${answerId}/replay`, { method: 'POST' }),
  translate: (messageId: string, body: { language: string; model?: string }) =>
    request<unknown>(at`/api/messages/${messageId}/translate`, {
      method: 'POST',
      body,
      key: newKey(),
    }),
  fork: (messageId: string) =>
    request<Topic>(at`/api/messages/${messageId}/fork`, { method: 'POST', key: newKey() }),
  remove: (messageId: string) =>
    request<void>(at`/api/messages/${messageId}`, { method: 'DELETE' }),
});
