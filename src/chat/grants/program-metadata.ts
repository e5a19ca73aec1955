import { z } from 'zod';
import { plainLine } from '#shared/text/plain-line.ts';
import { OAuthFailure } from './oauth-failure.ts';
import { isRedirectUri } from './redirect-uri.ts';

const maxRedirects = 20;
const maxNameChars = 100;

const metadataSchema = z.object({
  client_name: z.string().max(1000).optional().catch(undefined),
  redirect_uris: z.array(z.string()).min(1).max(maxRedirects),
  grant_types: z.array(z.string()).max(20).optional(),
  response_types: z.array(z.string()).max(20).optional(),
  token_endpoint_auth_method: z.string().optional(),
});

/** How a program authenticates at the token endpoint. */
export const authMethods = ['none', 'client_secret_basic', 'client_secret_post'] as const;
type AuthMethod = (typeof authMethods)[number];

/** The metadata of a program (RFC 7591), validated. */
export interface ProgramMetadata {
  name: string;
  redirectUris: string[];
  authMethod: AuthMethod;
}

/** Throws OAuthFailure if a program like this cannot be connected. */
export function readProgramMetadata(document: unknown): ProgramMetadata {
  const parsed = metadataSchema.safeParse(document);
  if (!parsed.success)
    throw new OAuthFailure(
      'invalid_client_metadata',
      `The metadata needs 1 to ${maxRedirects} redirect_uris.`,
    );
  const { client_name: name = '', redirect_uris: redirectUris, ...rest } = parsed.data;
  if (!redirectUris.every(isRedirectUri))
    throw new OAuthFailure(
      'invalid_redirect_uri',
      'Redirect URIs must use https, http on a loopback address, or a scheme of the program, without a fragment.',
    );
  const { grant_types: grants, response_types: responses } = rest;
  if (grants?.includes('authorization_code') === false || responses?.includes('code') === false)
    throw new OAuthFailure(
      'invalid_client_metadata',
      'Only the authorization code grant is supported.',
    );
  const { token_endpoint_auth_method: method = 'client_secret_basic' } = rest;
  return { name: plainLine(name, maxNameChars), redirectUris, authMethod: authMethodOf(method) };
}

function authMethodOf(method: string): AuthMethod {
  const known = authMethods.find((each) => each === method);
  if (known) return known;
  throw new OAuthFailure(
    'invalid_client_metadata',
    `token_endpoint_auth_method must be one of ${authMethods.join(', ')}.`,
  );
}
