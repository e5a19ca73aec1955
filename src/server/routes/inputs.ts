import type { Host } from '#chat/host/host.ts';
import { withinOf } from '#chat/servers/key-rights.ts';
import { answerInputSchema, inputViewSchema, inputsSchema } from '#shared/api/input-api.ts';
import { chat, json, read } from '../api/access.ts';
import type { Api } from '../api/api.ts';

/** The questions that servers ask people. */
export function inputRoutes(api: Api, host: Host): void {
  api.get(
    {
      path: '/api/inputs',
      access: read,
      summary: 'List open requests from servers, oldest first.',
      response: inputsSchema,
    },
    async ({ owner, visitor }) => ({ inputs: await host.inputs.list(owner, withinOf(visitor)) }),
  );
  api.post(
    {
      path: '/api/inputs/:id',
      access: { ...chat, ...json },
      summary: "Answer a server's request: a form, a URL to open, or the use of a model.",
      body: answerInputSchema,
      response: inputViewSchema,
    },
    ({ owner, visitor, params, body }) =>
      host.inputs.answer(owner, params.id, body, withinOf(visitor)),
  );
}
