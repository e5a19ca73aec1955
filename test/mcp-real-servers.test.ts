import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, describe, expect, it } from 'vitest';
import { loadTools } from '#tools/tools-loader.ts';
import { approved, testService } from './fakes/mcp-servers.ts';
import { realServer } from './real-servers.ts';

const everything = await realServer('@modelcontextprotocol/server-everything', '2026.8.31');
const filesystem = await realServer('@modelcontextprotocol/server-filesystem', '2026.8.31');

const service = testService();
const children: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  await service.close();
  await Promise.all(children.map((end) => end()));
});

let lastCall = 0;
function call(serverId: string, name: string, args = {}, more = {}) {
  return service.callTool({ serverId, name, arguments: args, callId: `c${++lastCall}`, ...more });
}

describe.skipIf(!everything)('server-everything', () => {
  const record = approved({
    name: 'everything',
    type: 'stdio',
    command: 'node',
    args: [everything],
  });

  it('lists its tools and answers over stdio', async () => {
    await service.setServer(record);
    const tools = await service.listTools(record.id);
    expect(tools.length).toBeGreaterThan(10);
    const { content } = await call(record.id, 'echo', { message: 'hi' });
    expect(content).toEqual([{ type: 'text', text: 'Echo: hi' }]);
  });

  it('shows the progress of a long call and cancels one', async () => {
    const ratios: unknown[] = [];
    const args = { duration: 0.4, steps: 2 };
    const onProgress = ({ ratio }: { ratio?: number }): unknown => ratios.push(ratio);
    await call(record.id, 'trigger-long-running-operation', args, { onProgress });
    expect(ratios).toEqual([0.5, 1]);
    const long = { duration: 60, steps: 600 };
    const running = Promise.withResolvers<void>();
    const options = { callId: 'long', onProgress: () => running.resolve() };
    const pending = call(record.id, 'trigger-long-running-operation', long, options);
    const cancelled = expect(pending).rejects.toMatchObject({ code: 'cancelled' });
    await running.promise;
    expect(service.abortTool('long')).toBe(true);
    await cancelled;
  });

  it('gives images, links and structured content', async () => {
    const image = await call(record.id, 'get-tiny-image');
    expect(image.content).toContainEqual(
      expect.objectContaining({ type: 'image', mimeType: 'image/png' }),
    );
    const links = await call(record.id, 'get-resource-links', { count: 2 });
    expect(links.content.filter(({ type }) => type === 'resource_link')).toHaveLength(2);
    const weather = await call(record.id, 'get-structured-content', { location: 'New York' });
    expect(weather.structuredContent).toMatchObject({ temperature: expect.any(Number) });
  });

  it.each(['streamableHttp', 'sse'] as const)('answers over %s', async (type) => {
    const baseUrl = await startHttp(everything ?? '', type);
    const remote = approved({ name: type, type, baseUrl });
    await service.setServer(remote);
    const { content } = await call(remote.id, 'echo', { message: 'hi' });
    expect(content).toEqual([{ type: 'text', text: 'Echo: hi' }]);
    expect(await service.checkConnectivity(remote.id)).toBe(true);
    await service.removeServer(remote.id);
  });
});

describe.skipIf(!filesystem)('server-filesystem', () => {
  it('becomes tools that can be run by the names a model sees', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'cerise-'));
    writeFileSync(join(folder, 'note.txt'), 'a note');
    const record = approved({
      name: 'files',
      type: 'stdio',
      command: 'node',
      args: [filesystem, folder],
    });
    await service.setServer(record);
    const { tools, failures } = await loadTools(service, {
      enabled: true,
      mode: 'manual',
      selectedServers: ['files'],
    });
    expect(failures).toEqual([]);
    const read = tools.find(({ name }) => name === 'mcp__files__read_text_file');
    const context = { callId: 'r', signal: AbortSignal.any([]), onProgress: () => undefined };
    const result = await read?.execute({ path: join(folder, 'note.txt') }, context);
    expect(result?.content).toEqual([{ type: 'text', text: 'a note' }]);
    const outside = await read?.execute({ path: '/etc/hostname' }, { ...context, callId: 'o' });
    expect(outside?.isError).toBe(true);
  });
});

/** Starts the server on a free port and waits until it says that it listens. */
async function startHttp(script: string, type: 'streamableHttp' | 'sse'): Promise<string> {
  const port = await freePort();
  const child = spawn(process.execPath, [script, type], {
    env: { PATH: process.env.PATH, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  children.push(async () => {
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  });
  for await (const line of createInterface({ input: child.stderr })) {
    if (/(listening|running) on port/i.test(line)) break;
  }
  return `http://127.0.0.1:${port}/${type === 'sse' ? 'sse' : 'mcp'}`;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
