import type { Context, MiddlewareHandler } from 'hono';
import type { Host } from '#chat/host/host.ts';
import { assertAdmin, type Visitor } from '#chat/people/visitor.ts';
import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import { collectBytes } from '#shared/text/byte-collector.ts';
import { bodyTooLarge } from './parse-body.ts';
import { incomingBytes, incomingText } from '../http/incoming-bytes.ts';
import { type Access, type BodyKind, isEnough } from './access.ts';
import type { Env } from './env.ts';
import { readSession } from './reach.ts';

/** Refuses requests to a rebound name, before anything else happens. */
export function refuseForeignHost(allowedHosts: () => ReadonlySet<string>): MiddlewareHandler<Env> {
  return async (c, next) => {
    if (allowedHosts().has((c.req.header('host') ?? '').toLowerCase())) return next();
    throw new CeriseError(
      'foreign_host',
      say('not-our-address')`Cerise doesn't accept requests for this address.`,
      {
        hint: say(
          'not-our-address-hint',
        )`Use the address printed at startup, or add this host name to CERISE_ALLOWED_HOSTS.`,
      },
    );
  };
}

/** Lets a request in to the route it matched, or throws; sets the owner everything is looked up for. */
export async function enter(host: Host, c: Context<Env>, access: Access): Promise<void> {
  refuseForeignPage(c.req.raw, access.origins);
  if (!access.public) await signedIn(host, c, access);
  refuseOtherTypes(c.req.raw, access.body);
}

/** Refuses what a page of another site sent, unless pages of others may call. */
export function refuseForeignPage(request: Request, origins: Access['origins']): void {
  if (origins === 'any-without-cookies') return;
  const origin = request.headers.get('origin');
  const host = (request.headers.get('host') ?? '').toLowerCase();
  const isForeign = origin !== null && !isOwnOrigin(origin, host);
  if (!isForeign && (!isFromOtherSite(request) || isNavigation(request))) return;
  throw new CeriseError(
    'foreign_origin',
    say('other-sites')`Requests from other sites aren't allowed.`,
  );
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

async function signedIn(host: Host, c: Context<Env>, access: Access): Promise<void> {
  const authorization = c.req.header('authorization');
  const bearer = authorization?.match(/^Bearer (.+)$/i)?.[1] ?? c.req.header('x-api-key');
  const wrong = authorization !== undefined && bearer === undefined ? '' : bearer;
  const cookie = access.origins === 'own' ? readSession(c) : undefined;
  const { address } = c.var.reach;
  const visitor = await host.signIns.visitor({ cookie, bearer: wrong, address });
  if (!visitor)
    throw new CeriseError('unauthenticated', say('not-signed-in')`You're not signed in.`, {
      hint: say(
        'not-signed-in-hint',
      )`Sign in on the web page, or send an API key or CERISE_TOKEN as a bearer token.`,
    });
  assertScope(visitor, access);
  assertMeant(visitor, access, c.req.url);
  if (access.admin) assertAdmin(visitor);
  await host.enter(visitor.owner, { looksAtServers: access.looksAtServers === true });
  c.env?.signedIn?.(visitor.owner);
  c.set('owner', visitor.owner);
  c.set('visitor', visitor);
}

/** A key may be made for less than its owner may do. */
function assertScope({ credential }: Visitor, { scope: needed }: Access): void {
  if (credential.kind !== 'key' || !needed || isEnough(credential.scopes, needed)) return;
  throw new CeriseError(
    'forbidden',
    say('key-scope')`This API key doesn't have permission: it needs the ${needed} scope.`,
    {
      hint: say('key-scope-hint')`Create another key in Settings → Account.`,
    },
  );
}

/** The token of a connected program is good for the address that it was given for, and nowhere else. */
function assertMeant({ credential }: Visitor, { programs }: Access, url: string): void {
  if (credential.kind !== 'grant') return;
  const { resource } = credential;
  const { pathname } = new URL(url);
  const isMeant = pathname === resource || (resource === '/mcp' && pathname.startsWith('/mcp/'));
  if (programs && isMeant) return;
  throw new CeriseError(
    programs ? 'unauthenticated' : 'forbidden',
    say('token-elsewhere')`This token is only valid for ${resource}.`,
    { hint: say('token-elsewhere-hint')`Create an API key in Settings → Account.` },
  );
}

const types: Record<BodyKind, RegExp> = {
  none: /^application\/json\b/i,
  json: /^application\/json\b/i,
  'large-json': /^application\/json\b/i,
  form: /^application\/x-www-form-urlencoded\b/i,
  lines: /^application\/(?:json|x-ndjson)\b/i,
  bytes: /^/,
};

/** Forms and plain text are what foreign pages can send without asking; only `bytes` may be of any type. */
function refuseOtherTypes({ method, headers }: Request, kind: BodyKind): void {
  if (method === 'GET' || method === 'HEAD') return;
  const type = headers.get('content-type') ?? '';
  const isChunked = headers.get('transfer-encoding') !== null;
  const isEmpty = type === '' && (headers.get('content-length') ?? '0') === '0' && !isChunked;
  if (isEmpty || types[kind].test(type)) return;
  throw new CeriseError(
    'unsupported_media_type',
    kind === 'form'
      ? say('body-form')`The request body must be application/x-www-form-urlencoded.`
      : say('body-type')`The request body must be application/json.`,
  );
}

/** The body of a request as text. Throws `body_too_large`, and `cancelled` where the client breaks off. */
export async function readText(request: Request, most: number): Promise<string> {
  const announced = Number(request.headers.get('content-length') ?? NaN);
  if (announced > most) throw bodyTooLarge(most);
  // HTTP holds a body to the length that it announces, and to read it as a stream costs many times as much.
  if (announced <= most) return incomingText(request);
  const body = await collectBytes(incomingBytes(request), most, () => bodyTooLarge(most));
  return new TextDecoder().decode(body);
}
