import { describeRequest } from '#chat/grants/consents.ts';
import type { AuthorizationRequest } from '#chat/grants/authorization-request.ts';
import type { Host } from '#chat/host/host.ts';
import type { Visitor } from '#chat/people/visitor.ts';
import {
  authorizationQuerySchema,
  consentDecisionSchema,
  consentSchema,
  type ConsentView,
  decideConsentSchema,
  grantsSchema,
} from '#shared/api/people-api.ts';
import { decodePercent } from '#shared/text/decode-percent.ts';
import type { ServerLimit } from '#shared/vocabulary/server-limit.ts';
import { freshServers, json, manage, read, secret } from '../../api/access.ts';
import type { Api } from '../../api/api.ts';
import { originOf } from '../../api/reach.ts';

interface Options {
  publicUrl?: string | undefined;
  /** Values of the Host header that are ours. */
  allowedHosts: () => ReadonlySet<string>;
}

/** Programs that people connect: what they ask for, the decision on it, and those that are connected. */
export function grantRoutes(api: Api, host: Host, { publicUrl, allowedHosts }: Options): void {
  const { consents, grants } = host;
  api.get(
    {
      path: '/api/grants',
      access: read,
      summary: 'List the programs connected to your account.',
      response: grantsSchema,
    },
    async ({ owner }) => ({ grants: await grants.list(owner) }),
  );
  api.get(
    {
      path: '/api/grants/request',
      access: { ...manage, ...freshServers },
      summary: 'Describe a program’s request to be connected, as the query of /oauth/authorize.',
      query: authorizationQuerySchema,
      response: consentSchema,
    },
    async ({ visitor, query }) => {
      const request = await consents.read(query, { hosts: allowedHosts() });
      return describeRequest(request, await reachOf(host, visitor, request));
    },
  );
  api.post(
    {
      path: '/api/grants',
      access: { ...manage, ...json, ...secret, ...freshServers },
      summary: 'Allow or deny a program’s request, and get the URL to return to. Not for API keys.',
      body: decideConsentSchema,
      response: consentDecisionSchema,
    },
    async ({ owner, visitor, body, c }) => {
      const request = await consents.read(body.request, { hosts: allowedHosts() });
      const { decision, servers } = body;
      const chosen = servers?.map((limit) => ({
        ...limit,
        id: host.servers.usable(owner, limit.id).id,
      }));
      const { server } = await reachOf(host, visitor, request);
      const redirect = await consents.decide(visitor, request, {
        decision,
        servers: server ? narrowed(server, chosen) : chosen,
        issuer: originOf(c, publicUrl),
      });
      return { redirect };
    },
  );
  api.delete(
    {
      path: '/api/grants/:id',
      access: manage,
      summary: 'Disconnect a program. Its tokens stop working immediately.',
      status: 204,
    },
    async ({ owner, params }) => {
      await grants.end(owner, params.id);
      return {};
    },
  );
}

/** What a request is about: one server, or all of them. */
async function reachOf(
  host: Host,
  visitor: Visitor,
  { resource }: AuthorizationRequest,
): Promise<Pick<ConsentView, 'server' | 'servers'>> {
  const [, , name] = resource.split('/');
  const door = await host.doors.open(visitor, name && decodePercent(name));
  const servers = door.servers().map(({ config }) => config.name);
  const { serverId: id } = door;
  return { ...(id !== undefined && { server: { id, name: door.name } }), servers };
}

/** Of the server that was asked for, no more than was chosen. */
function narrowed({ id }: { id: string }, chosen: ServerLimit[] | undefined): ServerLimit[] {
  return [chosen?.find((limit) => limit.id === id) ?? { id }];
}
