import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { approved, callTool, testService } from './fakes/mcp-servers.ts';
import { startPlainServer } from './fakes/plain-http-server.ts';

async function meet(config: object = {}) {
  const server = await startPlainServer();
  onTestFinished(() => server.close());
  const service = testService();
  onTestFinished(() => service.close());
  const record = approved({ type: 'streamableHttp', baseUrl: server.url, ...config });
  await service.setServer(record);
  return { server, service, id: record.id, state: () => service.status(record.id).state };
}

describe('a server that is gone', () => {
  it('is no longer connected after a refused call', async () => {
    const { server, service, id, state } = await meet();
    await callTool(service, id, 'act');
    await server.close();
    // An idle connection is not trusted with a call.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 });
    onTestFinished(() => void vi.useRealTimers());
    await expect(callTool(service, id, 'act')).rejects.toMatchObject({
      code: 'connection_refused',
      reach: 'never-left',
    });
    expect(state()).toBe('reconnecting');
  });

  it('is no longer connected after a call that broke off', async () => {
    const { server, service, id, state } = await meet();
    await callTool(service, id, 'act');
    await server.close();
    await expect(callTool(service, id, 'act')).rejects.toMatchObject({ code: 'outcome_unknown' });
    await expect.poll(state).toBe('reconnecting');
  });

  it('is no longer connected after a refused ping', async () => {
    const { server, service, id, state } = await meet();
    await service.initClient(id);
    expect(await service.checkConnectivity(id)).toBe(true);
    await server.close();
    expect(await service.checkConnectivity(id)).toBe(false);
    expect(state()).toBe('reconnecting');
    expect(service.status(id).reason).toContain('refused the connection');
  });
});

describe('a call that meets a lost session', () => {
  it('is sent once more in a new one', async () => {
    const { server, service, id } = await meet();
    await callTool(service, id, 'act');
    server.forget();
    const { content } = await callTool(service, id, 'act');
    expect(content).toEqual([{ type: 'text', text: 'done' }]);
    expect(server.done.filter((method) => method === 'act')).toHaveLength(2);
    expect(server.done.filter((method) => method === 'initialize')).toHaveLength(2);
  });

  it('is not sent again after any other refusal', async () => {
    const { server, service, id } = await meet();
    await callTool(service, id, 'act');
    let calls = 0;
    server.answers['tools/call'] = (_, response) => {
      calls += 1;
      response.writeHead(400).end('Bad session');
    };
    await expect(callTool(service, id, 'act')).rejects.toMatchObject({
      code: 'connection_refused',
    });
    expect(calls).toBe(1);
  });

  it('is not sent a third time', async () => {
    const { server, service, id } = await meet();
    await callTool(service, id, 'act');
    let calls = 0;
    server.answers['tools/call'] = (_, response) => {
      calls += 1;
      response.writeHead(404).end('Session not found');
    };
    await expect(callTool(service, id, 'act')).rejects.toMatchObject({ reach: 'never-left' });
    expect(calls).toBe(2);
  });
});

describe('a list', () => {
  it('is empty where the server does not know the method', async () => {
    const { service, id } = await meet();
    expect(await service.listResources(id)).toEqual([]);
    expect(await service.listResourceTemplates(id)).toEqual([]);
  });

  it('is asked for again while the server is in trouble', async () => {
    const { server, service, id } = await meet();
    let asked = 0;
    server.answers['tools/list'] = (_, response) => {
      asked += 1;
      if (asked < 3) return void response.writeHead(503).end('busy');
      return { tools: [{ name: 'late', inputSchema: { type: 'object' } }] };
    };
    expect((await service.listTools(id)).map(({ name }) => name)).toEqual(['late']);
    expect(asked).toBe(3);
  });

  it('says in the diagnosis that it was cut, and what of it cannot be used', async () => {
    const { server, service, id } = await meet();
    const tools = Array.from({ length: 600 }, (_, at) => ({
      name: `tool${at}`,
      inputSchema:
        at === 1 ? { type: 'object', $ref: 'https://elsewhere.test/x' } : { type: 'object' },
    }));
    server.answers['tools/list'] = () => ({ tools });
    await service.initClient(id);
    const { tools: found, ping } = await service.examine(id);
    expect(found).toMatchObject({ count: 500, cut: true, unusable: [{ name: 'tool1' }] });
    expect(ping).toEqual({ ms: expect.any(Number) });
  });
});

describe('a refusal over HTTP', () => {
  it('is told in the words of the server, whatever a second way says', async () => {
    const { server, service, id } = await meet();
    server.refusal = [400, 'Missing x-api-key header'];
    await expect(service.initClient(id)).rejects.toMatchObject({
      code: 'http_error',
      message: expect.stringContaining('Missing x-api-key header'),
      hint: 'Add the header x-api-key to this server.',
    });
    expect(service.status(id)).toMatchObject({
      state: 'failed',
      fix: { kind: 'header', name: 'x-api-key' },
    });
  });
});

it('says how to allow more time to a call that was still working', async () => {
  const { server, service, id } = await meet({ timeout: 0.3 });
  server.answers['tools/call'] = ({ params }, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const { progressToken } = params?._meta ?? {};
    const progress = {
      jsonrpc: '2.0',
      method: 'notifications/progress',
      params: { progressToken, progress: 1 },
    };
    response.write(`data: ${JSON.stringify(progress)}\n\n`);
  };
  const call = callTool(service, id, 'act', {}, { onProgress: () => undefined });
  await expect(call).rejects.toMatchObject({
    code: 'timed_out',
    hint: expect.stringContaining('Long-running calls'),
  });
});
