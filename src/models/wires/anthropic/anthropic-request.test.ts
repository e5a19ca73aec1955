import { existsSync, readFileSync } from 'node:fs';
import { createAnthropic } from '@ai-sdk/anthropic';
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
import { anthropicMessages } from './anthropic-messages.ts';

type Body = {
  messages: { role: string; content: Record<string, unknown>[] }[];
  system?: unknown;
  tools?: Record<string, unknown>[];
  [field: string]: unknown;
};

const capabilities = {
  tools: true,
  imagesIn: true,
  audioIn: false,
  filesIn: true,
  imagesOut: false,
  reasoning: true,
  outputTokens: 64_000,
};
const target = (over: Partial<WireTarget> = {}): WireTarget => ({
  model: 'claude-sonnet-4-5',
  baseUrl: 'https://api.anthropic.com/v1',
  apiKey: 'secret',
  capabilities,
  ...over,
});
const user = (text: string): ModelMessage => ({ role: 'user', parts: [{ type: 'text', text }] });
const said = (text: string): ModelMessage => ({
  role: 'assistant',
  parts: [{ type: 'text', text }],
});
const call = (callId: string, ...before: ModelPart[]) =>
  ({
    role: 'assistant',
    parts: [...before, { type: 'tool-call', callId, toolName: 'look', arguments: { a: 1 } }],
  }) satisfies ModelMessage;
const result = (callId: string, result: ToolResult): ModelMessage => ({
  role: 'tool',
  results: [{ callId, toolName: 'look', result }],
});
const words = (text: string): ToolResult => ({ content: [{ type: 'text', text }] });
const image: ContentPart = { type: 'image', data: 'AQID', mimeType: 'image/png' };
const signed = (signature: string) =>
  ({
    type: 'thinking',
    text: 'hm',
    signature: JSON.stringify({ anthropic: { signature } }),
  }) as const;
const hidden = {
  type: 'thinking',
  text: '',
  signature: '{"anthropic":{"redactedData":"eA=="}}',
} as const;

const request = (messages: ModelMessage[], over: Partial<ModelRequest> = {}): ModelRequest => ({
  purpose: 'answer',
  system: 'Be kind.',
  messages,
  tools: [
    { name: 'look', description: 'Looks.', inputSchema: { type: 'object', properties: {} } },
    { name: 'leap', description: 'Leaps.', inputSchema: { type: 'object' } },
  ],
  parameters: {},
  ...over,
});
const bodyOf = (sent: ModelRequest, to = target()) =>
  JSON.parse(String(Buffer.concat(anthropicMessages.toRequest(sent, to).body))) as Body;
const messagesOf = (messages: ModelMessage[], to?: WireTarget) =>
  withoutMarks(bodyOf(request(messages), to).messages) as Body['messages'];
const tuned = (parameters: ModelParameters, model: string, over: Partial<WireTarget> = {}) => {
  const { thinking, output_config, temperature, top_p, max_tokens } = bodyOf(
    request([user('Q')], { parameters }),
    target({ model, ...over }),
  );
  return { thinking, output_config, temperature, top_p, max_tokens };
};

/** Marks for the cache, and fields with the vendor's default. */
function withoutMarks(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (key, inner: unknown) =>
      ['cache_control', 'tool_choice', 'eager_input_streaming'].includes(key) ? undefined : inner,
    ),
  );
}

const conversations: [string, ModelMessage[]][] = [
  ['one question', [user('Q')]],
  ['several turns', [user('Q'), said('A'), user('Q2'), said('A2'), user('Q3')]],
  [
    'a whole loop with thinking',
    [
      user('Q'),
      call('c1', signed('s1'), hidden),
      result('c1', words('R')),
      call('c2', signed('s2')),
    ],
  ],
  [
    'results with images',
    [user('Q'), call('c'), result('c', { content: [image, ...words('R').content] })],
  ],
  ['a failed call', [user('Q'), call('c'), result('c', { ...words('no'), isError: true })]],
  [
    'a failed call with an image',
    [user('Q'), call('c'), result('c', { content: [image], isError: true })],
  ],
  [
    'data alone',
    [user('Q'), call('c'), result('c', { content: [], structuredContent: { a: [1] } })],
  ],
  ['nothing', [user('Q'), call('c'), result('c', { content: [] })]],
  ['a word while tools ran', [user('Q'), call('c'), result('c', words('R')), user('and?')]],
  ['two questions', [user('Q'), user('Q2')]],
  ['two answers', [user('Q'), said('A'), said('B'), user('Q2')]],
  ['an answer to go on with', [user('Q'), said('So far \n')]],
  ['empty text', [user('Q'), said(''), user('Q2')]],
  [
    'media of the user',
    [
      {
        role: 'user',
        parts: [
          { type: 'text', text: 'Look' },
          { type: 'file', mimeType: 'image/jpeg', data: 'AQID' },
          { type: 'file', mimeType: 'application/pdf', data: 'JVBERg==', name: 'a.pdf' },
          { type: 'file', mimeType: 'text/plain', data: 'R3LDvMOfZQ==', name: 'a.txt' },
        ],
      },
    ],
  ],
];

describe('a request to Anthropic', () => {
  it.each(conversations)('means what the AI SDK’s means: %s', async (_name, messages) => {
    const sent = request(messages);
    const model = (fetch: typeof globalThis.fetch) =>
      createAnthropic({ apiKey: 'k', fetch })('claude-sonnet-4-5');
    expect(withoutMarks(bodyOf(sent))).toEqual(withoutMarks(await requestOfOracle(model, sent)));
  });

  it.each([
    'claude-3-7-sonnet-latest',
    'claude-sonnet-4-20250514',
    'claude-opus-4-1-20250805',
    'claude-haiku-4-5',
    'claude-opus-4-6',
    'claude-opus-4-7',
    'claude-sonnet-5',
    'claude-opus-5',
    'claude-opus-5-5',
    'claude-sonnet-5-5',
    'claude-haiku-5-5',
    'claude-fable-5-1',
    'some-other-model',
  ])('asks %s to think and to vary in the way it takes', async (id) => {
    const limits: Record<string, number> = {
      'claude-3-7-sonnet-latest': 4096,
      'claude-opus-4-1-20250805': 32_000,
      'some-other-model': 4096,
    };
    const old = /-4-20|4-5/.test(id) ? 64_000 : 128_000;
    const outputTokens = limits[id] ?? old;
    const to = target({ model: id, capabilities: { ...capabilities, outputTokens } });
    for (const reasoningEffort of ['none', 'low', 'medium', 'high', undefined] as const) {
      const parameters = {
        temperature: 0.5,
        topP: 0.9,
        maxOutputTokens: 1000,
        ...(reasoningEffort && { reasoningEffort }),
      };
      const sent = request([user('Q')], { parameters });
      const expected = await requestOfOracle(
        (fetch) => createAnthropic({ apiKey: 'k', fetch })(id),
        sent,
      );
      expect(withoutMarks(bodyOf(sent, to))).toEqual(withoutMarks(expected));
    }
  });

  it('goes to the vendor’s address with its version and key', () => {
    const sent = anthropicMessages.toRequest(request([user('Q')]), target());
    expect(sent).toMatchObject({
      url: 'https://api.anthropic.com/v1/messages',
      headers: { 'x-api-key': 'secret', 'anthropic-version': '2023-06-01' },
    });
    const url = (baseUrl: string) =>
      anthropicMessages.toRequest(request([]), target({ baseUrl })).url;
    expect(url('https://api.anthropic.com')).toBe('https://api.anthropic.com/v1/messages');
    expect(url('https://api.anthropic.com/v1/')).toBe('https://api.anthropic.com/v1/messages');
    expect(url('http://127.0.0.1:9/anthropic')).toBe('http://127.0.0.1:9/anthropic/messages');
    const keyless = anthropicMessages.toRequest(
      request([]),
      target({ apiKey: undefined, headers: { authorization: 'Bearer x' } }),
    );
    expect(keyless.headers).toMatchObject({ authorization: 'Bearer x' });
    expect(keyless.headers).not.toHaveProperty('x-api-key');
  });

  it('marks tools, system and the last two messages of the user for the cache, no more', () => {
    const body = bodyOf(
      request([user('Q'), said('A'), user('Q2'), call('c'), result('c', words('R'))]),
    );
    const marked = (value: unknown) => JSON.stringify(value).split('"cache_control"').length - 1;
    expect(body.tools?.map(marked)).toEqual([0, 1]);
    expect(marked(body.system)).toBe(1);
    expect(body.messages.map(marked)).toEqual([0, 0, 1, 0, 1]);
    expect(marked(bodyOf(request([user('Q')], { purpose: 'title', tools: [] })))).toBe(0);
  });

  it('begins every round with what the round before began with', () => {
    const loop = [user('Q'), call('c1', signed('s')), result('c1', words('R'))];
    const first = withoutMarks(bodyOf(request(loop))) as Body;
    const second = withoutMarks(
      bodyOf(request([...loop, call('c2'), result('c2', words('R2'))])),
    ) as Body;
    expect(second.messages.slice(0, first.messages.length)).toEqual(first.messages);
    expect(JSON.stringify(second.tools)).toBe(JSON.stringify(first.tools));
    expect(second.system).toEqual(first.system);
  });

  it('leaves thinking out that it did not sign, or when nothing is to be thought', () => {
    const foreign = {
      type: 'thinking',
      text: 'hm',
      signature: '{"google":{"thoughtSignature":"x"}}',
    } as const;
    const odd = ['opaque', '[]', 'null', '{"anthropic":5}', '{"anthropic":{"signature":7}}'].map(
      (signature) => ({ type: 'thinking', text: 'hm', signature }) as const,
    );
    const messages = [user('Q'), call('c', foreign, ...odd, { type: 'thinking', text: 'x' })];
    expect(messagesOf(messages)[1]?.content).toMatchObject([{ type: 'tool_use' }]);
    const sent = request([user('Q'), call('c', signed('s')), result('c', words('R'))], {
      parameters: { reasoningEffort: 'none' },
    });
    expect(bodyOf(sent).messages[1]?.content).toMatchObject([{ type: 'tool_use' }]);
    expect(bodyOf(sent)['thinking']).toEqual({ type: 'disabled' });
  });

  it('does not begin to think in the middle of a turn where the vendor forbids it', () => {
    const high = { parameters: { reasoningEffort: 'high' as const } };
    const loop = (...before: ModelPart[]) =>
      request([user('Q'), call('c', ...before), result('c', words('R'))], high);
    expect(bodyOf(loop())['thinking']).toBeUndefined();
    expect(bodyOf(loop(signed('s')))['thinking']).toMatchObject({ type: 'enabled' });
    expect(bodyOf(loop(hidden))['thinking']).toMatchObject({ type: 'enabled' });
    const rounds = [
      call('c', signed('s')),
      result('c', words('R')),
      call('d'),
      result('d', words('R')),
    ];
    expect(bodyOf(request([user('Q'), ...rounds], high))['thinking']).toBeDefined();
    expect(
      bodyOf(request([user('Q'), call('c'), result('c', words('R')), said('A'), user('Q2')], high))[
        'thinking'
      ],
    ).toBeDefined();
    const newer = bodyOf(loop(), target({ model: 'claude-opus-5' }));
    expect(newer['thinking']).toMatchObject({ type: 'adaptive' });
  });

  it('always leaves room for the answer beside the thinking', () => {
    const small = { capabilities: { ...capabilities, outputTokens: 1500 } };
    const unknown = { capabilities: { ...capabilities, outputTokens: undefined } };
    const high = { reasoningEffort: 'high' } as const;
    expect(tuned(high, 'claude-haiku-4-5', small)).toMatchObject({
      max_tokens: 1500,
      thinking: { budget_tokens: 1024 },
    });
    expect(tuned(high, 'claude-haiku-4-5', unknown)).toMatchObject({
      max_tokens: 8192 + 4915,
      thinking: { budget_tokens: 4915 },
    });
    const tiny = { capabilities: { ...capabilities, outputTokens: 1024 } };
    expect(tuned(high, 'claude-haiku-4-5', tiny)).toMatchObject({ max_tokens: 1024 });
    expect(tuned(high, 'claude-haiku-4-5', tiny).thinking).toBeUndefined();
    expect(tuned({}, 'claude-haiku-4-5', unknown).max_tokens).toBe(8192);
    expect(tuned({ maxOutputTokens: 999_999 }, 'claude-haiku-4-5').max_tokens).toBe(64_000);
  });

  it('says nothing of thinking to models that cannot', () => {
    const plain = { capabilities: { ...capabilities, reasoning: false } };
    const sent = tuned(
      { reasoningEffort: 'high', temperature: 3 },
      'claude-3-5-haiku-latest',
      plain,
    );
    expect(sent).toMatchObject({ temperature: 1 });
    expect(sent.thinking).toBeUndefined();
    const learned = tuned({ temperature: 0.5 }, 'claude-haiku-4-5', {
      quirks: { noSampling: true },
    });
    expect(learned.temperature).toBeUndefined();
  });

  it('describes what the model or the vendor cannot take', () => {
    const file = (mimeType: string, name?: string) =>
      ({ type: 'file', mimeType, data: 'eA==', ...(name && { name }) }) as const;
    const parts = [file('image/tiff', 'a.tiff'), file('audio/wav'), file('image/jpg')];
    const blind = target({ capabilities: { ...capabilities, imagesIn: false, filesIn: false } });
    const sent = [{ role: 'user' as const, parts: [...parts, file('text/csv', 'b.csv')] }];
    expect(messagesOf(sent)[0]?.content).toEqual([
      { type: 'text', text: '[Image: a.tiff, image/tiff]' },
      { type: 'text', text: '[Audio: audio/wav]' },
      { type: 'image', source: { type: 'base64', media_type: 'image/jpeg', data: 'eA==' } },
      {
        type: 'document',
        source: { type: 'text', media_type: 'text/plain', data: 'x' },
        title: 'b.csv',
      },
    ]);
    expect(messagesOf(sent, blind)[0]?.content.slice(2)).toEqual([
      { type: 'text', text: '[Image: image/jpg]' },
      { type: 'text', text: 'b.csv:\nx' },
    ]);
  });

  it('writes ids of other vendors so that they are legal and still belong together', () => {
    const ids = (callId: string) => {
      const [, asked, answered] = messagesOf([user('Q'), call(callId), result(callId, words('R'))]);
      return [asked?.content[0]?.['id'], answered?.content[0]?.['tool_use_id']];
    };
    expect(ids('toolu_1')).toEqual(['toolu_1', 'toolu_1']);
    const [id, answered] = ids('functions.look:0');
    expect(answered).toBe(id);
    expect(id).toMatch(/^[\w-]+$/);
    expect(ids('functions.look.0')[0]).not.toBe(id);
    expect(ids('')[0]).toMatch(/^[\w-]+$/);
  });
});

interface Loop {
  interactions: { request: { url: string; headers: Record<string, string>; body: string } }[];
}

describe('a recorded loop', () => {
  const file = new URL('../../../../../shared/recordings/loops/anthropic.json', import.meta.url);
  const recorded = existsSync(file);
  if (!recorded) console.warn('Skipped: no recorded loops beside the repository.');

  it.skipIf(!recorded)('is asked again request by request', () => {
    const { interactions } = JSON.parse(readFileSync(file, 'utf8')) as Loop;
    const bodies = interactions.map(({ request }) => JSON.parse(request.body) as Body);
    const [{ system, tools, messages }] = bodies as [Body, Body];
    const first = (system as { text: string }[])[0]!.text;
    const question = user(messages[0]!.content[0]!['text'] as string);
    const [, asked, answered] = bodies[1]!.messages;
    const { id, name, input } = asked!.content[0] as { id: string; name: string; input: never };
    const rounds: ModelMessage[][] = [
      [question],
      [
        question,
        {
          role: 'assistant',
          parts: [{ type: 'tool-call', callId: id, toolName: name, arguments: input }],
        },
        result(id, words(answered!.content[0]!['content'] as string)),
      ],
    ];
    const definitions = tools!.map(({ name, description, input_schema }) => ({
      name: name as string,
      description: description as string,
      inputSchema: input_schema as never,
    }));
    for (const [index, messages] of rounds.entries()) {
      const sent = anthropicMessages.toRequest(
        request(messages, {
          system: first,
          tools: definitions,
          parameters: { maxOutputTokens: 80 },
        }),
        target({ model: 'claude-opus-4-7' }),
      );
      const { url, headers } = interactions[index]!.request;
      expect(sent.url).toBe(url);
      expect(sent.headers).toMatchObject(headers);
      expect(withoutMarks(JSON.parse(String(Buffer.concat(sent.body))))).toEqual(bodies[index]);
    }
  });
});
