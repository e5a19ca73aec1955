import { writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { emptyPlace, openApi } from '../../../test/fixtures/http.ts';

const safe = ['no-store', 'nosniff'];
const headersOf = ({ headers }: Response) => [
  headers.get('cache-control'),
  headers.get('x-content-type-options'),
];

it('T92: no answer of the API may be kept or guessed at, whatever it is', async () => {
  const { home: webRoot } = await emptyPlace();
  writeFileSync(join(webRoot, 'index.html'), '<p>the page</p>');
  const api = await openApi({ webRoot });
  const { paths } = await api.json<{ paths: Record<string, object> }>('GET', '/api/openapi.json');
  const gets = Object.entries(paths).flatMap(([path, methods]) => ('get' in methods ? [path] : []));
  const asked = [...gets.map((path) => path.replaceAll(/\{\w+\}/g, 'none')), '/api/openapi.json'];
  expect(asked.length).toBeGreaterThan(30);
  for (const path of [
    ...asked,
    '/healthz',
    '/readyz',
    '/api/none',
    '/api',
    '/v1/none',
    '/metrics',
  ]) {
    for (const response of [await api.send('GET', path), await api.raw('GET', path)]) {
      const isPage = response.headers.get('content-type')?.startsWith('text/html');
      if (!isPage)
        expect([path, response.status, ...headersOf(response)]).toEqual([
          path,
          response.status,
          ...safe,
        ]);
      await response.body?.cancel();
    }
  }
  expect(headersOf(await api.send('POST', '/api/topics', 'no json'))).toEqual(safe);
  expect(headersOf(await api.send('POST', '/api/topics', {}))).toEqual(safe);
  expect(headersOf(await api.raw('GET', '/api/me', { headers: { host: 'evil.test' } }))).toEqual(
    safe,
  );
});

it('T92: the files of the page may be kept, and files that people sent', async () => {
  const { home: webRoot } = await emptyPlace();
  await mkdir(join(webRoot, 'assets'));
  writeFileSync(join(webRoot, 'assets/app-1.js'), '1');
  const api = await openApi({ webRoot });
  const asset = await api.raw('GET', '/assets/app-1.js');
  expect(headersOf(asset)).toEqual(['public, max-age=31536000, immutable', 'nosniff']);
  const { url } = await api.json<{ url: string }>('POST', '/api/files?name=a.txt', 'kept');
  expect(headersOf(await api.send('GET', url))).toEqual([
    expect.stringContaining('private'),
    'nosniff',
  ]);
});
