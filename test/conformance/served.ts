import { isJsonObject, type JsonObject } from '#shared/vocabulary/json.ts';
import { listen } from '../fakes/loopback.ts';
import {
  askContext,
  png,
  Refused,
  schemaTool,
  type ServedRequest,
  servedTools,
} from './served-tools.ts';

const modern = '2026-07-28';
const meta = 'io.modelcontextprotocol';
type Method = (request: ServedRequest) => object | Promise<object>;

const user = (content: object) => ({ role: 'user', content });
const spoken = (words: string) => user({ type: 'text', text: words });

type Prompt = (args: JsonObject, request: ServedRequest) => object;
const prompts: Record<string, { arguments: string[]; get: Prompt }> = {
  test_simple_prompt: {
    arguments: [],
    get: () => ({ messages: [spoken('This is a simple prompt for testing.')] }),
  },
  test_prompt_with_arguments: {
    arguments: ['arg1', 'arg2'],
    get: ({ arg1, arg2 }) => ({
      messages: [
        spoken(
          `Prompt with arguments: arg1='${JSON.stringify(arg1)}', arg2='${JSON.stringify(arg2)}'`,
        ),
      ],
    }),
  },
  test_prompt_with_embedded_resource: {
    arguments: ['resourceUri'],
    get: ({ resourceUri }) => ({
      messages: [
        user({
          type: 'resource',
          resource: {
            uri: resourceUri,
            mimeType: 'text/plain',
            text: 'Embedded resource content for testing.',
          },
        }),
        spoken('Please process the embedded resource above.'),
      ],
    }),
  },
  test_prompt_with_image: {
    arguments: [],
    get: () => ({
      messages: [
        user({ type: 'image', data: png, mimeType: 'image/png' }),
        spoken('Please analyze the image above.'),
      ],
    }),
  },
  test_input_required_result_prompt: {
    arguments: [],
    get: (_, { params }) =>
      isJsonObject(params.inputResponses)
        ? { messages: [spoken(JSON.stringify(params.inputResponses))] }
        : { resultType: 'input_required', inputRequests: { user_context: askContext } },
  },
};

const resources: Record<string, object> = {
  'test://static-text': {
    mimeType: 'text/plain',
    text: 'This is the content of the static text resource.',
  },
  'test://static-binary': { mimeType: 'image/png', blob: png },
  'test://watched-resource': { mimeType: 'text/plain', text: 'Watched.' },
};

function read(uri: string): object {
  const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1];
  if (id !== undefined)
    return {
      mimeType: 'application/json',
      text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }),
    };
  const found = resources[uri];
  if (found) return found;
  throw new Refused(-32602, 'Resource not found', { uri });
}

const methods: Record<string, Method> = {
  'server/discover': () => ({
    supportedVersions: [modern],
    capabilities: {
      tools: { listChanged: true },
      prompts: { listChanged: true },
      resources: { subscribe: true },
      completions: {},
      logging: {},
    },
  }),
  'tools/list': () => ({
    tools: [
      schemaTool,
      ...Object.keys(servedTools).map((name) => ({
        name,
        description: `The tool ${name} of the suite.`,
        inputSchema: { type: 'object' },
      })),
    ],
  }),
  'tools/call': (request) => {
    const tool = servedTools[request.params.name as string];
    if (!tool) throw new Refused(-32602, `Unknown tool: ${request.params.name as string}`);
    return tool(request);
  },
  'prompts/list': () => ({
    prompts: Object.entries(prompts).map(([name, { arguments: names }]) => ({
      name,
      description: `The prompt ${name} of the suite.`,
      arguments: names.map((each) => ({ name: each, required: true })),
    })),
  }),
  'prompts/get': (request) => {
    const { name, arguments: args } = request.params;
    const prompt = prompts[name as string];
    if (!prompt) throw new Refused(-32602, 'Unknown prompt');
    return prompt.get(isJsonObject(args) ? args : {}, request);
  },
  'resources/list': () => ({
    resources: Object.entries(resources).map(([uri, entry]) => ({
      uri,
      name: uri,
      description: 'A resource of the suite.',
      mimeType: (entry as { mimeType: string }).mimeType,
    })),
  }),
  'resources/templates/list': () => ({
    resourceTemplates: [{ uriTemplate: 'test://template/{id}/data', name: 'A template' }],
  }),
  'resources/read': ({ params }) => {
    const uri = params.uri as string;
    return { contents: [{ uri, ...read(uri) }] };
  },
  'completion/complete': () => ({ completion: { values: ['paris', 'park'], hasMore: false } }),
};

/** The server of the official suite, made for it by hand: 2026-07-28 over HTTP, as plain as can be. */
export async function startServed(): Promise<{ url: string; close(): Promise<void> }> {
  const listeners = new Set<(list: string) => void>();
  return listen(async (request) => {
    const {
      id,
      method,
      params = {},
    } = (await request.json()) as {
      id?: number;
      method: string;
      params?: JsonObject;
    };
    if (id === undefined) return new Response(null, { status: 202 });
    if (method === 'subscriptions/listen') return listenTo(id, params, listeners);
    const said: object[] = [];
    const about: ServedRequest = {
      params,
      meta: isJsonObject(params._meta) ? params._meta : {},
      notify: (name, more) => said.push({ jsonrpc: '2.0', method: name, params: more }),
      changed: (list) => {
        for (const tell of listeners) tell(list);
      },
    };
    const answer = await answerTo(id, method, about);
    if (said.length === 0) return Response.json(answer);
    const frames = [...said, answer].map((each) => `data: ${JSON.stringify(each)}\n\n`);
    return new Response(frames.join(''), { headers: { 'content-type': 'text/event-stream' } });
  });
}

async function answerTo(id: number, method: string, request: ServedRequest): Promise<object> {
  try {
    const run = methods[method];
    if (!run) throw new Refused(-32601, 'Method not found');
    return { jsonrpc: '2.0', id, result: await run(request) };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    const { code, message, data } = error;
    return { jsonrpc: '2.0', id, error: { code, message, data } };
  }
}

function listenTo(
  id: number,
  params: JsonObject,
  listeners: Set<(list: string) => void>,
): Response {
  const encoder = new TextEncoder();
  const tagged = { [`${meta}/subscriptionId`]: id };
  let tell: ((list: string) => void) | undefined;
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      const send = (method: string, more: object) => {
        const message = { jsonrpc: '2.0', method, params: { ...more, _meta: tagged } };
        controller.enqueue(encoder.encode(`data: ${JSON.stringify(message)}\n\n`));
      };
      send('notifications/subscriptions/acknowledged', { notifications: params.notifications });
      tell = (list) => send(`notifications/${list}/list_changed`, {});
      listeners.add(tell);
    },
    cancel: () => void (tell && listeners.delete(tell)),
  });
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
}
