import type { OAuthFailure, OAuthFailureCode } from '#chat/grants/oauth-failure.ts';
import { errorStatus, type ErrorInfo } from '#shared/errors/errors.ts';
import { oauthPaths } from './oauth-paths.ts';

const programPaths: ReadonlySet<string> = new Set([
  oauthPaths.token,
  oauthPaths.register,
  oauthPaths.revoke,
]);

/** Whether only programs come there, which read errors as OAuth writes them. */
export function isForPrograms(path: string): boolean {
  return programPaths.has(path);
}

/** Why a program got nothing (RFC 6749, 5.2). */
export function oauthFailure({ code, message }: OAuthFailure): Response {
  const response = present(code, message, code === 'invalid_client' ? 401 : 400);
  if (code === 'invalid_client') response.headers.set('www-authenticate', 'Basic realm="Cerise"');
  return response;
}

/** The same for any other error. */
export function oauthError({ code, message, hint }: ErrorInfo): Response {
  const status = errorStatus[code];
  const name = status === 429 || status >= 500 ? 'temporarily_unavailable' : 'invalid_request';
  return present(name, [message, hint].filter(Boolean).join(' '), status);
}

function present(
  error: OAuthFailureCode | 'temporarily_unavailable',
  description: string,
  status: number,
): Response {
  // Printable ASCII without quotes and backslashes is all that the description may hold.
  const plain = description.replaceAll(/[^\u0020\u0021\u0023-\u005b\u005d-\u007e]/g, "'");
  return Response.json({ error, error_description: plain }, { status });
}
