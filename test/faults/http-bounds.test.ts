import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createSseChannel } from '#mcp/channels/sse-channel.ts';
import { createStreamableHttpChannel } from '#mcp/channels/streamable-http-channel.ts';
import type { Resolve } from '#mcp/http/guarded-connect.ts';
import { allowHostOf } from '#mcp/http/http-client.ts';
import { limitsWith } from '#shared/vocabulary/limits.ts';
import { hostSays } from '../e2e/texts.ts';
import {
  answerJson,
  beginEvents,
  openChannel,
  resultFor,
  startScripted,
} from '../fixtures/http-channel.ts';

const megabyte = 1024 * 1024;
const flat = 100 * megabyte;
const open = openChannel.bind(undefined, createStreamableHttpChannel);

/** Writes that many megabytes, no faster than they are read; stops when nobody reads any more. */
async function pour(response: ServerResponse, megabytes: number, fill = 'x'): Promise<void> {
  const chunk = Buffer.alloc(megabyte, fill);
  const gone = once(response, 'close').catch(() => undefined);
  for (let i = 0; i < megabytes && !response.destroyed; i += 1) {
    if (!response.write(chunk)) await Promise.race([once(response, 'drain'), gone]);
  }
}

/** How much the memory of this process grew at most while the work was done. */
async function growth(work: () => Promise<unknown>): Promise<number> {
  const before = process.memoryUsage().rss;
  let most = before;
  const timer = setInterval(() => {
    most = Math.max(most, process.memoryUsage().rss);
  }, 10);
  await work();
  clearInterval(timer);
  return Math.max(most, process.memoryUsage().rss) - before;
}

describe('an answer without measure', () => {
  it.each(['json', 'events', 'lines', 'no newline'])(
    'T42 of 100 MB as %s fails that call alone, with memory flat',
    async (kind) => {
      const server = await startScripted(async ({ message }, response) => {
        if (message?.method !== 'tools/call') return answerJson(response, resultFor(message?.id));
        const head = `{"jsonrpc":"2.0","id":${message.id},"result":{"content":[{"type":"text","text":"`;
        if (kind === 'json') response.writeHead(200, { 'content-type': 'application/json' });
        else beginEvents(response);
        response.write(kind === 'json' ? head : `data: ${head}`);
        const fill = kind === 'lines' ? `${'data: x'.padEnd(1023, 'x')}\n` : 'x';
        await pour(response, 100, fill);
        response.end(kind === 'no newline' ? '' : '"}]}}\n\n');
      });
      const { request } = await open({ url: server.url });
      await request('ping');
      const grown = await growth(async () => {
        const call = request('tools/call');
        expect(await request('ping')).toMatchObject({ result: {} });
        await expect(call).rejects.toMatchObject({ code: 'result_too_large' });
      });
      expect(grown).toBeLessThan(flat);
      expect(await request('ping')).toMatchObject({ result: {} });
    },
  );

  it('T42 of 100 MB on the one stream of the old transport fails that call alone', async () => {
    let stream: ServerResponse | undefined;
    const server = await startScripted(async ({ method, message }, response) => {
      if (method === 'GET') {
        stream = response;
        return beginEvents(response, 'event: endpoint\ndata: /m\n\n');
      }
      response.writeHead(202).end();
      if (!stream) return;
      if (message?.method !== 'tools/call') {
        return stream.write(`data: ${JSON.stringify(resultFor(message?.id))}\n\n`);
      }
      stream.write('data: {"result":{"content":[{"type":"text","text":"');
      await pour(stream, 100);
      stream.write(`"}]},"jsonrpc":"2.0","id":${message.id}}\n\n`);
    });
    const { request } = await openChannel(createSseChannel, { url: server.url });
    const grown = await growth(() =>
      expect(request('tools/call')).rejects.toMatchObject({ code: 'result_too_large' }),
    );
    expect(grown).toBeLessThan(flat);
    expect(await request('ping')).toMatchObject({ result: {} });
  });

  it.each(['json', 'events', 'old transport'])(
    'T45 of a million objects as %s fails that call alone, before anything reads them',
    async (kind) => {
      let stream: ServerResponse | undefined;
      const crowd = Array.from({ length: 1_000_000 }, () => '{}').join(',');
      const server = await startScripted(({ method, message }, response) => {
        if (method === 'GET') {
          stream = response;
          return beginEvents(response, 'event: endpoint\ndata: /m\n\n');
        }
        const crowded = { 'tools/call': 'structuredContent', 'tools/list': 'tools' };
        const field = crowded[message?.method as keyof typeof crowded];
        const answer = field
          ? `{"jsonrpc":"2.0","id":${message?.id},"result":{"content":[],"${field}":[${crowd}]}}`
          : JSON.stringify(resultFor(message?.id));
        if (kind === 'json') {
          response.writeHead(200, { 'content-type': 'application/json' });
          return void response.end(answer);
        }
        if (kind === 'events') beginEvents(response);
        else response.writeHead(202).end();
        (kind === 'events' ? response : stream)?.write(`data: ${answer}\n\n`);
        if (kind === 'events') response.end();
      });
      const create = kind === 'old transport' ? createSseChannel : createStreamableHttpChannel;
      const { request } = await openChannel(create, { url: server.url });
      await expect(request('tools/call')).rejects.toMatchObject({
        code: 'result_too_large',
        reach: 'ended',
        message: expect.stringMatching(hostSays('message-parts')),
      });
      expect(await request('ping')).toMatchObject({ result: {} });
      // Of a list, as many entries are used as may be, and one bad entry hides no other.
      const list = (await request('tools/list')) as { result: { tools: unknown[] } };
      expect(list.result.tools).toHaveLength(1_000_000);
    },
  );

  it('T44 that is a gzip bomb is cut off, as JSON, as one event and as a refusal', async () => {
    const bomb = gzipSync(Buffer.alloc(200 * megabyte, 'data:x'), { level: 1 });
    const server = await startScripted(({ message }, response) => {
      const gzip = { 'content-encoding': 'gzip' };
      if (message?.method === 'refusal') response.writeHead(500, gzip).end(bomb);
      else if (message?.method === 'events') {
        beginEvents(response, '', gzip);
        response.end(bomb);
      } else response.writeHead(200, gzip).end(bomb);
    });
    const { request } = await open({ url: server.url });
    const grown = await growth(async () => {
      const large = { code: 'result_too_large' };
      await expect(request('json')).rejects.toMatchObject(large);
      await expect(request('events')).rejects.toMatchObject(large);
      await expect(request('refusal')).rejects.toMatchObject({ details: { status: 500 } });
    });
    expect(grown).toBeLessThan(flat);
  });
});

describe('an answer that drags', () => {
  it('T43 with headers byte by byte ends by the time for its beginning', async () => {
    const server = createServer((socket) => {
      const text = 'HTTP/1.1 200 OK\r\nX-Slow: '.split('');
      const timer = setInterval(() => socket.write(text.shift() ?? 'x'), 10);
      socket.on('close', () => clearInterval(timer)).on('error', () => socket.destroy());
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    const { request } = await open({ url, limits: limitsWith({ initialiseTime: 300 }) });
    await expect(request('tools/list', {}, { repeatable: true })).rejects.toMatchObject({
      code: 'timed_out',
      message: expect.stringContaining('0.3 s'),
    });
  });

  it('T43 with headers without end is cut off', async () => {
    const server = createServer((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      const more = (): void => {
        while (!socket.destroyed && socket.write(`X-${'y'.repeat(1000)}: z\r\n`));
      };
      socket.on('drain', more).on('error', () => socket.destroy());
      more();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    const { request } = await open({ url });
    await expect(request('tools/call')).rejects.toMatchObject({ code: 'connection_lost' });
  });

  it('T43 with comments for ever grows nothing, and others are served meanwhile', async () => {
    const poured = Promise.withResolvers<void>();
    const server = await startScripted(async ({ message }, response) => {
      if (message?.method !== 'tools/call') return answerJson(response, resultFor(message?.id));
      beginEvents(response);
      await pour(response, 40, ': still here\n\n');
      await pour(response, 100, ':');
      poured.resolve();
    });
    const { request, channel, nextId } = await open({ url: server.url });
    const grown = await growth(async () => {
      const id = nextId();
      void request('tools/call');
      expect(await request('ping')).toMatchObject({ result: {} });
      await poured.promise;
      channel.cancel(id);
    });
    expect(grown).toBeLessThan(flat);
  });

  it('T42 that is only half there is lost, not guessed', async () => {
    const server = await startScripted(({ message }, response, { socket }) => {
      const half = JSON.stringify(resultFor(message?.id)).slice(0, 30);
      if (message?.method === 'chunked') response.write(half, () => socket.destroy());
      else if (message?.method === 'events') {
        beginEvents(response);
        response.end(`data: ${half}`);
      } else {
        response.writeHead(200, { 'content-length': 500 });
        response.write(half, () => socket.destroy());
      }
    });
    const { request } = await open({ url: server.url });
    for (const method of ['length', 'chunked', 'events']) {
      await expect(request(method), method).rejects.toMatchObject({ code: 'connection_lost' });
    }
  });
});

describe('a server that leads elsewhere', () => {
  it('T44 in a circle of 307 fails after three hops', async () => {
    const server = await startScripted((_received, response) => {
      response.writeHead(307, { location: '/mcp' }).end();
    });
    const { request } = await open({ url: server.url });
    await expect(request('tools/call')).rejects.toMatchObject({ code: 'http_error' });
    expect(server.requests).toHaveLength(4);
  });

  it('T17 to a private address is refused at connect time, however it is written', async () => {
    const canary = await startScripted((_received, response) => response.end('secret'));
    const { port } = canary.url;
    const answers = [
      [{ address: '127.0.0.1', family: 4 }],
      [
        { address: '93.184.216.34', family: 4 },
        { address: '127.0.0.1', family: 4 },
      ],
    ];
    for (const addresses of answers) {
      const resolve: Resolve = (_host, done) => done(null, addresses);
      for (const target of [
        canary.url.href,
        `http://localhost:${port}/`,
        `http://[::ffff:127.0.0.1]:${port}/`,
        `http://2130706433:${port}/`,
        `http://rebind.example:${port}/`,
        `//metadata.example:${port}/`,
      ]) {
        const server = await startScripted((_received, response) => {
          response.writeHead(307, { location: target }).end();
        });
        const { request } = await open({ url: server.url, resolve });
        await expect(request('tools/call'), target).rejects.toMatchObject({
          code: 'address_blocked',
        });
      }
    }
    expect(canary.connections()).toBe(0);
  });

  it('T17 whose name changes its address between two look-ups stays within its own name', async () => {
    const inside = await startScripted(({ message }, response) =>
      answerJson(response, resultFor(message?.id)),
    );
    let lookUps = 0;
    const resolve: Resolve = (_host, done) => {
      lookUps += 1;
      done(null, [{ address: lookUps === 1 ? '192.0.2.1' : '127.0.0.1', family: 4 }]);
    };
    const url = new URL(`http://other.example:${inside.url.port}/`);
    const { request } = await open({ url, allow: () => false, resolve });
    for (let i = 0; i < 2; i += 1) {
      await expect(request('tools/list', {}, { repeatable: true })).rejects.toMatchObject({
        code: 'address_blocked',
      });
    }
    expect(inside.connections()).toBe(0);
  });
});

describe('a server that does the thing and drops the connection', () => {
  it.each(['before a byte', 'after the headers', 'in the middle', 'on a used connection'])(
    'T61 %s: lost, done exactly once, and later calls work',
    async (when) => {
      let done = 0;
      const server = await startScripted(({ message }, response, { socket }) => {
        if (message?.method !== 'tools/call') return answerJson(response, resultFor(message?.id));
        done += 1;
        if (when === 'after the headers') {
          beginEvents(response);
          response.flushHeaders();
          response.write(': x\n\n', () => socket.destroy());
        } else if (when === 'in the middle') {
          response.writeHead(200, { 'content-type': 'application/json' });
          response.write('{"jsonrpc"', () => socket.destroy());
        } else socket.resetAndDestroy();
      });
      const { request } = await open({ url: server.url });
      if (when === 'on a used connection') await request('ping');
      await expect(request('tools/call')).rejects.toMatchObject({ code: 'connection_lost' });
      expect(await request('ping')).toMatchObject({ result: {} });
      expect(done).toBe(1);
    },
  );

  it('T61 that a gateway lost is lost as well', async () => {
    const server = await startScripted((_received, response) => response.writeHead(504).end());
    const { request } = await open({ url: server.url });
    await expect(request('tools/call')).rejects.toMatchObject({ code: 'connection_lost' });
    expect(server.requests).toHaveLength(1);
  });
});

describe('a server that echoes what it got', () => {
  it('T22 shows only its own headers, whatever the others carry', async () => {
    const echo = () =>
      startScripted(({ headers, message }, response) =>
        answerJson(response, resultFor(message?.id, JSON.stringify(headers))),
      );
    const servers = await Promise.all([echo(), echo(), echo()]);
    const channels = await Promise.all(
      servers.map(({ url }, index) =>
        open({
          url,
          headers: { Authorization: `Bearer secret-of-${index}`, 'X-Key': `key-of-${index}` },
          authorizer:
            index === 2
              ? {
                  headers: async () => ({ authorization: 'Bearer token-of-2' }),
                  answer: async () => false,
                }
              : undefined,
        }),
      ),
    );
    const texts = await Promise.all(
      channels.flatMap(({ request }) => [1, 2, 3].map(() => request('tools/call'))),
    );
    texts.forEach((answer, call) => {
      const own = Math.floor(call / 3);
      const seen = JSON.stringify(answer).match(/(secret|key|token)-of-\d/g);
      const credential = own === 2 ? 'token-of-2' : `secret-of-${own}`;
      expect(seen?.toSorted()).toEqual([`key-of-${own}`, credential].toSorted());
    });
  });

  it('T22 gets no credential of the server that redirected to it', async () => {
    const second = await startScripted(({ headers, message }, response) =>
      answerJson(response, resultFor(message?.id, JSON.stringify(headers))),
    );
    const first = await startScripted((_received, response) => {
      response.writeHead(308, { location: second.url.href }).end();
    });
    const { request } = await open({
      url: first.url,
      headers: { Authorization: 'Bearer secret', 'X-Key': 'secret' },
      allow: (host, port) =>
        allowHostOf(first.url)(host, port) || allowHostOf(second.url)(host, port),
    });
    expect(JSON.stringify(await request('tools/call'))).not.toContain('secret');
  });
});
