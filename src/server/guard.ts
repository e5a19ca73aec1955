import type { MiddlewareHandler } from 'hono';
import type { Host } from '#chat/host.ts';
import type { Visitor } from '#chat/visitor.ts';
import { CeriseError } from '#shared/errors.ts';
import { say } from '#shared/sentence.ts';
import type { Env } from './api.ts';
import { readSession } from './reach.ts';
import { isEnough, scopeOf } from './scopes.ts';

/** Where browsers sign in with a name and a password. */
export const signInPath = '/api/sign-in';
/** Where browsers come back to from a sign-in; its route looks for the session itself. */
export const callbackPath = '/api/oauth/callback';

/** Where files are sent to, as they are. */
export const filesPath = '/api/files';

/** Where an export file is sent to. */
export const importPath = '/api/data/import';

/** The requests whose body may be large. */
export function isUpload({ method, path }: { method: string; path: string }): boolean {
  return method === 'POST' && (path === filesPath || path === importPath);
}

/** Paths that answer without a sign-in: health, the ways to sign in, and the page with its assets. */
function isPublic(path: string): boolean {
  if (path === '/healthz' || path === '/readyz') return true;
  if (path === callbackPath || path === signInPath) return true;
  return (
    !path.startsWith('/api/') && !path.startsWith('/v1/') && path !== '/metrics' && path !== '/mcp'
  );
}

/** Refuses requests that a foreign page or a rebound name sent, before anything else happens. */
export function refuseForeign(allowedHosts: () => ReadonlySet<string>): MiddlewareHandler<Env> {
  return async (c, next) => {
    const host = (c.req.header('host') ?? '').toLowerCase();
    if (!allowedHosts().has(host))
      throw new CeriseError(
        'foreign_host',
        say('not-our-address')`This address is not one of Cerise.`,
        {
          hint: say(
            'not-our-address-hint',
          )`Open it by the address it printed at start, or add the name to CERISE_ALLOWED_HOSTS.`,
        },
      );
    if (isAsset(c.req)) return next();
    const origin = c.req.header('origin');
    const foreignOrigin = origin !== undefined && !isOwnOrigin(origin, host);
    if (foreignOrigin || (isFromOtherSite(c.req.raw) && !isNavigation(c.req.raw)))
      throw new CeriseError(
        'foreign_origin',
        say('other-sites')`Requests from other sites are refused.`,
      );
    await next();
  };
}

/** The files of the page are the same for everybody; a frame without an origin needs them too. */
function isAsset({ method, path }: { method: string; path: string }): boolean {
  return method === 'GET' && path.startsWith('/assets/');
}

function isOwnOrigin(origin: string, host: string): boolean {
  const lower = origin.toLowerCase();
  return lower === `http://${host}` || lower === `https://${host}`;
}

/** Other ports of this machine are the same site to a browser, but they are not ours. */
function isFromOtherSite(request: Request): boolean {
  const site = request.headers.get('sec-fetch-site');
  return site === 'cross-site' || site === 'same-site';
}

/** A person following a link from elsewhere: a plain GET of a page, which changes nothing. */
function isNavigation(request: Request): boolean {
  return request.method === 'GET' && request.headers.get('sec-fetch-mode') === 'navigate';
}

/**
 * A body must be JSON: forms and plain text are what foreign pages can send without asking. Files are
 * of any type; there `refuseForeign` and the strictness of the cookie must do.
 */
export const requireJson: MiddlewareHandler<Env> = async (c, next) => {
  const { method } = c.req;
  const hasBody = method === 'POST' || method === 'PUT' || method === 'PATCH';
  const type = c.req.header('content-type') ?? '';
  const chunked = c.req.header('transfer-encoding') !== undefined;
  const empty = type === '' && (c.req.header('content-length') ?? '0') === '0' && !chunked;
  const isFile = method === 'POST' && c.req.path === filesPath;
  if (hasBody && !empty && !isFile && !jsonType.test(type))
    throw new CeriseError(
      'unsupported_media_type',
      say('body-type')`The body must be application/json.`,
    );
  await next();
};

const serversPath = /^\/api\/servers(?:\/|$)/;
const jsonType = /^application\/(?:json|x-ndjson)\b/i;

/** Lets in who is signed in; sets the owner everything is looked up for. */
export function requireSignIn(host: Host): MiddlewareHandler<Env> {
  return async (c, next) => {
    if (isPublic(c.req.path)) return next();
    const authorization = c.req.header('authorization');
    const bearer = authorization?.match(/^Bearer (.+)$/i)?.[1] ?? c.req.header('x-api-key');
    const wrong = authorization !== undefined && bearer === undefined ? '' : bearer;
    const visitor = await host.signIns.visitor({ cookie: readSession(c), bearer: wrong });
    if (!visitor)
      throw new CeriseError('unauthenticated', say('not-signed-in')`You are not signed in.`, {
        hint: say(
          'not-signed-in-hint',
        )`Sign in on the page, or send an API key or CERISE_TOKEN as a bearer token.`,
      });
    assertScope(visitor, c.req);
    await host.enter(visitor.owner, { looksAtServers: serversPath.test(c.req.path) });
    c.env?.signedIn?.(visitor.owner);
    c.set('owner', visitor.owner);
    c.set('visitor', visitor);
    return next();
  };
}

/** A key may be made for less than its owner may do. */
function assertScope({ credential }: Visitor, request: { method: string; path: string }): void {
  if (credential.kind !== 'key') return;
  const needed = scopeOf(request);
  if (isEnough(credential.scopes, needed)) return;
  throw new CeriseError(
    'forbidden',
    say('key-scope')`This key may not do that: it needs the scope ${needed}.`,
    {
      hint: say('key-scope-hint')`Make another key in Settings → Account.`,
    },
  );
}
