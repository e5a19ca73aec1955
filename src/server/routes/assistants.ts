import { z } from 'zod';
import type { Host } from '#chat/host.ts';
import { assistantSchema, createAssistantSchema, updateAssistantSchema } from '#shared/api.ts';
import type { Api } from '../api.ts';

export function assistantRoutes(api: Api, host: Host): void {
  const { assistants } = host;
  api.get(
    {
      path: '/api/assistants',
      summary: 'The assistants; `default` is always there.',
      response: z.object({ assistants: z.array(assistantSchema) }),
    },
    async ({ owner }) => ({ assistants: await assistants.list(owner) }),
  );
  api.post(
    {
      path: '/api/assistants',
      summary: 'Add an assistant.',
      body: createAssistantSchema,
      status: 201,
      response: assistantSchema,
    },
    ({ owner, body }) => assistants.create(owner, body),
  );
  api.patch(
    {
      path: '/api/assistants/:id',
      summary: 'Change an assistant.',
      body: updateAssistantSchema,
      response: assistantSchema,
    },
    ({ owner, params, body }) => assistants.update(owner, params.id, body),
  );
  api.delete(
    { path: '/api/assistants/:id', summary: 'Delete an assistant.', status: 204 },
    async ({ owner, params }) => {
      await assistants.delete(owner, params.id);
      return {};
    },
  );
}
