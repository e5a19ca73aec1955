import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Host } from '#chat/host.ts';
import {
  approveServerSchema,
  callToolSchema,
  createServerSchema,
  serverViewSchema,
  toolCallViewSchema,
  toolViewSchema,
} from '#shared/api.ts';
import { CeriseError } from '#shared/errors.ts';
import { logsQuerySchema, logsViewSchema } from '#shared/server-api.ts';
import type { Api } from '../api.ts';

const none = z.looseObject({});

export function serverRoutes(api: Api, host: Host): void {
  const { servers } = host;
  api.get(
    {
      path: '/api/servers',
      summary: 'List the MCP servers with their state.',
      response: z.object({ servers: z.array(serverViewSchema) }),
    },
    async ({ owner }) => ({ servers: servers.list(owner) }),
  );
  api.post(
    {
      path: '/api/servers',
      summary:
        'Add a server, in our own form or as other hosts write it. One that runs a command is a draft until it is approved.',
      body: createServerSchema,
      status: 201,
      response: serverViewSchema,
    },
    ({ owner, body }) => servers.add(owner, body),
  );
  api.get(
    {
      path: '/api/servers/:id',
      summary: 'One server, with what it may do without asking.',
      response: serverViewSchema,
    },
    ({ owner, params }) => host.contents.server(owner, params.id),
  );
  api.patch(
    {
      path: '/api/servers/:id',
      summary: 'Change a server; a changed launch needs a new approval.',
      body: z.looseObject({}),
      response: serverViewSchema,
    },
    ({ owner, params, body }) => servers.update(owner, params.id, body),
  );
  api.delete(
    { path: '/api/servers/:id', summary: 'Remove a server.', status: 204 },
    async ({ owner, params }) => {
      await servers.remove(owner, params.id);
      return {};
    },
  );
  api.post(
    {
      path: '/api/servers/:id/approve',
      summary: 'Approve exactly the launch that was shown, by its hash.',
      body: approveServerSchema,
      response: serverViewSchema,
    },
    ({ owner, params, body }) => servers.approve(owner, params.id, body.launchHash),
  );
  for (const action of ['connect', 'restart', 'stop'] as const)
    api.post(
      {
        path: `/api/servers/:id/${action}`,
        summary: `${action[0]?.toUpperCase()}${action.slice(1)} a server.`,
        body: none,
        response: serverViewSchema,
      },
      ({ owner, params }) => servers[action](owner, params.id),
    );
  serverToolRoutes(api, host);
}

function serverToolRoutes(api: Api, host: Host): void {
  const { servers } = host;
  api.get(
    {
      path: '/api/servers/:id/status',
      summary: 'The state of a server, its reason, since when, and when it is tried again.',
      response: serverViewSchema.pick({
        state: true,
        reason: true,
        reasonSaid: true,
        reasonCode: true,
        since: true,
        retryAt: true,
      }),
    },
    async ({ owner, params }) => {
      const { state, reason, reasonSaid, reasonCode, since, retryAt } = servers.get(
        owner,
        params.id,
      );
      return { state, reason, reasonSaid, reasonCode, since, retryAt };
    },
  );
  api.get(
    {
      path: '/api/servers/:id/tools',
      summary: 'The tools of a server; connects it if need be.',
      response: z.object({ tools: z.array(toolViewSchema) }),
    },
    async ({ owner, params }) => ({ tools: await servers.tools(owner, params.id) }),
  );
  api.get(
    {
      path: '/api/servers/:id/logs',
      summary:
        'The last lines a server wrote, without secrets; none while `known` is their version.',
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
      summary: 'Call a tool; 202 with the call if a person must decide first.',
      body: callToolSchema,
      response: toolCallViewSchema,
    },
    async ({ owner, params, body, c }) => {
      const key = c.req.header('idempotency-key');
      const name = body.callId ?? (key ? { once: key } : undefined);
      const call = await host.callTool(owner, params.id, params.name, body.arguments, name);
      if (call.state === 'proposed')
        return Response.json({ ...call, toolCallId: call.id }, { status: 202 });
      const { error, result } = call;
      if (!result && error) throw new CeriseError(error.code, error.message, error);
      return { ...result, toolCallId: call.id };
    },
  );
}
