import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { type AuthorizationServer, readProof, type TokenFacts } from './authorization-server.ts';
import { listen } from './loopback.ts';

/** How the protected server behaves. Every field may be changed while it runs. */
export interface ProtectedScript {
  /** Where its metadata is, and whether the refusal names the place. */
  metadata?: 'named' | 'path' | 'root' | 'none';
  /** Replaces or (undefined) removes fields of its metadata. */
  overrides?: Record<string, unknown>;
  /** The `resource_metadata` of refusals, instead of the right one. */
  resourceMetadata?: string;
  /** The scope named by the refusal of a request without a token. */
  challengeScope?: string;
  /** The scope every request needs. */
  scope?: string;
  /** Never content with any token's scopes. */
  neverContent?: boolean;
  dpop?: 'on' | 'nonce';
}

/** A running protected server. */
export interface ProtectedServer {
  url: string;
  script: ProtectedScript;
  /** Who gives out its tokens; may be changed while it runs. */
  authorizationServer: AuthorizationServer;
  /** The headers of the requests it got, in order. */
  requests: Record<string, string>[];
  close(): Promise<void>;
}

const nonce = 'nonce-of-the-protected-server';

/** An MCP server that wants a token: `whoami` needs the scope basic, `admin_action` also admin. */
export async function createProtectedServer(
  authorizationServer: AuthorizationServer,
  script: ProtectedScript = {},
): Promise<ProtectedServer> {
  const handler = createMcpHandler(tools);
  const listener = await listen(async (request) => {
    const { pathname } = new URL(request.url);
    if (pathname === '/mcp') return await answer(server, request, (it) => handler.fetch(it));
    if (pathname === metadataPath(server)) return Response.json(metadata(server));
    return new Response('Nothing here', { status: 404 });
  });
  const server: ProtectedServer = {
    url: `${listener.url}/mcp`,
    script,
    authorizationServer,
    requests: [],
    close: () => listener.close(),
  };
  return server;
}

async function answer(
  server: ProtectedServer,
  request: Request,
  serve: (request: Request) => Promise<Response>,
): Promise<Response> {
  server.requests.push(Object.fromEntries(request.headers));
  const [scheme = '', token = ''] = (request.headers.get('authorization') ?? '').split(' ');
  const facts = token === '' ? undefined : server.authorizationServer.inspect(token);
  if (!facts || scheme !== (server.script.dpop ? 'DPoP' : 'Bearer')) {
    return refuse(server, 401, token === '' ? {} : { error: 'invalid_token' });
  }
  const body = await request.clone().text();
  if (server.script.dpop) {
    const refused = judgeProof(server, request, facts);
    if (refused) return refused;
  }
  const needed = neededScopes(server, body);
  const missing = server.script.neverContent || !needed.every((name) => facts.scope.includes(name));
  if (!missing) return await serve(request);
  return refuse(server, 403, { error: 'insufficient_scope', scope: needed.join(' ') });
}

function neededScopes({ script }: ProtectedServer, body: string): string[] {
  if (body.includes('"admin_action"')) return ['admin'];
  return [script.scope ?? 'basic'];
}

function judgeProof(
  server: ProtectedServer,
  request: Request,
  facts: TokenFacts,
): Response | undefined {
  const proof = readProof(request.headers.get('dpop'));
  if (!proof || proof.jkt !== facts.jkt || proof.htu !== server.url || !proof.ath) {
    return refuse(server, 401, { error: 'invalid_dpop_proof' });
  }
  if (server.script.dpop !== 'nonce' || proof.nonce === nonce) return undefined;
  const response = refuse(server, 401, { error: 'use_dpop_nonce' });
  response.headers.set('dpop-nonce', nonce);
  return response;
}

function refuse(
  server: ProtectedServer,
  status: number,
  parameters: Record<string, string>,
): Response {
  const { metadata: place = 'named', resourceMetadata, challengeScope, dpop } = server.script;
  const named = place === 'named' ? new URL(metadataPath(server), server.url).href : undefined;
  const all = {
    ...(challengeScope !== undefined && status === 401 && { scope: challengeScope }),
    ...parameters,
    ...((resourceMetadata ?? named) && { resource_metadata: resourceMetadata ?? named }),
  };
  const text = Object.entries(all).map(([name, value]) => `${name}="${value}"`);
  const header = `${dpop ? 'DPoP' : 'Bearer'} ${text.join(', ')}`;
  return new Response(null, { status, headers: { 'www-authenticate': header } });
}

function metadataPath({ script }: ProtectedServer): string {
  const wellKnown = '/.well-known/oauth-protected-resource';
  const places = { named: '/about/me.json', path: `${wellKnown}/mcp`, root: wellKnown, none: '' };
  return places[script.metadata ?? 'named'];
}

function metadata({ url, script, authorizationServer }: ProtectedServer): object {
  return {
    resource: script.metadata === 'root' ? new URL(url).origin : url,
    authorization_servers: [authorizationServer.issuer],
    ...script.overrides,
  };
}

function tools(): McpServer {
  const server = new McpServer({ name: 'protected', version: '1' });
  const say = (text: string) => () => ({ content: [{ type: 'text' as const, text }] });
  server.registerTool('whoami', { description: 'Who you are' }, say('you'));
  server.registerTool('admin_action', { description: 'For admins' }, say('done'));
  return server;
}
