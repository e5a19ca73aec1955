import { describe, expect, it } from 'vitest';
import type { ModelMessage, ModelRequest } from '#shared/vocabulary/model.ts';
import type { ContentPart, ToolResult } from '#shared/vocabulary/tool.ts';
import { hasMedia } from '../requests/result-content.ts';
import { type MediaHandling, toCallOptions } from './call-options.ts';

const { signal } = new AbortController();
const request = (over: Partial<ModelRequest> = {}): ModelRequest => ({
  purpose: 'answer',
  system: '',
  messages: [],
  tools: [],
  parameters: {},
  ...over,
});
const promptOf = (messages: ModelMessage[], media?: MediaHandling) =>
  toCallOptions(request({ messages }), signal, media).prompt;
const resultOf = (result: ToolResult, media?: MediaHandling) =>
  promptOf([{ role: 'tool', results: [{ callId: 'c', toolName: 't', result }] }], media);
const image: ContentPart = { type: 'image', data: 'AQID', mimeType: 'image/png' };

describe('toCallOptions', () => {
  it('passes parameters, tools and signal, and leaves out what is absent', () => {
    const tool = { name: 't', description: 'd', inputSchema: { type: 'object' } };
    const parameters = {
      temperature: 0,
      topP: 0.5,
      maxOutputTokens: 9,
      reasoningEffort: 'low' as const,
    };
    expect(toCallOptions(request({ system: 'S', tools: [tool], parameters }), signal)).toEqual({
      prompt: [{ role: 'system', content: 'S' }],
      abortSignal: signal,
      tools: [{ type: 'function', ...tool }],
      toolChoice: { type: 'auto' },
      temperature: 0,
      topP: 0.5,
      maxOutputTokens: 9,
      reasoning: 'low',
    });
    expect(toCallOptions(request(), signal)).toEqual({ prompt: [], abortSignal: signal });
  });

  it('converts a whole tool loop', () => {
    const messages: ModelMessage[] = [
      { role: 'user', parts: [{ type: 'text', text: 'Q' }] },
      {
        role: 'assistant',
        parts: [
          { type: 'thinking', text: 'hm', signature: '{"anthropic":{"signature":"s"}}' },
          { type: 'text', text: '' },
          { type: 'tool-call', callId: 'c', toolName: 't', arguments: { a: 1 } },
        ],
      },
      {
        role: 'tool',
        results: [
          { callId: 'c', toolName: 't', result: { content: [{ type: 'text', text: 'R' }] } },
        ],
      },
      { role: 'assistant', parts: [] },
    ];
    expect(promptOf(messages)).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'Q' }] },
      {
        role: 'assistant',
        content: [
          { type: 'reasoning', text: 'hm', providerOptions: { anthropic: { signature: 's' } } },
          { type: 'tool-call', toolCallId: 'c', toolName: 't', input: { a: 1 } },
        ],
      },
      {
        role: 'tool',
        content: [
          {
            type: 'tool-result',
            toolCallId: 'c',
            toolName: 't',
            output: { type: 'text', value: 'R' },
          },
        ],
      },
    ]);
  });

  it('sends unsigned thinking back only within its turn', () => {
    const thought: ModelMessage = {
      role: 'assistant',
      parts: [
        { type: 'thinking', text: 'hm' },
        { type: 'text', text: 'A' },
      ],
    };
    const user: ModelMessage = { role: 'user', parts: [{ type: 'text', text: 'Q' }] };
    const sent = promptOf([user, thought, user, thought]);
    expect(sent.map(({ content }) => content.length)).toEqual([1, 1, 1, 2]);
  });

  it('gives back what signed texts and calls', () => {
    const signature = '{"google":{"thoughtSignature":"s"}}';
    const call = { type: 'tool-call', callId: 'c', toolName: 'x', arguments: {} } as const;
    const parts = [{ type: 'text' as const, text: 'a', signature }, { ...call, signature }, call];
    const [sent] = promptOf([{ role: 'assistant', parts }]);
    const providerOptions = { google: { thoughtSignature: 's' } };
    expect(sent?.content).toMatchObject([{ providerOptions }, { providerOptions }, {}]);
    expect(sent?.content[2]).not.toHaveProperty('providerOptions');
  });

  it('ignores a signature that is none of ours', () => {
    const part = { type: 'thinking' as const, text: 'hm', signature: 'opaque' };
    expect(promptOf([{ role: 'assistant', parts: [part] }])).toEqual([
      { role: 'assistant', content: [{ type: 'reasoning', text: 'hm' }] },
    ]);
  });

  it.each<[string, ToolResult, unknown]>([
    [
      'text',
      {
        content: [
          { type: 'text', text: 'a' },
          { type: 'text', text: 'b' },
        ],
      },
      { type: 'text', value: 'a\nb' },
    ],
    [
      'data without text',
      { content: [], structuredContent: { a: 1 } },
      { type: 'json', value: { a: 1 } },
    ],
    ['nothing', { content: [] }, { type: 'text', value: 'The tool returned nothing.' }],
    [
      'an error',
      { content: [{ type: 'text', text: 'no' }], isError: true },
      { type: 'error-text', value: 'no' },
    ],
    [
      'an error as data',
      { content: [], structuredContent: { a: 1 }, isError: true },
      { type: 'error-json', value: { a: 1 } },
    ],
    [
      'an error without words',
      { content: [], isError: true },
      { type: 'error-text', value: 'The tool failed without giving a reason.' },
    ],
    [
      'a resource',
      { content: [{ type: 'resource', resource: { uri: 'u', text: 'T' } }] },
      { type: 'text', value: 'T' },
    ],
    [
      'a link',
      { content: [{ type: 'resource_link', uri: 'u', name: 'N', description: 'D' }] },
      { type: 'text', value: '[N](u) D' },
    ],
    [
      'a blob',
      { content: [{ type: 'resource', resource: { uri: 'u', blob: 'AQ==' } }] },
      { type: 'text', value: '[File: u, application/octet-stream]' },
    ],
  ])('gives a result of %s as the vendor expects it', (_name, result, output) => {
    expect(resultOf(result)[0]?.content[0]).toMatchObject({ output });
  });

  it('puts media into the result, behind it, or into words', () => {
    const result: ToolResult = { content: [{ type: 'text', text: 'a' }, image] };
    const file = { type: 'file', mediaType: 'image/png', data: { type: 'data', data: 'AQID' } };
    expect(resultOf(result)[0]?.content[0]).toMatchObject({
      output: { type: 'content', value: [{ type: 'text', text: 'a' }, file] },
    });
    const [tool, user] = resultOf(result, 'after');
    expect(tool?.content[0]).toMatchObject({
      output: { type: 'text', value: 'a\n[Image: image/png]' },
    });
    expect(user).toEqual({
      role: 'user',
      content: [{ type: 'text', text: 'What the tool t returned:' }, file],
    });
    expect(resultOf(result, 'described')).toHaveLength(1);
  });

  it('knows whether a request has media', () => {
    const tool = (content: ContentPart[]): ModelMessage[] => [
      { role: 'tool', results: [{ callId: 'c', toolName: 't', result: { content } }] },
    ];
    expect(hasMedia(request({ messages: tool([{ type: 'text', text: 'a' }]) }))).toBe(false);
    expect(hasMedia(request({ messages: tool([image]) }))).toBe(true);
  });
});
