import type { z } from 'zod';
import type { sendMessageSchema } from '#shared/api/api.ts';
import type { Topic } from '#shared/vocabulary/message.ts';
import type { Connection } from '../http/connection.ts';
import { newKey } from '../http/key.ts';
import { at } from '../http/path.ts';

/** What is sent of a message. */
export type MessageBody = z.input<typeof sendMessageSchema>;

/** Messages and answers. */
export const messagesApi = ({ request }: Connection) => ({
  send: (topicId: string, body: MessageBody, key: string) =>
    request<{ userMessageId: string; answerId: string }>(at`/api/topics/${topicId}/messages`, {
      method: 'POST',
      body,
      key,
    }),
  stop: (answerId: string) =>
    request<unknown>(at`/api/answers/${answerId}/stop`, { method: 'POST' }),
  regenerate: (answerId: string, model: string | undefined) =>
    request<{ answerId: string }>(at`/api/answers/${answerId}/regenerate`, {
      method: 'POST',
      body: model === undefined ? {} : { model },
      key: newKey(),
    }),
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
