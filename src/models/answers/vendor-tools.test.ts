import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Chunk } from '#shared/vocabulary/chunk.ts';
import { anthropicMessages } from '../wires/anthropic/anthropic-messages.ts';
import { googleGenerate } from '../wires/google/google-generate.ts';
import { openAiResponses } from '../wires/openai/openai-responses.ts';
import { readWithWire } from '../../../test/fakes/wire-oracle.ts';

const declarations = (path: string) =>
  readFileSync(new URL(`../../../node_modules/${path}`, import.meta.url), 'utf8');
const openAi = declarations('openai/resources/responses/responses.d.ts');
const anthropic = declarations('@anthropic-ai/sdk/resources/messages/messages.d.ts');
const beta = declarations('@anthropic-ai/sdk/resources/beta/messages/messages.d.ts');
const google = declarations('@google/genai/dist/genai.d.ts');

/** The names in a union of types. */
function members(text: string, union: string): string[] {
  const found = new RegExp(`export type ${union} = ([^;]+);`).exec(text)?.[1] ?? '';
  return found.split('|').map((name) => name.trim());
}

/** The fields of an interface, one or two levels of namespace deep, each with its type. */
function fieldsOf(text: string, name: string): Map<string, string> {
  const [own = '', inner] = name.split('.');
  const space = inner === undefined ? 0 : text.indexOf(`export declare namespace ${own} {`);
  const place = text.slice(space);
  const start = place.search(new RegExp(`interface ${inner ?? own} (extends [^{]+)?\\{`));
  const indent = /\n( *)[^\n]*$/.exec(place.slice(0, start))?.[1] ?? '';
  const body = place.slice(place.indexOf('{', start) + 1, place.indexOf(`\n${indent}}`, start));
  const fields = body.matchAll(new RegExp(`^${indent}    (\\w+)\\??: ([^;]+);`, 'gm'));
  return new Map(Array.from(fields, ([, field = '', type = '']) => [field, type]));
}

/** The literals that a field may be. */
const literals = (type = '') => Array.from(type.matchAll(/'([^']+)'/g), ([, value = '']) => value);

const typesIn = (text: string, union: string) => [
  ...new Set(members(text, union).flatMap((name) => literals(fieldsOf(text, name).get('type')))),
];

const started = (chunks: Chunk[]) =>
  chunks.flatMap((chunk) => (chunk.type === 'vendor-tool-start' ? [chunk.toolName] : []));
const completed = (chunks: Chunk[]) =>
  chunks.filter((chunk) => chunk.type === 'vendor-tool-complete');

describe('T95: what a vendor runs is shown, for every type that its SDK knows', () => {
  const items = typesIn(openAi, 'ResponseOutputItem').filter(
    (type) => !['message', 'reasoning', 'function_call'].includes(type),
  );

  it('is read from the declarations', () => {
    expect(items.length).toBeGreaterThanOrEqual(24);
    for (const type of ['mcp_call', 'tool_search_call', 'computer_call', 'shell_call', 'program'])
      expect(items).toContain(type);
    const blocks = typesIn(beta, 'BetaContentBlock');
    expect(blocks.length).toBeGreaterThanOrEqual(18);
    for (const type of ['mcp_tool_use', 'advisor_tool_result', 'tool_search_tool_result'])
      expect(blocks).toContain(type);
    expect(fieldsOf(google, 'Part').size).toBeGreaterThanOrEqual(16);
  });

  it.each([...items, 'something_new'])('OpenAI: %s', (type) => {
    const item = { type, id: 'i', call_id: 'c', status: 'completed' };
    const given = { arguments: '{"city":"Paris"}', output: 'It is sunny.' };
    const chunks = readWithWire(openAiResponses, [
      { type: 'response.output_item.added', output_index: 0, item },
      { type: 'response.output_item.done', output_index: 0, item: { ...item, ...given } },
      { type: 'response.output_text.delta', output_index: 1, delta: 'Done.' },
      { type: 'response.completed', response: {} },
    ]);
    const [name = ''] = started(chunks);
    expect(name).not.toBe('');
    expect(type).toContain(name);
    expect(completed(chunks)).toHaveLength(1);
    const shown = JSON.stringify(completed(chunks));
    if (type !== 'web_search_call' && type !== 'code_interpreter_call')
      expect(shown).toContain('It is sunny.');
    if (!type.endsWith('_output')) expect(shown).toContain('Paris');
  });

  it.each(items.filter((type) => type.endsWith('_call_output')))(
    'OpenAI: %s belongs to its call',
    (type) => {
      const call = { type: type.replace(/_output$/, ''), id: 'i', call_id: 'c', action: { x: 1 } };
      const output = { type, id: 'o', call_id: 'c', output: 'It is sunny.' };
      if (call.type === 'function_call') return;
      const chunks = readWithWire(openAiResponses, [
        { type: 'response.output_item.done', output_index: 0, item: call },
        { type: 'response.output_item.done', output_index: 1, item: output },
        { type: 'response.output_text.delta', output_index: 2, delta: 'Done.' },
        { type: 'response.completed', response: {} },
      ]);
      expect(completed(chunks)).toMatchObject([
        { arguments: { x: 1 }, result: { content: [{ text: 'It is sunny.' }] } },
      ]);
    },
  );

  it('OpenAI: what only the end of a stream tells of', () => {
    const ran = { type: 'mcp_call', id: 'm', name: 'weather', arguments: '{"city":"Paris"}' };
    const chunks = readWithWire(openAiResponses, [
      { type: 'response.output_text.delta', output_index: 1, delta: 'Done.' },
      {
        type: 'response.completed',
        response: {
          output: [
            { ...ran, output: 'It is sunny.' },
            { type: 'message', content: [{ type: 'output_text', text: 'Done.' }] },
          ],
        },
      },
    ]);
    expect(started(chunks)).toEqual(['weather']);
    expect(JSON.stringify(completed(chunks))).toContain('It is sunny.');
    expect(chunks.filter(({ type }) => type === 'text-delta')).toHaveLength(1);
  });

  it.each([null, 7, {}, { id: 'x' }])('OpenAI: an item without a name: %j', (item) => {
    const chunks = readWithWire(openAiResponses, [
      { type: 'response.output_item.done', output_index: 0, item },
      { type: 'response.output_text.delta', output_index: 1, delta: 'Done.' },
      { type: 'response.completed', response: {} },
    ]);
    expect(started(chunks)).toEqual(['tool']);
  });

  const told = new Set(['text', 'thinking', 'redacted_thinking', 'tool_use']);
  const blocks = [
    ...new Set([
      ...typesIn(anthropic, 'ContentBlock'),
      ...typesIn(beta, 'BetaContentBlock'),
      'something_new',
    ]),
  ].filter((type) => !told.has(type));

  it.each(blocks)('Anthropic: %s', (type) => {
    const isResult = type.endsWith('_result');
    const own = isResult
      ? { tool_use_id: 's', content: { type: 'x', stdout: 'It is sunny.' } }
      : { id: 's', name: 'weather', input: { city: 'Paris' }, content: 'It is sunny.' };
    const chunks = readWithWire(anthropicMessages, [
      { type: 'content_block_start', index: 0, content_block: { type, ...own } },
      { type: 'content_block_stop', index: 0 },
      { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'Done.' } },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' } },
      { type: 'message_stop' },
    ]);
    expect(started(chunks)).toHaveLength(1);
    expect(completed(chunks)).toHaveLength(1);
    expect(JSON.stringify(chunks)).toContain(isResult ? 'It is sunny.' : 'Paris');
  });

  const serverTools = [
    ...literals(fieldsOf(anthropic, 'ServerToolUseBlock').get('name')),
    ...literals(fieldsOf(beta, 'BetaServerToolUseBlock').get('name')),
  ];

  it.each([...new Set(serverTools)])('Anthropic: the tool %s with what came of it', (name) => {
    const use = { type: 'server_tool_use', id: 's', name, input: { command: 'ls' } };
    const content = { type: `${name}_result`, text: 'It is sunny.' };
    const result = { type: `${name}_tool_result`, tool_use_id: 's', content };
    const chunks = readWithWire(anthropicMessages, [
      { type: 'content_block_start', index: 0, content_block: use },
      { type: 'content_block_stop', index: 0 },
      { type: 'content_block_start', index: 1, content_block: result },
      { type: 'content_block_stop', index: 1 },
      { type: 'content_block_delta', index: 2, delta: { type: 'text_delta', text: 'Done.' } },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' } },
      { type: 'message_stop' },
    ]);
    expect(started(chunks)).toEqual([name]);
    expect(JSON.stringify(completed(chunks))).toContain('It is sunny.');
  });

  it('knows the server tools by name', () => {
    expect(serverTools).toContain('advisor');
  });

  /** Words, calls and files of the model, and what only says more of another field. */
  const plain = new Set([
    'text',
    'thought',
    'thoughtSignature',
    'functionCall',
    'inlineData',
    'audioTranscription',
    'videoMetadata',
    'mediaResolution',
    'mediaProcessing',
    'partMetadata',
    'speechMetadata',
  ]);
  const parts = [...fieldsOf(google, 'Part').keys(), 'somethingNew'].filter(
    (field) => !plain.has(field),
  );

  it.each(parts)('Google: %s', (field) => {
    const value = {
      toolType: 'WEATHER',
      args: { city: 'Paris' },
      code: 'Paris',
      output: 'Paris',
      response: { text: 'Paris' },
    };
    const chunks = readWithWire(googleGenerate, [
      { candidates: [{ content: { parts: [{ [field]: value }, { text: 'Done.' }] } }] },
      { candidates: [{ finishReason: 'STOP' }] },
    ]);
    expect(started(chunks)).toHaveLength(1);
    expect(completed(chunks)).toHaveLength(1);
    expect(JSON.stringify(chunks)).toContain('Paris');
  });
});

describe('what is shown of a tool of the vendor', () => {
  const shown = (content: unknown) => {
    const chunks = readWithWire(anthropicMessages, [
      {
        type: 'content_block_start',
        index: 0,
        content_block: { type: 'mcp_tool_result', tool_use_id: 's', content },
      },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' } },
      { type: 'message_stop' },
    ]);
    return completed(chunks)[0]?.result;
  };

  it('has no data that nobody reads, and an end', () => {
    const data = JSON.stringify(shown([{ type: 'image', data: 'A'.repeat(100_000) }]));
    expect(data).toContain('[100000 characters]');
    expect(JSON.stringify(shown('a word '.repeat(100_000))).length).toBeLessThan(70_000);
  });

  it('says that it failed', () => {
    expect(shown({ type: 'x_error', error_code: 'unavailable' })).toMatchObject({ isError: true });
    expect(shown({ type: 'x', text: 'ok' })).not.toHaveProperty('isError');
  });
});
