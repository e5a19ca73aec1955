import { CeriseError } from '#shared/errors/errors.ts';
import { say, type Words } from '#shared/errors/sentence.ts';
import type { AuthorizationQuery } from '#shared/api/people-api.ts';
import { isRedirectUri, isRegistered } from './redirect-uri.ts';
import type { Program } from './programs.ts';

/** A program's request for access, validated. */
export interface AuthorizationRequest {
  program: Program;
  redirectUri: string;
  challenge: string;
  state: string | undefined;
  /** The path on this host for which its tokens will be valid. */
  resource: string;
}

/** The addresses of this host. */
export interface OwnAddresses {
  /** Values of the Host header that are ours. */
  hosts: ReadonlySet<string>;
}

const challengeForm = /^[\w-]{43}$/;
/** `/mcp`, or `/mcp/SERVER`. */
const resourceForm = /^\/mcp(?:\/[^/]+)?$/;

/**
 * Validates a request before a person sees it. Nothing is ever sent to a URL that the program did not register, and
 * errors are shown to the person, not sent back. Throws `invalid_request`.
 */
export function readAuthorizationRequest(
  query: AuthorizationQuery,
  program: Program,
  own: OwnAddresses,
): AuthorizationRequest {
  const redirectUri = redirectOf(query, program);
  if (query.response_type !== 'code')
    throw refused(
      say('program-response-type')`The program asked for an unsupported kind of access.`,
    );
  if (query.code_challenge_method !== 'S256' || !challengeForm.test(query.code_challenge ?? ''))
    throw refused(say('program-pkce')`The program doesn't protect its sign-in with PKCE (S256).`);
  return {
    program,
    redirectUri,
    challenge: query.code_challenge ?? '',
    state: query.state,
    resource: resourceOf(query.resource, own),
  };
}

function redirectOf({ redirect_uri: given }: AuthorizationQuery, program: Program): string {
  const [only, ...others] = program.redirectUris;
  const redirect = given ?? (others.length === 0 ? only : undefined);
  if (
    redirect !== undefined &&
    isRedirectUri(redirect) &&
    isRegistered(redirect, program.redirectUris)
  )
    return redirect;
  throw refused(
    say('program-redirect')`The program asked to return to a URL it hasn't registered.`,
  );
}

/** Programs older than 2025-06-18 name none: they get all of `/mcp`. */
function resourceOf(resource: string | undefined, { hosts }: OwnAddresses): string {
  if (resource === undefined) return '/mcp';
  const url = URL.parse(resource);
  const path = url?.pathname.replace(/\/$/, '') ?? '';
  if (url && hosts.has(url.host) && !resource.includes('#') && resourceForm.test(path)) return path;
  throw refused(
    say('program-resource')`The program asked for access to a server other than this one.`,
  );
}

function refused(message: Words): CeriseError {
  return new CeriseError('invalid_request', message, {
    hint: say('program-document-hint')`Contact the program's developer.`,
  });
}
