import type { LanguageModelV4StreamPart } from '@ai-sdk/provider';
import { describe, expect, it } from 'vitest';
import type { Chunk } from '#shared/vocabulary/chunk.ts';
import { ChunkMapper } from './chunk-mapper.ts';

const usage = {
  inputTokens: { total: 10, noCache: 6, cacheRead: 4, cacheWrite: 2 },
  outputTokens: { total: 5, text: 3, reasoning: 2 },
};
const finish = (
  unified: 'stop' | 'tool-calls' | 'length' | 'content-filter' | 'error' | 'interrupted' | 'other',
) => ({ type: 'finish', finishReason: { unified, raw: undefined }, usage }) as const;
const said = { type: 'text-delta', id: 'said', delta: 'a' } as const;

function map(...parts: LanguageModelV4StreamPart[]): Chunk[] {
  const chunks: Chunk[] = [];
  const mapper = new ChunkMapper((chunk) => chunks.push(chunk));
  for (const part of parts) mapper.step(part);
  return chunks;
}

describe('chunk mapper', () => {
  it('maps text and its usage', () => {
    expect(
      map(
        { type: 'stream-start', warnings: [] },
        { type: 'text-start', id: 't' },
        { type: 'text-delta', id: 't', delta: 'a' },
        { type: 'text-delta', id: 't', delta: '' },
        { type: 'text-end', id: 't' },
        finish('stop'),
      ),
    ).toEqual([
      { type: 'response-created' },
      { type: 'text-start', id: 't' },
      { type: 'text-delta', id: 't', text: 'a' },
      { type: 'text-complete', id: 't' },
      {
        type: 'response-complete',
        finishReason: 'stop',
        usage: {
          inputTokens: 10,
          outputTokens: 5,
          reasoningTokens: 2,
          cachedInputTokens: 4,
          cacheWriteTokens: 2,
        },
      },
    ]);
  });

  it('reads the ends of earlier specifications, and of packages that leave things out', () => {
    const ends = [
      [{ finishReason: 'length', usage: { inputTokens: 3 } }, 'length', { inputTokens: 3 }],
      [{ finishReason: 'unknown', usage: { inputTokens: undefined } }, 'other', undefined],
      [{ finishReason: { unified: 'stop' } }, 'stop', undefined],
      [{ usage: { inputTokens: { total: NaN } } }, 'other', undefined],
    ] as const;
    for (const [end, finishReason, counted] of ends) {
      const last = map(said, { type: 'finish', ...end } as never).at(-1);
      expect(last).toEqual({
        type: 'response-complete',
        finishReason,
        ...(counted && { usage: counted }),
      });
    }
  });

  it('makes no block of text that never came', () => {
    const types = map(
      { type: 'text-start', id: 't' },
      { type: 'text-end', id: 't' },
      { type: 'tool-call', toolCallId: 'c', toolName: 'x', input: '' },
      finish('tool-calls'),
    );
    expect(types.filter(({ type }) => type.startsWith('text'))).toEqual([]);
  });

  it('starts a part whose start was left out and completes one whose end was left out', () => {
    const chunks = map(
      { type: 'reasoning-delta', id: 'r', delta: 'hm' },
      { type: 'text-delta', id: 't', delta: 'a' },
      finish('stop'),
    );
    expect(chunks.map(({ type }) => type)).toEqual([
      'response-created',
      'thinking-start',
      'thinking-delta',
      'text-start',
      'text-delta',
      'thinking-complete',
      'text-complete',
      'response-complete',
    ]);
  });

  it('keeps what the vendor attached to thinking, also when there was no text', () => {
    const chunks = map(
      { type: 'reasoning-start', id: 'r', providerMetadata: { openai: { itemId: 'i' } } },
      { type: 'reasoning-end', id: 'r', providerMetadata: { anthropic: { signature: 's' } } },
      said,
      finish('stop'),
    );
    expect(chunks).toContainEqual({
      type: 'thinking-complete',
      id: 'r',
      signature: '{"openai":{"itemId":"i"},"anthropic":{"signature":"s"}}',
    });
    const plain = map(
      { type: 'reasoning-start', id: 'r' },
      { type: 'reasoning-end', id: 'r' },
      said,
      finish('stop'),
    );
    expect(plain.filter(({ type }) => type.startsWith('thinking'))).toEqual([]);
  });

  it.each([
    ['{"a":1}', { a: 1 }],
    ['', {}],
    ['  ', {}],
    ['[1]', null],
    ['"text"', null],
    ['null', {}],
    ['"{\\"a\\":1}"', { a: 1 }],
    ['{}{"a":1}', { a: 1 }],
    ['{"a":1}{}', null],
    ['{"a":', null],
  ])('reads the arguments %j as %j', (input, expected) => {
    const chunks = map(
      { type: 'tool-call', toolCallId: 'c', toolName: 'x', input },
      finish('tool-calls'),
    );
    expect(chunks.slice(1, 3)).toEqual([
      { type: 'tool-created', callId: 'c', toolName: 'x' },
      {
        type: 'tool-pending',
        callId: 'c',
        toolName: 'x',
        arguments: expected,
        rawArguments: input,
      },
    ]);
  });

  it('streams the arguments and gives each call once', () => {
    const chunks = map(
      { type: 'tool-input-start', id: 'c', toolName: 'x' },
      { type: 'tool-input-delta', id: 'c', delta: '{"a"' },
      { type: 'tool-input-delta', id: 'c', delta: ':1}' },
      { type: 'tool-input-end', id: 'c' },
      { type: 'tool-call', toolCallId: 'c', toolName: 'x', input: '{"a":1}' },
      { type: 'tool-call', toolCallId: 'c', toolName: 'x', input: '{"a":1}' },
      finish('tool-calls'),
    );
    expect(chunks.map(({ type }) => type)).toEqual([
      'response-created',
      'tool-created',
      'tool-input-delta',
      'tool-input-delta',
      'tool-pending',
      'response-complete',
    ]);
  });

  it('says that tools were called also where the vendor only says stop', () => {
    const call = { type: 'tool-call', toolCallId: 'c', toolName: 'x', input: '{}' } as const;
    expect(map(call, finish('stop')).at(-1)).toMatchObject({ finishReason: 'tool-calls' });
  });

  it('makes a call whole whose end was left out', () => {
    const chunks = map(
      { type: 'tool-input-start', id: 'c', toolName: 'x' },
      { type: 'tool-input-delta', id: 'c', delta: '{"a":1}' },
      finish('tool-calls'),
    );
    expect(chunks.at(-2)).toMatchObject({ type: 'tool-pending', arguments: { a: 1 } });
  });

  it('shows searches of the vendor with their sources, and other sources once at the end', () => {
    const chunks = map(
      {
        type: 'tool-call',
        toolCallId: 's',
        toolName: 'web_search',
        input: '{"query":"q"}',
        providerExecuted: true,
      },
      {
        type: 'tool-result',
        toolCallId: 's',
        toolName: 'web_search',
        result: [{ type: 'web_search_result', url: 'https://a.example/', title: 'A' }],
      },
      { type: 'source', sourceType: 'url', id: '1', url: 'https://a.example/', title: 'A' },
      { type: 'source', sourceType: 'url', id: '2', url: 'https://b.example/' },
      { type: 'source', sourceType: 'url', id: '3', url: 'https://b.example/', title: 'B' },
      said,
      finish('stop'),
    );
    const toolName = 'web_search';
    expect(chunks.filter(({ type }) => type.startsWith('vendor-tool'))).toEqual([
      { type: 'vendor-tool-start', id: 's', toolName, arguments: { query: 'q' } },
      {
        type: 'vendor-tool-complete',
        id: 's',
        citations: [{ url: 'https://a.example/', title: 'A' }],
      },
      { type: 'vendor-tool-start', id: 'sources', toolName },
      {
        type: 'vendor-tool-complete',
        id: 'sources',
        citations: [{ url: 'https://b.example/', title: 'B' }],
      },
    ]);
  });

  it('gives images as base64', () => {
    const chunks = map(
      {
        type: 'file',
        mediaType: 'image/png',
        data: { type: 'data', data: new Uint8Array([1, 2, 3]) },
      },
      finish('stop'),
    );
    expect(chunks).toContainEqual({
      type: 'image-complete',
      id: 'file-0',
      mimeType: 'image/png',
      data: 'AQID',
    });
  });

  it('gives other files with their type, and links to what lies elsewhere', () => {
    const file = (mediaType: string, data: object) =>
      ({ type: 'file', mediaType, data }) as LanguageModelV4StreamPart;
    const chunks = map(
      file('text/csv', { type: 'data', data: 'YSxi' }),
      file('video/mp4', { type: 'url', url: new URL('https://a.example/v.mp4') }),
      finish('stop'),
    );
    expect(chunks).toContainEqual({
      type: 'file-complete',
      id: 'file-0',
      mimeType: 'text/csv',
      data: 'YSxi',
    });
    expect(chunks).toContainEqual(
      expect.objectContaining({ text: '[video/mp4](https://a.example/v.mp4)' }),
    );
  });

  it('T95: shows code that the vendor ran with what came out of it', () => {
    const tool = { toolCallId: 'c', toolName: 'code_interpreter', providerExecuted: true } as const;
    const chunks = map(
      { type: 'tool-call', ...tool, input: '{"code":"print(3)","containerId":"x"}' },
      { type: 'tool-result', ...tool, result: { outputs: [{ type: 'logs', logs: '3' }] } },
      finish('stop'),
    );
    expect(chunks.slice(1, -1)).toEqual([
      {
        type: 'vendor-tool-start',
        id: 'c',
        toolName: 'code_interpreter',
        arguments: { code: 'print(3)', containerId: 'x' },
      },
      {
        type: 'vendor-tool-complete',
        id: 'c',
        result: { content: [{ type: 'text', text: '3' }] },
        citations: [],
      },
    ]);
  });

  it('keeps what signs texts and calls, and not what is attached for the curious', () => {
    const signed = { providerMetadata: { google: { thoughtSignature: 's' } } };
    const noted = { providerMetadata: { openai: { itemId: 'i' } } };
    const call = (id: string, more: object) =>
      ({ type: 'tool-call', toolCallId: id, toolName: 'x', input: '{}', ...more }) as const;
    const chunks = map(
      { type: 'text-delta', id: 't', delta: 'a' },
      { type: 'text-end', id: 't', ...signed },
      { type: 'text-delta', id: 'u', delta: 'b' },
      { type: 'text-end', id: 'u', ...noted },
      call('1', signed),
      call('2', noted),
      finish('tool-calls'),
    );
    const kept = chunks.filter((chunk) => 'signature' in chunk);
    expect(kept).toMatchObject([
      { type: 'text-complete', id: 't', signature: '{"google":{"thoughtSignature":"s"}}' },
      { type: 'tool-pending', callId: '1', signature: '{"google":{"thoughtSignature":"s"}}' },
    ]);
  });

  it('throws what the model reports, and for a finish that is none', () => {
    expect(() => map({ type: 'error', error: new Error('boom') })).toThrow('boom');
    expect(() => map(finish('error'))).toThrow('stopped with an error');
    expect(() => map(finish('interrupted'))).toThrow('terminated');
    expect(() => map(finish('content-filter'))).toThrow('content_filter');
    expect(() => map(finish('length'))).toThrow('maximum output length');
    for (const reason of ['stop', 'tool-calls', 'other'] as const) {
      expect(() => map(finish(reason))).toThrow('an empty answer');
    }
    expect(
      map({ type: 'text-delta', id: 't', delta: 'a' }, finish('content-filter')).at(-1),
    ).toMatchObject({
      finishReason: 'content-filter',
    });
  });
});
