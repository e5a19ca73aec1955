import { setTimeout } from 'node:timers/promises';
import type { JsonObject } from '#shared/vocabulary/json.ts';

/** A request as a method of the server that the suite is run in front of gets it. */
export interface ServedRequest {
  params: JsonObject;
  meta: JsonObject;
  /** Says something before the answer. */
  notify: (method: string, params: JsonObject) => void;
  /** Changes a list, as far as who listens can tell. */
  changed: (list: 'tools' | 'prompts') => void;
}

/** An error answer. */
export class Refused extends Error {
  readonly code: number;
  readonly data: object;

  constructor(code: number, message: string, data: object = {}) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

type Tool = (request: ServedRequest) => Promise<object> | object;

export const png =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
const wav = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA=';

const text = (words: string) => ({ content: [{ type: 'text', text: words }] });

/** The questions of a round, until all of them have an answer. */
function asking(
  questions: Record<string, object>,
  done: (answers: Record<string, JsonObject>) => object,
  requestState?: string,
): Tool {
  return ({ params }) => {
    const answers = (params.inputResponses ?? {}) as Record<string, JsonObject>;
    if (Object.keys(questions).every((key) => answers[key] !== undefined)) return done(answers);
    return {
      resultType: 'input_required',
      inputRequests: questions,
      ...(requestState && { requestState }),
    };
  };
}

const form = (message: string, properties: object, required: string[] = []) => ({
  method: 'elicitation/create',
  params: { message, requestedSchema: { type: 'object', properties, required } },
});
const sampling = (words: string, maxTokens: number) => ({
  method: 'sampling/createMessage',
  params: {
    messages: [{ role: 'user', content: { type: 'text', text: words } }],
    maxTokens,
  },
});
const roots = { method: 'roots/list', params: {} };
const name = { name: { type: 'string' } };

const told = (answer: JsonObject | undefined) =>
  text(
    `Elicitation completed: action=${JSON.stringify(answer?.action)}, content=${JSON.stringify(answer?.content)}`,
  );

const askName = form('What is your name?', name, ['name']);
export const askContext = form(
  'What context should the prompt use?',
  { context: { type: 'string' } },
  ['context'],
);

const defaults = {
  name: { type: 'string', default: 'John Doe' },
  age: { type: 'integer', default: 30 },
  score: { type: 'number', default: 95.5 },
  status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
  verified: { type: 'boolean', default: true },
};
const three = ['option1', 'option2', 'option3'];
const titled = ['First', 'Second', 'Third'].map((title, at) => ({
  const: `value${at + 1}`,
  title: `${title} Option`,
}));
const enums = {
  untitledSingle: { type: 'string', enum: three },
  titledSingle: { type: 'string', oneOf: titled },
  legacyEnum: {
    type: 'string',
    enum: ['opt1', 'opt2', 'opt3'],
    enumNames: ['Option One', 'Option Two', 'Option Three'],
  },
  untitledMulti: { type: 'array', items: { type: 'string', enum: three } },
  titledMulti: { type: 'array', items: { anyOf: titled } },
};

async function steps(work: (step: number) => void): Promise<void> {
  for (const step of [0, 1, 2]) {
    work(step);
    await setTimeout(50);
  }
}

/** The tools that the official suite calls, by their names. */
export const servedTools: Record<string, Tool> = {
  test_simple_text: () => text('This is a simple text response for testing.'),
  test_image_content: () => ({ content: [{ type: 'image', data: png, mimeType: 'image/png' }] }),
  test_audio_content: () => ({ content: [{ type: 'audio', data: wav, mimeType: 'audio/wav' }] }),
  test_embedded_resource: () => ({
    content: [
      {
        type: 'resource',
        resource: {
          uri: 'test://embedded-resource',
          mimeType: 'text/plain',
          text: 'This is an embedded resource content.',
        },
      },
    ],
  }),
  test_multiple_content_types: () => ({
    content: [
      { type: 'text', text: 'Multiple content types test:' },
      { type: 'image', data: png, mimeType: 'image/png' },
      {
        type: 'resource',
        resource: {
          uri: 'test://mixed-content-resource',
          mimeType: 'application/json',
          text: '{"test":"data","value":123}',
        },
      },
    ],
  }),
  test_error_handling: () => ({
    ...text('This tool intentionally returns an error for testing'),
    isError: true,
  }),
  test_tool_with_logging: async ({ notify }) => {
    const words = ['Tool execution started', 'Tool processing data', 'Tool execution completed'];
    await steps((at) => notify('notifications/message', { level: 'info', data: words[at] ?? '' }));
    return text('Done with logging.');
  },
  test_logging_tool: ({ notify }) => {
    notify('notifications/message', { level: 'info', data: 'a message' });
    return text('Done with logging.');
  },
  test_tool_with_progress: async ({ notify, meta: { progressToken } }) => {
    await steps((at) => {
      if (progressToken !== undefined)
        notify('notifications/progress', { progressToken, progress: at * 50, total: 100 });
    });
    return text('Done with progress.');
  },
  test_reconnection: async () => {
    // Longer than a reply waits before it becomes a stream.
    await setTimeout(3_500);
    return text('Reconnection test completed.');
  },
  test_sampling: ({ params, ...request }) => {
    const { prompt } = (params.arguments ?? {}) as { prompt?: string };
    return asking({ sample: sampling(prompt ?? '', 100) }, ({ sample }) =>
      text(`LLM response: ${JSON.stringify(sample?.content)}`),
    )({ params, ...request });
  },
  test_elicitation: asking(
    {
      user: form(
        'Please provide your information',
        {
          username: { type: 'string', description: "User's response" },
          email: { type: 'string', description: "User's email address" },
        },
        ['username', 'email'],
      ),
    },
    ({ user }) => text(`User response: ${JSON.stringify(user)}`),
  ),
  test_elicitation_sep1034_defaults: asking(
    { input: form('Please review the values', defaults) },
    ({ input }) => told(input),
  ),
  test_elicitation_sep1330_enums: asking({ input: form('Please choose', enums) }, ({ input }) =>
    told(input),
  ),
  test_streaming_elicitation: asking({ user_name: askName }, () => text('Done.')),
  // It needs more than any client has: what counts is that its refusal arrives as it is.
  test_missing_capability: () => {
    throw new Refused(-32021, 'Missing required client capability', {
      requiredCapabilities: { sampling: {} },
    });
  },
  test_trigger_tool_change: ({ changed }) => {
    changed('tools');
    return text('Changed.');
  },
  test_trigger_prompt_change: ({ changed }) => {
    changed('prompts');
    return text('Changed.');
  },
  test_input_required_result_elicitation: asking({ user_name: askName }, ({ user_name }) =>
    text(`Hello, ${JSON.stringify(user_name?.content)}!`),
  ),
  test_input_required_result_sampling: asking(
    { capital_question: sampling('What is the capital of France?', 100) },
    (answers) => text(JSON.stringify(answers)),
  ),
  test_input_required_result_list_roots: asking({ client_roots: roots }, (answers) =>
    text(JSON.stringify(answers)),
  ),
  test_input_required_result_request_state: asking(
    { confirm: form('Please confirm', { ok: { type: 'boolean' } }, ['ok']) },
    () => text('state-ok'),
    'a-state',
  ),
  test_input_required_result_tampered_state: asking(
    { confirm: form('Please confirm', { ok: { type: 'boolean' } }, ['ok']) },
    () => text('state-ok'),
    'a-state',
  ),
  test_input_required_result_multiple_inputs: asking(
    { user_name: askName, greeting: sampling('Generate a greeting', 50), client_roots: roots },
    (answers) => text(JSON.stringify(answers)),
    'a-state',
  ),
  test_input_required_result_multi_round: (request) => {
    const color = { color: { type: 'string' } };
    const isSecond = request.params.requestState === 'round-2';
    const second = asking(
      { step2: form('Step 2: What is your favorite color?', color, ['color']) },
      () => text('Done.'),
      'round-2',
    );
    if (isSecond) return second(request);
    return asking(
      { step1: form('Step 1: What is your name?', name, ['name']) },
      () => second({ ...request, params: {} }),
      'round-1',
    )(request);
  },
  test_input_required_result_capabilities: asking(
    { user_name: askName, greeting: sampling('Generate a greeting', 50) },
    () => text('Done.'),
  ),
};

/** The schema with everything of JSON Schema 2020-12 that has to arrive as it is. */
export const schemaTool = {
  name: 'json_schema_2020_12_tool',
  description: 'Tool with JSON Schema 2020-12 features',
  inputSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    $defs: {
      address: {
        $anchor: 'addressDef',
        type: 'object',
        properties: { street: { type: 'string' }, city: { type: 'string' } },
      },
    },
    properties: {
      name: { type: 'string' },
      address: { $ref: '#/$defs/address' },
      contactMethod: { type: 'string', enum: ['phone', 'email'] },
      phone: { type: 'string' },
      email: { type: 'string' },
    },
    allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
    if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
    // oxlint-disable-next-line unicorn/no-thenable
    then: { required: ['phone'] },
    else: { required: ['email'] },
    additionalProperties: false,
  },
};
