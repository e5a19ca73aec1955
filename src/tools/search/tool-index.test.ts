import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '#shared/vocabulary/json.ts';
import type { SearchableTool } from './tool-document.ts';
import { createToolIndex } from './tool-index.ts';

function tool(
  toolName: string,
  description: string,
  more: Partial<SearchableTool> = {},
): SearchableTool {
  const inputSchema: JsonObject = { type: 'object', properties: {} };
  return { name: toolName, toolName, description, serverName: 'server', inputSchema, ...more };
}

function names(tools: SearchableTool[], query: string, limit = 5): string[] {
  return createToolIndex(tools)
    .search(query, limit)
    .map(({ tool: found }) => found.toolName);
}

const parameters = (properties: JsonObject): Partial<SearchableTool> => ({
  inputSchema: { type: 'object', properties },
});

describe('createToolIndex', () => {
  it('finds words in names however they are spelled', () => {
    const tools = ['list_issues', 'createIssue', 'get-weather', 'user.profile'].map((name) =>
      tool(name, ''),
    );
    expect(names(tools, 'weather')).toEqual(['get-weather']);
    expect(names(tools, 'the profile of a user')).toEqual(['user.profile']);
    expect(names(tools, 'please create an issue')[0]).toBe('createIssue');
    expect(names(tools, 'all the issues')[0]).toBe('list_issues');
  });

  it('finds words in title, description, server and parameters', () => {
    const tools = [
      tool('a', '', { title: 'Moon phases' }),
      tool('b', 'Tells the tides of an ocean.'),
      tool('c', '', { serverName: 'astronomy' }),
      tool('d', '', parameters({ comet: { type: 'string', description: 'Which galaxy.' } })),
      tool('e', '', parameters({ list: { type: 'array', items: { properties: { nebula: {} } } } })),
      tool('f', '', parameters({ kind: { enum: ['asteroid', 7] } })),
    ];
    const queries = ['moon', 'tide', 'astronomy', 'comets', 'nebula', 'asteroids'];
    expect(queries.map((query) => names(tools, query)[0])).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
    expect(names(tools, 'galaxies')).toEqual(['d']);
  });

  it('meets other forms of a word and other words for the same', () => {
    const tools = [
      tool('remove_directory', 'Removes a directory.'),
      tool('translate', 'Translates a text.'),
      tool('webhook_add', 'Registers a webhook.'),
      tool('spending', 'Shows what was spent.'),
    ];
    expect(names(tools, 'delete that folder')[0]).toBe('remove_directory');
    expect(names(tools, 'a translation')[0]).toBe('translate');
    expect(names(tools, 'set up a web hook')[0]).toBe('webhook_add');
    expect(names(tools, 'what did I spend')[0]).toBe('spending');
  });

  it('cuts scripts without spaces into words and pairs', () => {
    const tools = [
      tool('a', '查询城市的天气预报。'),
      tool('b', '预订会议室。'),
      tool('c', '画像を生成します。'),
      tool('d', '明日の天気を調べます。'),
    ];
    expect(names(tools, '明天天气怎么样')[0]).toBe('a');
    expect(names(tools, '帮我订个会议室')[0]).toBe('b');
    expect(names(tools, '画像を作ってください')[0]).toBe('c');
    expect(names(tools, '明日の天気')[0]).toBe('d');
  });

  it('prefers what does the thing that is wanted', () => {
    const tools = ['delete', 'update', 'create', 'get'].map((verb) =>
      tool(`${verb}_invoice`, `Will ${verb} an invoice.`),
    );
    expect(names(tools, 'Which invoice is it?')[0]).toBe('get_invoice');
    expect(names(tools, 'Remove the invoice')[0]).toBe('delete_invoice');
    expect(names(tools, 'New invoice')[0]).toBe('create_invoice');
    expect(names(tools, 'invoice').at(-1)).toBe('delete_invoice');
  });

  it('is not led astray by what stands in quotes', () => {
    const tools = [
      tool('send_message', 'Sends a message.'),
      tool('delete_calendar', 'Deletes a calendar.'),
    ];
    expect(names(tools, 'send "delete the calendar" to Tom')[0]).toBe('send_message');
    expect(names(tools, '"calendar"')[0]).toBe('delete_calendar');
  });

  it('leaves out what has nothing to do with the query', () => {
    const tools = [tool('alpha', 'One.'), tool('beta', 'Two.')];
    expect(names(tools, 'zebra')).toEqual([]);
    expect(names(tools, '')).toEqual([]);
    expect(names(tools, 'alpha beta', 1)).toHaveLength(1);
    expect(names(tools, 'alpha', -1)).toEqual([]);
    expect(names([], 'alpha')).toEqual([]);
  });

  it('is built once for one array, and sees a changed description in a new one', () => {
    const first = [tool('alpha', 'One.')];
    expect(createToolIndex(first)).toBe(createToolIndex(first));
    const changed = [{ ...first[0]!, description: 'Zebra.' }];
    expect(names(changed, 'zebra')).toEqual(['alpha']);
    expect(names(first, 'zebra')).toEqual([]);
  });

  it('takes any words and any schema, within bounds', () => {
    const nested: JsonObject = { properties: {} };
    nested['properties'] = { self: nested };
    const odd = [
      tool('__proto__', 'constructor toString', { inputSchema: nested }),
      tool('', '\u{1F600}'.repeat(3000), { inputSchema: { properties: [1], items: 'x' } }),
      tool('x'.repeat(10_000), 'y '.repeat(100_000)),
    ];
    const index = createToolIndex(odd);
    expect(index.search('constructor', 3)).toHaveLength(1);
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (query) => {
        for (const { score } of index.search(query, 3)) expect(score).toBeGreaterThan(0);
      }),
    );
    expect(index.search('word '.repeat(100_000), 3)).toEqual([]);
  });
});
