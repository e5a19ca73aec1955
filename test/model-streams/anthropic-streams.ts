import {
  block,
  input,
  messageEnd,
  messageStart,
  text,
  thinking,
} from '../fakes/anthropic-streams.ts';
import { type OwnStream, stream, tells, withCrLf } from './own-stream.ts';

const counted = {
  inputTokens: 1320,
  outputTokens: 42,
  cachedInputTokens: 1000,
  cacheWriteTokens: 300,
};
const writes = (index: number, ...words: string[]) =>
  block(index, { type: 'text', text: '' }, ...words.map(text));
const result = (name: string) => ({
  type: 'web_search_result',
  url: `https://${name}.example/`,
  title: name.toUpperCase(),
  encrypted_content: 'eA==',
});

const greeting = stream(
  messageStart,
  { type: 'ping' },
  ...writes(0, 'Grüße, ', '世界 🌸'),
  ...messageEnd('end_turn'),
);
const greets = tells([{ type: 'text', text: 'Grüße, 世界 🌸' }], { usage: counted });

const streams: Record<string, [Buffer, OwnStream['told']]> = {
  text: [greeting, greets],
  'lines that end with CRLF': [withCrLf(greeting), greets],
  'no farewell': [greeting.subarray(0, greeting.indexOf('event: message_stop')), greets],
  'thinking that is signed, hidden thinking, text and two calls': [
    stream(
      messageStart,
      ...block(
        0,
        { type: 'thinking', thinking: '', signature: '' },
        thinking('Let me '),
        thinking('see.'),
        { type: 'signature_delta', signature: 'c2lnbmVk' },
      ),
      ...block(1, { type: 'redacted_thinking', data: 'aGlkZGVu' }),
      ...writes(2, 'I will look.'),
      ...block(
        3,
        { type: 'tool_use', id: 'toolu_1', name: 'add', input: {} },
        input(''),
        input('{"a": '),
        input('1}'),
      ),
      ...block(4, { type: 'tool_use', id: 'toolu_2', name: 'now', input: {} }, input('')),
      ...messageEnd('tool_use'),
    ),
    tells(
      [
        { type: 'thinking', text: 'Let me see.' },
        { type: 'text', text: 'I will look.' },
        { type: 'call', name: 'add', arguments: { a: 1 } },
        { type: 'call', name: 'now', arguments: {} },
      ],
      { usage: counted, sealed: ['c2lnbmVk', 'aGlkZGVu'] },
    ),
  ],
  'a search and what was cited': [
    stream(
      messageStart,
      ...block(
        0,
        { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} },
        input('{"query": "cherry '),
        input('blossom"}'),
      ),
      ...block(1, {
        type: 'web_search_tool_result',
        tool_use_id: 'srvtoolu_1',
        content: [result('a'), result('b')],
      }),
      ...writes(2, 'It blooms', ' in April.'),
      ...block(
        3,
        { type: 'text', text: '', citations: [] },
        {
          type: 'citations_delta',
          citation: {
            type: 'web_search_result_location',
            cited_text: 'In May.',
            url: 'https://c.example/',
            title: 'C',
          },
        },
        text(' Or in May.'),
      ),
      ...messageEnd('end_turn'),
    ),
    tells(
      [
        { type: 'search', query: 'cherry blossom' },
        { type: 'text', text: 'It blooms in April. Or in May.' },
      ],
      {
        usage: counted,
        sources: [
          { url: 'https://a.example/', title: 'A' },
          { url: 'https://b.example/', title: 'B' },
          { url: 'https://c.example/', title: 'C' },
        ],
      },
    ),
  ],
  'an answer that is too long': [
    stream(messageStart, ...writes(0, 'So'), ...messageEnd('max_tokens')),
    tells([{ type: 'text', text: 'So' }], { usage: counted, note: 'model_length' }),
  ],
  'an error in the middle': [
    stream(messageStart, ...writes(0, 'So far').slice(0, -1), {
      type: 'error',
      error: { type: 'overloaded_error', message: 'Overloaded' },
    }),
    tells([{ type: 'text', text: 'So far' }], { error: 'model_failed' }),
  ],
};

/** Streams of Anthropic's messages API. */
export const anthropicOwnStreams: OwnStream[] = Object.entries(streams).map(
  ([name, [bytes, told]]) => ({
    name: `anthropic: ${name}`,
    vendor: 'anthropic',
    kind: 'anthropic',
    bytes,
    told,
  }),
);
