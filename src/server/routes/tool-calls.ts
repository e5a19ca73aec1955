import type { Host } from '#chat/host.ts';
import { decisionSchema, toolCallViewSchema } from '#shared/api.ts';
import { CeriseError } from '#shared/errors.ts';
import type { Api } from '../api.ts';

export function toolCallRoutes(api: Api, host: Host): void {
  api.get(
    { path: '/api/tool-calls/:id', summary: 'One tool call.', response: toolCallViewSchema },
    ({ owner, params }) => host.approvals.get(owner, params.id),
  );
  api.post(
    {
      path: '/api/tool-calls/:id/decision',
      summary: 'Approve or deny a call, for exactly the arguments that were shown.',
      body: decisionSchema,
      response: toolCallViewSchema,
    },
    ({ owner, params, body }) => host.approvals.decide(owner, params.id, body),
  );
  api.post(
    { path: '/api/tool-calls/:id/abort', summary: 'Cancel one running call.', status: 202 },
    async ({ owner, params }) => {
      const { state } = await host.approvals.get(owner, params.id);
      if (!host.abortCall(params.id))
        throw new CeriseError('conflict', `The call does not run; it is ${state}.`);
      return {};
    },
  );
}
