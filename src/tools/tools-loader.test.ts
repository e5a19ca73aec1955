import { afterEach, describe, expect, it } from 'vitest';
import { McpServer } from '@modelcontextprotocol/server';
import type { McpService } from '#mcp/mcp-service.ts';
import { approved, hostile, testService } from '../../test/fakes/mcp-servers.ts';
import { fetchMcpTools, loadTools } from './tools-loader.ts';

const open: McpService[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((service) => service.close()));
});

async function serviceWith(...configs: Record<string, unknown>[]): Promise<McpService> {
  const service = testService({ builtin: (name) => Promise.resolve(greeter(name)) });
  open.push(service);
  for (const config of configs) await service.setServer(approved({ type: 'inMemory', ...config }));
  return service;
}

const one = { name: 'one', builtin: 'x' };
const two = { name: 'two', builtin: 'y' };

describe('fetchMcpTools', () => {
  it('gives none when tools are off, all in auto mode and the named ones in manual mode', async () => {
    const service = await serviceWith(one, two, { ...two, name: 'off', disabled: true });
    const names = async (selection: Parameters<typeof fetchMcpTools>[1]): Promise<string[]> =>
      (await fetchMcpTools(service, selection)).tools.map(({ server }) => server.config.name);
    expect(await names({})).toEqual([]);
    expect(await names({ enabled: false, mode: 'auto' })).toEqual([]);
    expect(await names({ enabled: true })).toEqual(['one', 'one', 'two', 'two']);
    expect(await names({ enabled: true, mode: 'manual' })).toEqual([]);
    const [first] = service.servers();
    const selectedServers = ['two', first?.id ?? '', 'two'];
    expect(await names({ enabled: true, mode: 'manual', selectedServers })).toEqual([
      'two',
      'two',
      'one',
      'one',
    ]);
  });

  it('reports failing, disabled and unknown servers beside the tools of the others', async () => {
    const service = await serviceWith(one, { ...two, disabled: true });
    await service.setServer(hostile({ exitAtStart: 1 }, { name: 'broken' }));
    const selectedServers = ['one', 'two', 'broken', 'nobody'];
    const { tools, failures } = await fetchMcpTools(service, {
      enabled: true,
      mode: 'manual',
      selectedServers,
    });
    expect(tools).toHaveLength(2);
    expect(failures.map(({ serverName, error }) => [serverName, error.code])).toEqual([
      ['two', 'server_disabled'],
      ['broken', 'connection_lost'],
      ['nobody', 'server_not_found'],
    ]);
  });
});

describe('loadTools', () => {
  it('makes tools that run, trusted for built-in servers only', async () => {
    const service = await serviceWith(one);
    await service.setServer(hostile({}, { name: 'other' }));
    const { tools } = await loadTools(service, { enabled: true });
    const greet = tools.find(({ name }) => name === 'mcp__one__greet');
    expect(greet).toMatchObject({
      kind: 'mcp',
      trusted: true,
      annotations: { readOnlyHint: true },
    });
    expect(greet?.inputSchema.type).toBe('object');
    expect(tools.find(({ name }) => name === 'mcp__other__echo')?.trusted).toBe(false);
    const context = { callId: 'c', signal: AbortSignal.any([]), onProgress: () => undefined };
    expect(await greet?.execute({}, context)).toEqual({
      content: [{ type: 'text', text: 'hello' }],
    });
  });

  it('leaves out switched-off tools and shortens descriptions', async () => {
    const service = await serviceWith({ ...one, disabledTools: ['greet'] });
    const { tools } = await loadTools(service, { enabled: true });
    expect(tools.map(({ toolName }) => toolName)).toEqual(['talk']);
    expect(tools[0]?.description).toHaveLength(4096);
  });

  it('gives two servers of the same name different tools', async () => {
    const service = await serviceWith(one, one);
    const { tools } = await loadTools(service, { enabled: true });
    expect(new Set(tools.map(({ name }) => name)).size).toBe(4);
  });

  it('leaves out a tool whose schema is out of bounds and says why', async () => {
    const service = await serviceWith(one);
    await service.setServer(hostile({ tools: ['fine', 'monstrous'] }, { name: 'odd' }));
    const { tools, failures } = await loadTools(service, { enabled: true });
    expect(tools.map(({ toolName }) => toolName)).toEqual(['greet', 'talk', 'fine']);
    expect(failures).toMatchObject([
      { serverName: 'odd', error: { details: { toolName: 'monstrous' } } },
    ]);
  });
});

function greeter(name: string): McpServer {
  const server = new McpServer({ name, version: '1' });
  const hello = { content: [{ type: 'text' as const, text: 'hello' }] };
  server.registerTool('greet', { annotations: { readOnlyHint: true } }, () => hello);
  server.registerTool('talk', { description: 'x'.repeat(10_000) }, () => hello);
  return server;
}
