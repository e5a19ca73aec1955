import { describe, expect, it } from 'vitest';
import type { Tool } from '#shared/vocabulary/tool.ts';
import { ToolRegistry } from './registry.ts';

const context = { callId: 'c', signal: AbortSignal.any([]), onProgress: () => undefined };
const mcp: Tool = {
  kind: 'mcp',
  name: 'mcp__files__read',
  description: 'Reads',
  inputSchema: { type: 'object' },
  serverId: 's',
  serverName: 'files',
  toolName: 'read',
  annotations: {},
  trusted: false,
  execute: () => Promise.resolve({ content: [{ type: 'text', text: 'from the server' }] }),
};
const native = {
  name: 'search_tools',
  description: 'Searches',
  inputSchema: { type: 'object' },
  execute: () => Promise.resolve({ content: [{ type: 'text' as const, text: 'from the host' }] }),
};

describe('ToolRegistry', () => {
  it('takes tools as agents write them and as they were loaded, and nothing that cannot run', async () => {
    const registry = new ToolRegistry();
    registry.register(mcp);
    registry.register({
      name: 'add',
      description: 'Adds',
      parameters: { type: 'object', properties: { a: { type: 'number' } } },
      execute: async (args, options) => ({
        content: [{ type: 'text', text: `${JSON.stringify(args)} ${options?.callId}` }],
      }),
    });
    expect(registry.resolve(mcp.name)).toBe(mcp);
    const add = registry.resolve('add');
    expect(add).toMatchObject({ kind: 'native', toolName: 'add', inputSchema: { type: 'object' } });
    const { content } = await add.execute({ a: 1 }, context);
    expect(content).toEqual([{ type: 'text', text: '{"a":1} c' }]);
    const listed = JSON.parse(JSON.stringify(mcp)) as Tool;
    for (const wrong of [listed, undefined, {}])
      expect(() => registry.register(wrong as Tool)).toThrow('execute');
    const annotations = { readOnlyHint: true };
    const execute = () => Promise.resolve({ content: [] });
    registry.register({ name: 'look', description: '', parameters: {}, annotations, execute });
    expect(registry.resolve('look')).toMatchObject({ annotations });
    registry.register({ name: 'bare', execute } as never);
    expect(registry.definitions().at(-1)).toMatchObject({
      description: '',
      inputSchema: { type: 'object' },
    });
  });

  it('runs native and MCP tools side by side', async () => {
    const registry = new ToolRegistry([mcp]);
    registry.register(native);
    expect(registry.definitions().map(({ name }) => name)).toEqual([mcp.name, native.name]);
    expect(registry.resolve(native.name)).toMatchObject({ kind: 'native', trusted: true });
    expect(registry.resolve(mcp.name)).toBe(mcp);
    const result = await registry.resolve(native.name).execute({}, context);
    expect(result.content).toEqual([{ type: 'text', text: 'from the host' }]);
  });

  it('names the nearest tools when a name is unknown', () => {
    const registry = new ToolRegistry([mcp, { ...mcp, name: 'mcp__web__fetch' }]);
    expect(() => registry.resolve('files_read')).toThrow(
      expect.objectContaining({
        code: 'tool_not_found',
        hint: 'Did you mean mcp__files__read, mcp__web__fetch?',
      }),
    );
    for (const name of ['', 'x', 'toString', '__proto__', 'y'.repeat(100_000)]) {
      expect(() => registry.resolve(name)).toThrow('There is no tool');
    }
    expect(() => new ToolRegistry().resolve('x')).toThrow(
      expect.objectContaining({ hint: 'No tools are available.' }),
    );
  });

  it('refuses a second tool of the same name', () => {
    expect(() => new ToolRegistry([mcp, mcp])).toThrow(
      expect.objectContaining({ code: 'conflict' }),
    );
  });
});
