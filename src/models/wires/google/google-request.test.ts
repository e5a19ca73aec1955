import { createGoogleGenerativeAI } from '@ai-sdk/google';
import { describe, expect, it } from 'vitest';
import type {
  ModelMessage,
  ModelParameters,
  ModelPart,
  ModelRequest,
} from '#shared/vocabulary/model.ts';
import type { ContentPart, ToolResult } from '#shared/vocabulary/tool.ts';
import type { WireTarget } from '../wire.ts';
import { requestOfOracle } from '../../../../test/fakes/wire-oracle.ts';
import { googleGenerate } from './google-generate.ts';

type Body = {
  contents: { role: string; parts: Record<string, unknown>[] }[];
  generationConfig?: Record<string, unknown>;
  [field: string]: unknown;
};

const capabilities = {
  tools: true,
  imagesIn: true,
  audioIn: true,
  filesIn: true,
  imagesOut: false,
  reasoning: true,
};
const target = (over: Partial<WireTarget> = {}): WireTarget => ({
  model: 'gemini-3-pro-preview',
  baseUrl: 'https://generativelanguage.googleapis.com/v1beta',
  apiKey: 'secret',
  capabilities,
  ...over,
});
const older = target({ model: 'gemini-2.5-flash' });
const user = (text: string): ModelMessage => ({ role: 'user', parts: [{ type: 'text', text }] });
const said = (text: string): ModelMessage => ({
  role: 'assistant',
  parts: [{ type: 'text', text }],
});
const sign = (thoughtSignature: string) => JSON.stringify({ google: { thoughtSignature } });
const call = (callId: string, signature?: string) =>
  ({
    type: 'tool-call',
    callId,
    toolName: 'look',
    arguments: { a: 1 },
    ...(signature && { signature }),
  }) as const;
const calls = (...parts: ModelPart[]): ModelMessage => ({
  role: 'assistant',
  parts,
});
const result = (callId: string, result: ToolResult): ModelMessage => ({
  role: 'tool',
  results: [{ callId, toolName: 'look', result }],
});
const words = (text: string): ToolResult => ({ content: [{ type: 'text', text }] });
const image: ContentPart = { type: 'image', data: 'AQID', mimeType: 'image/png' };
const audio: ContentPart = { type: 'audio', data: 'AQID', mimeType: 'audio/wav' };

const request = (messages: ModelMessage[], over: Partial<ModelRequest> = {}): ModelRequest => ({
  purpose: 'answer',
  system: 'Be kind.',
  messages,
  tools: [{ name: 'look', description: 'Looks.', inputSchema: { type: 'object', properties: {} } }],
  parameters: {},
  ...over,
});
const bodyOf = (sent: ModelRequest, to = target()) =>
  JSON.parse(String(Buffer.concat(googleGenerate.toRequest(sent, to).body))) as Body;
const contentsOf = (messages: ModelMessage[], to?: WireTarget) =>
  bodyOf(request(messages), to).contents;
const tuned = (parameters: ModelParameters, to = target()) =>
  bodyOf(request([user('Q')], { parameters }), to).generationConfig;

/** What says nothing that the vendor does not do anyway; thoughts are shown by us only. */
function essence(body: unknown): unknown {
  const { toolConfig: _auto, generationConfig = {}, ...rest } = body as Body;
  const { includeThoughts: _shown, ...thinking } = (generationConfig['thinkingConfig'] ??
    {}) as Record<string, unknown>;
  return {
    ...(JSON.parse(JSON.stringify(rest), sameSchemas) as object),
    generationConfig: { ...generationConfig, thinkingConfig: thinking },
  };
}

/** Schemas may be given as JSON Schema or in the vendor's dialect; one without properties means none. */
function sameSchemas(_key: string, value: unknown): unknown {
  const { parametersJsonSchema, parameters, ...rest } = (value ?? {}) as Record<string, unknown>;
  const schema = (parametersJsonSchema ?? parameters) as { properties?: object } | undefined;
  if (!schema) return value;
  const isEmpty = Object.keys(schema.properties ?? {}).length === 0;
  return { ...rest, ...(!isEmpty && { parameters: schema }) };
}
const oracle = async (sent: ModelRequest, id = 'gemini-3-pro-preview') =>
  essence(
    await requestOfOracle((fetch) => createGoogleGenerativeAI({ apiKey: 'k', fetch })(id), sent),
  );

const thought = { type: 'thinking', text: 'hm', signature: sign('dA==') } as const;
const conversations: [string, ModelMessage[]][] = [
  ['one question', [user('Q')]],
  [
    'a signed text',
    [user('Q'), calls({ type: 'text', text: 'A', signature: sign('dGV4dA==') }), user('Q2')],
  ],
  [
    'calls at once of which the first is signed',
    [user('Q'), calls(call('c1', sign('Y2FsbA==')), call('c2')), result('c1', words('R'))],
  ],
  ['several turns', [user('Q'), said('A'), user('Q2')]],
  [
    'a loop with unsigned calls',
    [user('Q'), calls(thought, call('c1'), call('c2')), result('c1', words('R'))],
  ],
  ['a failed call', [user('Q'), calls(call('c')), result('c', { ...words('no'), isError: true })]],
  [
    'data alone',
    [user('Q'), calls(call('c')), result('c', { content: [], structuredContent: [1] })],
  ],
  [
    'data that looks like a reference',
    [user('Q'), calls(call('c')), result('c', { content: [], structuredContent: { $ref: '#' } })],
  ],
  ['nothing', [user('Q'), calls(call('c')), result('c', { content: [] })]],
  [
    'an image beside words',
    [user('Q'), calls(call('c')), result('c', { content: [...words('R').content, image] })],
  ],
  [
    'media of the user',
    [
      {
        role: 'user',
        parts: [
          { type: 'text', text: 'Look' },
          { type: 'file', mimeType: 'image/jpeg', data: 'AQID' },
          { type: 'file', mimeType: 'application/pdf', data: 'JVBERg==', name: 'a.pdf' },
          { type: 'file', mimeType: 'audio/mp3', data: 'AQID' },
        ],
      },
    ],
  ],
];

describe('a request to Google', () => {
  it.each(conversations)('means what the AI SDK’s means: %s', async (_name, messages) => {
    const sent = request(messages);
    expect(essence(bodyOf(sent))).toEqual(await oracle(sent));
  });

  it.each([
    'gemini-2.0-flash',
    'gemini-2.5-pro',
    'gemini-2.5-flash',
    'gemini-2.5-flash-lite',
    'gemini-3-pro-preview',
    'gemini-3-flash-preview',
    'gemini-3.1-flash-lite-preview',
    'gemini-3.6-flash',
    'gemini-3.8-flash',
    'gemini-4-argon',
    'gemini-flash-latest',
    'gemini-flash-lite-latest',
  ])('asks %s to think in the way it takes', async (model) => {
    const to = target({
      model,
      capabilities: { ...capabilities, reasoning: model !== 'gemini-2.0-flash' },
    });
    for (const reasoningEffort of ['none', 'low', 'medium', 'high', undefined] as const) {
      if (model === 'gemini-2.0-flash' && reasoningEffort) continue;
      const parameters = {
        temperature: 0.5,
        topP: 0.9,
        maxOutputTokens: 99,
        ...(reasoningEffort && { reasoningEffort }),
      };
      const sent = request([user('Q')], { parameters });
      expect(essence(bodyOf(sent, to))).toEqual(await oracle(sent, model));
    }
  });

  it('goes to the model’s address with the key in a header', () => {
    const sent = googleGenerate.toRequest(request([user('Q')]), target());
    expect(sent.url).toBe(
      'https://generativelanguage.googleapis.com/v1beta/models/gemini-3-pro-preview:streamGenerateContent?alt=sse',
    );
    expect(sent.headers).toMatchObject({ 'x-goog-api-key': 'secret' });
    const url = (over: Partial<WireTarget>) =>
      googleGenerate.toRequest(request([]), target(over)).url;
    expect(url({ baseUrl: 'http://127.0.0.1:9', model: 'tunedModels/mine' })).toBe(
      'http://127.0.0.1:9/v1beta/tunedModels/mine:streamGenerateContent?alt=sse',
    );
    expect(url({ model: 'a b?c#d' })).toContain('/models/a%20b%3Fc%23d:stream');
  });

  it('gives back what signed thoughts and calls, and asks not to look where nothing did', () => {
    const [, model] = contentsOf([
      user('Q'),
      calls(thought, call('c1', sign('Y2FsbA==')), call('c2')),
    ]);
    expect(model?.parts).toEqual([
      { text: 'hm', thought: true, thoughtSignature: 'dA==' },
      { functionCall: { id: 'c1', name: 'look', args: { a: 1 } }, thoughtSignature: 'Y2FsbA==' },
      { functionCall: { id: 'c2', name: 'look', args: { a: 1 } } },
    ]);
    const foreign = {
      type: 'thinking',
      text: 'x',
      signature: '{"anthropic":{"signature":"s"}}',
    } as const;
    const [, other] = contentsOf([user('Q'), calls(foreign, call('c', 'opaque'))]);
    expect(other?.parts).toMatchObject([{ thoughtSignature: 'skip_thought_signature_validator' }]);
    const [, plain] = contentsOf([user('Q'), calls(call('c'))], older);
    expect(plain?.parts[0]).not.toHaveProperty('thoughtSignature');
  });

  it('gives back what signed texts and images, and signs no others', () => {
    const made = { type: 'file', mimeType: 'image/png', data: 'AQID' } as const;
    const messages = [
      user('Draw'),
      calls(
        { type: 'text', text: 'Here', signature: sign('dGV4dA==') },
        { ...made, signature: sign('aW1n') },
        made,
        { type: 'text', text: 'Nice?' },
      ),
      user('Bluer'),
    ];
    const inlineData = { mimeType: 'image/png', data: 'AQID' };
    const [, now] = contentsOf(messages);
    expect(now?.parts).toEqual([
      { text: 'Here', thoughtSignature: 'dGV4dA==' },
      { inlineData, thoughtSignature: 'aW1n' },
      { inlineData, thoughtSignature: 'skip_thought_signature_validator' },
      { text: 'Nice?' },
    ]);
    const [, before] = contentsOf(messages, older);
    expect(before?.parts[2]).toEqual({ inlineData });
    const blind = target({ capabilities: { ...capabilities, imagesIn: false } });
    const [, , described] = contentsOf(messages, blind)[1]?.parts ?? [];
    expect(described).toEqual({ text: '[Image: image/png]' });
  });

  it('shows media of a tool in its result, or after it where the model takes none there', () => {
    const messages = [
      user('Q'),
      calls(call('c')),
      result('c', { content: [image, ...words('R').content, audio] }),
    ];
    const inline = (mimeType: string) => ({ inlineData: { mimeType, data: 'AQID' } });
    const [, , now, after] = contentsOf(messages);
    expect(now?.parts).toEqual([
      {
        functionResponse: {
          id: 'c',
          name: 'look',
          response: { name: 'look', content: 'R' },
          parts: [inline('image/png')],
        },
      },
    ]);
    expect(after?.parts).toEqual([{ text: 'What the tool look returned:' }, inline('audio/wav')]);
    const [, , then, behind] = contentsOf(messages, older);
    expect(then?.parts).toHaveLength(1);
    expect(behind?.parts).toEqual([
      { text: 'What the tool look returned:' },
      inline('image/png'),
      inline('audio/wav'),
    ]);
    const blind = target({ capabilities: { ...capabilities, imagesIn: false, audioIn: false } });
    const [, , described, ...rest] = contentsOf(messages, blind);
    expect(described?.parts).toMatchObject([
      { functionResponse: { response: { content: '[Image: image/png]\nR\n[Audio: audio/wav]' } } },
    ]);
    expect(rest).toEqual([]);
  });

  it('keeps all results of a round in one message', () => {
    const messages = [
      user('Q'),
      calls(call('c1'), call('c2')),
      result('c1', words('R1')),
      result('c2', words('R2')),
      user('and?'),
    ];
    expect(contentsOf(messages).map(({ role, parts }) => [role, parts.length])).toEqual([
      ['user', 1],
      ['model', 2],
      ['user', 2],
      ['user', 1],
    ]);
  });

  it('shows thoughts where there are some, and asks for images where it can', () => {
    expect(tuned({})).toEqual({ thinkingConfig: { includeThoughts: true } });
    expect(tuned({ reasoningEffort: 'none' })).toEqual({
      thinkingConfig: { thinkingLevel: 'low' },
    });
    const plain = { ...capabilities, reasoning: false };
    expect(tuned({ reasoningEffort: 'high' }, target({ capabilities: plain }))).toBeUndefined();
    expect(
      tuned({ reasoningEffort: 'high' }, target({ model: 'gemini-2.0-flash' })),
    ).toBeUndefined();
    const painter = target({ capabilities: { ...plain, imagesOut: true } });
    expect(tuned({}, painter)).toEqual({ responseModalities: ['TEXT', 'IMAGE'] });
    const learned = target({ quirks: { noSampling: true, noReasoningSummary: true } });
    expect(tuned({ temperature: 1, topP: 1, reasoningEffort: 'low' }, learned)).toEqual({
      thinkingConfig: { thinkingLevel: 'low' },
    });
  });

  it('puts the system prompt into the first message for models that have no place for it', () => {
    const body = bodyOf(request([user('Q')]), target({ model: 'gemma-3-27b-it' }));
    expect(body).not.toHaveProperty('systemInstruction');
    expect(body.contents).toEqual([{ role: 'user', parts: [{ text: 'Be kind.' }, { text: 'Q' }] }]);
  });

  it('writes the same bytes for the same tools', () => {
    const tools = request([]).tools;
    const toolsOf = (messages: ModelMessage[]) =>
      String(
        Buffer.concat(googleGenerate.toRequest(request(messages, { tools }), target()).body),
      ).split('"tools":')[1];
    expect(toolsOf([user('Q')])).toBe(toolsOf([user('Q'), said('A'), user('Q2')]));
    expect(bodyOf(request([user('Q')], { tools: [] }))).not.toHaveProperty('tools');
  });
});
