import type { Agent, Response } from 'undici';
import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import { systemCode } from '#shared/errors/system-code.ts';
import { collectBytes } from '#shared/text/byte-collector.ts';
import { addressBlocked, checkUrl, isAllowed } from '../../http/address-policy.ts';
import { guardedConnector, type Resolve } from '../../http/guarded-connect.ts';
import { undici } from '../../http/undici.ts';

const maxBodyBytes = 5 * 1024 * 1024;
const maxRedirects = 3;
const maxTimeMs = 30_000;
const connectTimeoutMs = 10_000;

export interface GuardedRequest {
  url: string;
  /** `host` or `host:port` entries that may be reached although they are private. */
  allow: readonly string[];
  signal: AbortSignal;
  headers?: Record<string, string> | undefined;
  /** Sent as JSON with POST; such a request follows no redirect. */
  body?: unknown;
  /** The largest answer, and how long all of it may take; 5 MiB and 30 s unless said otherwise. */
  most?: { bytes: number; timeMs: number };
  resolve?: Resolve;
}

/** A whole answer, decompressed, of a status below 400. */
export interface FetchedPage {
  /** Where the last redirect led. */
  url: string;
  contentType: string;
  body: Uint8Array<ArrayBuffer>;
}

/**
 * Fetches from the public internet only. Every hop is judged by the address that is then connected
 * to; size, time and redirects are bounded. Throws CeriseError for everything expected.
 */
export async function guardedFetch(request: GuardedRequest): Promise<FetchedPage> {
  const time = AbortSignal.timeout(request.most?.timeMs ?? maxTimeMs);
  const signal = AbortSignal.any([request.signal, time]);
  const agent = guardedAgent(request.allow, request.resolve);
  try {
    return await follow(request, agent, signal);
  } catch (error) {
    throw asCeriseError(error, request, time);
  } finally {
    await agent.destroy();
  }
}

async function follow(
  request: GuardedRequest,
  dispatcher: Agent,
  signal: AbortSignal,
): Promise<FetchedPage> {
  let url = checkUrl(request.url, request.allow);
  let headers = sendableHeaders(request.headers ?? {});
  for (let hop = 0; hop <= maxRedirects; hop += 1) {
    const response = await undici().fetch(url, {
      dispatcher,
      signal,
      redirect: 'manual',
      headers,
      ...(request.body !== undefined && { method: 'POST', body: JSON.stringify(request.body) }),
    });
    const next = redirectTarget(response, url);
    if (!next || request.body !== undefined)
      return readPage(response, url, request.most?.bytes ?? maxBodyBytes);
    await response.body?.cancel();
    const target = checkUrl(next, request.allow);
    if (target.origin !== url.origin) headers = sendableHeaders({});
    url = target;
  }
  throw new CeriseError(
    'http_error',
    say('fetch-redirects')`The page redirects more than ${maxRedirects} times.`,
  );
}

function redirectTarget(response: Response, base: URL): string | undefined {
  const location = response.headers.get('location');
  if (![301, 302, 303, 307, 308].includes(response.status) || !location) return undefined;
  return URL.parse(location, base)?.href ?? location;
}

async function readPage(response: Response, url: URL, most: number): Promise<FetchedPage> {
  if (!response.ok) {
    await response.body?.cancel();
    const status = `${response.status} ${response.statusText}`.trim();
    throw new CeriseError(
      'http_error',
      say('http-status')`${url.host} responded with HTTP status ${status}.`,
    );
  }
  const tooLarge = () =>
    new CeriseError(
      'result_too_large',
      say('fetch-large')`The page is larger than ${most / 1024 ** 2} MiB.`,
    );
  const body = await collectBytes(response.body, most, tooLarge);
  const contentType = response.headers.get('content-type') ?? '';
  return { url: url.href, contentType, body: new Uint8Array(body) };
}

/** Headers that would change where the request goes or how it is framed are left out. */
const keptBack = new Set(
  (
    'accept-encoding connection content-length expect host keep-alive origin proxy-authenticate ' +
    'proxy-authorization te trailer transfer-encoding upgrade via'
  ).split(' '),
);

function sendableHeaders(wanted: Record<string, string>): Record<string, string> {
  const headers: Record<string, string> = {
    accept: '*/*',
    'user-agent': 'Mozilla/5.0 (compatible; Cerise)',
  };
  for (const [name, value] of Object.entries(wanted)) {
    if (!/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/.test(name) || /[^\t\x20-\x7E]/.test(value)) {
      throw new CeriseError(
        'invalid_arguments',
        say('fetch-header')`The header "${name}" can't be sent.`,
      );
    }
    if (!keptBack.has(name.toLowerCase())) headers[name.toLowerCase()] = value;
  }
  return headers;
}

function guardedAgent(allow: readonly string[], resolve?: Resolve): Agent {
  return new (undici().Agent)({
    connect: guardedConnector({
      allows: (host, port) => isAllowed(host, port, allow),
      refuse: addressBlocked,
      connectTime: connectTimeoutMs,
      ...(resolve && { resolve }),
    }),
  });
}

function asCeriseError(error: unknown, request: GuardedRequest, time: AbortSignal): CeriseError {
  if (error instanceof CeriseError) return error;
  const reason = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (reason instanceof CeriseError) return reason;
  const options = { cause: error };
  if (time.aborted)
    return new CeriseError(
      'timed_out',
      say(
        'fetch-late',
      )`The page didn't load within ${(request.most?.timeMs ?? maxTimeMs) / 1000} s.`,
      options,
    );
  if (request.signal.aborted)
    return new CeriseError('cancelled', say('fetch-cancelled')`The fetch was cancelled.`, options);
  const code = systemCode(reason) ?? '';
  const host = URL.parse(request.url)?.host ?? 'the host';
  switch (code) {
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new CeriseError(
        'connection_refused',
        say('fetch-no-address')`${host} couldn't be resolved.`,
        options,
      );
    case 'ECONNREFUSED':
      return new CeriseError(
        'connection_refused',
        say('fetch-refused')`${host} refused the connection.`,
        options,
      );
    case 'UND_ERR_CONNECT_TIMEOUT':
      return new CeriseError(
        'timed_out',
        say('fetch-unreachable')`${host} couldn't be reached within 10 s.`,
        options,
      );
    default:
      return new CeriseError(
        'connection_lost',
        say('fetch-failed')`${host} couldn't be read${code && ` (${code})`}.`,
        options,
      );
  }
}
