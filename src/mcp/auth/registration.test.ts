import { describe, expect, it } from 'vitest';
import type { Ask } from './ask.ts';
import { defaultServerMetadata } from './metadata.ts';
import { clientMetadata, findClient, type RegistrationRequest } from './registration.ts';

const server = defaultServerMetadata('https://auth.test');
const redirectUri = 'https://cerise.test/back';
const identity = { name: 'Cerise', metadataUrl: 'https://cerise.test/client.json' };
const request: RegistrationRequest = { server, redirectUri, identity, now: 1000 };

function answering(status: number, body: unknown): { ask: Ask; sent: Record<string, unknown>[] } {
  const sent: Record<string, unknown>[] = [];
  const ask: Ask = async ({ url, body: text }) => {
    sent.push(JSON.parse(text ?? ''));
    return { status, headers: {}, text: JSON.stringify(body), url };
  };
  return { ask, sent };
}

describe('findClient', () => {
  it('prefers the configured client, then the document, then what it registered', async () => {
    const { ask, sent } = answering(201, { client_id: 'new' });
    const documents = { ...server, clientMetadataDocuments: true };
    const known = { id: 'old', redirectUri };
    const settings = { grant: 'authorization_code', clientId: 'mine' } as const;
    const all = { ...request, server: documents, known };
    expect((await findClient(ask, { ...all, settings })).client.id).toBe('mine');
    expect((await findClient(ask, all)).client.id).toBe(identity.metadataUrl);
    expect((await findClient(ask, { ...request, known })).client.id).toBe('old');
    expect(sent).toEqual([]);
    expect((await findClient(ask, request)).made).toEqual({ id: 'new', redirectUri });
    expect(sent).toMatchObject([{ application_type: 'web', redirect_uris: [redirectUri] }]);
  });

  it.each([
    ['http://cerise.test/client.json', [redirectUri]],
    ['https://cerise.test/', [redirectUri]],
    ['https://cerise.test/client.json', ['https://cerise.test/other']],
  ])(
    'does not use a document that would not be accepted (%s, %s)',
    async (metadataUrl, redirectUris) => {
      const { ask } = answering(201, { client_id: 'new' });
      const documents = { ...server, clientMetadataDocuments: true };
      const own = { ...identity, metadataUrl, redirectUris };
      const { client } = await findClient(ask, { ...request, server: documents, identity: own });
      expect(client.id).toBe('new');
    },
  );

  it('lets the port of a loopback address differ from the listed one', async () => {
    const documents = { ...server, clientMetadataDocuments: true };
    const own = { ...identity, redirectUris: ['http://127.0.0.1/back'] };
    const asked = { ...request, server: documents, identity: own };
    const { ask } = answering(201, { client_id: 'new' });
    const local = await findClient(ask, { ...asked, redirectUri: 'http://127.0.0.1:5123/back' });
    expect(local.client.source).toBe('document');
    const other = await findClient(ask, { ...asked, redirectUri: 'http://127.0.0.1:5123/other' });
    expect(other.client.source).toBe('registered');
  });

  it('registers anew when a secret has run out', async () => {
    const { ask } = answering(201, {
      client_id: 'new',
      client_secret: 's',
      client_secret_expires_at: 9,
    });
    const known = { id: 'old', redirectUri, secret: 's', secretExpiresAt: 1000 };
    const { made } = await findClient(ask, { ...request, known });
    expect(made).toMatchObject({ id: 'new', secretExpiresAt: 9000 });
  });

  it('leads to its public address where only that is known there', async () => {
    const { ask } = answering(404, {});
    const documents = { ...server, clientMetadataDocuments: true };
    const own = { ...identity, redirectUris: ['https://cerise.test/back'] };
    const asked = { ...request, server: documents, identity: own };
    const redirect = { redirectUri: 'https://other.test/back' };
    await expect(findClient(ask, { ...asked, ...redirect })).rejects.toMatchObject({
      hint: expect.stringMatching(/Open Cerise at https:\/\/cerise\.test .*other\.test\/back/),
    });
  });

  it.each([
    [404, {}, 'sign_in_required'],
    [403, {}, 'sign_in_failed'],
    [400, { error: 'invalid_client_metadata' }, 'sign_in_failed'],
    [400, { error: 'invalid_redirect_uri', error_description: 'only https' }, 'sign_in_failed'],
    [200, { nothing: true }, 'sign_in_failed'],
    [500, null, 'sign_in_failed'],
  ])('tells a person what to do after %i %j', async (status, body, code) => {
    const { ask } = answering(status, body);
    await expect(findClient(ask, request)).rejects.toMatchObject({
      code,
      hint: expect.stringMatching(/https:\/\/cerise\.test\/back.*client ID/),
      details: { needs: 'client_id', redirectUri },
    });
  });
});

it('describes itself in its document', () => {
  const document = clientMetadata({ ...identity, redirectUris: [redirectUri] });
  expect(document).toMatchObject({
    client_id: identity.metadataUrl,
    client_name: 'Cerise',
    redirect_uris: [redirectUri],
    grant_types: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_method: 'none',
  });
});
