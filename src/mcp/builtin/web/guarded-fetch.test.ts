import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { Resolve } from '../../http/guarded-connect.ts';
import { guardedFetch, type GuardedRequest } from './guarded-fetch.ts';
import { startWeb } from '../../../../test/fakes/test-web.ts';

function get(url: string, options: Partial<GuardedRequest> = {}): Promise<string> {
  const request = { url, allow: [], signal: new AbortController().signal, ...options };
  return guardedFetch(request).then(({ body }) => new TextDecoder().decode(body));
}

/** A resolver that answers every name with these addresses, and counts. */
function resolver(...addresses: string[]): Resolve & { names: string[] } {
  const names: string[] = [];
  const resolve: Resolve = (hostname, done) => {
    names.push(hostname);
    done(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
  };
  return Object.assign(resolve, { names });
}

const blocked = expect.objectContaining({ code: 'address_blocked' });

describe('addresses that are not public (T16)', () => {
  it('are never connected to, however they are written', async () => {
    await using canary = await startWeb();
    for (const host of [
      '127.0.0.1',
      '0',
      '0.0.0.0',
      '2130706433',
      '0x7f.1',
      '0177.1',
      '127.1',
      '１２７.０.０.１',
      '[::1]',
      '[::]',
      '[::ffff:7f00:1]',
      '[::7f00:1]',
      '[64:ff9b::7f00:1]',
      '[2002:7f00:1::]',
      'localhost',
      'localhost.',
      'LOCALHOST',
      'a.localhost',
    ]) {
      await expect(get(`http://${host}:${canary.port}/`), host).rejects.toMatchObject({
        code: expect.stringMatching(/^(address_blocked|connection_refused)$/),
      });
    }
    for (const url of [`http://u:p@${canary.host}/`, `http://example.com@${canary.host}/`]) {
      await expect(get(url)).rejects.toMatchObject({ code: 'invalid_arguments' });
    }
    expect(canary.connections()).toBe(0);
  });

  it('are refused when a name resolves to them, alone or beside a public one', async () => {
    await using canary = await startWeb();
    for (const addresses of [
      ['127.0.0.1'],
      ['127.0.0.1', '8.8.8.8'],
      ['8.8.8.8', '127.0.0.1'],
      ['2606:4700::1111', '::1'],
      ['::ffff:127.0.0.1'],
    ]) {
      const resolve = resolver(...addresses);
      const url = `http://rebind.example:${canary.port}/`;
      await expect(get(url, { resolve })).rejects.toThrow(blocked);
      expect(resolve.names).toEqual(['rebind.example']);
    }
    expect(canary.connections()).toBe(0);
  });

  it('say how an admin allows them, and nothing about what is there', async () => {
    await using canary = await startWeb();
    const open = await get(canary.url).catch((error: Error) => error.message);
    const closed = await get('http://127.0.0.1:1/').catch((error: Error) => error.message);
    expect(open).toContain(`Settings → Host with the entry "${canary.host}"`);
    expect(open.replace(`${canary.port}`, '1')).toBe(closed);
  });

  it('are reached when an entry allows exactly that host and port', async () => {
    await using allowed = await startWeb((_request, response) => void response.end('hello'));
    await using canary = await startWeb();
    expect(await get(allowed.url, { allow: [allowed.host] })).toBe('hello');
    const byName = { allow: [`intranet.example:${allowed.port}`], resolve: resolver('127.0.0.1') };
    expect(await get(`http://intranet.example:${allowed.port}/`, byName)).toBe('hello');
    await expect(get(canary.url, { allow: [allowed.host] })).rejects.toThrow(blocked);
    await expect(get(`http://other.example:${allowed.port}/`, byName)).rejects.toThrow(blocked);
    expect(canary.connections()).toBe(0);
  });
});

describe('redirects (T17)', () => {
  it('to an address that is not public are refused before a connection', async () => {
    await using canary = await startWeb();
    for (const [status, target] of [
      [302, canary.url],
      [307, `http://localhost:${canary.port}/`],
      [301, `//[::ffff:127.0.0.1]:${canary.port}/`],
      [308, `http://name.example:${canary.port}/`],
    ] as const) {
      await using start = await startWeb((_request, response) => {
        response.writeHead(status, { location: target }).end();
      });
      const options = { allow: [start.host], resolve: resolver('127.0.0.1') };
      await expect(get(start.url, options)).rejects.toThrow(blocked);
    }
    await using start = await startWeb((_request, response) => {
      response.writeHead(302, { location: 'file:///etc/passwd' }).end();
    });
    const code = { code: 'invalid_arguments' };
    await expect(get(start.url, { allow: [start.host] })).rejects.toMatchObject(code);
    expect(canary.connections()).toBe(0);
  });

  it('are followed three times and no more', async () => {
    await using web = await startWeb((request, response) => {
      const left = Number(request.url?.slice(1));
      if (left === 0) response.end('there');
      else response.writeHead(302, { location: `/${left - 1}` }).end('x'.repeat(1000));
    });
    const allow = [web.host];
    expect(await get(`${web.url}3`, { allow })).toBe('there');
    await expect(get(`${web.url}4`, { allow })).rejects.toThrow(/more than 3 times/);
  });

  it('to another origin lose every header the caller gave', async () => {
    await using second = await startWeb((_request, response) => void response.end('ok'));
    await using first = await startWeb((request, response) => {
      const location = request.url === '/' ? '/again' : second.url;
      response.writeHead(302, { location }).end();
    });
    const headers = { Authorization: 'Bearer s3cret', 'X-Api-Key': 's3cret', Cookie: 's=s3cret' };
    await get(first.url, { allow: [first.host, second.host], headers });
    expect(first.requests[1]?.headers).toMatchObject({ authorization: 'Bearer s3cret' });
    expect(JSON.stringify(second.requests)).not.toContain('s3cret');
  });
});

describe('hostile answers', () => {
  it('larger than 5 MiB once decompressed are cut off, with memory flat', async () => {
    const bomb = gzipSync(Buffer.alloc(200 * 1024 * 1024));
    await using web = await startWeb((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb);
    });
    const before = process.memoryUsage().rss;
    await expect(get(web.url, { allow: [web.host] })).rejects.toMatchObject({
      code: 'result_too_large',
    });
    expect(process.memoryUsage().rss - before).toBeLessThan(150 * 1024 * 1024);
  });

  it('that never end stop when the call is cancelled', async () => {
    const stop = new AbortController();
    await using web = await startWeb((_request, response) => {
      response.write('drip');
      stop.abort();
    });
    await expect(get(web.url, { allow: [web.host], signal: stop.signal })).rejects.toMatchObject({
      code: 'cancelled',
    });
  });

  it('with garbage, an error status or no listener are sentences', async () => {
    await using web = await startWeb((request, response) => {
      if (request.url === '/404') response.writeHead(404).end('gone');
      else if (request.url === '/gzip') {
        response.writeHead(200, { 'content-encoding': 'gzip' }).end('no gzip');
      } else request.socket.end('HTTP/9 what\r\n\r\n');
    });
    const closed = await startWeb();
    await closed[Symbol.asyncDispose]();
    const allow = [web.host, closed.host];
    const code = (path: string): Promise<unknown> =>
      get(path, { allow }).catch((error: { code?: unknown }) => error.code);
    expect(await code(`${web.url}404`)).toBe('http_error');
    expect(await code(`${web.url}gzip`)).toBe('connection_lost');
    expect(await code(`${web.url}bad`)).toBe('connection_lost');
    expect(await code(closed.url)).toBe('connection_refused');
    const resolve = resolver();
    await expect(get('http://nowhere.example/', { resolve })).rejects.toThrow(
      /couldn't be resolved/,
    );
  });
});

describe('requests', () => {
  it('carry the headers they may and no others', async () => {
    await using web = await startWeb((_request, response) => void response.end('ok'));
    const headers = { Accept: 'text/x', Host: 'evil.example', 'Content-Length': '9', TE: 'x' };
    await get(web.url, { allow: [web.host], headers });
    expect(web.requests[0]?.headers).toMatchObject({ accept: 'text/x', host: web.host });
    expect(web.requests[0]?.headers).not.toHaveProperty('te');
    for (const [name, value] of [
      ['a b', 'x'],
      ['ok', 'x\r\nHost: evil'],
      ['', 'x'],
    ] as const) {
      await expect(
        get(web.url, { allow: [web.host], headers: { [name]: value } }),
      ).rejects.toMatchObject({
        code: 'invalid_arguments',
      });
    }
    expect(web.requests).toHaveLength(1);
  });

  it('with a body are posted and not redirected', async () => {
    await using web = await startWeb((_request, response) => {
      response.writeHead(307, { location: '/elsewhere' }).end();
    });
    await expect(get(web.url, { allow: [web.host], body: { a: 1 } })).rejects.toMatchObject({
      code: 'http_error',
    });
    expect(web.requests.map(({ method, url }) => `${method} ${url}`)).toEqual(['POST /']);
  });
});
