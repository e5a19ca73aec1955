import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { acceptCallback, authorizationUrl, readCallback } from './authorization.ts';
import { defaultServerMetadata } from './metadata.ts';

const discovery = {
  resource: 'https://mcp.test/mcp',
  dpopRequired: false,
  assumed: false,
  authorizationServer: defaultServerMetadata('https://auth.test'),
};
const request = {
  discovery,
  clientId: 'me',
  redirectUri: 'https://cerise.test/back',
  state: 'state',
  verifier: 'verifier',
};

it('keeps what the address of the page already says', () => {
  const authorizationEndpoint = 'https://auth.test/authorize?tenant=1&response_type=token';
  const server = { ...discovery.authorizationServer, authorizationEndpoint };
  const url = authorizationUrl({
    ...request,
    discovery: { ...discovery, authorizationServer: server },
    scope: ['a', 'offline_access'],
  });
  expect(Object.fromEntries(url.searchParams)).toEqual({
    tenant: '1',
    response_type: 'code',
    client_id: 'me',
    redirect_uri: 'https://cerise.test/back',
    state: 'state',
    code_challenge: createHash('sha256').update('verifier').digest('base64url'),
    code_challenge_method: 'S256',
    resource: 'https://mcp.test/mcp',
    scope: 'a offline_access',
    prompt: 'consent',
  });
});

it('sends nobody to a server without a page', () => {
  const server = { ...discovery.authorizationServer, authorizationEndpoint: undefined };
  const without = { ...discovery, authorizationServer: server };
  expect(() => authorizationUrl({ ...request, discovery: without })).toThrow(
    "doesn't offer a sign-in page",
  );
});

it('takes a code only if it is there once', () => {
  const flow = { issuer: 'https://auth.test', namesIssuer: false };
  const read = (query: string) => readCallback(new URL(`https://cerise.test/back?${query}`));
  expect(acceptCallback(read('code=1'), flow)).toBe('1');
  expect(acceptCallback(read('code=1&iss=https%3A%2F%2Fauth.test'), flow)).toBe('1');
  expect(() => acceptCallback(read('code=1&code=2'), flow)).toThrow('no authorization code');
  expect(() => acceptCallback(read('code='), flow)).toThrow('no authorization code');
  expect(() => acceptCallback(read('code=1&error=x'), flow)).toThrow('rejected the sign-in (x)');
});
