import { z } from 'zod';
import type { Host } from '#chat/host.ts';
import { regenerate, sendMessage, stopAnswer } from '#chat/messages.ts';
import { regenerateSchema, sendMessageSchema } from '#shared/api.ts';
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
    { path: '/api/answers/:id/stop', summary: 'Stop an answer.', status: 202 },
    async ({ owner, params }) => {
      await stopAnswer(host.messages, owner, params.id);
      return {};
    },
  );
}
