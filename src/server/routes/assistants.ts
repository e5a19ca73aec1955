import type { Host } from '#chat/host/host.ts';
import {
  assistantSchema,
  updateAssistantSchema,
  assistantsSchema,
  newAssistantSchema,
} from '#shared/api/api.ts';
import { json, manage, read } from '../api/access.ts';
import type { Api } from '../api/api.ts';

export function assistantRoutes(api: Api, host: Host): void {
  const { assistants } = host;
  api.get(
    {
      path: '/api/assistants',
      access: read,
      summary: 'List the assistants. `default` always exists.',
      response: assistantsSchema,
    },
    async ({ owner }) => ({ assistants: await assistants.list(owner) }),
  );
  api.post(
    {
      path: '/api/assistants',
      access: { ...manage, ...json },
      summary: 'Add an assistant.',
      body: newAssistantSchema,
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
      summary: 'Update an assistant.',
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
