import { z } from 'zod';
import type { Host } from '#chat/host/host.ts';
import {
  assistantSchema,
  createAssistantSchema,
  createServerSchema,
  updateAssistantSchema,
} from '#shared/api/api.ts';
import { json, manage, read } from '../api/access.ts';
import type { Api } from '../api/api.ts';

/** Session servers may come with the assistant; they are then in the list of servers, attached to it. */
const createSchema = createAssistantSchema.extend({
  sessionServers: z.array(createServerSchema).max(20).default([]),
});

export function assistantRoutes(api: Api, host: Host): void {
  const { assistants } = host;
  api.get(
    {
      path: '/api/assistants',
      access: read,
      summary: 'The assistants; `default` is always there.',
      response: z.object({ assistants: z.array(assistantSchema) }),
    },
    async ({ owner }) => ({ assistants: await assistants.list(owner) }),
  );
  api.post(
    {
      path: '/api/assistants',
      access: { ...manage, ...json },
      summary: 'Add an assistant.',
      body: createSchema,
      status: 201,
      response: assistantSchema,
    },
    ({ owner, body: { sessionServers, ...fields } }) =>
      assistants.create(owner, fields, sessionServers),
  );
  api.patch(
    {
      path: '/api/assistants/:id',
      access: { ...manage, ...json },
      summary: 'Change an assistant.',
      body: updateAssistantSchema,
      response: assistantSchema,
    },
    ({ owner, params, body }) => assistants.update(owner, params.id, body),
  );
  api.delete(
    { path: '/api/assistants/:id', access: manage, summary: 'Delete an assistant.', status: 204 },
    async ({ owner, params }) => {
      await assistants.delete(owner, params.id);
      return {};
    },
  );
}
