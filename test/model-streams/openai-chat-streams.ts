import { type OwnStream, stream, tells, withCrLf } from './own-stream.ts';

const done = 'data: [DONE]\n\n';
const usage = { prompt_tokens: 12, completion_tokens: 34, total_tokens: 46 };
const counted = { inputTokens: 12, outputTokens: 34, reasoningTokens: 0, cachedInputTokens: 0 };

function delta(fields: object, finish_reason: string | null = null, more: object = {}): object {
  return { id: 'c-1', model: 'm', choices: [{ index: 0, delta: fields, finish_reason }], ...more };
}
const call = (...tool_calls: object[]) => delta({ tool_calls });
const stop = delta({}, 'stop', { usage });
const calling = delta({}, 'tool_calls', { usage });

const greeting = [
  delta({ role: 'assistant', content: '' }),
  delta({ content: 'Grüße, ' }),
  delta({ content: '世界 🌸' }),
  delta({}, 'stop'),
];
const greets = tells([{ type: 'text', text: 'Grüße, 世界 🌸' }]);
const adds = tells(
  [
    { type: 'call', name: 'add', arguments: { a: 1 } },
    { type: 'call', name: 'add', arguments: { a: 2 } },
  ],
  { usage: counted },
);
const add = (a: number) => ({ name: 'add', arguments: `{"a":${a}}` });

const streams: Record<string, [Buffer, OwnStream['told'], kind?: string]> = {
  'usage in a last event without choices': [
    stream(
      ...greeting,
      {
        id: 'c-1',
        choices: [],
        usage: {
          ...usage,
          prompt_tokens_details: { cached_tokens: 5 },
          completion_tokens_details: { reasoning_tokens: 6 },
        },
      },
      done,
    ),
    { ...greets, usage: { ...counted, reasoningTokens: 6, cachedInputTokens: 5 } },
    'openai-chat',
  ],
  'nobody counted': [stream(...greeting, done), greets],
  'thinking as reasoning_content': [
    stream(
      delta({ role: 'assistant', content: null, reasoning_content: '' }),
      delta({ content: null, reasoning_content: 'Let me ' }),
      delta({ content: null, reasoning_content: 'see…' }),
      delta({ content: 'It is ', reasoning_content: null }),
      delta({ content: 'so.' }),
      stop,
      done,
    ),
    tells(
      [
        { type: 'thinking', text: 'Let me see…' },
        { type: 'text', text: 'It is so.' },
      ],
      { usage: counted },
    ),
    'deepseek',
  ],
  'thinking as reasoning, and again after text': [
    stream(
      delta({ reasoning: 'One ' }),
      delta({ reasoning: 'two' }),
      delta({ content: 'Text' }),
      delta({ reasoning: 'three' }),
      delta({ content: ' more' }),
      stop,
      done,
    ),
    tells(
      [
        { type: 'thinking', text: 'One two' },
        { type: 'text', text: 'Text' },
        { type: 'thinking', text: 'three' },
        { type: 'text', text: ' more' },
      ],
      { usage: counted },
    ),
    'openrouter',
  ],
  'calls in pieces, in turns': [
    stream(
      delta({ content: 'Both.' }),
      call({ index: 0, id: 'a', type: 'function', function: { name: 'add', arguments: '' } }),
      call({ index: 1, id: 'b', type: 'function', function: { name: 'add', arguments: '' } }),
      call(
        { index: 0, function: { arguments: '{"a"' } },
        { index: 1, function: { arguments: '{"a":' } },
      ),
      call(
        { index: 1, function: { arguments: '2}' } },
        { index: 0, function: { arguments: ':1}' } },
      ),
      calling,
      done,
    ),
    tells([{ type: 'text', text: 'Both.' }, ...adds.parts], { usage: counted }),
  ],
  'calls whole in one event, without numbers': [
    stream(call({ id: 'a', function: add(1) }, { id: 'b', function: add(2) }), calling, done),
    adds,
  ],
  'calls whole in an event each, all numbered 0': [
    stream(
      call({ index: 0, id: 'a', function: add(1) }),
      call({ index: 0, id: 'b', function: add(2) }),
      stop,
      done,
    ),
    adds,
  ],
  'two calls with one id': [
    stream(
      call({ index: 0, id: 'call_0', function: add(1) }),
      call({ index: 1, id: 'call_0', function: add(2) }),
      calling,
      done,
    ),
    adds,
  ],
  'arguments as an object, empty and missing': [
    stream(
      call({ index: 0, id: 'a', function: { name: 'add', arguments: { a: 1, b: ['ü'] } } }),
      call({ index: 1, id: 'b', function: { name: 'now', arguments: '' } }),
      call({ index: 2, id: 'c', function: { name: 'here' } }),
      calling,
      done,
    ),
    tells(
      [
        { type: 'call', name: 'add', arguments: { a: 1, b: ['ü'] } },
        { type: 'call', name: 'now', arguments: {} },
        { type: 'call', name: 'here', arguments: {} },
      ],
      { usage: counted },
    ),
  ],
  'lines that end with CRLF': [
    withCrLf(stream(...greeting.slice(0, -1), stop, done)),
    { ...greets, usage: counted },
  ],
  'comments, and fields that say nothing': [
    stream(
      ': PROCESSING\n\n',
      'retry: 10\nid: 1\nevent: message\n: between\n',
      ...greeting,
      ': still here\n\n:\n\nevent: ping\n\n',
      done,
    ),
    greets,
  ],
  'data over several lines, without a space after the colon': [
    stream(
      ...greeting.map((event) => {
        const lines = JSON.stringify(event, null, 1).split('\n');
        return `${lines.map((line) => `data:${line}\n`).join('')}\n`;
      }),
      'data:[DONE]\n\n',
    ),
    greets,
  ],
  'a byte order mark': [stream('\uFEFF', ...greeting.slice(1), done), greets],
  'no finish reason, but a farewell': [stream(...greeting.slice(0, -1), done), greets],
  'no farewell, and no empty line at the end': [stream(...greeting).subarray(0, -1), greets],
  'a character in two halves': [
    stream(
      'data: {"choices":[{"delta":{"content":"A \\ud83c"}}]}\n\n',
      'data: {"choices":[{"delta":{"content":"\\udf38."}}]}\n\n',
      stop,
      done,
    ),
    tells([{ type: 'text', text: 'A 🌸.' }], { usage: counted }),
  ],
  'an answer that is too long': [
    stream(delta({ content: 'So' }), delta({}, 'length', { usage }), done),
    tells([{ type: 'text', text: 'So' }], { usage: counted, note: 'model_length' }),
  ],
  'sources in annotations': [
    stream(
      delta({ content: 'It blooms.' }),
      delta({
        annotations: [
          { type: 'url_citation', url_citation: { url: 'https://a.example/', title: 'A' } },
          { type: 'url_citation', url_citation: { url: 'https://b.example/', title: 'B' } },
        ],
      }),
      stop,
      done,
    ),
    tells([{ type: 'text', text: 'It blooms.' }], {
      usage: counted,
      sources: [
        { url: 'https://a.example/', title: 'A' },
        { url: 'https://b.example/', title: 'B' },
      ],
    }),
    'openrouter',
  ],
  'a picture': [
    stream(
      delta({ content: 'Here:' }),
      delta({ images: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AQID' } }] }),
      stop,
      done,
    ),
    tells(
      [
        { type: 'text', text: 'Here:' },
        { type: 'image', mimeType: 'image/png', data: 'AQID' },
      ],
      { usage: counted },
    ),
    'openrouter',
  ],
  'an error in the middle': [
    stream(
      delta({ content: 'So far' }),
      { error: { message: 'The upstream failed.', code: 502 } },
      delta({ content: ' never' }),
      stop,
      done,
    ),
    tells([{ type: 'text', text: 'So far' }], { error: 'model_failed' }),
  ],
  'an error in the middle of a call': [
    stream(
      call({ index: 0, id: 'a', function: { name: 'add', arguments: '{"a":' } }),
      { error: { message: 'Rate limit reached.', type: 'rate_limit_error', code: 429 } },
      done,
    ),
    tells([{ type: 'call', name: 'add', arguments: {} }], { error: 'model_rate_limited' }),
  ],
};

/** Streams of chat completions, as OpenAI and those compatible with it send them. */
export const openAiChatStreams: OwnStream[] = Object.entries(streams).map(
  ([name, [bytes, told, kind = 'openai-compatible']]) => ({
    name: `openai-chat: ${name}`,
    vendor: 'openai-chat',
    kind,
    bytes,
    told,
  }),
);
