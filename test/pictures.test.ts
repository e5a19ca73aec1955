import { describe, expect, it, onTestFinished } from 'vitest';
import { startWeb, type TestWeb } from './fakes/test-web.ts';
import { errorOf, openApi } from './fixtures/http.ts';

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

async function startPictures(): Promise<TestWeb> {
  const web = await startWeb((request, response) => {
    switch (request.url) {
      case '/cat.png':
        return void response.setHeader('content-type', 'text/html').end(png);
      case '/page':
        return void response
          .setHeader('content-type', 'image/png')
          .end('<script>alert(1)</script>');
      case '/drawing':
        return void response
          .setHeader('content-type', 'image/svg+xml')
          .end('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>');
      default:
        return void response.writeHead(404).end();
    }
  });
  onTestFinished(() => web[Symbol.asyncDispose]());
  return web;
}

const ask = (url: string) => `/api/pictures?url=${encodeURIComponent(url)}`;

describe('a picture of another host', () => {
  it('is given by its bytes, and can be nothing but a picture', async () => {
    const web = await startPictures();
    const api = await openApi({ fetchAllow: [web.host] });
    const response = await api.send('GET', ask(`${web.url}cat.png`));
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('image/png');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(response.headers.get('content-security-policy')).toBe("default-src 'none'; sandbox");
    expect(Buffer.from(await response.arrayBuffer())).toEqual(png);
    expect(web.requests[0]?.headers).not.toHaveProperty('cookie');
    expect(web.requests[0]?.headers).not.toHaveProperty('authorization');
  });

  it.each(['page', 'drawing'])('is refused where it is none: %s', async (path) => {
    const web = await startPictures();
    const api = await openApi({ fetchAllow: [web.host] });
    expect(await errorOf(await api.send('GET', ask(`${web.url}${path}`)))).toMatchObject({
      status: 415,
      code: 'unsupported_media_type',
    });
  });

  it('is never fetched from a private address, for a stranger or by another scheme', async () => {
    const web = await startPictures();
    const api = await openApi();
    const refused = await errorOf(await api.send('GET', ask(`${web.url}cat.png`)));
    expect(refused.code).toBe('address_blocked');
    expect((await api.raw('GET', ask(`${web.url}cat.png`))).status).toBe(401);
    for (const url of ['file:///etc/passwd', 'data:image/png;base64,AAAA', '/cat.png', ''])
      expect((await api.send('GET', ask(url))).status).toBe(400);
    expect(web.connections()).toBe(0);
  });
});
