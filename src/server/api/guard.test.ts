// Starts processes.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Hono } from 'hono';
import { describe, expect, it, onTestFinished } from 'vitest';
import { CeriseError } from '#shared/errors/errors.ts';
import {
  dump,
  errorOf,
  openApi,
  ownHost,
  type TestApi,
  token,
} from '../../../test/fixtures/http.ts';
import { addPerson, linkCode } from '../../../test/fixtures/people.ts';
import { hasBody, type RouteSample, sampleRequests } from '../../../test/fixtures/routes.ts';
import { type Access, read } from './access.ts';
import type { Env } from './env.ts';
import { enter } from './guard.ts';
import { findReach } from './reach.ts';

/** Sends every route with these headers; what was answered, by route, where it is not `expected`. */
async function unexpected(
  api: TestApi,
  samples: RouteSample[],
  headers: Record<string, string>,
  expected: string,
): Promise<string[]> {
  const found: string[] = [];
  for (const { method, path, body } of samples) {
    const response = await api.raw(method, path, {
      headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const got = response.ok ? 'let in' : `${response.status} ${(await errorOf(response)).code}`;
    if (response.ok) await response.body?.cancel();
    if (got !== expected) found.push(`${method} ${path}: ${got}`);
    const allowed = [...response.headers.keys()].filter((name) =>
      name.startsWith('access-control'),
    );
    if (allowed.length > 0) found.push(`${method} ${path}: ${allowed.join()}`);
  }
  return found;
}

const bearer = { authorization: `Bearer ${token}` };

describe('every route', () => {
  it('answers nobody without a valid credential, and changes nothing (T04)', async () => {
    let time = Date.now();
    const api = await openApi({ now: () => time });
    const samples = await sampleRequests(api);
    expect(samples.length).toBeGreaterThan(30);
    const { token: session = '' } = (await api.host.signIns.redeem(await linkCode(api.host))) ?? {};
    const cookie = { cookie: `cerise_session=${session}` };
    expect((await api.raw('GET', '/api/topics', { headers: cookie })).status).toBe(200);
    const { key } = await api.json<{ key: string }>('POST', '/api/keys', {
      name: 'runs out',
      scopes: ['admin'],
      expiresAt: time + 1000,
    });
    const { id, cookie: disabled } = await addPerson(api, 'Disabled', 'admin');
    time += 91 * 24 * 3600 * 1000;
    await api.send('PATCH', `/api/users/${id}`, { disabled: true });
    const before = await dump(api);
    const credentials: Record<string, string>[] = [
      {},
      { authorization: 'Bearer wrong' },
      { authorization: 'Bearer ' },
      { authorization: token },
      { authorization: `Basic ${btoa(`admin:${token}`)}` },
      { 'x-api-key': 'wrong' },
      { cookie: 'cerise_session=wrong' },
      { cookie: `cerise_session=${token}` },
      { cookie: 'cerise_session=' },
      cookie,
      { cookie: disabled },
      { authorization: `Bearer ${key}` },
      { 'x-api-key': key },
    ];
    // A wrong key has OpenAI's own code where its clients come in.
    const isOpenAi = ({ path }: RouteSample) => /^\/v1\/(?!messages)/.test(path);
    const ours = samples.filter((sample) => !isOpenAi(sample));
    const openAis = samples.filter(isOpenAi);
    for (const headers of credentials) {
      expect(await unexpected(api, ours, headers, '401 unauthenticated')).toEqual([]);
      expect(await unexpected(api, openAis, headers, '401 invalid_api_key')).toEqual([]);
    }
    expect(await dump(api)).toBe(before);
  });

  it('refuses what a foreign page or a rebound name sends, and changes nothing (T03)', async () => {
    const api = await openApi();
    const samples = await sampleRequests(api);
    const before = await dump(api);
    const foreign: [Record<string, string>, string][] = [
      [{ host: 'evil.test' }, '403 foreign_host'],
      [{ host: 'localhost.evil' }, '403 foreign_host'],
      [{ host: `${ownHost}.evil` }, '403 foreign_host'],
      [{ host: 'cerise.test' }, '403 foreign_host'],
      [{ host: '' }, '403 foreign_host'],
      [{ origin: 'http://evil.test' }, '403 foreign_origin'],
      [{ origin: `http://${ownHost}.evil` }, '403 foreign_origin'],
      [{ origin: 'null' }, '403 foreign_origin'],
      [{ origin: '' }, '403 foreign_origin'],
      [{ 'sec-fetch-site': 'cross-site' }, '403 foreign_origin'],
      [{ 'sec-fetch-site': 'same-site' }, '403 foreign_origin'],
    ];
    for (const [headers, expected] of foreign)
      expect(await unexpected(api, samples, { ...bearer, ...headers }, expected)).toEqual([]);
    expect(await dump(api)).toBe(before);
  });

  it('takes JSON only, since other types are what a foreign page can send unasked', async () => {
    const api = await openApi();
    // These take bytes of any type; where they come from is checked all the same.
    const uploads = new Set(['/api/files', '/api/bundles']);
    const samples = (await sampleRequests(api)).filter(
      ({ method, path }) => hasBody(method) && !uploads.has(path),
    );
    const before = await dump(api);
    const types = [
      'text/plain',
      'text/plain; charset=utf-8',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'text/plain; application/json',
    ];
    for (const type of types) {
      const headers = { ...bearer, 'content-type': type };
      expect(await unexpected(api, samples, headers, '415 unsupported_media_type')).toEqual([]);
    }
    expect(await dump(api)).toBe(before);
  });

  it('answers who has the admin token, as a bearer token or as an API key', async () => {
    for (const headers of [bearer, { 'x-api-key': token }]) {
      const api = await openApi();
      const refused: string[] = [];
      for (const { method, path, body } of await sampleRequests(api)) {
        const response = await api.raw(method, path, {
          headers: { ...headers, 'content-type': 'application/json' },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        });
        await response.body?.cancel();
        if ([401, 403, 405, 415, 500].includes(response.status))
          refused.push(`${method} ${path}: ${response.status}`);
      }
      expect(refused).toEqual([]);
    }
  });

  it('lets our own page in with its cookie', async () => {
    const api = await openApi();
    const { token: session = '' } = (await api.host.signIns.redeem(await linkCode(api.host))) ?? {};
    const response = await api.raw('POST', '/api/topics', {
      headers: {
        cookie: `cerise_session=${session}`,
        origin: `http://${ownHost}`,
        'sec-fetch-site': 'same-origin',
        'content-type': 'application/json',
      },
      body: '{}',
    });
    expect(response.status).toBe(201);
  });
});

describe('a route for pages of other sites', () => {
  it('knows a visitor by a token, and never by a cookie', async () => {
    const { host } = await openApi();
    const { token: session = '' } = (await host.signIns.redeem(await linkCode(host))) ?? {};
    const cookie = `cerise_session=${session}`;
    const statusOf = async (access: Access, headers: Record<string, string>) => {
      const app = new Hono<Env>();
      app.use(findReach({}));
      app.onError((error, c) => c.text(error instanceof CeriseError ? error.code : 'bug', 400));
      app.get('/', async (c) => {
        await enter(host, c, access);
        return c.text(c.var.owner === '' ? 'nobody' : 'somebody');
      });
      return (await app.request('/', { headers: { host: ownHost, ...headers } })).text();
    };
    const open = { ...read, origins: 'any-without-cookies' } as const;
    expect(await statusOf(read, { cookie })).toBe('somebody');
    expect(await statusOf(open, { cookie })).toBe('unauthenticated');
    expect(await statusOf(open, { cookie, origin: 'https://evil.test' })).toBe('unauthenticated');
    expect(await statusOf(open, { ...bearer, origin: 'https://app.test' })).toBe('somebody');
    expect(await statusOf(read, { ...bearer, origin: 'https://app.test' })).toBe('foreign_origin');
  });
});

describe('the way in', () => {
  it('is public for health alone', async () => {
    let draining = false;
    const api = await openApi({ isDraining: () => draining });
    expect(await (await api.raw('GET', '/healthz')).json()).toEqual({ status: 'ok' });
    expect((await api.raw('GET', '/readyz')).status).toBe(200);
    draining = true;
    expect((await api.raw('GET', '/readyz')).status).toBe(503);
    expect((await api.raw('GET', '/healthz')).status).toBe(200);
  });

  it.each(['/%61pi/topics', '/api/../api/topics'])(
    'is closed at %s, however it is written',
    async (path) => {
      const api = await openApi();
      expect(await errorOf(await api.raw('GET', path))).toMatchObject({ code: 'unauthenticated' });
    },
  );

  const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND', 'QUERY'];

  it('T86: says in JSON what is not there, for every method, and never shows the page', async () => {
    const webRoot = await mkdtemp(join(tmpdir(), 'cerise-page-'));
    onTestFinished(() => rm(webRoot, { recursive: true }));
    await writeFile(join(webRoot, 'index.html'), 'the page');
    const api = await openApi({ webRoot });
    const paths = [
      '/api',
      '/api/',
      '/api//topics',
      '/api/unknown',
      '/%61pi/unknown',
      '/api/%ff',
      '/%61pi/%E0%A4%A',
      '/v1%2fmodels/%',
      '/api/topics/a/b/c',
      '/v1',
      '/v1/nothing',
      '/metrics',
      '/metrics/x',
      '/mcp/',
      '/mcp/server/x',
      '/MCP',
      '//api/topics',
      '//v1/nothing',
      '/API/topics',
      '/api%5ctopics',
      '/api;v=1/topics',
      '/api%ff',
      '/metrics%20',
    ];
    for (const headers of [{}, bearer])
      for (const path of paths)
        for (const method of methods) {
          const response = await api.raw(method, path, { headers });
          const type = response.headers.get('content-type');
          expect([response.status, type], `${method} ${path}`).toEqual([404, 'application/json']);
          if (method !== 'HEAD')
            expect(await errorOf(response)).toMatchObject({ code: 'not_found' });
        }
    expect((await api.raw('PUT', '/api/topics', { headers: bearer })).status).toBe(404);
    expect(await (await api.raw('GET', '/apiary')).text()).toBe('the page');
  });

  it('prefers no credential over another: a wrong bearer is not saved by a good cookie', async () => {
    const api = await openApi();
    const { token: session = '' } = (await api.host.signIns.redeem(await linkCode(api.host))) ?? {};
    const headers = { cookie: `cerise_session=${session}`, authorization: 'Bearer wrong' };
    expect((await api.raw('GET', '/api/topics', { headers })).status).toBe(401);
  });

  it('allows no preflight', async () => {
    const api = await openApi();
    const response = await api.raw('OPTIONS', '/api/topics', {
      headers: { origin: 'http://evil.test', 'access-control-request-method': 'POST' },
    });
    expect(response.status).toBe(403);
    expect(
      [...response.headers.keys()].filter((name) => name.startsWith('access-control')),
    ).toEqual([]);
  });

  it('lets a person follow a link from another site to the page, which changes nothing', async () => {
    const api = await openApi();
    const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' };
    expect((await api.raw('GET', '/healthz', { headers })).status).toBe(200);
    const post = await api.raw('POST', '/api/topics', { headers: { ...headers, ...bearer } });
    expect(post.status).toBe(403);
  });
});
