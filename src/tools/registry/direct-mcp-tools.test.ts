import { join } from 'node:path';
import { McpServer } from '@modelcontextprotocol/server';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readProcess } from '#mcp/process/process-table.ts';
import { McpProcessTracker } from '#mcp/process/process-tracker.ts';
import type { JsonObject } from '#shared/vocabulary/json.ts';
import type { ServerConfig } from '#shared/vocabulary/server.ts';
import type { ToolResult } from '#shared/vocabulary/tool.ts';
import { hostile } from '../../../test/fakes/mcp-servers.ts';
import { type DirectMcpOptions, loadDirectMcpTools } from './direct-mcp-tools.ts';

const script = join(import.meta.dirname, '../../../test/fakes/counting-server.mjs');
const counting = (name: string): JsonObject => ({
  name,
  command: process.execPath,
  args: [script],
});

async function load(configs: (ServerConfig | JsonObject)[], options?: DirectMcpOptions) {
  const loaded = await loadDirectMcpTools(configs, options);
  onTestFinished(async () => {
    await Promise.all(loaded.connections.map((connection) => connection.close()));
  });
  return loaded;
}

const textOf = (result: ToolResult | undefined): string =>
  result?.content[0]?.type === 'text' ? result.content[0].text : '';

/** One that ended but that nobody has collected yet is not alive. */
const isAlive = (pid: number): boolean => (readProcess(pid)?.state ?? 'Z') !== 'Z';

describe('loadDirectMcpTools', () => {
  it('starts servers that belong to the caller, with tools named server__tool', async () => {
    const { tools, connections, failures } = await load([counting('a'), counting('b')]);
    expect(failures).toEqual([]);
    expect(tools.map(({ name }) => name)).toEqual(['a__count', 'a__grow', 'b__count', 'b__grow']);
    expect(connections.map(({ serverName }) => serverName)).toEqual(['a', 'b']);
    const [a, , b] = tools;
    const first = textOf(await a?.execute({}));
    expect(textOf(await a?.execute({}))).toBe(first.replace(/1$/, '2'));
    expect(textOf(await b?.execute({}))).toMatch(/ 1$/);
  });

  it('gives every load an instance of its own, and servers of one name different tools', async () => {
    const { tools } = await load([counting('same'), counting('same')]);
    expect(new Set(tools.map(({ name }) => name)).size).toBe(4);
    const other = await load([counting('same')]);
    expect(other.tools[0]?.name).toBe('same__count');
    const answers = await Promise.all(
      [tools[0], tools[2], other.tools[0]].map(async (tool) => textOf(await tool?.execute({}))),
    );
    expect(new Set(answers).size).toBe(3);
    expect(answers.every((text) => text.endsWith(' 1'))).toBe(true);
  });

  it('ends the process when the connection is closed, once, and the other one goes on', async () => {
    const tracker = new McpProcessTracker();
    const { tools, connections } = await load([counting('a'), counting('b')], { tracker });
    const pid = Number(textOf(await tools[0]?.execute({})).split(' ')[0]);
    expect(tracker.tracked()).toHaveLength(2);
    const [a] = connections;
    await Promise.all([a?.close(), a?.close()]);
    await a?.close();
    expect(isAlive(pid)).toBe(false);
    expect(tracker.tracked()).toHaveLength(1);
    await expect(tools[0]?.execute({})).rejects.toMatchObject({ code: 'connection_lost' });
    expect(textOf(await tools[2]?.execute({}))).toMatch(/ 1$/);
  });

  it('ends descendants that do not listen', async () => {
    const tracker = new McpProcessTracker();
    const { connections } = await load([hostile({ grandchild: true }).config], {
      tracker,
    });
    const [id = ''] = tracker.tracked();
    await expect.poll(() => tracker.processTree(id).length).toBeGreaterThan(1);
    const pids = tracker.processTree(id).map(({ pid }) => pid);
    await connections[0]?.close();
    expect(pids.filter(isAlive)).toEqual([]);
  });

  it('reports and ends servers that fail, whatever is wrong, beside the healthy one', async () => {
    const tracker = new McpProcessTracker();
    const { tools, connections, failures } = await load(
      [
        { name: 'broken', command: process.execPath, args: ['-e', 'process.exit(3)'] },
        { name: 'missing', command: 'no-such-program-anywhere' },
        { name: 'odd', type: 'carrier-pigeon' },
        { ...hostile().config, disabled: true },
        { name: 'builtin', type: 'inMemory', builtin: 'time' },
        counting('healthy'),
      ],
      { tracker },
    );
    expect(tools.map(({ name }) => name)).toEqual(['healthy__count', 'healthy__grow']);
    expect(connections).toHaveLength(1);
    expect(tracker.tracked()).toHaveLength(1);
    expect(failures.map(({ serverName, error }) => [serverName, error.code])).toEqual([
      ['broken', 'connection_lost'],
      ['missing', 'command_not_found'],
      ['odd', 'invalid_server'],
      ['test', 'server_disabled'],
      ['builtin', 'invalid_server'],
    ]);
  });

  it('joins in-memory servers that the caller makes', async () => {
    const builtin = async (name: string) => {
      const server = new McpServer({ name, version: '1' });
      const content = [{ type: 'text' as const, text: `I am ${name}` }];
      server.registerTool('greet', {}, () => ({ content }));
      return server;
    };
    const { tools } = await load([{ name: 'own', type: 'inMemory', builtin: 'mine' }], { builtin });
    expect(textOf(await tools[0]?.execute({}))).toBe('I am mine');
  });
});
