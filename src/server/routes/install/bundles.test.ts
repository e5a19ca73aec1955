import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ServerView } from '#shared/api/api.ts';
import type { BundleView } from '#shared/api/bundle-api.ts';
import { helloBundle, helloFiles, settings } from '../../../../test/fixtures/bundles.ts';
import {
  dump,
  errorOf,
  openApi,
  ownHost,
  type TestApi,
  token,
} from '../../../../test/fixtures/http.ts';
import { addPerson } from '../../../../test/fixtures/people.ts';
import { zipOf } from '../../../../test/fixtures/zip.ts';

const authorization = `Bearer ${token}`;
const send = (api: TestApi, bytes: Buffer, headers: Record<string, string> = {}) =>
  api.raw('POST', '/api/bundles', {
    headers: { authorization, ...headers },
    body: new Uint8Array(bytes),
  });

async function stage(api: TestApi, bytes: Buffer): Promise<BundleView> {
  const response = await send(api, bytes);
  expect(response.status, await response.clone().text()).toBe(201);
  return (await response.json()) as BundleView;
}

/** Serves a bundle, and counts who asks for anything. */
async function site(bytes: Buffer) {
  let asked = 0;
  const server = createServer((request, response) => {
    asked += 1;
    const to = new URL(request.url ?? '', 'http://x').searchParams.get('to');
    if (to) response.writeHead(302, { location: to }).end();
    else if (request.url === '/endless') response.write(Buffer.alloc(1024 ** 2));
    else response.end(bytes);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo;
  return { at: `127.0.0.1:${port}`, asked: () => asked };
}

describe('a plain user', () => {
  it('T01, T77: is refused every way in as for any command, on record, and nothing changes', async () => {
    const api = await openApi();
    const { at, asked } = await site(helloBundle());
    const anna = await addPerson(api, 'Anna');
    const { file } = await stage(api, helloBundle());
    const added = await api.json<ServerView>('POST', '/api/bundles/install', { file });
    const stdio = await anna.send('POST', '/api/servers', { name: 'x', command: 'node' });
    const usual = await errorOf(stdio);
    expect(usual).toMatchObject({ status: 403, code: 'admin_only' });
    const before = await api.host.store.db.selectFrom('blob_refs').selectAll().execute();
    const tries = [
      api.raw('POST', '/api/bundles', {
        headers: { cookie: anna.cookie, origin: `http://${ownHost}` },
        body: new Uint8Array(helloBundle()),
      }),
      anna.send('POST', '/api/bundles/fetch', { url: `http://${at}/x.mcpb` }),
      anna.send('POST', '/api/bundles/install', { file }),
      anna.send('POST', '/api/bundles/install', { file, server: added.id }),
      anna.send('PATCH', `/api/bundles/${added.id}`, { values: {} }),
    ];
    for (const response of await Promise.all(tries)) expect(await errorOf(response)).toEqual(usual);
    expect(await api.host.store.db.selectFrom('blob_refs').selectAll().execute()).toEqual(before);
    expect(asked()).toBe(0);
    const audit = await api.host.store.db
      .selectFrom('audit')
      .select('action')
      .where('owner', '=', anna.id)
      .where('action', '=', 'server.refused')
      .execute();
    expect(audit).toHaveLength(tries.length + 1);
    expect(await anna.json('GET', '/api/bundles')).toEqual({ bundles: [] });
    expect((await anna.send('GET', `/api/bundles/${added.id}`)).status).toBe(403);
  });

  it('cannot bring a bundle along by any field, nested or in another case', async () => {
    const api = await openApi();
    const anna = await addPerson(api, 'Anna');
    const { hash } = await stage(api, helloBundle());
    const bundle = { hash, name: 'x', version: '1', publisher: 'x', values: {}, secrets: {} };
    const server = { type: 'stdio', command: 'node', args: [], bundle };
    const http = { type: 'streamableHttp', baseUrl: 'https://example.com', bundle };
    const texts = [server, http, { ...http, Bundle: bundle }].map((one) =>
      JSON.stringify({ mcpServers: { one } }),
    );
    for (const body of [
      { ...server, name: 'x' },
      { ...http, name: 'x' },
    ])
      expect((await anna.send('POST', '/api/servers', body)).status).toBeGreaterThanOrEqual(400);
    const sessionServers = [{ ...server, name: 'x' }];
    for (const who of [anna, api])
      expect(
        (await who.send('POST', '/api/assistants', { name: 'A', sessionServers })).status,
      ).toBeGreaterThanOrEqual(400);
    for (const text of texts) await anna.send('POST', '/api/servers/import', { text });
    for (const text of texts) await api.send('POST', '/api/servers/import', { text });
    expect(JSON.stringify(await api.json('GET', '/api/servers'))).not.toContain(hash);
    expect(JSON.stringify(await anna.json('GET', '/api/servers'))).not.toContain(hash);
  });
});

describe('T05: a bundle that arrives', () => {
  it('is an inactive draft with its whole command, from an unverified publisher', async () => {
    const api = await openApi();
    const args = ['${__dirname}/server/index.js', 'x'.repeat(5000), 'a\u202Eb', '; rm -rf /'];
    const env = { NODE_OPTIONS: '--require ${__dirname}/x.js', TOKEN: 't' };
    const bytes = helloBundle('node', {
      server: { mcp_config: { command: 'node', args, env } },
      autoApprove: ['*'],
      alwaysAllow: ['*'],
      trust: true,
    });
    const view = await stage(api, bytes);
    expect(view).toMatchObject({
      publisher: 'Test Author',
      verified: false,
      runtime: 'node',
      config: { command: 'node', args, env: { NODE_OPTIONS: env.NODE_OPTIONS } },
    });
    const server = await api.json<ServerView>('POST', '/api/bundles/install', { file: view.file });
    expect(server).toMatchObject({ state: 'draft', config: { args } });
    expect(server.config).not.toHaveProperty('autoApprove');
    const early = await api.send('POST', `/api/servers/${server.id}/connect`);
    expect((await errorOf(early)).status).toBe(409);
    expect(await readdir(join(api.place.home, 'bundles')).catch(() => [])).toEqual([]);
  });

  it('T12, T14: is refused where it is hostile, and nothing of it stays', async () => {
    const api = await openApi();
    const { at } = await site(zipOf([...helloFiles(), { name: '../x', data: 'x' }]));
    const before = await dump(api);
    const link = zipOf([...helloFiles(), { name: 'l', data: '/etc', mode: 0o120777 }]);
    expect(await errorOf(await send(api, link))).toMatchObject({
      status: 400,
      code: 'invalid_bundle',
    });
    const allowed = await openApi({ fetchAllow: [at] });
    const fetched = await allowed.send('POST', '/api/bundles/fetch', { url: `http://${at}` });
    expect(await errorOf(fetched)).toMatchObject({ status: 400, code: 'invalid_bundle' });
    for (const { host } of [api, allowed]) {
      await host.blobs.collect();
      expect(await host.store.db.selectFrom('blobs').selectAll().execute()).toEqual([]);
    }
    expect(await readdir(join(api.place.home, 'blobs', 'incoming'))).toEqual([]);
    expect((await dump(api)).length).toBeLessThan(before.length + 2000);
  });

  it('is refused beyond the largest size, announced or not', async () => {
    const api = await openApi({ limits: { bundleSize: 2048 } });
    const bytes = Buffer.alloc(5000);
    const announced = await send(api, bytes, { 'content-length': '5000' });
    expect(await errorOf(announced)).toMatchObject({ status: 413, code: 'file_too_large' });
    const silent = await api.raw('POST', '/api/bundles', {
      headers: { authorization },
      body: new Blob([bytes]).stream(),
      duplex: 'half',
    });
    expect(await errorOf(silent)).toMatchObject({ status: 413, code: 'file_too_large' });
  });

  it('may be larger than a file of a chat', async () => {
    const api = await openApi({ limits: { file: 1024 } });
    await stage(api, helloBundle('node', settings));
  });

  it('cannot be installed by somebody who did not upload it', async () => {
    const api = await openApi();
    const { file } = await stage(api, helloBundle());
    const berta = await addPerson(api, 'Berta', 'admin');
    const response = await berta.send('POST', '/api/bundles/install', { file });
    expect(await errorOf(response)).toMatchObject({ status: 404, code: 'file_not_found' });
  });
});

describe('T98: a bundle from an address', () => {
  it('is fetched from there, and must be the expected one', async () => {
    const bytes = helloBundle();
    const { at } = await site(bytes);
    const api = await openApi({ fetchAllow: [at] });
    const url = `http://${at}/hello.mcpb`;
    const view = await api.json<BundleView>('POST', '/api/bundles/fetch', { url });
    const sha256 = view.hash.toUpperCase();
    expect((await api.send('POST', '/api/bundles/fetch', { url, sha256 })).status).toBe(201);
    const other = await api.send('POST', '/api/bundles/fetch', { url, sha256: 'a'.repeat(64) });
    expect(await errorOf(other)).toMatchObject({ status: 400, code: 'invalid_bundle' });
    expect((await api.send('POST', '/api/bundles/install', { file: view.file })).status).toBe(201);
  });

  it('T16, T17: is never fetched from a private address, also through a redirect', async () => {
    const { at, asked } = await site(helloBundle());
    const port = at.split(':')[1];
    const api = await openApi();
    const hosts =
      `127.0.0.1 0 [::] [::1] [::ffff:7f00:1] 2130706433 0x7f.1 0177.1 localhost localhost.
      169.254.169.254 10.0.0.1 [2002:7f00:1::] [64:ff9b::7f00:1] １２７.0.0.1`.split(/\s+/);
    const urls = hosts.map((host) => `http://${host}:${port}/x.mcpb`);
    const others = [`file:///etc/passwd`, 'javascript:1', `http://user:x@${at}/`, 'x'];
    for (const url of [...urls, ...others]) {
      const response = await api.send('POST', '/api/bundles/fetch', { url });
      expect((await errorOf(response)).status, url).toBeGreaterThanOrEqual(400);
    }
    expect(asked()).toBe(0);
    const elsewhere = await site(helloBundle());
    const allowed = await openApi({ fetchAllow: [elsewhere.at] });
    const url = `http://${elsewhere.at}/?to=${encodeURIComponent(`http://${at}/`)}`;
    const response = await allowed.send('POST', '/api/bundles/fetch', { url });
    expect(await errorOf(response)).toMatchObject({ code: 'address_blocked' });
    expect(asked()).toBe(0);
  });

  it('is not read further than its largest size', async () => {
    const { at } = await site(helloBundle());
    const api = await openApi({ fetchAllow: [at], limits: { bundleSize: 500 } });
    for (const path of ['/', '/endless']) {
      const response = await api.send('POST', '/api/bundles/fetch', { url: `http://${at}${path}` });
      expect(await errorOf(response)).toMatchObject({ code: 'result_too_large' });
    }
  });
});
