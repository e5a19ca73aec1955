import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { ServerAuth } from '#shared/vocabulary/server-auth.ts';
import { chooseAlgorithm, readPrivateKey, signJwt } from './jwt.ts';
import type { AuthorizationServer } from './metadata.ts';

/** Who we are to one authorization server. `method` is how a registration told us to prove it. */
export const oauthClientSchema = z.object({
  id: z.string(),
  /** `configured` clients take their secrets from the configuration each time. */
  source: z.enum(['configured', 'document', 'registered']),
  secret: z.string().optional(),
  privateKey: z.string().optional(),
  method: z.string().optional(),
});
export type OAuthClient = z.infer<typeof oauthClientSchema>;

/** The client a person entered, if any. */
export function configuredClient(settings: ServerAuth | undefined): OAuthClient | undefined {
  if (settings?.clientId === undefined) return undefined;
  const { clientId, clientSecret, privateKey } = settings;
  return { id: clientId, source: 'configured', secret: clientSecret, privateKey };
}

/** What proves to a token endpoint who asks. */
export interface ClientProof {
  headers: Record<string, string>;
  parameters: Record<string, string>;
}

const assertionLifeSeconds = 300;

/** Authenticates a client in the strongest way that it and the authorization server both know. */
export function proveClient(
  client: OAuthClient,
  server: Pick<AuthorizationServer, 'issuer' | 'authMethods' | 'authAlgorithms'>,
  now: number,
): ClientProof {
  switch (chooseMethod(client, server.authMethods)) {
    case 'private_key_jwt':
      return { headers: {}, parameters: assertion(client, server, now) };
    case 'client_secret_basic':
      return { headers: { authorization: basic(client.id, client.secret ?? '') }, parameters: {} };
    case 'client_secret_post':
      return {
        headers: {},
        parameters: { client_id: client.id, client_secret: client.secret ?? '' },
      };
    default:
      return { headers: {}, parameters: { client_id: client.id } };
  }
}

function chooseMethod(client: OAuthClient, supported: readonly string[] | undefined): string {
  if (client.privateKey !== undefined) return 'private_key_jwt';
  if (client.secret === undefined) return 'none';
  const methods = ['client_secret_basic', 'client_secret_post', 'none'];
  if (client.method !== undefined && methods.includes(client.method)) return client.method;
  return methods.find((name) => supported?.includes(name) === true) ?? 'client_secret_basic';
}

function assertion(
  client: OAuthClient,
  server: Pick<AuthorizationServer, 'issuer' | 'authAlgorithms'>,
  now: number,
): Record<string, string> {
  const { key, keyId } = readPrivateKey(client.privateKey ?? '');
  const issuedAt = Math.floor(now / 1000);
  const header = { alg: chooseAlgorithm(key, server.authAlgorithms), kid: keyId };
  const claims = {
    iss: client.id,
    sub: client.id,
    aud: server.issuer,
    iat: issuedAt,
    exp: issuedAt + assertionLifeSeconds,
    jti: randomUUID(),
  };
  return {
    client_id: client.id,
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: signJwt(header, claims, key),
  };
}

/** RFC 6749 has both parts form-encoded; a space as %20, which every decoder of forms reads too. */
function basic(id: string, secret: string): string {
  const text = `${encodeURIComponent(id)}:${encodeURIComponent(secret)}`;
  return `Basic ${Buffer.from(text).toString('base64')}`;
}
