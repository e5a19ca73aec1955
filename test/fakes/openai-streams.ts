/** Streams in the form of OpenAI's two APIs and of those compatible with them, written for the tests. */
type Events = Record<string, unknown[]>;

const usage = {
  prompt_tokens: 12,
  completion_tokens: 34,
  prompt_tokens_details: { cached_tokens: 5 },
  completion_tokens_details: { reasoning_tokens: 6 },
};

/** One event of chat completions. */
export function delta(fields: object, finish_reason: string | null = null, extra: object = {}) {
  const choices = [{ index: 0, delta: fields, finish_reason }];
  return { id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices, ...extra };
}

/** One piece of a call. */
export function call(index: number | undefined, fields: object, id?: string | null) {
  return {
    ...(index !== undefined && { index }),
    ...(id !== undefined && { id, type: 'function' }),
    function: fields,
  };
}

const calls = (...tool_calls: object[]) => delta({ tool_calls });
const end = (reason: string) => delta({}, reason, { usage });

/** Streams that the AI SDK reads as well as we do. */
export const chatStreams: Events = {
  'text with usage at the end': [
    delta({ role: 'assistant', content: '', refusal: null }),
    delta({ content: 'Grüße' }),
    delta({ content: ', 世界' }),
    delta({}, 'stop'),
    { ...delta({}), choices: [], usage },
  ],
  'thinking and text in turns': [
    delta({ role: 'assistant', reasoning_content: 'One' }),
    delta({ reasoning_content: ' two', content: null }),
    delta({ content: 'Text' }),
    delta({ reasoning: 'again' }),
    delta({ content: ' more' }),
    end('stop'),
  ],
  'thinking before a call': [
    delta({ reasoning: 'I should look.' }),
    calls(call(0, { name: 'weather', arguments: '' }, 'call_1')),
    calls(call(0, { arguments: '{"city":' })),
    calls(call(0, { arguments: '"Paris"}' })),
    end('tool_calls'),
  ],
  'two calls in turns, text before': [
    delta({ content: 'Let me see.' }),
    calls(call(0, { name: 'a', arguments: '' }, 'call_a')),
    calls(call(1, { name: 'b', arguments: '' }, 'call_b')),
    calls(call(0, { arguments: '{"x"' }), call(1, { arguments: '{"y"' })),
    calls(call(1, { arguments: ':2}' }), call(0, { arguments: ':1}' })),
    end('tool_calls'),
  ],
  'calls whole at once, all numbered 0': [
    calls(call(0, { name: 'a', arguments: '{"x":1}' }, 'one')),
    calls(call(0, { name: 'a', arguments: '{"x":2}' }, 'two')),
    end('stop'),
  ],
  'a call without numbers and ids': [
    calls(call(undefined, { name: 'a', arguments: '{"x":1}' }, '')),
    calls(call(undefined, { name: 'b', arguments: '{"x":2}' }, '')),
    end('tool_calls'),
  ],
  'a name that comes late': [
    calls(call(0, { arguments: '{"x"' }, 'late')),
    calls(call(0, { name: 'a', arguments: ':1' })),
    calls(call(0, { arguments: '}' })),
    end('tool_calls'),
  ],
  'name and id in every delta': [
    calls(call(0, { name: 'a', arguments: '{"x":' }, 'same')),
    calls(call(0, { name: 'a', arguments: '1}' }, 'same')),
    end('tool_calls'),
  ],
  'the same id for two calls': [
    calls(call(0, { name: 'a', arguments: '{"x":1}' }, 'call_0')),
    calls(call(1, { name: 'a', arguments: '{"x":2}' }, 'call_0')),
    end('tool_calls'),
  ],
  'arguments that are no JSON, and none': [
    calls(call(0, { name: 'a', arguments: '{"x":' }, 'bad'), call(1, { name: 'b' }, 'none')),
    end('tool_calls'),
  ],
  'a signature of Gemini': [
    delta({
      tool_calls: [
        {
          ...call(0, { name: 'a', arguments: '{}' }, 'g'),
          extra_content: { google: { thought_signature: 'sealed' } },
        },
      ],
    }),
    end('tool_calls'),
  ],
  'content in parts, as Mistral sends it': [
    delta({ content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'Hm' }] }] }),
    delta({
      content: [
        { type: 'text', text: 'Yes' },
        { type: 'reference', reference_ids: [1] },
      ],
    }),
    delta({ content: '.' }, 'stop', { usage }),
  ],
  'a refusal': [delta({ refusal: 'I will ' }), delta({ refusal: 'not.' }), end('stop')],
  'an answer that is too long': [delta({ content: 'So' }), end('length')],
  'an answer that was filtered in the middle': [delta({ content: 'So' }), end('content_filter')],
  'a reason nobody knows': [delta({ content: 'So' }), end('bored')],
  'no usage': [delta({ content: 'So' }), delta({}, 'stop')],
};

const done = { sequence_number: 9, output_index: 0 };
const added = (output_index: number, item: object) => ({
  type: 'response.output_item.added',
  output_index,
  item,
});
const finished = (output_index: number, item: object) => ({
  type: 'response.output_item.done',
  output_index,
  item,
});
const reasoning = (output_index: number, summary_index: number, text: string) => ({
  type: 'response.reasoning_summary_text.delta',
  item_id: 'rs_1',
  output_index,
  summary_index,
  delta: text,
});
const summaryPart = (kind: 'added' | 'done', summary_index: number) => ({
  type: `response.reasoning_summary_part.${kind}`,
  item_id: 'rs_1',
  output_index: 0,
  summary_index,
  ...(kind === 'done' && { part: { type: 'summary_text', text: 'x' } }),
});

/** A piece of text of the responses API. */
export const words = (output_index: number, text: string) => ({
  type: 'response.output_text.delta',
  item_id: `msg_${output_index}`,
  output_index,
  content_index: 0,
  delta: text,
});

/** The first event of the responses API. */
export const created = {
  type: 'response.created',
  response: { id: 'resp_1', created_at: 1, model: 'm' },
};

/** The last event of the responses API. */
export function completed(type = 'completed', incomplete?: string) {
  return {
    type: `response.${type}`,
    response: {
      incomplete_details: incomplete === undefined ? null : { reason: incomplete },
      usage: {
        input_tokens: 12,
        input_tokens_details: { cached_tokens: 5 },
        output_tokens: 34,
        output_tokens_details: { reasoning_tokens: 6 },
      },
    },
  };
}

/** One whole message of the responses API. */
export const message = (output_index: number, ...pieces: string[]) => [
  added(output_index, { type: 'message', id: `msg_${output_index}` }),
  ...pieces.map((piece) => words(output_index, piece)),
  finished(output_index, { type: 'message', id: `msg_${output_index}` }),
];

/** One whole call of the responses API. */
export function functionCall(output_index: number, call_id: string, ...pieces: string[]) {
  const item = { type: 'function_call', id: `fc_${output_index}`, call_id, name: 'weather' };
  return [
    added(output_index, { ...item, arguments: '' }),
    ...pieces.map((piece) => ({
      type: 'response.function_call_arguments.delta',
      item_id: item.id,
      output_index,
      delta: piece,
    })),
    finished(output_index, { ...item, arguments: pieces.join(''), status: 'completed' }),
  ];
}

/** Streams of the responses API that the AI SDK reads as well as we do. */
export const responsesStreams: Events = {
  text: [created, ...message(0, 'Hello', ' there'), completed()],
  'thinking in two parts, then a call': [
    created,
    added(0, { type: 'reasoning', id: 'rs_1', encrypted_content: 'early', summary: [] }),
    summaryPart('added', 0),
    reasoning(0, 0, 'First'),
    reasoning(0, 0, ' this.'),
    summaryPart('done', 0),
    summaryPart('added', 1),
    reasoning(0, 1, 'Then that.'),
    summaryPart('done', 1),
    finished(0, { type: 'reasoning', id: 'rs_1', encrypted_content: 'sealed', summary: [] }),
    ...functionCall(1, 'call_1', '{"city":', '"Paris"}'),
    completed(),
  ],
  'sealed thinking without a word': [
    created,
    added(0, { type: 'reasoning', id: 'rs_1', encrypted_content: 'early', summary: [] }),
    finished(0, { type: 'reasoning', id: 'rs_1', encrypted_content: 'sealed', summary: [] }),
    ...message(1, 'Yes.'),
    completed(),
  ],
  'two calls, one without arguments': [
    created,
    ...functionCall(0, 'call_1', '{"a":1}'),
    ...functionCall(1, 'call_2'),
    completed(),
  ],
  'a refusal': [
    created,
    added(0, { type: 'message', id: 'msg_0' }),
    { ...words(0, 'I will not.'), type: 'response.refusal.delta' },
    { ...done, type: 'response.refusal.done', item_id: 'msg_0', refusal: 'I will not.' },
    finished(0, { type: 'message', id: 'msg_0' }),
    completed(),
  ],
  'sources without a search': [
    created,
    added(0, { type: 'message', id: 'msg_0' }),
    words(0, 'See there.'),
    {
      type: 'response.output_text.annotation.added',
      output_index: 0,
      annotation: {
        type: 'url_citation',
        start_index: 0,
        end_index: 3,
        url: 'https://a.example/',
        title: 'A',
      },
    },
    finished(0, { type: 'message', id: 'msg_0' }),
    completed(),
  ],
  'a search': [
    created,
    added(0, { type: 'web_search_call', id: 'ws_1', status: 'in_progress' }),
    finished(0, {
      type: 'web_search_call',
      id: 'ws_1',
      status: 'completed',
      action: {
        type: 'search',
        query: 'q',
        sources: [{ type: 'url', url: 'https://a.example/' }],
      },
    }),
    ...message(1, 'Found.'),
    completed(),
  ],
  'an answer that is too long': [
    created,
    ...message(0, 'So'),
    completed('incomplete', 'max_output_tokens'),
  ],
  'an answer that was filtered in the middle': [
    created,
    ...message(0, 'So'),
    completed('incomplete', 'content_filter'),
  ],
};
