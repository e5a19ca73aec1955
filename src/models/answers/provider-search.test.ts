import { describe, expect, it } from 'vitest';
import { anthropicMessages } from '../wires/anthropic/anthropic-messages.ts';
import { googleGenerate } from '../wires/google/google-generate.ts';
import { openAiChat } from '../wires/openai/openai-chat.ts';
import { openAiResponses } from '../wires/openai/openai-responses.ts';
import type { Wire } from '../wires/wire.ts';
import { completed, created, delta, message } from '../../../test/fakes/openai-streams.ts';
import { readWithWire } from '../../../test/fakes/wire-oracle.ts';
import { findCitations, tidySources } from './provider-search.ts';

const a = { url: 'https://a.example/', title: 'A' };
const b = { url: 'https://b.example/', title: 'B' };
const about = { snippet: 'about' };

function sourcesOf(wire: Wire, events: unknown[]) {
  return readWithWire(wire, events).flatMap((chunk) =>
    chunk.type === 'vendor-tool-complete' ? chunk.citations : [],
  );
}

const chat = (first: object, last: object = {}, inDelta: object = {}) =>
  sourcesOf(openAiChat, [
    delta({ content: 'a', ...inDelta }, null, first),
    delta({ content: 'b' }),
    delta({}, 'stop', last),
  ]);

describe('sources on the chat wire', () => {
  it('are read of Perplexity, whose titles may come after the addresses', () => {
    const citations = [a.url, b.url];
    const search_results = [b, { ...a, ...about, date: null }];
    expect(chat({ citations, search_results })).toEqual([b, { ...a, ...about }]);
    expect(chat({ citations }, { citations, search_results })).toEqual([{ ...a, ...about }, b]);
  });

  it.each<[string, object, object]>([
    ['xAI at the end', {}, { citations: [a.url] }],
    ['Z.ai', {}, { web_search: [{ link: a.url, icon: 'x', refer: 'ref_1' }] }],
    ['Ark', { references: [{ url: a.url, site_name: 'x' }] }, {}],
    ['Hunyuan', { search_info: { search_results: [{ index: 1, url: a.url }] } }, {}],
  ])('are read of %s', (_name, first, last) => {
    expect(chat(first, last)).toEqual([{ url: a.url }]);
  });

  it('are read in deltas of OpenRouter and Groq', () => {
    const annotations = [{ type: 'url_citation', url_citation: { ...a, content: 'about' } }];
    expect(chat({}, {}, { annotations })).toEqual([{ ...a, ...about }]);
    const results = [{ ...a, content: 'about', score: 0.5 }];
    const executed_tools = [{ index: 0, type: 'search', search_results: { results } }];
    expect(chat({}, {}, { executed_tools })).toEqual([{ ...a, ...about }]);
  });

  it('survive fields of any kind', () => {
    for (const odd of [null, 5, 'x', [null, 5, [], {}], { a: 1 }, true]) {
      const fields = { citations: odd, search_results: odd, web_search: odd, references: odd };
      const rest = { search_info: odd, executed_tools: odd, annotations: odd };
      expect(chat({ ...fields, ...rest }, {}, rest)).toEqual([]);
    }
  });
});

describe('sources of the other wires', () => {
  it('are the pages a search of OpenAI found, then what was cited', () => {
    const item = { type: 'web_search_call', id: 'ws', action: { sources: [{ url: a.url }] } };
    const annotation = { type: 'url_citation', ...b };
    const events = [
      created,
      { type: 'response.output_item.done', output_index: 0, item },
      ...message(1, 'So.'),
      { type: 'response.output_text.annotation.added', output_index: 1, annotation },
      completed(),
    ];
    expect(sourcesOf(openAiResponses, events)).toEqual([{ url: a.url }, b]);
  });

  it('are what Anthropic’s search found and what its text cites, streamed or whole', () => {
    const found = { type: 'web_search_result', ...a, encrypted_content: 'x', page_age: null };
    const citation = { type: 'web_search_result_location', ...b, cited_text: 'about' };
    const result = { type: 'web_search_tool_result', tool_use_id: 's', content: [found] };
    const text = { type: 'text', text: 'So.', citations: [citation] };
    const whole = { type: 'message', content: [result, text], stop_reason: 'end_turn' };
    const streamed = [
      { type: 'content_block_start', index: 0, content_block: result },
      { type: 'content_block_start', index: 1, content_block: { type: 'text', text: 'So.' } },
      { type: 'content_block_delta', index: 1, delta: { type: 'citations_delta', citation } },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' } },
      { type: 'message_stop' },
    ];
    for (const events of [[whole], streamed]) {
      expect(sourcesOf(anthropicMessages, events)).toEqual([a, { ...b, ...about }]);
    }
  });

  it('are the pages that ground an answer of Google', () => {
    const groundingChunks = [{ web: { uri: a.url, title: 'A' } }, { web: { uri: 'x:y' } }];
    const content = { role: 'model', parts: [{ text: 'So.' }] };
    const candidates = [{ content, groundingMetadata: { groundingChunks }, finishReason: 'STOP' }];
    expect(sourcesOf(googleGenerate, [{ candidates }])).toEqual([a]);
  });
});

describe('findCitations', () => {
  it('takes every web address in a bounded walk, each once', () => {
    expect(findCitations({ results: [a, { source: b }, a], url: 'mailto:x' })).toEqual([a, b]);
    const many = Array.from({ length: 50_000 }, (_, n) => ({ url: `https://a.example/${n}` }));
    expect(findCitations(many)).toHaveLength(100);
    expect(findCitations([...Array.from({ length: 50_000 }, () => 1), a])).toEqual([]);
    expect(findCitations({ a: { b: { c: { d: { e: a } } } } })).toEqual([]);
  });
});

describe('tidySources', () => {
  it('keeps what may be shown, short and on one line', () => {
    const long = tidySources([{ url: a.url, title: 'x'.repeat(9000), snippet: 'y'.repeat(9000) }]);
    expect([long[0]?.title?.length, long[0]?.snippet?.length]).toEqual([300, 500]);
    expect(
      tidySources([
        { url: 'javascript:alert(1)' },
        { url: 'javascript:alert(1)', title: 'Only a title' },
        { url: 'https://a.example/\nx', title: 'Two\nlines' },
        { title: 'Two lines' },
        { url: `https://a.example/${'x'.repeat(5000)}` },
        {},
        a,
        { ...a, title: 'again' },
      ]),
    ).toEqual([{ title: 'Only a title' }, { title: 'Two lines' }, a]);
  });
});
