import { answer } from '../fakes/google-streams.ts';
import { type OwnStream, stream, tells, withCrLf } from './own-stream.ts';

const counted = { inputTokens: 15, outputTokens: 37, reasoningTokens: 30, cachedInputTokens: 4 };

const greeting = stream(
  answer([{ text: 'Grüße, ' }]),
  answer([{ text: '世界' }, { text: ' 🌸' }]),
  answer([{ text: '', thoughtSignature: 'dGV4dA==' }], 'STOP'),
);
const greets = tells([{ type: 'text', text: 'Grüße, 世界 🌸' }], {
  usage: counted,
  sealed: ['dGV4dA=='],
});

const streams: Record<string, [Buffer, OwnStream['told']]> = {
  text: [greeting, greets],
  'lines that end with CRLF': [withCrLf(greeting), greets],
  'thoughts, text and thoughts again': [
    stream(
      answer([{ text: '**Looking**\n', thought: true }]),
      answer([{ text: 'closely', thought: true }, { text: 'So' }]),
      answer([{ text: ' it is' }]),
      answer([{ text: 'Hm', thought: true }]),
      answer([{ text: 'Done it' }], 'STOP'),
    ),
    tells(
      [
        { type: 'thinking', text: '**Looking**\nclosely' },
        { type: 'text', text: 'So it is' },
        { type: 'thinking', text: 'Hm' },
        { type: 'text', text: 'Done it' },
      ],
      { usage: counted },
    ),
  ],
  'calls, the first of them signed': [
    stream(
      answer([{ text: 'First, ' }]),
      answer([
        { functionCall: { name: 'add', args: { a: 1 } }, thoughtSignature: 'Y2FsbA==' },
        { functionCall: { name: 'add', args: { a: '東京' } } },
        { functionCall: { name: 'now' } },
      ]),
      answer([{ text: '' }], 'STOP'),
    ),
    tells(
      [
        { type: 'text', text: 'First, ' },
        { type: 'call', name: 'add', arguments: { a: 1 } },
        { type: 'call', name: 'add', arguments: { a: '東京' } },
        { type: 'call', name: 'now', arguments: {} },
      ],
      { usage: counted, sealed: ['Y2FsbA=='] },
    ),
  ],
  'a picture between words': [
    stream(
      answer([{ text: 'Here: ' }]),
      answer([{ inlineData: { mimeType: 'image/png', data: 'AQID' } }]),
      answer([{ text: 'Nice?' }], 'STOP'),
    ),
    tells(
      [
        { type: 'text', text: 'Here: ' },
        { type: 'image', mimeType: 'image/png', data: 'AQID' },
        { type: 'text', text: 'Nice?' },
      ],
      { usage: counted },
    ),
  ],
  'an answer with sources': [
    stream(
      answer([{ text: 'It blooms' }], undefined, {
        groundingMetadata: {
          groundingChunks: [{ web: { uri: 'https://a.example/', title: 'A' } }],
        },
      }),
      answer([{ text: ' in spring.' }], 'STOP', {
        groundingMetadata: {
          groundingChunks: [
            { web: { uri: 'https://a.example/', title: 'A' } },
            { web: { uri: 'https://b.example/', title: 'B' } },
          ],
        },
      }),
    ),
    tells([{ type: 'text', text: 'It blooms in spring.' }], {
      usage: counted,
      sources: [
        { url: 'https://a.example/', title: 'A' },
        { url: 'https://b.example/', title: 'B' },
      ],
    }),
  ],
  'an answer that is too long': [
    stream(answer([{ text: 'So far' }], 'MAX_TOKENS')),
    tells([{ type: 'text', text: 'So far' }], { usage: counted, note: 'model_length' }),
  ],
  'an error in the middle': [
    stream(answer([{ text: 'So far' }]), {
      error: { code: 429, status: 'RESOURCE_EXHAUSTED', message: 'Quota exceeded.' },
    }),
    tells([{ type: 'text', text: 'So far' }], { error: 'model_rate_limited' }),
  ],
};

/** Streams of Google's streamGenerateContent. */
export const googleOwnStreams: OwnStream[] = Object.entries(streams).map(
  ([name, [bytes, told]]) => ({
    name: `google: ${name}`,
    vendor: 'google',
    kind: 'google',
    bytes,
    told,
  }),
);
