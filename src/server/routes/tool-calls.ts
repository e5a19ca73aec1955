import { z } from 'zod';
import type { Host } from '#chat/host.ts';
import { errorBodySchema, toolCallViewSchema } from '#shared/api.ts';
import { CeriseError } from '#shared/errors.ts';
import { decisionSchema, decisionsSchema } from '#shared/policy-api.ts';
import { say } from '#shared/sentence.ts';
import type { Api } from '../api.ts';

const decisionResults = z.array(
  z.object({
    toolCallId: z.string(),
    call: toolCallViewSchema.optional(),
    error: errorBodySchema.shape.error.optional(),
  }),
);

export function toolCallRoutes(api: Api, host: Host): void {
  api.get(
    { path: '/api/tool-calls/:id', summary: 'One tool call.', response: toolCallViewSchema },
    ({ owner, params }) => host.approvals.get(owner, params.id),
  );
  api.post(
    {
      path: '/api/tool-calls/:id/decision',
      summary:
        'Approve or deny a call, for exactly the arguments that were shown or for those given instead.',
      body: decisionSchema,
      response: toolCallViewSchema,
    },
    ({ owner, params, body }) => host.approvals.decide(owner, params.id, body),
  );
  api.post(
    {
      path: '/api/tool-calls/decisions',
      summary: 'Decide on several calls; each has its own result.',
      body: decisionsSchema,
      response: z.object({ results: decisionResults }),
    },
    async ({ owner, body }) => ({
      results: await host.approvals.decideAll(owner, body.decisions),
    }),
  );
  api.post(
    { path: '/api/tool-calls/:id/abort', summary: 'Cancel one running call.', status: 202 },
    async ({ owner, params }) => {
      const { state } = await host.approvals.get(owner, params.id);
      if (!(await host.abortCall(owner, params.id)))
        throw new CeriseError(
          'conflict',
          say('call-not-running')`The call does not run; it is ${state}.`,
        );
      return {};
    },
  );
}
