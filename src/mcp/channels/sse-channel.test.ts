import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '#shared/vocabulary/json.ts';
import { limitsWith } from '#shared/vocabulary/limits.ts';
import {
  beginEvents,
  openChannel,
  resultFor,
  type ScriptedHttp,
  startScripted,
} from '../../../test/fixtures/http-channel.ts';
import { createSseChannel } from './sse-channel.ts';

const open = openChannel.bind(undefined, createSseChannel);

interface OldServer extends ScriptedHttp {
  /** The stream of the last client. */
  stream(): ServerResponse;
  say(message: JsonObject): void;
}

/** Answers each request on the stream, unless `refuse` answers its POST. */
async function oldServer(
  endpoint: string | ((url: URL) => string) = '/messages?session=1',
  refuse?: (response: ServerResponse, method: string, id: number | undefined) => boolean,
): Promise<OldServer> {
  let stream: ServerResponse | undefined;
  const say = (message: JsonObject): void =>
    void stream?.write(`event: message\r\ndata: ${JSON.stringify(message)}\r\n\r\n`);
  const server = await startScripted(({ method, message }, response) => {
    if (method === 'GET') {
      stream = response;
      const where = typeof endpoint === 'string' ? endpoint : endpoint(server.url);
      return beginEvents(response, `event: endpoint\ndata: ${where}\n\n`);
    }
    if (refuse?.(response, message?.method ?? '', message?.id)) return;
    response.writeHead(202).end('Accepted');
    if (message?.id !== undefined) say(resultFor(message.id));
  });
  return {
    ...server,
    say,
    stream() {
      if (!stream) throw new Error('nobody listens yet');
      return stream;
    },
  };
}

describe('the old transport', () => {
  it.each([
    ['a path', '/messages?session=1'],
    ['a relative one', 'messages?session=1'],
    ['a whole address', (url: URL) => new URL('/messages?session=1', url).href],
  ])('sends messages to where its first event says, as %s', async (_kind, endpoint) => {
    const server = await oldServer(endpoint);
    const headers = { Authorization: 'Bearer k' };
    const { request, channel } = await open({ url: server.url, headers });
    expect(await request('initialize')).toMatchObject({ result: {} });
    channel.agree({ era: 'legacy', version: '2024-11-05' });
    expect(await request('tools/call')).toMatchObject({ result: {} });
    expect(server.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /mcp',
      'POST /messages?session=1',
      'POST /messages?session=1',
    ]);
    const all = server.requests.map((received) => received.headers.authorization);
    expect(all).toEqual(['Bearer k', 'Bearer k', 'Bearer k']);
    expect(server.requests[2]?.headers['mcp-protocol-version']).toBe('2024-11-05');
  });

  it.each([
    'http://127.0.0.1:9/messages',
    'https://example.com/messages',
    '//example.com/messages',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'http://[',
  ])('refuses to send messages to another origin: %s', async (endpoint) => {
    const server = await oldServer(endpoint);
    await expect(open({ url: server.url })).rejects.toMatchObject({ code: 'address_blocked' });
  });

  it('cannot be opened where there is no stream, with the reason', async () => {
    const server = await startScripted(({ path }, response) => {
      if (path === '/page') response.end('<html>');
      else if (path === '/silent') beginEvents(response, ': nothing\n\n');
      else if (path === '/short') {
        beginEvents(response);
        response.end();
      } else response.writeHead(404).end();
    });
    const failure = (path: string): Promise<unknown> =>
      open({ url: new URL(path, server.url), limits: limitsWith({ initialiseTime: 100 }) }).catch(
        (error: unknown) => error,
      );
    expect(await failure('/page')).toMatchObject({ code: 'unreadable_response' });
    expect(await failure('/silent')).toMatchObject({ code: 'timed_out' });
    expect(await failure('/short')).toMatchObject({ code: 'connection_lost' });
    expect(await failure('/none')).toMatchObject({ code: 'http_error', details: { status: 404 } });
    await server.close();
    expect(await failure('/')).toMatchObject({ code: 'connection_refused' });
  });

  it('ends with its stream', async () => {
    const server = await oldServer();
    const first = await open({ url: server.url });
    server.stream().end();
    await expect(first.closed).resolves.toMatchObject({ code: 'connection_lost' });
    await expect(first.request('tools/list')).rejects.toMatchObject({ reach: 'never-left' });
    const second = await open({ url: server.url });
    server.stream().destroy();
    await expect(second.closed).resolves.toMatchObject({ code: 'connection_lost' });
    const third = await open({ url: server.url });
    const left = new Promise((resolve) => server.stream().on('close', resolve));
    await third.channel.close();
    await expect(third.closed).resolves.toBeUndefined();
    await left;
  });

  it('fails a request whose message was not taken', async () => {
    const server = await oldServer('/m', (response, method, id) => {
      if (method === 'drop') response.destroy();
      else if (method === 'error') {
        const body = { jsonrpc: '2.0', id, error: { code: -32602, message: 'bad' } };
        response.writeHead(400).end(JSON.stringify(body));
      } else if (method === 'refuse') response.writeHead(413).end();
      else return false;
      return true;
    });
    const { request } = await open({ url: server.url });
    await expect(request('drop')).rejects.toMatchObject({ code: 'connection_lost' });
    await expect(request('refuse')).rejects.toMatchObject({ details: { status: 413 } });
    expect(await request('error')).toMatchObject({ error: { code: -32602 } });
    expect(await request('fine')).toMatchObject({ result: {} });
  });

  it('keeps the end of the handshake first', async () => {
    const order: string[] = [];
    const server = await oldServer('/m', (response, method) => {
      order.push(method);
      if (method !== 'notifications/initialized') return false;
      setTimeout(() => {
        order.push('accepted');
        response.writeHead(202).end();
      }, 30);
      return true;
    });
    const { request, channel } = await open({ url: server.url });
    channel.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    await request('tools/list');
    expect(order).toEqual(['notifications/initialized', 'accepted', 'tools/list']);
  });

  it('skips what is no message and hears what the server says of its own accord', async () => {
    const server = await oldServer();
    const { others, untilOthers, log } = await open({ url: server.url });
    server.stream().write('event: ping\ndata: 1\n\ndata: garbage\n\ndata: 1\n\n');
    server.stream().write('event: endpoint\ndata: http://elsewhere.example/\n\n');
    const changed = { jsonrpc: '2.0', method: 'notifications/tools/list_changed' };
    server.say(changed);
    await untilOthers(1);
    expect(others).toEqual([changed]);
    expect(log.lines().filter((line) => line.includes('skipped'))).toHaveLength(2);
  });
});
