import { McpServer } from '@modelcontextprotocol/server';
import { afterEach, describe, expect, it } from 'vitest';
import type { McpService } from '#mcp/service/mcp-service.ts';
import { approved, hostile, testService } from '../../../test/fakes/mcp-servers.ts';
import { fetchMcpTools, loadTools, type ToolHost } from './tools-loader.ts';

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
const context = { callId: 'c', signal: AbortSignal.any([]), onProgress: () => undefined };
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

describe('servers of others, and servers of a conversation', () => {
  const names = async (...args: Parameters<typeof fetchMcpTools>): Promise<string[]> => {
    const { tools } = await fetchMcpTools(...args);
    return [...new Set(tools.map(({ server }) => server.config.name))];
  };

  it('do not exist for a user they do not belong to, by no name', async () => {
    const service = await serviceWith(one);
    const theirs = { ...approved({ type: 'inMemory', ...two }), owner: 'somebody' };
    await service.setServer(theirs);
    const selectedServers = ['one', 'two', theirs.id];
    const manual = { enabled: true, mode: 'manual' as const, selectedServers };
    expect(await names(service, { enabled: true }, { owner: 'local' })).toEqual(['one']);
    expect(await names(service, { enabled: true }, { owner: 'somebody' })).toEqual(['two']);
    expect(await names(service, manual, { owner: 'local' })).toEqual(['one']);
    expect(await names(service, { enabled: true }, { owner: 'nobody' })).toEqual([]);
    const { failures } = await fetchMcpTools(service, manual, { owner: 'local' });
    expect(failures.map(({ serverId, error }) => [serverId, error.code])).toEqual([
      ['two', 'server_not_found'],
      [theirs.id, 'server_not_found'],
    ]);
  });

  it('exist only for the conversation they are attached to', async () => {
    const service = await serviceWith(one);
    const inTopic = { ...approved({ ...two, type: 'inMemory', name: 'in-topic' }) };
    const preset = { ...approved({ ...two, type: 'inMemory', name: 'preset' }) };
    await service.setServer({ ...inTopic, attachedTo: { topic: 'x' } });
    await service.setServer({ ...preset, attachedTo: { assistant: 'x' } });
    const selectedServers = ['in-topic', preset.id, 'one'];
    const manual = { enabled: true, mode: 'manual' as const, selectedServers };
    for (const selection of [{ enabled: true }, manual]) {
      expect(await names(service, selection)).toEqual(['one']);
      const topic = [{ topic: 'x' }, { assistant: 'y' }];
      const here = await names(service, selection, { attachedTo: topic });
      expect(here.toSorted()).toEqual(['in-topic', 'one']);
      const assistant = [{ topic: 'y' }, { assistant: 'x' }];
      const there = await names(service, selection, { attachedTo: assistant });
      expect(there.toSorted()).toEqual(['one', 'preset']);
    }
  });

  it('run where the conversation runs them, under shorter names', async () => {
    const service = await serviceWith(one);
    const attached = { ...approved({ ...one, type: 'inMemory' }), attachedTo: { topic: 'x' } };
    await service.setServer(attached);
    const calls: string[] = [];
    const session: ToolHost = {
      listServerTools: (ids) => service.listServerTools(ids),
      callTool: async ({ serverId, name }) => {
        calls.push(`${serverId} ${name}`);
        return { content: [] };
      },
    };
    const options = { attachedTo: [attached.attachedTo], session };
    const { tools } = await loadTools(service, { enabled: true }, options);
    expect(tools.map(({ name }) => name).toSorted()).toEqual([
      'mcp__one__greet',
      'mcp__one__talk',
      'one__greet',
      'one__talk',
    ]);
    for (const tool of tools.filter(({ toolName }) => toolName === 'greet'))
      await tool.execute({}, context);
    expect(calls).toEqual([`${attached.id} greet`]);
  });

  it('never take the name of a tool that is there already', async () => {
    const service = await serviceWith(one);
    const reserved = new Set(['mcp__one__greet']);
    const { tools } = await loadTools(service, { enabled: true }, { reserved });
    expect(tools.map(({ name }) => name)).toEqual([
      expect.stringMatching(/^mcp__one__greet_[0-9a-f]{10}$/),
      'mcp__one__talk',
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
