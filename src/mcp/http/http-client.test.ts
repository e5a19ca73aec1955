import { once } from 'node:events';
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, expect, it, vi } from 'vitest';
import { usualLimits } from '#shared/vocabulary/limits.ts';
import { createStreamableHttpChannel } from '../channels/streamable-http-channel.ts';
import {
  answerJson,
  beginEvents,
  openChannel,
  resultFor,
  type ScriptedHttp,
  startScripted,
} from '../../../test/fixtures/http-channel.ts';
import type { Resolve } from './guarded-connect.ts';
import { allowHostOf, createHttp } from './http-client.ts';

const open = openChannel.bind(undefined, createStreamableHttpChannel);
const again = { repeatable: true };

/** A server that answers; the requests that `drops` names end with their connection instead. */
function dropping(drops: (count: number, method: string) => boolean): Promise<ScriptedHttp> {
  let count = 0;
  return startScripted(({ message }, response, { socket }) => {
    count += 1;
    if (drops(count, message?.method ?? '')) socket.destroy();
    else answerJson(response, resultFor(message?.id));
  });
}

describe('connections', () => {
  it('are used again', async () => {
    const server = await dropping(() => false);
    const { request } = await open({ url: server.url });
    for (let i = 0; i < 5; i += 1) await request('tools/call');
    expect(server.connections()).toBe(1);
    await Promise.all([1, 2, 3].map(() => request('tools/call')));
    await Promise.all([1, 2, 3].map(() => request('tools/call')));
    expect(server.connections()).toBe(3);
  });

  it('that were idle for more than 2 s are not used for what must not be repeated', async () => {
    const server = await dropping(() => false);
    const { request } = await open({ url: server.url });
    const clock = vi.spyOn(Date, 'now');
    const real = Date.now();
    clock.mockReturnValue(real);
    await request('tools/call');
    clock.mockReturnValue(real + 1990);
    await request('tools/call');
    expect(server.connections()).toBe(1);
    clock.mockReturnValue(real + 4100);
    await request('tools/list', {}, again);
    expect(server.connections()).toBe(1);
    clock.mockReturnValue(real + 6200);
    await request('tools/call');
    expect(server.connections()).toBe(2);
    clock.mockReturnValue(real);
    await request('tools/call');
    expect(server.connections()).toBe(3);
    clock.mockRestore();
  });

  it('that turn out to be dead cost a repeatable request one repetition', async () => {
    const server = await dropping((count) => count === 2);
    const { request } = await open({ url: server.url });
    await request('tools/list', {}, again);
    expect(await request('tools/list', {}, again)).toMatchObject({ result: {} });
    expect(server.requests).toHaveLength(3);
    expect(server.connections()).toBe(2);
  });

  it('that die do not make us repeat more than once, nor on a fresh one, nor any call', async () => {
    const server = await dropping((_count, method) => method !== 'fine');
    const { request } = await open({ url: server.url });
    const lost = { code: 'connection_lost' };
    await expect(request('fresh', {}, again)).rejects.toMatchObject(lost);
    await request('fine');
    await expect(request('reused', {}, again)).rejects.toMatchObject(lost);
    await request('fine');
    await expect(request('tools/call')).rejects.toMatchObject(lost);
    const seen = server.requests.map(({ message }) => message?.method);
    expect(seen).toEqual(['fresh', 'fine', 'reused', 'reused', 'fine', 'tools/call']);
  });

  it('that were closed while idle are replaced without a loss, also for a call', async () => {
    const server = await dropping(() => false);
    const { request } = await open({ url: server.url });
    for (let i = 0; i < 20; i += 1) {
      await request('tools/call');
      await Promise.all([...server.sockets].map((socket) => once(socket.end(), 'close')));
    }
    expect(server.requests).toHaveLength(20);
  });
});

describe('connections of a server that ends them', () => {
  it('are made anew for each request', async () => {
    const server = await startScripted(({ message }, response) =>
      answerJson(response, resultFor(message?.id), { connection: 'close' }),
    );
    const { request } = await open({ url: server.url });
    for (let i = 0; i < 10; i += 1) await request('tools/call');
    expect(server.connections()).toBe(10);
  });
});

describe('a way out that was closed', () => {
  it('fails what is under way and what is sent later', async () => {
    const arrived = Promise.withResolvers<void>();
    const server = await startScripted(() => arrived.resolve());
    const http = createHttp({
      connectTime: usualLimits.connectTime,
      allow: allowHostOf(server.url),
    });
    const { request } = await open({ url: server.url, http });
    const pending = request('tools/list', {}, again);
    const lost = expect(pending).rejects.toMatchObject({ code: 'connection_lost' });
    await arrived.promise;
    await http.close();
    await lost;
    await expect(request('tools/list', {}, again)).rejects.toMatchObject({
      code: 'connection_refused',
    });
    expect(server.connections()).toBe(1);
  });
});

describe('strange headers of an answer', () => {
  it.each(['__proto__: x', 'constructor: x', 'Content-Encoding: identity', 'X: \u00ff'])(
    'do no harm: %s',
    async (line) => {
      const server = await startScripted(({ message }, _response, { socket }) => {
        const body = JSON.stringify(resultFor(message?.id));
        socket.write(
          `HTTP/1.1 200 OK\r\n${line}\r\n${line}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
        );
      });
      const { request } = await open({ url: server.url });
      expect(await request('tools/call')).toMatchObject({ result: {} });
    },
  );
});

describe('a server that cannot be reached', () => {
  it('is refused with a hint by cause', async () => {
    const server = await dropping(() => false);
    const port = server.url.port;
    const nowhere: Resolve = (_host, done) => done(null, []);
    const allow = () => true;
    const failure = async (url: string, resolve?: Resolve): Promise<unknown> => {
      const test = await open({ url: new URL(url), allow, ...(resolve && { resolve }) });
      return test.request('tools/call').catch((error: unknown) => error);
    };
    expect(await failure(`https://127.0.0.1:${port}/`)).toMatchObject({
      code: 'connection_refused',
      hint: expect.stringContaining('http://'),
    });
    expect(await failure('http://nowhere.example/', nowhere)).toMatchObject({
      code: 'connection_refused',
      message: "nowhere.example isn't a known host name.",
    });
    await server.close();
    expect(await failure(server.url.href)).toMatchObject({
      code: 'connection_refused',
      message: `127.0.0.1:${port} refused the connection.`,
      hint: expect.stringContaining('running'),
    });
  });

  it('is not reached at a private address that nobody configured', async () => {
    const canary = await dropping(() => false);
    const inside: Resolve = (_host, done) => done(null, [{ address: '127.0.0.1', family: 4 }]);
    for (const host of ['127.0.0.1', 'localhost', '[::1]', '0x7f.1', 'rebind.example']) {
      const url = new URL(`http://${host}:${canary.url.port}/`);
      const { request } = await open({ url, allow: () => false, resolve: inside });
      await expect(request('tools/list', {}, again), host).rejects.toMatchObject({
        code: 'address_blocked',
      });
    }
    expect(canary.connections()).toBe(0);
  });
});

describe('redirects', () => {
  /** A server that answers at `/mcp` and redirects all other paths to `target` with `status`. */
  function redirecting(status: number, target: (path: string) => string): Promise<ScriptedHttp> {
    return startScripted(({ message, path, method }, response) => {
      if (path === '/mcp' && method === 'POST') answerJson(response, resultFor(message?.id));
      else response.writeHead(status, { location: target(path) }).end('moved');
    });
  }

  it.each([307, 308])(
    'with %d keep the message and all headers in the same origin',
    async (status) => {
      const server = await redirecting(status, () => '/mcp');
      const headers = { Authorization: 'Bearer s3cret' };
      const { request } = await open({ url: new URL('/old', server.url), headers });
      await request('tools/call', { name: 'x' });
      await request('tools/call', { name: 'x' });
      expect(server.requests.map(({ path }) => path)).toEqual(['/old', '/mcp', '/old', '/mcp']);
      expect(server.requests[1]).toMatchObject({
        message: { params: { name: 'x' } },
        headers: { authorization: 'Bearer s3cret' },
      });
      expect(server.connections()).toBe(1);
    },
  );

  it.each([301, 302, 303])('with %d are refused with the new address', async (status) => {
    const server = await redirecting(status, () => '/mcp?secret=1');
    const { request } = await open({ url: new URL('/old', server.url) });
    await expect(request('tools/call')).rejects.toMatchObject({
      code: 'http_error',
      message: expect.stringContaining(`redirects to ${server.url.href},`),
      details: { status },
    });
    expect(server.requests).toHaveLength(1);
  });

  it('end after three hops, and in a circle', async () => {
    const server = await redirecting(307, (path) => {
      const left = Number(path.slice(1));
      return left > 1 ? `/${left - 1}` : left === 1 ? '/mcp' : path;
    });
    expect(
      await (await open({ url: new URL('/3', server.url) })).request('tools/call'),
    ).toMatchObject({ result: {} });
    for (const path of ['/4', '/circle']) {
      const { request } = await open({ url: new URL(path, server.url) });
      await expect(request('tools/call')).rejects.toMatchObject({
        code: 'http_error',
        message: expect.stringContaining('more than 3 times'),
      });
    }
  });

  it('that carry a body without end do not hold us up', async () => {
    const server = await startScripted(({ message, path }, response) => {
      if (path === '/mcp') return answerJson(response, resultFor(message?.id));
      response.writeHead(307, { location: '/mcp' });
      response.write('x'.repeat(200_000));
    });
    const { request } = await open({ url: new URL('/old', server.url) });
    expect(await request('tools/call')).toMatchObject({ result: {} });
  });

  it('to what is no plain web address are refused', async () => {
    for (const target of ['file:///etc/passwd', 'http://u:p@127.0.0.1/', 'http://', 'ftp://x/']) {
      const server = await redirecting(307, () => target);
      const { request } = await open({ url: new URL('/old', server.url), allow: () => true });
      await expect(request('tools/call'), target).rejects.toMatchObject({ code: 'http_error' });
    }
  });

  it('to another origin lose what was configured', async () => {
    const second = await dropping(() => false);
    const first = await redirecting(307, () => second.url.href);
    const { request } = await open({
      url: new URL('/old', first.url),
      headers: { Authorization: 'Bearer s3cret', 'X-Key': 's3cret', Cookie: 's3cret' },
      allow: (host, port) =>
        allowHostOf(first.url)(host, port) || allowHostOf(second.url)(host, port),
    });
    await request('tools/call');
    expect(second.requests).toHaveLength(1);
    expect(JSON.stringify(second.requests)).not.toContain('s3cret');
  });
});

describe('a compressed answer', () => {
  const encoders = {
    gzip: gzipSync,
    'x-gzip': gzipSync,
    deflate: deflateSync,
    br: brotliCompressSync,
    zstd: zstdCompressSync,
  };

  it.each(Object.entries(encoders))('in %s is read', async (encoding, encode) => {
    const text = 'many words '.repeat(50_000);
    const server = await startScripted(({ message, headers }, response) => {
      expect(headers['accept-encoding']).toContain('gzip');
      const body = encode(JSON.stringify(resultFor(message?.id, text)));
      response.writeHead(200, { 'content-encoding': encoding });
      response.write(body.subarray(0, 10));
      response.end(body.subarray(10));
    });
    const { request } = await open({ url: server.url });
    expect(await request('tools/call')).toMatchObject({ result: { content: [{ text }] } });
    expect(await request('tools/call')).toMatchObject({ result: {} });
    expect(server.connections()).toBe(1);
  });

  it('of events is heard event by event', async () => {
    const progress = { jsonrpc: '2.0', method: 'notifications/progress', params: {} };
    const finish = Promise.withResolvers<void>();
    const server = await startScripted(async ({ message }, response) => {
      const { createGzip } = await import('node:zlib');
      const gzip = createGzip();
      beginEvents(response, '', { 'content-encoding': 'gzip' });
      gzip.pipe(response);
      gzip.write(`data: ${JSON.stringify(progress)}\n\n`);
      gzip.flush();
      await finish.promise;
      gzip.end(`data: ${JSON.stringify(resultFor(message?.id))}\n\n`);
    });
    const { request, untilOthers } = await open({ url: server.url });
    const answer = request('tools/call');
    await untilOthers(1);
    finish.resolve();
    expect(await answer).toMatchObject({ result: {} });
  });

  it('that is none, or in an unknown way, cannot be read', async () => {
    const server = await startScripted(({ message }, response) => {
      response.writeHead(200, { 'content-encoding': message?.method }).end('no such thing');
    });
    const { request } = await open({ url: server.url });
    for (const encoding of ['gzip', 'br', 'deflate', 'zstd', 'rot13', 'gzip, br']) {
      await expect(request(encoding), encoding).rejects.toMatchObject({
        code: 'unreadable_response',
      });
    }
  });
});
