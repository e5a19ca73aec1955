import { createHash } from 'node:crypto';
import type { Host } from '#chat/host/host.ts';
import { readCaller } from '#chat/telemetry/trace-context.ts';
import { serverFor, serverViewFor, withinOf } from '#chat/servers/key-rights.ts';
import {
  approveServerSchema,
  callToolSchema,
  createServerSchema,
  serverViewSchema,
  serversSchema,
  updateServerSchema,
  toolsSchema,
} from '#shared/api/api.ts';
import { logsQuerySchema, logsViewSchema } from '#shared/api/server-api.ts';
import { toolCallViewSchema } from '#shared/api/tool-call-api.ts';
import { CeriseError } from '#shared/errors/errors.ts';
import { allowsServer, allowsTool } from '#shared/vocabulary/server-limit.ts';
import { chat, json, manage, read, secret, freshServers } from '../api/access.ts';
import type { Api } from '../api/api.ts';

export function serverRoutes(api: Api, host: Host): void {
  const { servers } = host;
  api.get(
    {
      path: '/api/servers',
      access: { ...read, ...freshServers },
      summary: 'List the MCP servers with their state.',
      response: serversSchema,
    },
    async ({ owner, visitor }) => ({
      servers: (await servers.listUsed(owner))
        .filter(({ id }) => allowsServer(withinOf(visitor), id))
        .map((view) => serverViewFor(visitor, view)),
    }),
  );
  api.post(
    {
      path: '/api/servers',
      access: { ...manage, ...json, ...freshServers },
      summary:
        "Add a server, in Cerise's own format or that of another app. A server that runs a command stays a draft until it is approved.",
      body: createServerSchema,
      status: 201,
      response: serverViewSchema,
    },
    ({ owner, body }) => servers.add(owner, body),
  );
  api.get(
    {
      path: '/api/servers/:id',
      access: { ...read, ...freshServers },
      summary: 'Get a server, including what runs without approval.',
      response: serverViewSchema,
    },
    async ({ owner, visitor, params }) => {
      const { id } = serverFor(servers, visitor, params.id);
      return serverViewFor(visitor, await host.contents.server(owner, id));
    },
  );
  api.patch(
    {
      path: '/api/servers/:id',
      access: { ...manage, ...json, ...freshServers },
      summary: 'Update a server. If its command changes, it must be approved again.',
      body: updateServerSchema,
      response: serverViewSchema,
    },
    ({ owner, params, body }) => servers.update(owner, params.id, body),
  );
  lifeRoutes(api, host);
  serverToolRoutes(api, host);
}

/** What starts, stops and ends a server. */
function lifeRoutes(api: Api, { servers }: Host): void {
  api.delete(
    {
      path: '/api/servers/:id',
      access: { ...manage, ...freshServers },
      summary: 'Delete a server.',
      status: 204,
    },
    async ({ owner, params }) => {
      await servers.remove(owner, params.id);
      return {};
    },
  );
  api.post(
    {
      path: '/api/servers/:id/approve',
      access: { ...manage, ...json, ...freshServers },
      summary: "Approve a server's command by its launch hash.",
      body: approveServerSchema,
      response: serverViewSchema,
    },
    ({ owner, params, body }) => servers.approve(owner, params.id, body.launchHash),
  );
  for (const action of ['connect', 'restart', 'stop'] as const)
    api.post(
      {
        path: `/api/servers/:id/${action}`,
        access: { ...manage, ...freshServers },
        summary: `${action[0]?.toUpperCase()}${action.slice(1)} a server.`,
        response: serverViewSchema,
      },
      ({ owner, params }) => servers[action](owner, params.id),
    );
}

function serverToolRoutes(api: Api, host: Host): void {
  const { servers } = host;
  api.get(
    {
      path: '/api/servers/:id/status',
      access: { ...read, ...freshServers },
      summary: "Get a server's state with its reason, start time and next retry.",
      response: serverViewSchema.pick({
        state: true,
        reason: true,
        reasonSaid: true,
        reasonCode: true,
        since: true,
        retryAt: true,
        output: true,
        fix: true,
      }),
    },
    async ({ owner, visitor, params }) => {
      const { id } = serverFor(servers, visitor, params.id);
      const view = serverViewFor(visitor, servers.get(owner, id));
      const { state, reason, reasonSaid, reasonCode, since, retryAt, output, fix } = view;
      return { state, reason, reasonSaid, reasonCode, since, retryAt, output, fix };
    },
  );
  api.get(
    {
      path: '/api/servers/:id/tools',
      access: { ...read, ...freshServers },
      summary:
        "List a server's tools and whether their calls run, ask or are denied. Connects it if necessary.",
      response: toolsSchema,
    },
    async ({ owner, visitor, params }) => {
      const { id } = serverFor(servers, visitor, params.id);
      const tools = await host.contents.tools(owner, id);
      return { tools: tools.filter(({ name }) => allowsTool(withinOf(visitor), id, name)) };
    },
  );
  api.get(
    {
      path: '/api/servers/:id/logs',
      access: { ...manage, ...secret, ...freshServers },
      summary:
        "Get a server's recent log lines, without secrets. Empty if `known` is the current version.",
      query: logsQuerySchema,
      response: logsViewSchema,
    },
    async ({ owner, params, query }) => {
      const lines = servers.logs(owner, params.id);
      const version = createHash('sha256').update(lines.join('\n')).digest('base64url');
      return query.known === version ? { version } : { version, lines };
    },
  );
  api.post(
    {
      path: '/api/servers/:id/tools/:name/call',
      access: { ...chat, ...json, ...freshServers },
      summary: 'Call a tool. Returns 202 with the call if it needs approval first.',
      body: callToolSchema,
      response: toolCallViewSchema,
      makesCall: true,
    },
    async ({ owner, visitor, params, body, c, isRepeat }) => {
      serverFor(servers, visitor, params.id, { tool: params.name });
      const once = c.req.header('idempotency-key') || undefined;
      const { callId: id, repeats, approve } = body;
      const options = { id, once, isRepeat, repeats, approve, trace: readCaller(c.req.raw) };
      const call = await host.callTool(owner, params.id, params.name, body.arguments, options);
      if (call.state === 'proposed')
        return Response.json({ ...call, toolCallId: call.id }, { status: 202 });
      const { error, result, reach } = call;
      if (result || !error) return { ...result, toolCallId: call.id };
      const details = { ...(error.details as object | undefined), toolCallId: call.id, reach };
      throw new CeriseError(error.code, error.message, { ...error, details });
    },
  );
}
