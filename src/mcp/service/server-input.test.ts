import { McpServer } from '@modelcontextprotocol/server';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { CallError } from '#shared/vocabulary/call-error.ts';
import { hostile } from '../../../test/fakes/mcp-servers.ts';
import { safeMcpCall } from '../calls/safe-mcp-call.ts';
import { McpService, type McpServiceOptions } from './mcp-service.ts';

const open: McpService[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((service) => service.close()));
});

function start(options?: McpServiceOptions): McpService {
  const service = new McpService(options);
  open.push(service);
  return service;
}

let greetings = 0;
async function greeter(): Promise<McpServer> {
  const server = new McpServer({ name: 'greeter', version: '1' });
  server.registerTool('greet', { inputSchema: z.object({ name: z.string() }) }, ({ name }) => ({
    content: [{ type: 'text', text: `Hello ${name}` }],
  }));
  server.registerPrompt('hi', { argsSchema: z.object({ to: z.string() }) }, ({ to }) => ({
    messages: [{ role: 'user', content: { type: 'text', text: `${(greetings += 1)} ${to}` } }],
  }));
  return server;
}

const inMemory = { name: 'greeter', type: 'inMemory', builtin: 'greeter' } as const;

describe('a service without a host', () => {
  it('calls a tool by id and by the object of its server, with and without an id of the call', async () => {
    const service = start({ builtin: greeter });
    const [server] = await service.addServers(inMemory);
    if (!server) throw new Error('no server');
    const byObject = await service.callTool({ server, name: 'greet', args: { name: 'Ada' } });
    const byId = await service.callTool({
      server: server.id,
      name: 'greet',
      args: { name: 'Ada' },
      callId: 'mine',
    });
    expect(byObject).toEqual(byId);
    expect(byObject.content).toEqual([{ type: 'text', text: 'Hello Ada' }]);
    expect(await service.batchToolCalls([{ server, name: 'none' }])).toMatchObject([
      { error: { code: 'tool_not_found' } },
    ]);
  });

  it('sets a server by its object at its first use', async () => {
    const [record] = await start({ builtin: greeter }).addServers(inMemory);
    if (!record) throw new Error('no server');
    const other = start({ builtin: greeter });
    await other.initClient(record);
    expect((await other.listTools(record)).map(({ name }) => name)).toEqual(['greet']);
  });

  it('reads the servers of another host, and runs no command that nobody approved', async () => {
    const { config } = hostile();
    const { name, ...entry } = config;
    const drafts = start();
    const [draft] = await drafts.addServers({ mcpServers: { [name]: { ...entry } } });
    if (!draft) throw new Error('no server');
    expect(draft.config).toMatchObject({ name, type: 'stdio' });
    await expect(drafts.callTool({ server: draft, name: 'echo' })).rejects.toMatchObject({
      code: 'server_not_approved',
    });
    const asked: string[] = [];
    const approving = start({ approve: (record) => asked.push(record.config.name) > 0 });
    const [server] = await approving.addServers(config);
    if (!server) throw new Error('no server');
    const result = await approving.callTool({ server, name: 'echo', args: { a: 1 } });
    expect(result.content).toEqual([{ type: 'text', text: '{"a":1}' }]);
    expect(asked).toEqual([name]);
  });

  it('says that there are no in-memory servers where none were given', async () => {
    const service = start();
    const [server] = await service.addServers(inMemory);
    await expect(service.initClient(server ?? '')).rejects.toMatchObject({
      code: 'invalid_server',
    });
  });

  it('asks whether the command of a server may run that is set by its object', async () => {
    const approve = vi.fn<() => Promise<boolean>>(async () => true);
    const service = start({ approve });
    const { config } = hostile();
    const record = { id: 'mine', config };
    const both = await Promise.all([service.listTools(record), service.initClient(record)]);
    expect(both[0].length).toBeGreaterThan(0);
    expect(approve).toHaveBeenCalledTimes(1);
    expect(service.servers()).toMatchObject([{ id: 'mine', owner: 'local' }]);
  });

  it('takes a record with no more than an id and a config, and JSON without any server', async () => {
    const service = start({ builtin: greeter });
    const [server] = await service.addServers({ id: 'mine', config: inMemory });
    expect(server).toMatchObject({ id: 'mine', owner: 'local', config: { name: 'greeter' } });
    expect(await service.addServers({ mcpServers: {} })).toEqual([]);
    const wrong = { id: 'x', config: { name: 'x', type: 'carrier' } };
    await expect(service.addServers(wrong)).rejects.toMatchObject({ code: 'invalid_server' });
  });

  it('finds a server by the name it was written with, and keeps two of the same name apart', async () => {
    const service = start({ builtin: greeter });
    const [server] = await service.addServers({ mcpServers: { greeter: { ...inMemory } } });
    const [second] = await service.addServers(inMemory);
    expect(server?.id).toBe('greeter');
    expect(second?.id).not.toBe('greeter');
    expect(service.servers()).toHaveLength(2);
    const prompt = await service.getPrompt('greeter', 'hi', { to: 'Ada' });
    expect(prompt.messages).not.toEqual([]);
    expect(service.logs(server ?? '')).toEqual(service.logs('greeter'));
  });

  it('says what is wrong with what is no server', async () => {
    const service = start();
    for (const wrong of [undefined, null, '{}', 5, []])
      await expect(service.addServers(wrong as never)).rejects.toMatchObject({
        code: 'invalid_server',
      });
    for (const wrong of [undefined, null, 5, {}, { id: 'x' }, { name: 'x', command: 'y' }])
      expect(() => service.status(wrong as never)).toThrow(
        expect.objectContaining({ code: 'invalid_request' }),
      );
    expect(() => service.status('greeter')).toThrow('There is no server with the ID greeter.');
  });

  it('says why a server in memory could not be made', async () => {
    const failing = start({ builtin: () => Promise.reject(new Error('no license')) });
    const [server] = await failing.addServers(inMemory);
    await expect(failing.listTools(server?.id ?? '')).rejects.toThrow('no license');
  });

  it('asks for a prompt once for the same arguments, in whatever order they stand', async () => {
    const service = start({ builtin: greeter });
    const [server] = await service.addServers(inMemory);
    if (!server) throw new Error('no server');
    const ada = await service.getPrompt(server, 'hi', { to: 'Ada' });
    expect(await service.getPrompt(server, 'hi', { to: 'Ada' })).toEqual(ada);
    expect(await service.getPrompt(server, 'hi', { to: 'Bob' })).not.toEqual(ada);
    await service.restartServer(server);
    expect(await service.getPrompt(server, 'hi', { to: 'Ada' })).not.toEqual(ada);
  });
});

describe('safeMcpCall', () => {
  const failing = (error: Error) => {
    let tries = 0;
    const operation = async (): Promise<string> => {
      tries += 1;
      throw error;
    };
    return { operation, tries: () => tries };
  };

  it('repeats what never left, and takes the fallback at last', async () => {
    const { operation, tries } = failing(new CallError('never-left', 'connection_lost', 'No.'));
    const options = { fallback: 'none', retries: 2, pauseMs: 1 };
    expect(await safeMcpCall(operation, options)).toBe('none');
    expect(tries()).toBe(3);
  });

  it('never repeats what may have happened, unless the caller says that it may', async () => {
    const once = failing(new CallError('left', 'timed_out', 'Too late.'));
    await expect(safeMcpCall(once.operation, { retries: 5 })).rejects.toThrow('Too late.');
    expect(once.tries()).toBe(1);
    const twice = failing(new CallError('left', 'timed_out', 'Too late.'));
    const options = { retries: 1, isRepeatable: () => true, pauseMs: 1 };
    await expect(safeMcpCall(twice.operation, options)).rejects.toThrow('Too late.');
    expect(twice.tries()).toBe(2);
  });
});
