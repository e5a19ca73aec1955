import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  Client,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createApp } from '#server/app.ts';
import { listen } from './fakes/loopback.ts';
import { openApi, type TestApi, token } from './fixtures/http.ts';
import { type Era, eras } from './fixtures/mcp-programs.ts';
import { allowed, issuer, redirectUri } from './fixtures/program.ts';
import { cachedPackage } from './npm-cache.ts';

type Stored = {
  client?: Awaited<ReturnType<OAuthClientProvider['clientInformation']>>;
  tokens?: Awaited<ReturnType<OAuthClientProvider['tokens']>>;
  discovery?: Awaited<ReturnType<NonNullable<OAuthClientProvider['discoveryState']>>>;
  verifier?: string;
  /** Where the program sent the browser last. */
  page?: URL;
};

/** What a program of the official SDK keeps. */
function newProvider(stored: Stored): OAuthClientProvider {
  return {
    redirectUrl: redirectUri,
    clientMetadata: { client_name: 'SDK', redirect_uris: [redirectUri] },
    state: () => 'the state',
    clientInformation: () => stored.client,
    saveClientInformation: (client) => void (stored.client = client),
    tokens: () => stored.tokens,
    invalidateCredentials: () => void delete stored.tokens,
    saveTokens: (tokens) => void (stored.tokens = tokens),
    redirectToAuthorization: (url) => void (stored.page = url),
    saveCodeVerifier: (verifier) => void (stored.verifier = verifier),
    codeVerifier: () => stored.verifier ?? '',
    saveDiscoveryState: (discovery) => void (stored.discovery = discovery),
    discoveryState: () => stored.discovery,
  };
}

const current: Sdk = { Client, StreamableHTTPClientTransport };

interface Sdk {
  Client: typeof Client;
  StreamableHTTPClientTransport: typeof StreamableHTTPClientTransport;
}

/** A program that signs in to a host in this process, as its SDK does it. */
function newProgram(api: TestApi, era: Era, path: string, stored: Stored, sdk = current) {
  const transport = new sdk.StreamableHTTPClientTransport(new URL(`${issuer}${path}`), {
    authProvider: newProvider(stored),
    fetch: (url, init) => {
      const { pathname, search } = new URL(String(url));
      const headers = Object.fromEntries(new Headers(init?.headers));
      const body = init?.body instanceof URLSearchParams ? init.body.toString() : init?.body;
      const sent = { ...init, headers, ...(body !== undefined && { body }) };
      return api.raw(init?.method ?? 'GET', `${pathname}${search}`, sent);
    },
  });
  const mode = era === 'modern' ? { pin: '2026-07-28' as const } : 'legacy';
  const client = new sdk.Client(
    { name: 'a program', version: '1.0.0' },
    { versionNegotiation: { mode } },
  );
  onTestFinished(() => client.close());
  return { client, transport };
}

describe.each(eras)('the official client of the %s revision (T96)', (era) => {
  it.each(['/mcp', '/mcp/time'])(
    'signs in to %s, refreshes its token, and signs in again',
    async (path) => {
      let now = Date.now();
      const api = await openApi({ publicUrl: issuer, now: () => now });
      const stored: Stored = {};
      const stranger = newProgram(api, era, path, stored);
      await expect(stranger.client.connect(stranger.transport)).rejects.toThrow(UnauthorizedError);
      expect(stored.page?.href).toContain(`${issuer}/oauth/authorize?`);

      const back = await allowed(api, Object.fromEntries(stored.page?.searchParams ?? []));
      expect(back.searchParams.get('state')).toBe('the state');
      await stranger.transport.finishAuth(back.searchParams);
      const { client, transport } = newProgram(api, era, path, stored);
      await client.connect(transport);
      const { tools } = await client.listTools();
      const { name = '' } = tools.find((tool) => tool.name.endsWith('get_current_time')) ?? {};
      const call = () => client.callTool({ name, arguments: { timezone: 'Asia/Tokyo' } });
      expect(JSON.stringify(await call())).toContain('Asia/Tokyo');

      const first = stored.tokens?.access_token;
      now += 2 * 3_600_000;
      expect(JSON.stringify(await call())).toContain('Asia/Tokyo');
      expect(stored.tokens?.access_token).not.toBe(first);

      const { grants } = await api.json<{ grants: { id: string }[] }>('GET', '/api/grants');
      await api.send('DELETE', `/api/grants/${grants[0]?.id}`);
      delete stored.page;
      await expect(call()).rejects.toThrow();
      expect(stored.page).toBeDefined();
    },
  );
});

describe('programs that people have (T96)', () => {
  it('sign in with SDK 1.x', async ({ skip }) => {
    const folder = await cachedPackage('@modelcontextprotocol/sdk', '1.32.2');
    if (folder === undefined) return skip('It could not be installed.');
    const load = (name: string) =>
      import(pathToFileURL(join(folder, 'dist/esm/client', name)).href) as Promise<Sdk>;
    const sdk = { ...(await load('index.js')), ...(await load('streamableHttp.js')) };
    const api = await openApi({ publicUrl: issuer });
    const stored: Stored = {};
    const stranger = newProgram(api, 'legacy', '/mcp/time', stored, sdk);
    await expect(stranger.client.connect(stranger.transport)).rejects.toThrow('Unauthorized');
    const back = await allowed(api, Object.fromEntries(stored.page?.searchParams ?? []));
    await stranger.transport.finishAuth(back.searchParams.get('code') ?? '');
    const { client, transport } = newProgram(api, 'legacy', '/mcp/time', stored, sdk);
    await client.connect(transport);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain('get_current_time');
  });

  it('sign in as another Cerise', async () => {
    const lender = await openApi();
    let host = '';
    const app = createApp(lender.host, { allowedHosts: () => new Set([host]) });
    const served = await listen((request) => app.fetch(request));
    onTestFinished(() => served.close());
    ({ host } = new URL(served.url));
    const person: Pick<TestApi, 'send'> = {
      send: (method, path, body) =>
        fetch(`${served.url}${path}`, {
          method,
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          body: JSON.stringify(body),
        }),
    };

    const borrower = await openApi();
    const config = { type: 'streamableHttp', name: 'lent', baseUrl: `${served.url}/mcp/time` };
    const { id } = await borrower.json<{ id: string }>('POST', '/api/servers', config);
    const { authorizationUrl } = await borrower.json<{ authorizationUrl: string }>(
      'POST',
      `/api/servers/${id}/sign-in`,
      { redirectUri },
    );
    const { searchParams } = new URL(authorizationUrl);
    const back = await allowed(person, Object.fromEntries(searchParams));
    const finish = '/api/servers/sign-in/finish';
    expect((await borrower.send('POST', finish, { url: back.href })).status).toBe(200);
    const tools = await borrower.json('GET', `/api/servers/${id}/tools`);
    expect(JSON.stringify(tools)).toContain('get_current_time');
  });
});
