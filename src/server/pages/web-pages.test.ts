import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { emptyPlace, errorOf, openApi } from '../../../test/fixtures/http.ts';

const page = '<!doctype html><title>Cerise</title>';
const frame = '<!doctype html><title>Diagram</title>';
const secret = 'a file that is not for the page';

async function start() {
  const { home } = await emptyPlace();
  const webRoot = join(home, 'dist/web');
  await mkdir(join(webRoot, 'assets'), { recursive: true });
  await writeFile(join(webRoot, 'index.html'), page);
  await writeFile(join(webRoot, 'icon.svg'), '<svg/>');
  await writeFile(join(webRoot, 'diagram.html'), frame);
  await writeFile(join(webRoot, 'assets/app-1234.js'), 'code');
  await writeFile(join(webRoot, 'assets/app-1234.css'), 'style');
  await writeFile(join(webRoot, 'private.json'), secret);
  await writeFile(join(home, 'dist/package.json'), secret);
  await writeFile(join(home, 'package.json'), secret);
  const api = await openApi({ webRoot });
  return { api, webRoot, get: (path: string) => api.raw('GET', path) };
}

describe('the page', () => {
  it('needs no sign-in and may run and load only its own files', async () => {
    const { get } = await start();
    const response = await get('/');
    expect(await response.text()).toBe(page);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe|\*|https?:/);
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(response.headers.get('referrer-policy')).toBe('no-referrer');
    expect(response.headers.get('cache-control')).toBe('no-cache');
  });

  it('says with itself that nobody is signed in, where that is sure', async () => {
    const { api, webRoot } = await start();
    await writeFile(join(webRoot, 'index.html'), `<html lang="en">${page}</html>`);
    const get = async (headers: Record<string, string>) => {
      const response = await api.raw('GET', '/servers', { headers });
      const isMarked = (await response.text()).includes('<html data-signed-out lang="en">');
      return [isMarked, response.headers.get('cache-control')];
    };
    expect(await get({ 'sec-fetch-site': 'none' })).toEqual([true, 'no-store']);
    expect(await get({ 'sec-fetch-site': 'none', cookie: 'cerise=x' })).toEqual([true, 'no-store']);
    // A browser sends no cookie on the way from another site.
    const isFollowed = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' };
    expect(await get(isFollowed)).toEqual([false, 'no-cache']);
    expect(await get({})).toEqual([false, 'no-cache']);
  });

  it('T96: cannot be framed where people connect programs', async () => {
    const { get } = await start();
    const response = await get('/oauth/authorize?client_id=x');
    expect(await response.text()).toBe(page);
    expect(response.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  });

  it('T80: has no more of a large file in memory than is being sent', async () => {
    const { webRoot, get } = await start();
    const large = Buffer.from(Array.from({ length: 300_000 }, (_, n) => n % 251));
    await writeFile(join(webRoot, 'assets/large-1234.js'), large);
    const response = await get('/assets/large-1234.js');
    expect(response.headers.get('content-length')).toBe('300000');
    const pieces: Uint8Array[] = [];
    for await (const piece of response.body ?? []) pieces.push(piece);
    expect(pieces.every(({ length }) => length <= 64 * 1024)).toBe(true);
    expect(Buffer.concat(pieces).equals(large)).toBe(true);
  });

  it('draws diagrams in a frame that has no origin and no network', async () => {
    const { get } = await start();
    const response = await get('/diagram.html');
    expect(await response.text()).toBe(frame);
    const policy = (response.headers.get('content-security-policy') ?? '').split('; ');
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self'");
    expect(policy).toContain('sandbox allow-scripts');
    expect(policy).toContain("frame-ancestors 'self'");
    expect(policy.join(' ')).not.toMatch(/connect-src|img-src|same-origin|https?:|\*/);
  });

  it('gives its files, and nothing else, to a frame without an origin', async () => {
    const { api } = await start();
    const asStranger = (path: string) =>
      api.raw('GET', path, { headers: { origin: 'null', 'sec-fetch-site': 'cross-site' } });
    const script = await asStranger('/assets/app-1234.js');
    expect(script.status).toBe(200);
    expect(script.headers.get('access-control-allow-origin')).toBe('*');
    for (const path of ['/', '/icon.svg', '/api/topics', '/assets/../api/topics', '/diagram.html'])
      expect((await asStranger(path)).status).toBe(403);
  });

  it.each([
    '/topics/1',
    '/settings',
    '/a/b/c?x=y',
    '/index.html',
    '/private.json',
    '/sign-in-help',
  ])('is what %s shows', async (path) => {
    const { get } = await start();
    expect(await (await get(path)).text()).toBe(page);
  });

  it('has its files, with their types, for ever', async () => {
    const { get } = await start();
    const script = await get('/assets/app-1234.js');
    expect(await script.text()).toBe('code');
    expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(script.headers.get('cache-control')).toContain('immutable');
    expect((await get('/assets/app-1234.css')).headers.get('content-type')).toContain('text/css');
    expect((await get('/icon.svg')).headers.get('content-type')).toBe('image/svg+xml');
  });

  it.each([
    '/assets/../../package.json',
    '/assets/..%2f..%2fpackage.json',
    '/assets/%2e%2e/%2e%2e/package.json',
    '/assets/%252e%252e/%252e%252e/package.json',
    '/assets/..%5c..%5cpackage.json',
    '/assets/..%2fprivate.json',
    '/assets//../../package.json',
    '/assets/%2f..%2f..%2fpackage.json',
    '/..%2f..%2fpackage.json',
    '/assets/%00',
    '/assets/app-1234.js%00.html',
    '/%E0%A4%A',
    '/assets/%E0%A4%A',
    '/%25E0%25A4%25A',
    '/assets/',
    '/assets/none.js',
  ])('gives nothing outside its folder to %s', async (path) => {
    const { get } = await start();
    const response = await get(path);
    const text = await response.text();
    expect(text).not.toContain(secret);
    expect([200, 404]).toContain(response.status);
    if (response.status === 200) expect(text).toBe(page);
  });

  it('is not shown where the API has nothing', async () => {
    const { api } = await start();
    for (const path of ['/api/unknown', '/api/', '/api/topics/x/y/z'])
      expect(await errorOf(await api.send('GET', path))).toMatchObject({
        status: 404,
        code: 'not_found',
      });
    expect((await api.send('POST', '/', {})).status).toBe(404);
  });
});
