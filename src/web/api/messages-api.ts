import type { Quote } from '#shared/api/api.ts';
import type { ErrorInfo } from '#shared/errors/errors.ts';
import type { Decision } from '#shared/vocabulary/policy-api.ts';
import { newKey } from './key.ts';
import { at } from './path.ts';
import { request } from './request.ts';

/** Messages, answers and the decisions about their tool calls. */
export const messagesApi = {
  send: (
    topicId: string,
    body: { text: string; files?: string[]; quotes?: Quote[]; parentId?: string | null },
    key: string,
  ) =>
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
  remove: (messageId: string) =>
    request<void>(at`/api/messages/${messageId}`, { method: 'DELETE' }),
  decide: (toolCallId: string, body: Decision) =>
    request<unknown>(at`/api/tool-calls/${toolCallId}/decision`, { method: 'POST', body }),
  decideAll: (decisions: (Decision & { toolCallId: string })[]) =>
    request<{ results: { error?: ErrorInfo }[] }>('/api/tool-calls/decisions', {
      method: 'POST',
      body: { decisions },
    }),
  abortCall: (toolCallId: string) =>
    request<unknown>(at`/api/tool-calls/${toolCallId}/abort`, { method: 'POST' }),
};
