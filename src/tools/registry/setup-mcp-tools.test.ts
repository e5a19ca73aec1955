import { McpServer } from '@modelcontextprotocol/server';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { McpService } from '#mcp/service/mcp-service.ts';
import type { Logger } from '#shared/vocabulary/ports.ts';
import { approved, hostile, silentLogger, testService } from '../../../test/fakes/mcp-servers.ts';
import { setupMcpTools } from './setup-mcp-tools.ts';

const open: McpService[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((service) => service.close()));
});

async function serviceWith(...names: string[]): Promise<McpService> {
  const service = testService({ builtin: (name) => Promise.resolve(greeter(name)) });
  open.push(service);
  for (const name of names) {
    await service.setServer(approved({ type: 'inMemory', name, builtin: name }));
  }
  return service;
}

describe('setupMcpTools', () => {
  it('gives tools in the vendor’s shape, and the same ones to run', async () => {
    const service = await serviceWith('one');
    const all = { enabled: true };
    const openAi = await setupMcpTools(service, all, 'openai');
    expect(openAi?.tools.map((tool) => tool.function.name)).toEqual([
      'mcp__one__greet',
      'mcp__one__find',
    ]);
    expect(openAi?.mcpTools.map(({ name }) => name)).toEqual(['mcp__one__greet', 'mcp__one__find']);
    const anthropic = await setupMcpTools(service, all, 'anthropic');
    expect(anthropic?.tools).toMatchObject([
      { name: 'mcp__one__greet', input_schema: { type: 'object' } },
    ]);
    expect(anthropic?.left).toMatchObject([{ name: 'mcp__one__find' }]);
    const google = await setupMcpTools(service, all, 'google');
    expect(google?.tools[0]?.functionDeclarations).toMatchObject([{ name: 'mcp__one__greet' }]);
    const context = { callId: 'c', signal: AbortSignal.any([]), onProgress: () => undefined };
    expect(await google?.mcpTools[0]?.execute({ who: 'you' }, context)).toMatchObject({
      content: [{ text: 'hello you' }],
    });
  });

  it('is undefined when there are no tools', async () => {
    const service = await serviceWith('one');
    expect(await setupMcpTools(service, {}, 'openai')).toBeUndefined();
    expect(await setupMcpTools(service, { enabled: false }, 'google')).toBeUndefined();
    const none = { enabled: true, mode: 'manual' as const, selectedServers: [] };
    expect(await setupMcpTools(service, none, 'anthropic')).toBeUndefined();
  });

  it('logs tools by server, and what is missing', async () => {
    const service = await serviceWith('one', 'two');
    await service.setServer(hostile({ exitAtStart: 1 }, { name: 'broken' }));
    const lines: unknown[] = [];
    const log = (fields: object, message: string): number => lines.push({ ...fields, message });
    const logger: Logger = { ...silentLogger, info: log, warn: log };
    const setup = await setupMcpTools(service, { enabled: true }, 'anthropic', { logger });
    expect(setup?.failures).toMatchObject([{ serverName: 'broken' }]);
    expect(lines).toMatchObject([
      { message: 'Tools are ready', server: 'one', tools: ['greet'] },
      { message: 'Tools are ready', server: 'two', tools: ['greet'] },
      { message: 'Skipped a tool', tool: 'mcp__one__find' },
      { message: 'Skipped a tool', tool: 'mcp__two__find' },
      { message: "A server's tools are missing", server: 'broken' },
    ]);
  });
});

function greeter(name: string): McpServer {
  const server = new McpServer({ name, version: '1' });
  server.registerTool('greet', { inputSchema: z.object({ who: z.string() }) }, ({ who }) => ({
    content: [{ type: 'text', text: `hello ${who}` }],
  }));
  server.registerTool('find', { inputSchema: z.object({ 'filter[id]': z.string() }) }, () => ({
    content: [],
  }));
  return server;
}
