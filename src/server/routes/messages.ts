import { z } from 'zod';
import type { Host } from '#chat/host.ts';
import { regenerate, sendMessage, stopAnswer } from '#chat/messages.ts';
import { translateMessage } from '#chat/translations.ts';
import { regenerateSchema, sendMessageSchema, translateSchema } from '#shared/api.ts';
import type { Api } from '../api.ts';

export function messageRoutes(api: Api, host: Host): void {
  api.post(
    {
      path: '/api/topics/:id/messages',
      summary: 'Send a message; the answer starts once both are stored.',
      body: sendMessageSchema,
      status: 202,
      response: z.object({ userMessageId: z.string(), answerId: z.string() }),
    },
    ({ owner, params, body, remember }) =>
      sendMessage(host.messages, owner, params.id, body, remember),
  );
  api.post(
    {
      path: '/api/answers/:id/regenerate',
      summary: 'Answer the same question again, as a branch.',
      body: regenerateSchema,
      status: 202,
      response: z.object({ answerId: z.string() }),
    },
    ({ owner, params, body, remember }) =>
      regenerate(host.messages, owner, params.id, body.model, remember),
  );
  api.post(
    {
      path: '/api/answers/:id/stop',
      summary: 'Stop an answer, or the translation of a message.',
      status: 202,
    },
    async ({ owner, params }) => {
      await stopAnswer(host.messages, owner, params.id);
      return {};
    },
  );
  api.post(
    {
      path: '/api/messages/:id/translate',
      summary: 'Translate a message; the translation comes as a block of it.',
      body: translateSchema,
      status: 202,
      response: z.object({ messageId: z.string() }),
    },
    ({ owner, params, body, remember }) =>
      translateMessage(host.messages, owner, params.id, body, remember),
  );
  api.delete(
    {
      path: '/api/messages/:id',
      summary: 'Delete a message and everything below it.',
      status: 204,
    },
    async ({ owner, params }) => {
      await host.topics.deleteMessage(owner, params.id);
      return {};
    },
  );
}
