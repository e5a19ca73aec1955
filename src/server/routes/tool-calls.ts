import type { Host } from '#chat/host/host.ts';
import { assertMayDecide, assertMayRemember, callFor, withinOf } from '#chat/servers/key-rights.ts';
import { deletedSchema } from '#shared/api/data-api.ts';
import {
  directCallsQuerySchema,
  directCallsSchema,
  type ToolCallView,
  toolCallViewSchema,
  decisionResultsSchema,
} from '#shared/api/tool-call-api.ts';
import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import { decisionSchema, decisionsSchema } from '#shared/vocabulary/policy-api.ts';
import { chat, json, manage, read } from '../api/access.ts';
import type { Api } from '../api/api.ts';

export function toolCallRoutes(api: Api, host: Host): void {
  directCallRoutes(api, host);
  api.get(
    {
      path: '/api/tool-calls/:id',
      access: read,
      summary: 'Get a tool call.',
      response: toolCallViewSchema,
    },
    async ({ owner, visitor, params }) =>
      callFor(visitor, await host.approvals.get(owner, params.id)),
  );
  api.post(
    {
      path: '/api/tool-calls/:id/decision',
      access: { ...chat, ...json },
      summary: 'Approve or deny a call with the arguments that were shown, or with edited ones.',
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
      summary: 'Decide on several calls. Each has its own result.',
      body: decisionsSchema,
      response: decisionResultsSchema,
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
      summary: 'Cancel a running call.',
      status: 202,
    },
    async ({ owner, visitor, params }) => {
      const { state } = callFor(visitor, await host.approvals.get(owner, params.id));
      if (!(await host.abortCall(owner, params.id)))
        throw new CeriseError(
          'conflict',
          say('call-not-running')`The call isn't running. Its state is ${state}.`,
        );
      return {};
    },
  );
}

/** Calls outside of any conversation: what became of them, and away with them. */
function directCallRoutes(api: Api, host: Host): void {
  api.get(
    {
      path: '/api/tool-calls',
      access: read,
      summary: 'List your direct calls, newest first.',
      query: directCallsQuerySchema,
      response: directCallsSchema,
    },
    ({ owner, visitor, query }) => host.data.calls.list(owner, query, withinOf(visitor)),
  );
  api.delete(
    {
      path: '/api/tool-calls',
      access: manage,
      summary: 'Delete all finished direct calls.',
      response: deletedSchema,
    },
    async ({ owner }) => ({ deleted: await host.data.calls.removeAll(owner) }),
  );
  api.delete(
    {
      path: '/api/tool-calls/:id',
      access: manage,
      summary: 'Delete a finished direct call.',
      status: 204,
    },
    async ({ owner, params }) => {
      await host.data.calls.remove(owner, params.id);
      return {};
    },
  );
}
