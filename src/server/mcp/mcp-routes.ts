import type { Context } from 'hono';
import type { Host } from '#chat/host/host.ts';
import { CeriseError, errorStatus } from '#shared/errors/errors.ts';
import { rpcCode } from '#shared/errors/rpc-code.ts';
import type { Logger } from '#shared/vocabulary/ports.ts';
import { type Access, chat, json } from '../api/access.ts';
import type { Api } from '../api/api.ts';
import type { Env } from '../api/env.ts';
import { readText } from '../api/guard.ts';
import { parseBody } from '../api/parse-body.ts';
import type { McpContext } from './context.ts';
import { Exchanges } from './exchanges.ts';
import { initialize, openChannel, refusal, serveBatch, serveLegacy } from './legacy.ts';
import { serveModern } from './modern.ts';
import { isModern } from './modern-envelope.ts';
import { errorOf, readMessage, RpcFailure } from './rpc.ts';
import type { Session } from './session.ts';
import { Sessions } from './sessions.ts';

/** Programs have a key or a token; cookies are ignored, so that other sites may call as well. */
const program = {
  ...chat,
  origins: 'any-without-cookies',
  programs: true,
} as const satisfies Access;

interface Deps {
  host: Host;
  logger: Logger;
  publicUrl: string | undefined;
  sessions: Sessions;
  exchanges: Exchanges;
}

/** `/mcp`, everything a key may use as one MCP server, and `/mcp/SERVER`, one server with its own names. */
export function mcpRoutes(
  api: Api,
  host: Host,
  options: { logger: Logger; publicUrl: string | undefined },
): void {
  const sessions = new Sessions(host.limits);
  host.doors.onClose(() => sessions.close());
  const deps = { host, ...options, sessions, exchanges: new Exchanges(host.limits) };
  for (const path of ['/mcp', '/mcp/:server']) {
    api.raw('post', { path, access: { ...program, ...json } }, (c) => post(deps, c));
    api.raw('get', { path, access: program }, (c) => withSession(deps, c, openChannel));
    api.raw('delete', { path, access: program }, (c) =>
      withSession(deps, c, async (_, session) => {
        sessions.end(session);
        return new Response(null, { status: 204 });
      }),
    );
  }
}

async function post(deps: Deps, c: Context<Env>): Promise<Response> {
  const { host, sessions, exchanges } = deps;
  const text = await readText(c.req.raw, host.limits.httpBody);
  let body: unknown;
  try {
    body = parseBody(text, host.limits);
  } catch (error) {
    return badBody(error);
  }
  if (Array.isArray(body))
    return withSession(deps, c, (context, session) => serveBatch(context, body, session));
  const message = readMessage(body);
  if (!message) return refusal(400, 'Invalid request');
  const context = await contextOf(deps, c);
  const { headers } = context;
  if (message.kind !== 'response' && isModern(message.params, headers))
    return message.kind === 'request'
      ? serveModern(context, message, exchanges)
      : new Response(null, { status: 202 });
  if (message.kind === 'request' && message.method === 'initialize')
    return initialize(context, message, sessions, c.req.path);
  return withSession(deps, c, (_, session) => serveLegacy(context, message, session), context);
}

/** A body that is not JSON or too large, as an error of the protocol. */
function badBody(error: unknown): Response {
  if (!(error instanceof CeriseError)) throw error;
  const { code, message } = error;
  if (code !== 'invalid_json') return refusal(errorStatus[code], message);
  const failure = new RpcFailure(rpcCode.parseError, 'Parse error');
  return Response.json(errorOf(null, failure), { status: 400 });
}

async function withSession(
  deps: Deps,
  c: Context<Env>,
  work: (context: McpContext, session: Session) => Promise<Response>,
  opened?: McpContext,
): Promise<Response> {
  const id = c.req.header('mcp-session-id');
  if (id === undefined)
    return c.req.method === 'GET'
      ? refusal(405, 'This server streams to sessions only')
      : refusal(400, 'The Mcp-Session-Id header is missing');
  const context = opened ?? (await contextOf(deps, c));
  const session = deps.sessions.find(id, context, c.req.path);
  return session ? work(context, session) : refusal(404, 'Session not found');
}

async function contextOf(deps: Deps, c: Context<Env>): Promise<McpContext> {
  const { host, logger, publicUrl } = deps;
  const { visitor, reach } = c.var;
  const door = await host.doors.open(visitor, c.req.param('server'));
  const base = publicUrl ?? `${reach.https ? 'https' : 'http'}://${c.req.header('host') ?? ''}`;
  return {
    host,
    logger,
    door,
    isSearched: c.req.query('tools') === 'search',
    approvalsUrl: new URL('/?inbox', base).href,
    headers: c.req.raw.headers,
    signal: c.req.raw.signal,
  };
}
