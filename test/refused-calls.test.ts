import { afterEach, describe, expect, it } from 'vitest';
import { launchHash } from '#mcp/connection/launch-hash.ts';
import { McpService } from '#mcp/service/mcp-service.ts';
import type { JsonObject } from '#shared/vocabulary/json.ts';
import type { ServerRecord } from '#shared/vocabulary/server.ts';
import { answerJson, resultFor, startScripted } from './fixtures/http-channel.ts';
import { quietLogger } from './host.ts';

type Scripted = Parameters<typeof startScripted>[0];
type Answer = (response: Parameters<Scripted>[1], n: number, id: number) => void;

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** An old server in a session, whose calls are answered by `answer`; `calls` says how many it got. */
async function serve(answer: Answer, ping?: (response: Parameters<Scripted>[1]) => void) {
  let calls = 0;
  const { url } = await startScripted(({ method, message }, response) => {
    if (method !== 'POST') return void response.writeHead(405).end();
    const id = Number(message?.id);
    const reply = (result: JsonObject, headers = {}) =>
      answerJson(response, { jsonrpc: '2.0', id, result }, headers);
    if (message?.id === undefined) return void response.writeHead(202).end();
    switch (message.method) {
      case 'initialize':
        return reply(
          {
            protocolVersion: '2025-06-18',
            capabilities: { tools: {} },
            serverInfo: { name: 's', version: '1' },
          },
          { 'mcp-session-id': 's' },
        );
      case 'tools/list':
        return reply({ tools: [{ name: 'do', inputSchema: { type: 'object' } }] });
      case 'tools/call':
        return answer(response, ++calls, id);
      case 'ping':
        return ping ? ping(response) : reply({});
      default:
        return answerJson(response, resultFor(id));
    }
  });
  const config = { type: 'streamableHttp', name: 's', baseUrl: url.href } as ServerRecord['config'];
  const service = new McpService({
    builtin: () => Promise.reject(new Error('none')),
    logger: quietLogger,
  });
  closers.push(() => service.close());
  await service.setServer({
    id: 's',
    owner: 'local',
    config,
    approvedHash: launchHash(config),
    createdAt: 0,
    updatedAt: 0,
  });
  const call = (callId = 'c') =>
    service.callTool({ serverId: 's', name: 'do', arguments: {}, callId });
  return { service, call, calls: () => calls };
}

const sessionGone = '{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"No session"}}';

describe('T76: a call that a server over HTTP refuses', () => {
  it('with 404 to its session is sent once again in a new one, and never a third time', async () => {
    const { call, calls } = await serve((response) => void response.writeHead(404).end());
    await expect(call()).rejects.toMatchObject({ reach: 'never-left' });
    expect(calls()).toBe(2);
  });

  it.each([
    [400, sessionGone, 'ended'],
    [400, 'your session is fine, but no', 'ended'],
    [401, '', 'ended'],
    [403, '', 'ended'],
    [429, '', 'ended'],
    [500, '', 'left'],
    [502, '', 'left'],
    [503, '', 'left'],
  ])('with %d %j is not sent again, and its reach is %s', async (status, body, reach) => {
    const { call, calls } = await serve((response) => void response.writeHead(status).end(body));
    await expect(call()).rejects.toMatchObject({ reach });
    expect(calls()).toBe(1);
  });

  it('by cutting the connection has left, and is not sent again', async () => {
    const { call, calls } = await serve((response) => void response.destroy());
    await expect(call()).rejects.toMatchObject({ code: 'outcome_unknown', reach: 'left' });
    expect(calls()).toBe(1);
  });

  it('with an error of its own has ended', async () => {
    const { call, calls } = await serve((response, _, id) =>
      answerJson(response, { jsonrpc: '2.0', id, error: { code: -32603, message: 'no' } }),
    );
    await expect(call()).rejects.toMatchObject({ code: 'protocol_error', reach: 'ended' });
    expect(calls()).toBe(1);
  });

  it('in a session that is lost while another call runs leaves that one as it is', async () => {
    const running = Promise.withResolvers<void>();
    const { call, calls } = await serve((response, n) => {
      if (n === 1) return running.resolve();
      response.writeHead(404).end();
    });
    const first = expect(call('first')).rejects.toMatchObject({
      code: 'outcome_unknown',
      reach: 'left',
    });
    await running.promise;
    await expect(call('second')).rejects.toMatchObject({ reach: 'never-left' });
    await first;
    // The first once, the second once in each session.
    expect(calls()).toBe(3);
  });

  it('before it could be sent has never left', async () => {
    const { service, call, calls } = await serve(() => undefined);
    const stopped = new AbortController();
    stopped.abort();
    const request = { serverId: 's', name: 'do', arguments: {}, callId: 'c' };
    await expect(service.callTool({ ...request, signal: stopped.signal })).rejects.toMatchObject({
      code: 'cancelled',
      reach: 'never-left',
    });
    await service.removeServer('s');
    await expect(call()).rejects.toThrow();
    expect(calls()).toBe(0);
  });
});
