import { type OwnStream, stream, tells } from './own-stream.ts';

const created = { type: 'response.created', response: { id: 'r-1', status: 'in_progress' } };
const usage = {
  input_tokens: 12,
  input_tokens_details: { cached_tokens: 5 },
  output_tokens: 34,
  output_tokens_details: { reasoning_tokens: 6 },
};
const counted = { inputTokens: 12, outputTokens: 34, reasoningTokens: 6, cachedInputTokens: 5 };
const completed = { type: 'response.completed', response: { id: 'r-1', usage } };

const added = (output_index: number, item: object) => ({
  type: 'response.output_item.added',
  output_index,
  item,
});
const ended = (output_index: number, item: object) => ({
  type: 'response.output_item.done',
  output_index,
  item,
});
const words = (output_index: number, delta: string, type = 'output_text') => ({
  type: `response.${type}.delta`,
  item_id: `item-${output_index}`,
  output_index,
  content_index: 0,
  delta,
});
const summary = (summary_index: number, delta: string) => ({
  type: 'response.reasoning_summary_text.delta',
  item_id: 'rs-1',
  output_index: 0,
  summary_index,
  delta,
});

function message(output_index: number, ...pieces: string[]): object[] {
  const item = { type: 'message', id: `item-${output_index}`, role: 'assistant' };
  const part = { type: 'output_text', text: pieces.join('') };
  return [
    added(output_index, { ...item, content: [] }),
    ...pieces.map((piece) => words(output_index, piece)),
    { type: 'response.output_text.done', output_index, content_index: 0, text: part.text },
    ended(output_index, { ...item, content: [part] }),
  ];
}

function calls(output_index: number, call_id: string, name: string, ...pieces: string[]): object[] {
  const item = { type: 'function_call', id: `item-${output_index}`, call_id, name };
  return [
    added(output_index, { ...item, arguments: '' }),
    ...pieces.map((piece) => words(output_index, piece, 'function_call_arguments')),
    ended(output_index, { ...item, arguments: pieces.join('') }),
  ];
}

const streams: Record<string, [Buffer, OwnStream['told']]> = {
  text: [
    stream(created, ...message(0, 'Grüße, ', '世界 🌸'), completed),
    tells([{ type: 'text', text: 'Grüße, 世界 🌸' }], { usage: counted }),
  ],
  'thinking in two parts, sealed, and two calls': [
    stream(
      created,
      added(0, { type: 'reasoning', id: 'rs-1', summary: [] }),
      summary(0, 'First '),
      summary(0, 'this. '),
      summary(1, 'Then that.'),
      ended(0, { type: 'reasoning', id: 'rs-1', encrypted_content: 'c2VhbGVk' }),
      ...calls(1, 'call_1', 'add', '{"a":', '1}'),
      ...calls(2, 'call_2', 'now', '{}'),
      completed,
    ),
    tells(
      [
        { type: 'thinking', text: 'First this. Then that.' },
        { type: 'call', name: 'add', arguments: { a: 1 } },
        { type: 'call', name: 'now', arguments: {} },
      ],
      { usage: counted, sealed: ['c2VhbGVk'] },
    ),
  ],
  'a call that comes whole': [
    stream(
      created,
      ended(0, { type: 'function_call', call_id: 'x', name: 'add', arguments: '{"a":1}' }),
      completed,
    ),
    tells([{ type: 'call', name: 'add', arguments: { a: 1 } }], { usage: counted }),
  ],
  'a search whose query is told at its end, and what was cited': [
    stream(
      created,
      added(0, { type: 'web_search_call', id: 'ws-1', status: 'in_progress' }),
      { type: 'response.web_search_call.searching', output_index: 0, item_id: 'ws-1' },
      ended(0, {
        type: 'web_search_call',
        id: 'ws-1',
        status: 'completed',
        action: {
          type: 'search',
          query: 'cherry blossom',
          sources: [
            { type: 'url', url: 'https://a.example/' },
            { type: 'url', url: 'https://b.example/' },
          ],
        },
      }),
      added(1, { type: 'message', id: 'item-1', content: [] }),
      words(1, 'It blooms in April.'),
      {
        type: 'response.output_text.annotation.added',
        output_index: 1,
        annotation: { type: 'url_citation', url: 'https://c.example/', title: 'C' },
      },
      ended(1, { type: 'message', id: 'item-1' }),
      completed,
    ),
    tells(
      [
        { type: 'search', query: 'cherry blossom' },
        { type: 'text', text: 'It blooms in April.' },
      ],
      {
        usage: counted,
        sources: [
          { url: 'https://a.example/' },
          { url: 'https://b.example/' },
          { url: 'https://c.example/', title: 'C' },
        ],
      },
    ),
  ],
  'a picture': [
    stream(
      created,
      added(0, { type: 'image_generation_call', id: 'ig-1', status: 'in_progress' }),
      ended(0, { type: 'image_generation_call', id: 'ig-1', result: 'AQID', output_format: 'png' }),
      ...message(1, 'There.'),
      completed,
    ),
    tells(
      [
        { type: 'vendor-tool', name: 'image_generation', arguments: { output_format: 'png' } },
        { type: 'image', mimeType: 'image/png', data: 'AQID' },
        { type: 'text', text: 'There.' },
      ],
      { usage: counted },
    ),
  ],
  'an answer that is too long': [
    stream(created, ...message(0, 'So'), {
      type: 'response.incomplete',
      response: { incomplete_details: { reason: 'max_output_tokens' }, usage },
    }),
    tells([{ type: 'text', text: 'So' }], { usage: counted, note: 'model_length' }),
  ],
  'an error in the middle': [
    stream(created, added(0, { type: 'message', id: 'item-0' }), words(0, 'So far'), {
      type: 'error',
      code: 'server_error',
      message: 'Something broke.',
    }),
    tells([{ type: 'text', text: 'So far' }], { error: 'model_failed' }),
  ],
  'an answer that failed': [
    stream(created, added(0, { type: 'message', id: 'item-0' }), words(0, 'So far'), {
      type: 'response.failed',
      response: { error: { code: 'rate_limit_exceeded', message: 'Rate limit reached.' } },
    }),
    tells([{ type: 'text', text: 'So far' }], { error: 'model_rate_limited' }),
  ],
};

/** Streams of OpenAI's responses API. */
export const openAiResponsesStreams: OwnStream[] = Object.entries(streams).map(
  ([name, [bytes, told]]) => ({
    name: `openai-responses: ${name}`,
    vendor: 'openai-responses',
    kind: 'openai',
    bytes,
    told,
  }),
);
