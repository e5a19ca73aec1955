import { describe, expect, it } from 'vitest';
import type { Ask } from './ask.ts';
import { exchangeIdentity, requestToken, type TokenRequest } from './token-endpoint.ts';

const request: TokenRequest = {
  server: { issuer: 'https://auth.test', tokenEndpoint: 'https://auth.test/token' },
  client: { id: 'me', source: 'configured' },
  parameters: { grant_type: 'client_credentials' },
  now: () => 1000,
};
const answering =
  (status: number, text: string): Ask =>
  async ({ url }) => ({ status, headers: {}, text, url });
const ask = (body: unknown, status = 200): Promise<unknown> =>
  requestToken(answering(status, JSON.stringify(body)), request);

describe('requestToken', () => {
  it('reads what it is given, and how long it lasts', async () => {
    expect(await ask({ access_token: 'a', token_type: 'bearer', expires_in: '60' })).toEqual({
      accessToken: 'a',
      tokenType: 'Bearer',
      expiresAt: 61_000,
    });
    expect(
      await ask({ access_token: 'a', expires_in: 'soon', refresh_token: 'r', scope: 's' }),
    ).toEqual({
      accessToken: 'a',
      tokenType: 'Bearer',
      refreshToken: 'r',
      scope: 's',
    });
  });

  it.each([null, '', -1, [], 'soon'])('takes no end from expires_in %j', async (expires) => {
    expect(await ask({ access_token: 'a', expires_in: expires })).not.toHaveProperty(
      'expiresAt',
      expect.anything(),
    );
  });

  it.each([
    [{}],
    [{ access_token: '' }],
    [{ access_token: 'a\r\nX-Evil: 1' }],
    [{ access_token: 'a', token_type: 'mac' }],
    [{ access_token: 'a', token_type: 'DPoP' }],
    [[]],
  ])('refuses %j', async (body) => {
    await expect(ask(body)).rejects.toMatchObject({ code: 'sign_in_failed' });
  });

  it('keeps the code of a refusal apart from its words', async () => {
    await expect(
      ask({ error: 'invalid_scope', error_description: 'no' }, 400),
    ).rejects.toMatchObject({
      message: 'auth.test rejected the request (invalid_scope: no).',
      details: { status: 400, error: 'invalid_scope' },
    });
    await expect(requestToken(answering(502, '<html>'), request)).rejects.toMatchObject({
      message: 'auth.test rejected the request with HTTP status 502.',
      details: { status: 502 },
    });
  });
});

it('takes nothing but an identity grant from an identity provider', async () => {
  const exchange = {
    endpoint: new URL('https://idp.test/token'),
    clientId: 'us',
    idToken: 'identity',
    issuer: 'https://auth.test',
    resource: 'https://mcp.test',
  };
  const answer = answering(200, JSON.stringify({ access_token: 'a', token_type: 'Bearer' }));
  await expect(exchangeIdentity(answer, exchange)).rejects.toMatchObject({
    code: 'sign_in_failed',
  });
});
