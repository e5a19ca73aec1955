import type { Host } from '#chat/host/host.ts';
import {
  assertMayDecide,
  assertMayRemember,
  callFor,
  serverFor,
  withinOf,
} from '#chat/servers/key-rights.ts';
import { readCaller } from '#chat/telemetry/trace-context.ts';
import { deletedSchema } from '#shared/api/data-api.ts';
import {
  directCallsQuerySchema,
  directCallsSchema,
  type ToolCallView,
  toolCallViewSchema,
  decisionResultsSchema,
} from '#shared/api/tool-call-api.ts';
import {
  calledToolsSchema,
  callToolsSchema,
  exportedToolsSchema,
  exportToolsQuerySchema,
} from '#shared/api/tools-api.ts';
import { CeriseError, toErrorInfo } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import { decisionSchema, decisionsSchema } from '#shared/vocabulary/policy-api.ts';
import { chat, freshServers, json, manage, read } from '../api/access.ts';
import type { Api } from '../api/api.ts';

export function toolCallRoutes(api: Api, host: Host): void {
  directCallRoutes(api, host);
  toolRoutes(api, host);
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

/** Tools without a conversation: several at once, and as vendors take them. */
function toolRoutes(api: Api, host: Host): void {
  api.post(
    {
      path: '/api/tool-calls',
      access: { ...chat, ...json, ...freshServers },
      summary:
        'Call several tools in parallel. Each call has its own result, or waits for approval.',
      body: callToolsSchema,
      response: calledToolsSchema,
      makesCall: true,
    },
    async ({ owner, visitor, body: { calls }, c, isRepeat }) => {
      const key = c.req.header('idempotency-key') || undefined;
      const results = await Promise.all(
        calls.map(async ({ serverId, toolName, arguments: args, callId }, at) => {
          try {
            serverFor(host.servers, visitor, serverId, { tool: toolName });
            const once = key && `${key} ${at}`;
            const name = { id: callId, once, isRepeat, trace: readCaller(c.req.raw) };
            return { call: await host.callTool(owner, serverId, toolName, args, name) };
          } catch (error) {
            return { error: toErrorInfo(error) };
          }
        }),
      );
      return { results };
    },
  );
  api.get(
    {
      path: '/api/tools/export',
      access: { ...read, ...freshServers },
      summary: "Export servers' tools in a provider's format. Connects the servers if necessary.",
      query: exportToolsQuerySchema,
      response: exportedToolsSchema,
    },
    async ({ owner, visitor, query: { format, servers } }) => {
      const ids = servers?.split(',').filter((id) => id !== '') ?? [];
      for (const id of ids) serverFor(host.servers, visitor, id);
      const chosen = ids.length > 0 ? { mode: 'manual' as const, selectedServers: ids } : {};
      const selection = { enabled: true, ...chosen, within: withinOf(visitor) };
      return host.contents.exportTools(owner, format, selection);
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
