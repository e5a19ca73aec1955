import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { usualLimits } from '#shared/vocabulary/limits.ts';
import { listen } from '../listen.ts';
import {
  dump,
  errorOf,
  openApi,
  ownHost,
  type TestApi,
  token,
} from '../../../test/fixtures/http.ts';

const bearer = { authorization: `Bearer ${token}` };
const png = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), randomBytes(300)]);

interface File {
  id: string;
  size: number;
  mimeType: string;
  name?: string;
  url: string;
}

const post = (
  api: TestApi,
  body: NonNullable<RequestInit['body']> | null,
  query = '',
  headers: Record<string, string> = {},
): Promise<Response> =>
  api.raw('POST', `/api/files${query}`, { body, headers: { ...bearer, ...headers } });

async function sent(response: Response): Promise<File> {
  expect(response.status).toBe(201);
  return (await response.json()) as File;
}

const get = (api: TestApi, url: string, headers: Record<string, string> = {}, method = 'GET') =>
  api.raw(method, url, { headers: { ...bearer, ...headers } });

const bytesOf = async (response: Response): Promise<Buffer> =>
  Buffer.from(await response.arrayBuffer());

describe('a file that is sent', () => {
  it('as the body is given back by its address', async () => {
    const api = await openApi();
    const headers = { 'content-type': 'application/octet-stream' };
    const file = await sent(await post(api, png, '?name=r%C3%A9sum%C3%A9%20%221%22.png', headers));
    const { id } = file;
    const url = `/api/blobs/${id}`;
    expect(file).toEqual({ id, size: 308, mimeType: 'image/png', name: 'résumé "1".png', url });
    const response = await get(api, url);
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toEqual({
      'accept-ranges': 'bytes',
      'cache-control': 'private, max-age=31536000, immutable',
      'content-disposition': `inline; filename="r_sum_ _1_.png"; filename*=UTF-8''r%C3%A9sum%C3%A9%20%221%22.png`,
      'content-length': '308',
      'content-security-policy': "default-src 'none'; sandbox",
      'content-type': 'image/png',
      'cross-origin-resource-policy': 'same-origin',
      etag: expect.stringMatching(/^"[0-9a-f]{64}"$/),
      'x-content-type-options': 'nosniff',
    });
    expect((await bytesOf(response)).equals(png)).toBe(true);
  });

  it('as the field of a form is given back too', async () => {
    const api = await openApi();
    const form = new FormData();
    form.append('file', new Blob([png], { type: 'image/jpeg' }), 'C:\\pictures\\a.png');
    const file = await sent(await post(api, form));
    expect(file).toMatchObject({ size: 308, mimeType: 'image/png', name: 'a.png' });
    expect((await bytesOf(await get(api, file.url))).equals(png)).toBe(true);
  });

  it('may be JSON, or have no type and no name', async () => {
    const api = await openApi();
    const json = await sent(await post(api, '{', '', { 'content-type': 'application/json' }));
    expect(json).toMatchObject({ mimeType: 'application/json', size: 1 });
    const odd = await sent(await post(api, Buffer.from([0, 1, 2])));
    expect(odd).not.toHaveProperty('name');
    expect(odd.mimeType).toBe('application/octet-stream');
    const saved = await get(api, odd.url);
    expect(saved.headers.get('content-disposition')).toBe('attachment');
    await saved.body?.cancel();
  });

  it('with an Idempotency-Key is another file each time', async () => {
    const api = await openApi();
    const headers = { 'idempotency-key': 'k', 'content-type': 'text/plain' };
    const first = await sent(await post(api, 'one', '', headers));
    const second = await sent(await post(api, 'two', '', headers));
    expect(await (await get(api, first.url)).text()).toBe('one');
    expect(await (await get(api, second.url)).text()).toBe('two');
  });

  it('is refused if it is empty, cut short or not alone, and leaves nothing', async () => {
    const api = await openApi();
    const before = await dump(api);
    const empty = new FormData();
    empty.append('file', new Blob([]), 'a');
    const two = new FormData();
    for (const name of ['a', 'b']) two.append(name, new Blob(['x']), name);
    const field = new FormData();
    field.append('a', 'text');
    for (const body of [null, '', empty, two, field])
      expect(await errorOf(await post(api, body))).toMatchObject({
        status: 400,
        code: 'invalid_request',
      });
    const form = { 'content-type': 'multipart/form-data; boundary=x' };
    const cut = '--x\r\nContent-Disposition: form-data; name=a; filename=b\r\n\r\nhalf';
    for (const body of ['', cut])
      expect((await errorOf(await post(api, body, '', form))).code).toBe('invalid_request');
    expect(await dump(api)).toBe(before);
  });

  it('that is too large is refused, with its size said or not', async () => {
    const api = await openApi();
    const before = await dump(api);
    const large = { status: 413, code: 'file_too_large' };
    const said = { 'content-length': String(usualLimits.file + 1) };
    expect(await errorOf(await post(api, 'x', '', said))).toMatchObject(large);
    const body = Buffer.alloc(usualLimits.file + 1);
    expect(await errorOf(await post(api, body))).toMatchObject(large);
    const form = new FormData();
    form.append('file', new Blob([body]), 'a');
    expect(await errorOf(await post(api, form))).toMatchObject(large);
    expect(await dump(api)).toBe(before);
    expect((await sent(await post(api, body.subarray(1)))).size).toBe(usualLimits.file);
  });

  it('is the only request that may be large or of another type', async () => {
    const api = await openApi();
    const large = ' '.repeat(usualLimits.httpBody + 1);
    const headers = { ...bearer, 'content-type': 'text/plain' };
    const asJson = { ...bearer, 'content-type': 'application/json' };
    for (const [method, path] of [
      ['POST', '/api/topics'],
      ['POST', '/api/sign-out'],
      ['PUT', '/api/settings'],
    ] as const) {
      const body = await errorOf(await api.raw(method, path, { headers: asJson, body: large }));
      expect(body.code, path).toBe('body_too_large');
      const type = await errorOf(await api.raw(method, path, { headers, body: 'x' }));
      expect(type.code, path).toBe('unsupported_media_type');
    }
    for (const [method, path] of [
      ['POST', '/api/files/'],
      ['POST', '/api/files/x'],
      ['PUT', '/api/files'],
      ['POST', '/API/files'],
    ] as const)
      for (const body of [large, 'x'])
        expect(await errorOf(await api.raw(method, path, { headers, body })), path).toMatchObject({
          code: 'not_found',
        });
  });

  it('is refused from a foreign page and from nobody', async () => {
    const api = await openApi();
    const before = await dump(api);
    const type = { 'content-type': 'text/plain' };
    for (const headers of [
      { ...bearer, ...type, origin: 'http://evil.test' },
      { ...bearer, ...type, origin: 'null' },
      { ...bearer, ...type, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' },
      { ...bearer, ...type, host: 'evil.test' },
      type,
    ]) {
      const response = await api.raw('POST', '/api/files', { headers, body: 'x' });
      expect([401, 403]).toContain(response.status);
    }
    expect(await dump(api)).toBe(before);
  });
});

describe('a kept file (T35)', () => {
  it.each([
    ['image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'],
    ['text/html', '<script>alert(1)</script>'],
    ['application/xhtml+xml', '<html xmlns="http://www.w3.org/1999/xhtml"/>'],
    ['text/xml', '<a/>'],
    ['text/javascript', 'alert(1)'],
    ['text/css', 'a{}'],
    ['image/x-unknown', '<svg/>'],
    ['video/x+xml', '<svg/>'],
    ['multipart/related', 'x'],
    ['message/rfc822', 'x'],
    ['nonsense', '\0<html>'],
  ])('of the type %s can only be saved', async (type, content) => {
    const api = await openApi();
    const headers = { 'content-type': type };
    const { url } = await sent(await post(api, content, '?name=a.svg', headers));
    for (const query of ['', '?download=1', '?download=0']) {
      const response = await get(api, url + query);
      expect(response.headers.get('content-type')).toBe('application/octet-stream');
      expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename="a.svg"/);
      expect(response.headers.get('x-content-type-options')).toBe('nosniff');
      expect(response.headers.get('content-security-policy')).toBe("default-src 'none'; sandbox");
      expect(await response.text()).toBe(content);
    }
  });

  it.each([
    ['text/plain', '<html>', 'text/plain; charset=utf-8'],
    ['text/plain; charset=utf-16', 'x', 'text/plain; charset=utf-8'],
    ['application/json', '{}', 'text/plain; charset=utf-8'],
    ['text/markdown', '#', 'text/plain; charset=utf-8'],
    ['text/csv', 'a', 'text/plain; charset=utf-8'],
    ['application/pdf', '%PDF-1.7', 'application/pdf'],
    ['audio/aac', 'x', 'audio/aac'],
    ['video/quicktime', 'x', 'video/quicktime'],
  ])('of the type %s is shown, and saved on request', async (type, content, served) => {
    const api = await openApi();
    const { url } = await sent(await post(api, content, '', { 'content-type': type }));
    const shown = await get(api, url);
    expect(shown.headers.get('content-type')).toBe(served);
    expect(shown.headers.get('content-disposition')).toBe('inline');
    const saved = await get(api, `${url}?download=1`);
    expect(saved.headers.get('content-disposition')).toBe('attachment');
  });

  it.each([
    [
      'a\r\nSet-Cookie: x=y',
      `filename="aSet-Cookie: x=y"; filename*=UTF-8''aSet-Cookie%3A%20x%3Dy`,
    ],
    ['"; filename="b', `filename="_; filename=_b"; filename*=UTF-8''%22%3B%20filename%3D%22b`],
    ['../../etc/passwd', `filename="passwd"; filename*=UTF-8''passwd`],
    ['a\u202Egnp.exe', `filename="agnp.exe"; filename*=UTF-8''agnp.exe`],
    ["it's (1)*.txt", `filename="it's (1)*.txt"; filename*=UTF-8''it%27s%20%281%29%2A.txt`],
    ['100%41', `filename="100_41"; filename*=UTF-8''100%2541`],
    ['文.txt', `filename="_.txt"; filename*=UTF-8''%E6%96%87.txt`],
  ])('is saved by the name %j safely', async (name, expected) => {
    const api = await openApi();
    const query = `?name=${encodeURIComponent(name)}`;
    const { url } = await sent(await post(api, 'x', query, { 'content-type': 'text/html' }));
    const response = await get(api, url);
    expect(response.headers.get('content-disposition')).toBe(`attachment; ${expected}`);
    expect(response.headers.has('set-cookie')).toBe(false);
  });

  it('is not sent again to who has it', async () => {
    const api = await openApi();
    const { url } = await sent(await post(api, png));
    const etag = (await get(api, url)).headers.get('etag') ?? '';
    for (const tags of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const response = await get(api, url, { 'if-none-match': tags, range: 'bytes=0-1' });
      expect(response.status, tags).toBe(304);
      expect(await response.text()).toBe('');
      expect(response.headers.get('etag')).toBe(etag);
    }
    expect((await get(api, url, { 'if-none-match': '"other"' })).status).toBe(200);
  });

  it.each([
    ['bytes=0-0', 206, '0-0'],
    ['bytes=10-19', 206, '10-19'],
    ['bytes=300-', 206, '300-307'],
    ['bytes=300-999999', 206, '300-307'],
    ['bytes=-8', 206, '300-307'],
    ['bytes=-999999', 206, '0-307'],
    ['bytes=308-', 416, '*'],
    ['bytes=999999999999999-', 416, '*'],
    ['bytes=-0', 416, '*'],
    ['bytes=5-4', 200, ''],
    ['bytes=-', 200, ''],
    ['bytes=0-1,5-6', 200, ''],
    ['bytes=a-b', 200, ''],
    ['bytes=1e1-20', 200, ''],
    ['items=0-1', 200, ''],
  ])('answers the range %s with %i', async (range, status, served) => {
    const api = await openApi();
    const { url } = await sent(await post(api, png));
    const response = await get(api, url, { range });
    expect(response.status).toBe(status);
    const expected = status === 200 ? null : `bytes ${served}/308`;
    expect(response.headers.get('content-range')).toBe(expected);
    const body = await bytesOf(response);
    const [from = 0, to = 307] = status === 206 ? served.split('-').map(Number) : [];
    const part = status === 416 ? Buffer.alloc(0) : png.subarray(from, to + 1);
    expect(body.equals(part)).toBe(true);
    if (status !== 416) expect(response.headers.get('content-length')).toBe(String(part.length));
  });

  it('is sent whole if it is not the one the range was meant for', async () => {
    const api = await openApi();
    const { url } = await sent(await post(api, png));
    const etag = (await get(api, url)).headers.get('etag') ?? '';
    const ask = async (tag: string) =>
      (await get(api, url, { range: 'bytes=0-1', 'if-range': tag })).status;
    expect(await ask(etag)).toBe(206);
    expect(await ask(`W/${etag}`)).toBe(200);
    expect(await ask('"other"')).toBe(200);
  });

  it('can be asked about without its bytes', async () => {
    const api = await openApi();
    const { url } = await sent(await post(api, png));
    const response = await get(api, url, {}, 'HEAD');
    expect(response.status).toBe(200);
    expect(response.headers.get('content-length')).toBe('308');
    expect(await response.text()).toBe('');
  });

  it('is nobody else’s', async () => {
    const api = await openApi();
    const facts = { owner: 'somebody', mimeType: 'text/plain' };
    const { id } = await api.host.blobs.keep(Buffer.from('secret'), facts);
    for (const path of [id, 'none', '%00', '..%2f..%2fetc%2fpasswd', 'a'.repeat(5000)]) {
      const response = await get(api, `/api/blobs/${path}`);
      expect(await errorOf(response)).toMatchObject({ status: 404, code: 'file_not_found' });
    }
    expect((await api.raw('GET', `/api/blobs/${id}`)).status).toBe(401);
  });
});

describe('over a real connection', () => {
  async function serve() {
    const api = await openApi();
    const server = await listen(api.host, {
      home: api.place.home,
      hostname: '127.0.0.1',
      port: 0,
      allowedHosts: [ownHost],
      localToken: 'local',
      webRoot: api.place.home,
    });
    onTestFinished(() => server.close());
    return { api, url: `${server.url}/api/files`, base: server.url };
  }

  it('a large file comes and goes whole', async () => {
    const { url, base } = await serve();
    const bytes = randomBytes(5 * 1024 * 1024);
    const response = await fetch(url, { method: 'POST', headers: bearer, body: bytes });
    const file = await sent(response);
    const back = await fetch(base + file.url, { headers: bearer });
    expect(back.headers.get('content-length')).toBe(String(bytes.length));
    expect((await bytesOf(back)).equals(bytes)).toBe(true);
    const part = await fetch(base + file.url, { headers: { ...bearer, range: 'bytes=-3' } });
    expect((await bytesOf(part)).equals(bytes.subarray(-3))).toBe(true);
    const head = await fetch(base + file.url, { headers: bearer, method: 'HEAD' });
    expect(head.headers.get('content-length')).toBe(String(bytes.length));
  });

  it.each(['said', 'not said'])(
    'a file that is too large is answered, its size %s',
    async (size) => {
      const { url } = await serve();
      const length = usualLimits.file + 1024;
      const headers = { ...bearer, ...(size === 'said' && { 'content-length': String(length) }) };
      const sending = request(url, { method: 'POST', headers });
      const answered = once(sending, 'response');
      sending.end(Buffer.alloc(length));
      const [response] = (await answered) as [IncomingMessage];
      // What is still on its way when the test ends meets a closed connection.
      sending.on('error', () => undefined);
      expect(response.statusCode).toBe(413);
      const text = Buffer.concat(await response.toArray()).toString();
      expect(text).toContain('file_too_large');
    },
  );

  it('a client that goes away in the middle leaves nothing', async () => {
    const { api, url } = await serve();
    const before = await dump(api);
    const kept = Promise.withResolvers<unknown>();
    const { blobs } = api.host;
    api.host.blobs = {
      ...blobs,
      keep: (...args) => {
        const keeping = blobs.keep(...args);
        keeping.then(kept.resolve, kept.resolve);
        return keeping;
      },
    };
    const headers = { ...bearer, 'content-length': '1000000' };
    const sending = request(url, { method: 'POST', headers }).on('error', () => undefined);
    sending.write(Buffer.alloc(1000), () => sending.destroy());
    expect(await kept.promise).toMatchObject({ code: 'cancelled' });
    expect(await dump(api)).toBe(before);
  });
});
