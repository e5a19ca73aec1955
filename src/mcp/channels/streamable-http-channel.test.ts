import { describe, expect, it } from 'vitest';
import { limitsWith } from '#shared/vocabulary/limits.ts';
import type { RpcMessage } from '../protocol/messages.ts';
import {
  answerJson,
  beginEvents,
  modern,
  openChannel,
  resultFor,
  startScripted,
} from '../../../test/fixtures/http-channel.ts';
import type { TestChannel } from '../../../test/fixtures/http-channel.ts';
import { createStreamableHttpChannel } from './streamable-http-channel.ts';

const open = openChannel.bind(undefined, createStreamableHttpChannel);
const legacy = { era: 'legacy', version: '2025-11-25' } as const;

/** Shakes hands as an old client does. */
async function greet({ channel, request }: TestChannel): Promise<void> {
  await request('initialize', {}, { repeatable: true });
  channel.agree(legacy);
  channel.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
}

function event(message: unknown, id?: string): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: message\ndata: ${JSON.stringify(message)}\n\n`;
}

const progress = { jsonrpc: '2.0', method: 'notifications/progress', params: { progress: 1 } };

describe('an old server', () => {
  /** An old server with a session and, where `stream` says so, a stream of its own. */
  async function oldServer(stream: (response: Parameters<typeof beginEvents>[0]) => void) {
    return startScripted(({ method, message }, response) => {
      if (method === 'GET') stream(response);
      else if (method === 'DELETE') response.writeHead(200).end();
      else if (message?.method === 'initialize') {
        answerJson(response, resultFor(message.id), { 'Mcp-Session-Id': 'the-session' });
      } else if (message?.id === undefined) response.writeHead(202).end();
      else answerJson(response, resultFor(message.id));
    });
  }

  it('gets version and session once they are known, and a farewell', async () => {
    const server = await oldServer((response) => void response.writeHead(405).end());
    const test = await open({ url: server.url });
    await greet(test);
    await test.request('tools/list');
    await test.channel.close();
    await expect(test.closed).resolves.toBeUndefined();
    const seen = server.requests.map(({ method, message, headers }) => [
      method,
      message?.method,
      headers['mcp-protocol-version'],
      headers['mcp-session-id'],
    ]);
    const both = ['2025-11-25', 'the-session'];
    expect(seen[0]).toEqual(['POST', 'initialize', undefined, undefined]);
    expect(seen[1]).toEqual(['POST', 'notifications/initialized', ...both]);
    expect(seen).toContainEqual(['GET', undefined, ...both]);
    expect(seen).toContainEqual(['POST', 'tools/list', ...both]);
    expect(seen.at(-1)).toEqual(['DELETE', undefined, ...both]);
    expect(server.requests[1]?.headers).not.toHaveProperty('mcp-method');
  });

  it('is greeted anew without what an earlier greeting brought', async () => {
    const server = await oldServer((response) => void response.writeHead(405).end());
    const test = await open({ url: server.url });
    await greet(test);
    await greet(test);
    const greetings = server.requests.filter(({ message }) => message?.method === 'initialize');
    expect(greetings).toHaveLength(2);
    for (const { headers } of greetings) {
      expect(headers).not.toHaveProperty('mcp-session-id');
      expect(headers).not.toHaveProperty('mcp-protocol-version');
    }
  });

  it('hears nothing before the handshake is over', async () => {
    const order: unknown[] = [];
    const server = await startScripted(({ method, message }, response) => {
      if (method === 'GET') return response.writeHead(405).end();
      order.push(message?.method);
      if (message?.id !== undefined) return answerJson(response, resultFor(message.id));
      setTimeout(() => {
        order.push('accepted');
        response.writeHead(202).end();
      }, 30);
    });
    const test = await open({ url: server.url });
    await greet(test);
    const dropped = test.nextId();
    void test.request('dropped');
    test.channel.cancel(dropped);
    await Promise.all([test.request('a'), test.request('b')]);
    expect(order.slice(0, 3)).toEqual(['initialize', 'notifications/initialized', 'accepted']);
    expect(order).not.toContain('dropped');
  });

  it('speaks of its own accord on a stream that is opened again from where it was', async () => {
    let streams = 0;
    const server = await oldServer((response) => {
      streams += 1;
      beginEvents(response, 'retry: 100\n');
      if (streams === 1) response.end(event(progress, 'one'));
      else
        response.write(event({ ...progress, method: 'notifications/tools/list_changed' }, 'two'));
    });
    const test = await open({ url: server.url });
    await greet(test);
    await test.untilOthers(2);
    expect(test.others.map((other) => 'method' in other && other.method)).toEqual([
      'notifications/progress',
      'notifications/tools/list_changed',
    ]);
    const gets = server.requests.filter(({ method }) => method === 'GET');
    expect(gets.map(({ headers }) => headers['last-event-id'])).toEqual([undefined, 'one']);
  });

  it('may have no stream of its own, and garbage on it does no harm', async () => {
    for (const status of [404, 405, 400]) {
      const server = await oldServer((response) => void response.writeHead(status).end());
      const test = await open({ url: server.url });
      await greet(test);
      await test.request('tools/list');
      expect(server.requests.filter(({ method }) => method === 'GET').length).toBeLessThan(2);
    }
    const server = await oldServer((response) =>
      beginEvents(response, `data: garbage\n\nevent: ping\ndata: x\n\n${event(progress)}`),
    );
    const test = await open({ url: server.url });
    await greet(test);
    await test.untilOthers(1);
    expect(test.others).toEqual([progress]);
    expect(test.log.lines().join()).toContain('skipped an event');
  });

  it.each([
    [404, '', 'never-left'],
    [
      404,
      '{"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"Session not found"}}',
      'never-left',
    ],
    [
      400,
      '{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"No valid session ID"}}',
      'ended',
    ],
  ])('T76: that forgot the session (%d %s) ends the channel: %s', async (status, body, reach) => {
    const server = await startScripted(({ method, message }, response) => {
      if (method !== 'POST') return response.writeHead(405).end();
      if (message?.method === 'initialize') {
        return answerJson(response, resultFor(message.id), { 'mcp-session-id': 's' });
      }
      if (message?.id === undefined) return response.writeHead(202).end();
      response.writeHead(status).end(body);
    });
    const test = await open({ url: server.url });
    await greet(test);
    await expect(test.request('tools/call')).rejects.toMatchObject({
      code: 'connection_refused',
      reach,
    });
    await expect(test.closed).resolves.toMatchObject({ code: 'connection_lost' });
    await expect(test.request('tools/list')).rejects.toMatchObject({ reach: 'never-left' });
    expect(server.requests.some(({ method }) => method === 'DELETE')).toBe(false);
  });

  it('is cancelled by leaving its stream, and still has to be told', async () => {
    const left = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const server = await startScripted((_received, response) => {
      response.on('close', () => left.resolve());
      beginEvents(response, event(progress));
      begun.resolve();
    });
    const test = await open({ url: server.url });
    const id = test.nextId();
    void test.request('tools/call');
    await begun.promise;
    expect(test.channel.cancel(id)).toBe(false);
    await left.promise;
  });
});

describe('a stream that ends before its answer', () => {
  it('is taken up again after the time the server wants', async () => {
    const at: number[] = [];
    const server = await startScripted(({ method, message }, response) => {
      at.push(performance.now());
      beginEvents(response);
      if (method === 'POST') response.end(`retry: 300\nid: 1-0\ndata:\n\n`);
      else if (at.length === 2) response.end(event(progress, '1-1'));
      else response.end(event(resultFor(1), '1-2'));
      expect(message?.id ?? 1).toBe(1);
    });
    const { request, others } = await open({ url: server.url });
    expect(await request('tools/call')).toMatchObject({ result: { content: [{ text: 'ok' }] } });
    expect(others).toEqual([progress]);
    expect(server.requests.map(({ method }) => method)).toEqual(['POST', 'GET', 'GET']);
    expect(server.requests.map(({ headers }) => headers['last-event-id'])).toEqual([
      undefined,
      '1-0',
      '1-1',
    ]);
    expect(at[1]! - at[0]!).toBeGreaterThanOrEqual(295);
    expect(at[2]! - at[1]!).toBeGreaterThanOrEqual(295);
  });

  it('is lost if the server does not take it up, or gave no id', async () => {
    const server = await startScripted(({ method, message }, response) => {
      if (method === 'GET') return response.writeHead(405).end();
      beginEvents(response, 'retry: 100\n\n');
      response.end(message?.method === 'id' ? event(progress, 'x') : event(progress));
    });
    const { request } = await open({ url: server.url });
    for (const method of ['id', 'none']) {
      await expect(request(method)).rejects.toMatchObject({ code: 'connection_lost' });
    }
    expect(server.requests.map(({ method }) => method)).toEqual(['POST', 'GET', 'POST']);
  });

  it('is not taken up in the modern era, nor after it was cancelled', async () => {
    const server = await startScripted(({ method, message }, response) => {
      beginEvents(response, 'retry: 100\n\n');
      if (method === 'GET') response.end(event(resultFor(3)));
      else response.end(event(progress, `of-${message?.id}`));
    });
    const { request, channel, nextId, untilOthers } = await open({ url: server.url });
    await expect(request('tools/call', modern())).rejects.toMatchObject({
      code: 'connection_lost',
    });
    const id = nextId();
    void request('tools/call');
    await untilOthers(2);
    channel.cancel(id);
    await request('tools/call');
    const gets = server.requests.filter(({ method }) => method === 'GET');
    expect(gets.map(({ headers }) => headers['last-event-id'])).toEqual(['of-3']);
  });
});

describe('a modern server', () => {
  it('sees version, method and name of each message, and no session', async () => {
    const server = await startScripted(({ message }, response) =>
      answerJson(response, resultFor(message?.id), { 'mcp-session-id': 'never' }),
    );
    const { request, channel } = await open({
      url: server.url,
      headers: { 'MCP-Protocol-Version': 'mine', 'Mcp-Param-Region': 'mine', 'X-Key': 'k' },
    });
    await request('server/discover', modern());
    channel.agree({ era: 'modern', version: '2026-07-28' });
    const mirrored = { headers: { 'Mcp-Param-Region': 'eu' } };
    await request('tools/call', modern({ name: 'wetter_heute' }), mirrored);
    await request('resources/read', modern({ uri: 'file:///ü' }));
    await request('prompts/get', modern({ name: ' a ' }));
    await request('tasks/get', modern({ taskId: 't1' }));
    const version = { 'mcp-protocol-version': '2026-07-28', 'x-key': 'k' };
    expect(server.requests.map(({ headers }) => headers)).toMatchObject([
      { ...version, 'mcp-method': 'server/discover' },
      {
        ...version,
        'mcp-method': 'tools/call',
        'mcp-name': 'wetter_heute',
        'mcp-param-region': 'eu',
      },
      { ...version, 'mcp-method': 'resources/read', 'mcp-name': '=?base64?ZmlsZTovLy/DvA==?=' },
      { ...version, 'mcp-method': 'prompts/get', 'mcp-name': '=?base64?IGEg?=' },
      { ...version, 'mcp-method': 'tasks/get', 'mcp-name': 't1' },
    ]);
    await channel.close();
    expect(server.requests.every(({ method }) => method === 'POST')).toBe(true);
    expect(server.requests.some(({ headers }) => 'mcp-session-id' in headers)).toBe(false);
  });

  it('is told to stop by the end of its stream', async () => {
    const left = Promise.withResolvers<void>();
    const server = await startScripted((_received, response) => {
      response.on('close', () => left.resolve());
      beginEvents(response, event(progress));
    });
    const test = await open({ url: server.url });
    const id = test.nextId();
    void test.request('tools/call', modern());
    await test.untilOthers(1);
    expect(test.channel.cancel(id)).toBe(true);
    await left.promise;
    expect(server.requests).toHaveLength(1);
  });

  it('keeps a subscription open as long as it likes', async () => {
    const changed: RpcMessage = { jsonrpc: '2.0', method: 'notifications/tools/list_changed' };
    const server = await startScripted(({ message }, response) => {
      if (message?.method === 'subscriptions/listen') beginEvents(response, event(changed));
      else answerJson(response, resultFor(message?.id));
    });
    const test = await open({ url: server.url, limits: limitsWith({ initialiseTime: 200 }) });
    void test.request('subscriptions/listen', modern(), { repeatable: true });
    await test.untilOthers(1);
    for (let i = 0; i < 20; i += 1) await test.request('tools/call', modern({ name: 'x' }));
    expect(test.others).toEqual([changed]);
    // One connection for the subscription, one for all the calls.
    expect(server.connections()).toBe(2);
  });
});

describe('configured headers', () => {
  it('are sent, but never in the place of the protocol’s own', async () => {
    const server = await startScripted(({ message }, response) =>
      answerJson(response, resultFor(message?.id)),
    );
    const headers = { Authorization: 'Bearer k', Accept: 'text/html', 'Content-Length': '1' };
    const { request } = await open({ url: server.url, headers });
    await request('tools/list');
    expect(server.requests[0]?.headers).toMatchObject({
      authorization: 'Bearer k',
      accept: 'application/json, text/event-stream',
    });
  });

  it.each([
    ['X-Key', 'a\r\nX-Other: b'],
    ['X-Key', 'a\nb'],
    ['X-Key', 'schlüssel 世'],
    ['X-Key', 'a\0b'],
    ['X Key', 'a'],
    ['X-Key:', 'a'],
    ['', 'a'],
  ])('that no header can be (%j: %j) are refused', async (name, value) => {
    const url = new URL('http://127.0.0.1:9/');
    await expect(open({ url, headers: { [name]: value } })).rejects.toMatchObject({
      code: 'invalid_server',
    });
  });
});

describe('an address with a password in it', () => {
  it('is refused, because nobody would send it', async () => {
    const url = new URL('http://user:password@127.0.0.1:9/');
    await expect(open({ url })).rejects.toMatchObject({ code: 'invalid_server' });
  });
});
