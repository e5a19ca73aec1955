import type { Ask } from '#mcp/auth/ask.ts';
import type { Authorizer } from '#mcp/auth/authorizer.ts';
import { createAuthorizer } from '#mcp/auth/server-authorizer.ts';
import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import { isLoopback } from '#shared/text/loopback.ts';
import type { Limits } from '#shared/vocabulary/limits.ts';
import type { CredentialPort, Logger } from '#shared/vocabulary/ports.ts';
import type { ServerConfig, ServerRecord } from '#shared/vocabulary/server.ts';

export type HttpConfig = Extract<ServerConfig, { baseUrl: string }>;

/** What gives the requests of a connection their credentials; nothing for servers on this machine. */
export function authorizerFor(
  { id, owner, config, publicOnly }: ServerRecord,
  deps: {
    credentials: CredentialPort;
    limits: Pick<Limits, 'connectTime'>;
    logger: Logger;
    now: () => number;
  },
): Authorizer | undefined {
  if (!isHttp(config)) return undefined;
  const { credentials, limits, logger, now } = deps;
  return createAuthorizer({
    server: { id, url: config.baseUrl, owner },
    ...(config.auth && { settings: config.auth }),
    credentials,
    ask: askFor(config, limits, publicOnly),
    log: logger,
    now,
  });
}

export function isHttp(config: ServerConfig): config is HttpConfig {
  return config.type === 'streamableHttp' || config.type === 'sse';
}

/**
 * Requests for a sign-in are few, so each has its own connection. They go to the public internet, to the
 * addresses a person configured, and from a server on this machine to others on it.
 */
export function askFor(
  config: HttpConfig,
  { connectTime }: Pick<Limits, 'connectTime'>,
  publicOnly = false,
): Ask {
  return async (request) => {
    const { allowHostOf, createHttp } = await import('#mcp/http/http-client.ts');
    const { requestText } = await import('#mcp/http/http-request.ts');
    const named = addressesIn(config).map((address) => allowHostOf(new URL(address)));
    const isLocal = isLoopback(new URL(config.baseUrl));
    const http = createHttp({
      connectTime,
      allow: (host, port) =>
        !publicOnly && (named.some((allows) => allows(host, port)) || (isLocal && isHere(host))),
    });
    try {
      return await requestText(http, request);
    } catch (error) {
      throw error instanceof CeriseError && error.code === 'address_blocked'
        ? explainBlocked(error, request.url)
        : error;
    } finally {
      await http.close();
    }
  };
}

function addressesIn({ baseUrl, auth }: HttpConfig): string[] {
  const idp = auth?.grant === 'enterprise' ? auth.idpTokenEndpoint : undefined;
  return [baseUrl, auth?.authorizationServer, idp].filter((address) => address !== undefined);
}

function isHere(host: string): boolean {
  const url = URL.parse(`http://${host.includes(':') ? `[${host}]` : host}`);
  return url !== null && isLoopback(url);
}

function explainBlocked(cause: CeriseError, { host }: URL): CeriseError {
  const message = say(
    'sign-in-private',
  )`The server's sign-in page is at ${host}, which isn't on the public internet.`;
  const hint = say(
    'sign-in-private-hint',
  )`If you trust it, set it as the authorization server in this server's settings.`;
  return new CeriseError('address_blocked', message, { hint, cause });
}
