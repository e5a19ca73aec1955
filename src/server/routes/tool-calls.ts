import { z } from 'zod';
import type { Host } from '#chat/host.ts';
import { assertMayDecide, assertMayRemember } from '#chat/key-rights.ts';
import { errorBodySchema, type ToolCallView, toolCallViewSchema } from '#shared/api.ts';
import { CeriseError } from '#shared/errors.ts';
import { decisionSchema, decisionsSchema } from '#shared/policy-api.ts';
import { say } from '#shared/sentence.ts';
import { chat, json, read } from '../access.ts';
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
    {
      path: '/api/tool-calls/:id',
      access: read,
      summary: 'One tool call.',
      response: toolCallViewSchema,
    },
    ({ owner, params }) => host.approvals.get(owner, params.id),
  );
  api.post(
    {
      path: '/api/tool-calls/:id/decision',
      access: { ...chat, ...json },
      summary:
        'Approve or deny a call, for exactly the arguments that were shown or for those given instead.',
      body: decisionSchema,
      response: toolCallViewSchema,
    },
    async ({ owner, visitor, params, body }) => {
      assertMayRemember(visitor, body);
      assertMayDecide(visitor, await host.approvals.get(owner, params.id));
      return host.approvals.decide(owner, params.id, body);
    },
  );
  api.post(
    {
      path: '/api/tool-calls/decisions',
      access: { ...chat, ...json },
      summary: 'Decide on several calls; each has its own result.',
      body: decisionsSchema,
      response: z.object({ results: decisionResults }),
    },
    async ({ owner, visitor, body: { decisions } }) => {
      for (const decision of decisions) assertMayRemember(visitor, decision);
      const check = (call: ToolCallView) => assertMayDecide(visitor, call);
      return { results: await host.approvals.decideAll(owner, decisions, check) };
    },
  );
  api.post(
    {
      path: '/api/tool-calls/:id/abort',
      access: chat,
      summary: 'Cancel one running call.',
      status: 202,
    },
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
