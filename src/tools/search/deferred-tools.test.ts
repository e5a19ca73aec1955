import { describe, expect, it } from 'vitest';
import type { JsonObject } from '#shared/vocabulary/json.ts';
import type { ModelMessage } from '#shared/vocabulary/model.ts';
import type { Tool } from '#shared/vocabulary/tool.ts';
import { deferHistory, deferralNames, deferTools, estimateTokens } from './deferred-tools.ts';

function tool(name: string, more: Partial<Tool> = {}): Tool {
  return {
    kind: 'mcp',
    name: `mcp__files__${name}`,
    description: `Does ${name.replaceAll('_', ' ')} with files.`,
    inputSchema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
    serverId: 's',
    serverName: 'files',
    toolName: name,
    annotations: { destructiveHint: true },
    trusted: false,
    execute: () => Promise.resolve({ content: [{ type: 'text', text: `ran ${name}` }] }),
    ...more,
  };
}

const read = tool('read_text');
const remove = tool('delete_folder');
const native = tool('read_result', { kind: 'native', name: 'read_result' });
const many = [read, remove, native, ...Array.from({ length: 300 }, (_, n) => tool(`noise_${n}`))];
const context = { callId: 'c', signal: AbortSignal.any([]), onProgress: () => undefined };

async function search(tools: readonly Tool[], args: JsonObject): Promise<string> {
  const { offered } = deferTools(tools, { mode: 'always' });
  const result = await offered[0]!.execute(args, context);
  return result.content.map((part) => (part.type === 'text' ? part.text : '')).join('');
}

describe('deferTools', () => {
  it('offers the tools themselves while they take little of the context', () => {
    const { deferred, offered, resolveDeferred } = deferTools([read, remove]);
    expect(deferred).toBe(false);
    expect(offered).toEqual([read, remove]);
    expect(resolveDeferred({ toolName: read.name, arguments: { path: 'a' } })).toEqual({
      tool: read,
      arguments: { path: 'a' },
    });
  });

  it('defers them when they take more than their share, and never or always by choice', () => {
    const size = estimateTokens(many);
    expect(deferTools(many, { contextTokens: size * 10 }).deferred).toBe(false);
    expect(deferTools(many, { contextTokens: size * 10 - 1 }).deferred).toBe(true);
    expect(deferTools(many, { contextTokens: size * 2, share: 0.5 }).deferred).toBe(false);
    expect(deferTools(many, { contextTokens: 10, mode: 'never' }).deferred).toBe(false);
    expect(deferTools([read], { mode: 'always' }).deferred).toBe(true);
    expect(deferTools(many).deferred).toBe(size > 12_800);
  });

  it('offers search, call, native and chosen tools, the same bytes whatever else there is', () => {
    const options = { mode: 'always', always: [read.name, 'gone'] } as const;
    const { offered } = deferTools(many, options);
    expect(offered.map(({ name }) => name)).toEqual([
      'search_tools',
      'call_tool',
      read.name,
      'read_result',
    ]);
    const fewer = deferTools(many.slice(0, 3).toReversed(), options).offered;
    expect(JSON.stringify(fewer)).toBe(JSON.stringify(offered));
  });

  it('leads a call through call_tool to the real tool', () => {
    const { resolveDeferred } = deferTools(many, { mode: 'always' });
    const call = (args: JsonObject | null) =>
      resolveDeferred({ toolName: deferralNames.call, arguments: args });
    expect(call({ name: remove.name, arguments: { path: 'a' } })).toEqual({
      tool: remove,
      arguments: { path: 'a' },
    });
    expect(call({ name: remove.name, arguments: '{"path":"a"}' })).toEqual({
      tool: remove,
      arguments: { path: 'a' },
    });
    expect(call({ name: remove.name })).toEqual({ tool: remove, arguments: {} });
    expect(call({ name: remove.name, arguments: '{"path":' })).toEqual({
      tool: remove,
      arguments: null,
    });
    expect(call({ name: remove.name, arguments: [1] })).toEqual({ tool: remove, arguments: null });
    expect(resolveDeferred({ toolName: remove.name, arguments: {} })).toMatchObject({
      tool: remove,
    });
  });

  it('says what is wrong with a call that leads nowhere', () => {
    const { resolveDeferred } = deferTools(many, { mode: 'always' });
    const problem = (args: JsonObject | null) =>
      resolveDeferred({ toolName: deferralNames.call, arguments: args });
    expect(problem({ name: 'mcp__files__delete_folders', arguments: {} })).toMatchObject({
      problem: { code: 'tool_not_found', hint: expect.stringContaining(remove.name) },
    });
    expect(problem({ name: 'call_tool', arguments: {} })).toMatchObject({
      problem: { code: 'tool_not_found' },
    });
    expect(problem({ name: '__proto__', arguments: {} })).toMatchObject({
      problem: { code: 'tool_not_found' },
    });
    expect(problem({ name: 'x'.repeat(100_000), arguments: {} })).toMatchObject({
      problem: { code: 'tool_not_found' },
    });
    const misused: (JsonObject | null)[] = [
      null,
      {},
      { name: 7 },
      { name: remove.name, path: 'a' },
    ];
    for (const args of misused)
      expect(problem(args)).toMatchObject({ problem: { code: 'invalid_arguments' } });
    expect(resolveDeferred({ toolName: 'nothing', arguments: {} })).toMatchObject({
      problem: { code: 'tool_not_found' },
    });
  });

  it('runs nothing by call_tool itself', async () => {
    const { offered } = deferTools(many, { mode: 'always' });
    const run = offered[1]!.execute({ name: remove.name, arguments: {} }, context);
    await expect(run).rejects.toMatchObject({ code: 'internal' });
  });
});

describe('search_tools', () => {
  it('answers with whole definitions, the best first', async () => {
    const [first] = (await search(many, { query: 'delete a folder' })).split('\n');
    const { name, description, inputSchema } = remove;
    expect(JSON.parse(first!)).toEqual({ name, description, inputSchema });
    const lines = (await search(many, { query: 'noise', limit: 50 })).split('\n');
    expect(lines.filter((line) => line.startsWith('{'))).toHaveLength(8);
  });

  it('finds a tool by its exact name', async () => {
    const text = await search(many, { query: 'mcp__files__noise_299', limit: 1 });
    expect(JSON.parse(text.split('\n')[0]!)).toMatchObject({ name: 'mcp__files__noise_299' });
  });

  it('tells which servers there are when nothing was asked or found', async () => {
    expect(await search(many, { query: '' })).toBe('Connected servers:\n- files: 302 tools');
    expect(await search(many, { query: 'zzzz qqqq' })).toContain('- files: 302 tools');
    expect(await search([], { query: 'x' })).toContain('No tool matches');
    expect(await search(many, { limit: 'many' })).toContain('Connected servers');
  });

  it('stays within its bytes, however large the definitions are', async () => {
    const properties = (count: number) =>
      Object.fromEntries(
        Array.from({ length: count }, (_, n) => [
          `field${n}`,
          { type: 'string', description: 'about '.repeat(40) },
        ]),
      );
    const large = [60, 100, 100, 5000].map((count, n) =>
      tool(`giant_${n}`, { inputSchema: { type: 'object', properties: properties(count) } }),
    );
    for (const query of ['giant', 'giant_3', 'giant_1']) {
      const text = await search(large, { query, limit: 8 });
      expect(Buffer.byteLength(text)).toBeLessThan(25 * 1024);
      for (const line of text.split('\n').filter((each) => each.startsWith('{'))) JSON.parse(line);
      expect(text).toContain('mcp__files__giant_');
    }
  });
});

describe('deferHistory', () => {
  it('tells calls of hidden tools as calls of call_tool', () => {
    const result = { content: [] };
    const messages: ModelMessage[] = [
      { role: 'user', parts: [{ type: 'text', text: 'hi' }] },
      {
        role: 'assistant',
        parts: [
          { type: 'tool-call', callId: '1', toolName: 'search_tools', arguments: { query: 'x' } },
          {
            type: 'tool-call',
            callId: '2',
            toolName: remove.name,
            arguments: { path: 'a' },
            signature: 's',
          },
        ],
      },
      {
        role: 'tool',
        results: [
          { callId: '1', toolName: 'search_tools', result },
          { callId: '2', toolName: remove.name, result },
        ],
      },
    ];
    const { offered } = deferTools(many, { mode: 'always' });
    const [user, assistant, tools] = deferHistory(messages, offered);
    expect(user).toEqual(messages[0]);
    expect(assistant).toMatchObject({
      parts: [
        { toolName: 'search_tools', arguments: { query: 'x' } },
        {
          callId: '2',
          toolName: 'call_tool',
          arguments: { name: remove.name, arguments: { path: 'a' } },
          signature: 's',
        },
      ],
    });
    expect(tools).toMatchObject({
      results: [{ toolName: 'search_tools' }, { callId: '2', toolName: 'call_tool' }],
    });
  });
});
