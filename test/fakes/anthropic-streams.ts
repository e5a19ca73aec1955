/** Streams in the form of Anthropic's messages API, written for the tests. */
type Event = { type: string; [field: string]: unknown };

export const messageStart: Event = {
  type: 'message_start',
  message: {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'claude-test',
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: {
      input_tokens: 20,
      cache_creation_input_tokens: 300,
      cache_read_input_tokens: 1000,
      output_tokens: 1,
    },
  },
};

/** One block with its deltas. */
export function block(index: number, content: object, ...deltas: object[]): Event[] {
  return [
    { type: 'content_block_start', index, content_block: content },
    ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index },
  ];
}

/** The two events that end an answer. */
export function messageEnd(stop_reason: string, usage: object = { output_tokens: 42 }): Event[] {
  return [
    { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage },
    { type: 'message_stop' },
  ];
}

export const text = (value: string) => ({ type: 'text_delta', text: value });
export const thinking = (value: string) => ({ type: 'thinking_delta', thinking: value });
export const input = (value: string) => ({ type: 'input_json_delta', partial_json: value });

export const anthropicStreams: Record<string, Event[]> = {
  'text only': [
    messageStart,
    { type: 'ping' },
    ...block(0, { type: 'text', text: '' }, text('Grüße, '), text(''), text('世界 🌸')),
    ...messageEnd('end_turn'),
  ],
  'thinking, hidden thinking, text and two calls': [
    messageStart,
    ...block(
      0,
      { type: 'thinking', thinking: '', signature: '' },
      thinking('Let me '),
      thinking('see.'),
      { type: 'signature_delta', signature: 'c2lnbmVk' },
    ),
    ...block(1, { type: 'redacted_thinking', data: 'aGlkZGVu' }),
    ...block(2, { type: 'text', text: '' }, text('I will look.')),
    ...block(
      3,
      { type: 'tool_use', id: 'toolu_1', name: 'weather', input: {} },
      input(''),
      input('{"city": '),
      input('"Paris"}'),
    ),
    ...block(4, { type: 'tool_use', id: 'toolu_2', name: 'now', input: {} }, input('')),
    ...messageEnd('tool_use', {
      output_tokens: 90,
      output_tokens_details: { thinking_tokens: 30 },
    }),
  ],
  'a call whose input came at once': [
    messageStart,
    ...block(0, { type: 'tool_use', id: 'toolu_1', name: 'add', input: { a: 1, b: [2] } }),
    ...messageEnd('tool_use'),
  ],
  'two searches with citations': [
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
      content: [
        result('https://a.example/', 'A'),
        result('https://b.example/', 'B'),
        result('https://a.example/', 'A again'),
      ],
    }),
    ...block(
      2,
      { type: 'server_tool_use', id: 'srvtoolu_2', name: 'web_search', input: {} },
      input('{"query":"x"}'),
    ),
    ...block(3, {
      type: 'web_search_tool_result',
      tool_use_id: 'srvtoolu_2',
      content: { type: 'web_search_tool_result_error', error_code: 'max_uses_exceeded' },
    }),
    ...block(
      4,
      { type: 'text', text: '', citations: [] },
      {
        type: 'citations_delta',
        citation: {
          type: 'web_search_result_location',
          cited_text: 'It blooms.',
          url: 'https://a.example/',
          title: 'A',
          encrypted_index: 'eA==',
        },
      },
      text('It blooms in spring.'),
    ),
    ...messageEnd('end_turn', {
      input_tokens: 25,
      output_tokens: 60,
      server_tool_use: { web_search_requests: 2 },
    }),
  ],
  'the end of the room in the middle of a call': [
    messageStart,
    ...block(
      0,
      { type: 'tool_use', id: 'toolu_1', name: 'write', input: {} },
      input('{"text": "abc'),
    ),
    ...messageEnd('max_tokens'),
  ],
  'a context that is full': [
    messageStart,
    ...block(0, { type: 'text', text: '' }, text('So far')),
    ...messageEnd('model_context_window_exceeded'),
  ],
  'a refusal after some words': [
    messageStart,
    ...block(0, { type: 'text', text: '' }, text('To begin')),
    ...messageEnd('refusal'),
  ],
  'an answer of another model': [
    messageStart,
    ...block(0, { type: 'text', text: '' }, text('ok')),
    ...messageEnd('end_turn', {
      input_tokens: 10,
      output_tokens: 5,
      iterations: [
        { type: 'message', input_tokens: 100, output_tokens: 0 },
        { type: 'fallback_message', input_tokens: 10, output_tokens: 5 },
      ],
    }),
  ],
  'several samplings': [
    messageStart,
    ...block(0, { type: 'text', text: '' }, text('ok')),
    ...messageEnd('end_turn', {
      input_tokens: 10,
      output_tokens: 5,
      iterations: [
        { type: 'compaction', input_tokens: 100, output_tokens: 40 },
        { type: 'message', input_tokens: 10, output_tokens: 5 },
        { type: 'advisor_message', input_tokens: 7, output_tokens: 7 },
      ],
    }),
  ],
};

function result(url: string, title: string): object {
  return { type: 'web_search_result', url, title, encrypted_content: 'eA==', page_age: null };
}
