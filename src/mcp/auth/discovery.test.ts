import { describe, expect, it } from 'vitest';
import type { Ask } from './ask.ts';
import { discover, resourceMetadataUrls, serverMetadataUrls } from './discovery.ts';

const server = new URL('https://mcp.test/a/mcp');
const good = {
  issuer: 'https://auth.test',
  token_endpoint: 'https://auth.test/token',
  authorization_endpoint: 'https://auth.test/authorize',
};

/** Answers from a table of documents, else 404. */
function web(documents: Record<string, unknown>): { ask: Ask; asked: string[] } {
  const asked: string[] = [];
  const ask: Ask = async ({ url }) => {
    asked.push(url.href);
    const found = documents[url.href];
    const status = typeof found === 'number' ? found : found === undefined ? 404 : 200;
    const text = typeof found === 'string' ? found : JSON.stringify(found ?? {});
    return { status, headers: {}, text, url };
  };
  return { ask, asked };
}

describe('the places of metadata', () => {
  it('are tried in the order of the specification', () => {
    expect(resourceMetadataUrls(server).map(String)).toEqual([
      'https://mcp.test/.well-known/oauth-protected-resource/a/mcp',
      'https://mcp.test/.well-known/oauth-protected-resource',
    ]);
    expect(resourceMetadataUrls(new URL('https://mcp.test'))).toHaveLength(1);
    expect(serverMetadataUrls('https://auth.test/t1').map(String)).toEqual([
      'https://auth.test/.well-known/oauth-authorization-server/t1',
      'https://auth.test/.well-known/openid-configuration/t1',
      'https://auth.test/t1/.well-known/openid-configuration',
    ]);
    expect(serverMetadataUrls('https://auth.test/').map(String)).toEqual([
      'https://auth.test/.well-known/oauth-authorization-server',
      'https://auth.test/.well-known/openid-configuration',
    ]);
  });
});

describe('discover', () => {
  const place = 'https://mcp.test/.well-known/oauth-protected-resource/a/mcp';
  const issuerPlace = 'https://auth.test/.well-known/oauth-authorization-server';
  const resource = { resource: server.href, authorization_servers: ['https://auth.test'] };

  it('goes first where the refusal points, and looks no further', async () => {
    const { ask, asked } = web({ 'https://mcp.test/me': resource, [issuerPlace]: good });
    const found = await discover(ask, { server, resourceMetadata: 'https://mcp.test/me' });
    expect(found).toMatchObject({ resource: server.href, authorizationServer: { pkce: false } });
    expect(asked).toEqual(['https://mcp.test/me', issuerPlace]);
  });

  it('passes over pages made for people', async () => {
    const { ask } = web({
      [place]: '<html>Not found</html>',
      'https://mcp.test/.well-known/oauth-protected-resource': resource,
      [issuerPlace]: good,
    });
    expect((await discover(ask, { server })).authorizationServer.issuer).toBe('https://auth.test');
  });

  it('stays with the issuer it knows while the server still names it', async () => {
    const both = { ...resource, authorization_servers: ['https://new.test', 'https://auth.test'] };
    const { ask } = web({ [place]: both, [issuerPlace]: good });
    const found = await discover(ask, { server, knownIssuer: 'https://auth.test' });
    expect(found.authorizationServer.issuer).toBe('https://auth.test');
  });

  it('uses no issuer but the configured one', async () => {
    const { ask, asked } = web({ [place]: resource, [issuerPlace]: good });
    await expect(
      discover(ask, { server, requiredIssuer: 'https://mine.test' }),
    ).rejects.toMatchObject({
      code: 'sign_in_failed',
    });
    expect(asked).toEqual([place]);
    const silent = web({ [issuerPlace]: good });
    const found = await discover(silent.ask, { server, requiredIssuer: 'https://auth.test' });
    expect(found.resource).toBe('https://mcp.test/a/mcp');
  });

  it('accepts the slash that URL parsers add, and no other difference', async () => {
    const slashed = { ...resource, authorization_servers: ['https://auth.test/'] };
    expect(
      await discover(web({ [place]: slashed, [issuerPlace]: good }).ask, { server }),
    ).toBeTruthy();
    for (const issuer of ['https://AUTH.test', 'https://auth.test:443', 'https://auth.test//']) {
      const { ask } = web({ [place]: resource, [issuerPlace]: { ...good, issuer } });
      await expect(discover(ask, { server })).rejects.toMatchObject({ code: 'sign_in_failed' });
    }
  });

  it('assumes the paths of 2025-03-26 only where the server names nobody', async () => {
    const { authorizationServer } = await discover(web({}).ask, { server });
    expect(authorizationServer).toMatchObject({
      issuer: 'https://mcp.test',
      tokenEndpoint: 'https://mcp.test/token',
      registrationEndpoint: 'https://mcp.test/register',
    });
    await expect(discover(web({ [place]: resource }).ask, { server })).rejects.toMatchObject({
      messageSaid: { id: 'auth-no-metadata', values: ['auth.test'] },
    });
  });

  it('does not take a failing server for one that publishes nothing', async () => {
    await expect(discover(web({ [place]: 503 }).ask, { server })).rejects.toMatchObject({
      code: 'sign_in_failed',
      details: { status: 503 },
    });
  });

  it('refuses metadata that were moved to an unsafe place', async () => {
    const ask: Ask = async () => ({
      status: 200,
      headers: {},
      text: JSON.stringify(resource),
      url: new URL('http://mcp.test/elsewhere'),
    });
    await expect(discover(ask, { server })).rejects.toMatchObject({ code: 'sign_in_failed' });
  });
});
