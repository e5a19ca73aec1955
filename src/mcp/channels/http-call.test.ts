import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import {
  answerJson,
  beginEvents,
  openChannel,
  resultFor,
  startScripted,
} from '../../../test/fixtures/http-channel.ts';
import { createStreamableHttpChannel } from './streamable-http-channel.ts';

const open = openChannel.bind(undefined, createStreamableHttpChannel);
const progress = { jsonrpc: '2.0', method: 'notifications/progress', params: { progress: 1 } };

function event(message: unknown): string {
  return `event: message\ndata: ${JSON.stringify(message)}\n\n`;
}

describe('an answer', () => {
  it('comes as JSON, as events and as a batch', async () => {
    const server = await startScripted(({ message }, response) => {
      const answer = resultFor(message?.id);
      if (message?.method === 'json') answerJson(response, answer);
      else if (message?.method === 'batch') answerJson(response, [progress, answer]);
      else {
        beginEvents(response, ': hello\n\n');
        response.end(event(progress) + event(answer));
      }
    });
    const { request, others } = await open({ url: server.url });
    for (const method of ['json', 'batch', 'events']) {
      expect(await request(method), method).toMatchObject({
        result: { content: [{ text: 'ok' }] },
      });
    }
    expect(others).toEqual([progress, progress]);
    expect(server.requests[0]?.headers).toMatchObject({
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    });
  });

  it('in many languages survives being cut anywhere', async () => {
    const text = '世界 🍒 é '.repeat(20);
    const server = await startScripted(({ message }, response) => {
      const bytes = Buffer.from(
        message?.method === 'events'
          ? event(resultFor(message?.id, text))
          : JSON.stringify(resultFor(message?.id, text)),
      );
      if (message?.method === 'events') beginEvents(response);
      else response.writeHead(200, { 'content-type': 'application/json' });
      for (let i = 0; i < bytes.length; i += 7) response.write(bytes.subarray(i, i + 7));
      response.end();
    });
    const { request } = await open({ url: server.url });
    for (const method of ['json', 'events']) {
      expect(await request(method)).toMatchObject({ result: { content: [{ text }] } });
    }
  });

  it('that cannot be read fails that request, with its beginning', async () => {
    const deep = '['.repeat(1_000_000);
    const bodies: Record<string, string> = {
      html: '<html>Please sign in</html>',
      half: '{"jsonrpc":"2.0","id":',
      value: '42',
      deep,
      closed: deep + ']'.repeat(1_000_000),
      empty: '',
      other: '{"jsonrpc":"2.0","id":99,"result":{}}',
    };
    const server = await startScripted(({ message }, response) => {
      const [kind = '', as] = message?.method?.split('/') ?? [];
      if (as === 'events') {
        beginEvents(response);
        response.end(`data: ${bodies[kind]}\n\n`);
      } else response.writeHead(200).end(bodies[kind]);
    });
    const { request } = await open({ url: server.url });
    for (const kind of Object.keys(bodies)) {
      await expect(request(kind), kind).rejects.toMatchObject({ code: 'unreadable_response' });
    }
    for (const kind of ['html', 'half', 'value', 'deep', 'closed']) {
      await expect(request(`${kind}/events`), kind).rejects.toMatchObject({
        code: 'unreadable_response',
        details: { text: bodies[kind]?.slice(0, 200) },
      });
    }
  });

  it('that is an error in the protocol is one whatever its status', async () => {
    const server = await startScripted(({ message, path }, response) => {
      const error = { code: -32022, message: 'no', data: { supported: ['2025-11-25'] } };
      const id = path === '/named' ? { id: message?.id } : path === '/null' ? { id: null } : {};
      response.writeHead(message?.method === '500' ? 500 : 400, { 'content-type': 'text/plain' });
      response.end(JSON.stringify({ jsonrpc: '2.0', error, ...id }));
    });
    for (const path of ['/named', '/null', '/absent']) {
      const { request } = await open({ url: new URL(path, server.url) });
      for (const status of ['400', '500']) {
        expect(await request(status)).toMatchObject({
          id: expect.any(Number),
          error: { code: -32022 },
        });
      }
    }
  });
});

describe('a status', () => {
  it('that is no success is an error with a hint', async () => {
    const server = await startScripted(({ message }, response) => {
      const status = Number(message?.method);
      response.writeHead(status, { 'retry-after': '7', 'www-authenticate': 'Bearer x="y"' });
      response.end(`<p>${status}</p>`);
    });
    const { request } = await open({ url: server.url });
    const failure = (status: number, repeatable = false): Promise<unknown> =>
      request(String(status), {}, { repeatable }).catch((error: unknown) => error);
    for (const [status, hint] of [
      [401, /credentials/],
      [403, /doesn't allow/],
      [404, /path/],
      [405, /SSE/],
      [406, /path/],
      [413, /too large/],
      [429, /in 7 s/],
      [500, /log/],
      [503, /in 7 s/],
    ] as const) {
      expect(await failure(status)).toMatchObject({
        code: 'http_error',
        hint: expect.stringMatching(hint),
        details: { status, wwwAuthenticate: 'Bearer x="y"', text: `<p>${status}</p>` },
      });
    }
    for (const status of [502, 504]) {
      expect(await failure(status)).toMatchObject({ code: 'connection_lost', details: { status } });
      expect(await failure(status, true)).toMatchObject({ code: 'http_error' });
    }
  });

  it('401 and 403 stay what they are, although their body is an error of the protocol', async () => {
    const server = await startScripted(({ message }, response) => {
      response.writeHead(Number(message?.method));
      response.end('{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"no"}}');
    });
    const { request } = await open({ url: server.url });
    for (const status of [401, 403, 503]) {
      await expect(request(String(status))).rejects.toMatchObject({ details: { status } });
    }
  });
});

describe('a stream that goes on after its answer', () => {
  it('still brings what the server has to say, and is left when the channel closes', async () => {
    const left = Promise.withResolvers<void>();
    const server = await startScripted(({ message }, response) => {
      response.on('close', () => left.resolve());
      beginEvents(response, event(resultFor(message?.id)) + event(progress));
    });
    const { request, channel, untilOthers } = await open({ url: server.url });
    expect(await request('tools/call')).toMatchObject({ result: {} });
    await untilOthers(1);
    await channel.close();
    await left.promise;
  });
});

describe('a request that is only taken', () => {
  it('may be answered on the stream of the session, and fails where there is none', async () => {
    let stream: ServerResponse | undefined;
    const server = await startScripted(({ method, message }, response) => {
      if (method === 'GET') {
        stream = response;
        beginEvents(response);
        return listening.resolve();
      }
      response.writeHead(202).end();
      if (message?.method === 'late') stream?.write(event(resultFor(message.id)));
    });
    const listening = Promise.withResolvers<void>();
    const { request, channel } = await open({ url: server.url });
    await expect(request('early')).rejects.toMatchObject({ code: 'unreadable_response' });
    channel.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    await listening.promise;
    expect(await request('late')).toMatchObject({ result: {} });
  });

  it('does not keep a notification waiting for the end of its answer', async () => {
    const server = await startScripted(({ message }, response) => {
      if (message?.id !== undefined) return answerJson(response, resultFor(message.id));
      response.writeHead(202).write('...');
    });
    const { request, channel } = await open({ url: server.url });
    channel.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    expect(await request('tools/list')).toMatchObject({ result: {} });
  });
});
