/**
 * A stdio server whose tools ask the person or the model before they answer. Its first argument is the
 * era it speaks: `legacy` (questions of its own while a call runs) or `modern` (`input_required`).
 */
import {
  type CallToolResult,
  type ElicitRequestFormParams,
  inputRequired,
  type InputRequiredResult,
  type InputRequests,
  inputResponse,
  McpServer,
  ResourceNotFoundError,
  ResourceTemplate,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';

type Schema = ElicitRequestFormParams['requestedSchema'];

const form: Schema = {
  type: 'object',
  properties: {
    name: { type: 'string', title: 'Your name', minLength: 2 },
    size: { type: 'string', enum: ['s', 'm'], enumNames: ['Small', 'Medium'], default: 'm' },
    count: { type: 'integer', minimum: 1, maximum: 9, default: 1 },
    extras: {
      type: 'array',
      items: {
        anyOf: [
          { const: 'x', title: 'Extra' },
          { const: 'y', title: 'Why' },
        ],
      },
    },
    gift: { type: 'boolean' },
  },
  required: ['name'],
};

const asks: Record<string, InputRequests> = {
  order: { order: inputRequired.elicit({ message: 'What shall it be?', requestedSchema: form }) },
  visit: {
    visit: inputRequired.elicitUrl({
      message: 'Please pay.',
      url: 'https://xn--pypal-4ve.example/pay?a=1',
    }),
  },
  think: {
    think: inputRequired.createMessage({
      systemPrompt: 'Be brief.',
      messages: [{ role: 'user', content: { type: 'text', text: 'What is 6*7?' } }],
      maxTokens: 100,
      modelPreferences: { hints: [{ name: 'nobody-has-this' }, { name: 'thinker' }] },
    }),
  },
  folders: { folders: inputRequired.listRoots() },
  both: {
    one: inputRequired.elicit({ message: 'First?', requestedSchema: oneField('first') }),
    two: inputRequired.elicit({ message: 'Second?', requestedSchema: oneField('second') }),
  },
};

function oneField(name: string): Schema {
  return { type: 'object', properties: { [name]: { type: 'string' } }, required: [name] };
}

/** Asks what is missing, then answers with everything that was said. */
function answer(
  requests: InputRequests,
  context: ServerContext,
): CallToolResult | InputRequiredResult {
  const said = context.mcpReq.inputResponses;
  const keys = Object.keys(requests);
  if (keys.some((key) => inputResponse(said, key).kind === 'missing'))
    return inputRequired({ inputRequests: requests });
  const answers = Object.fromEntries(keys.map((key) => [key, inputResponse(said, key)]));
  return { content: [{ type: 'text', text: JSON.stringify(answers) }] };
}

function createServer(): McpServer {
  const server = new McpServer({ name: 'asking', version: '1' });
  for (const [name, requests] of Object.entries(asks))
    server.registerTool(name, { annotations: { readOnlyHint: true } }, (context) =>
      answer(requests, context),
    );
  server.registerPrompt('greeting', { description: 'Greets.' }, () => ({
    messages: [{ role: 'user', content: { type: 'text', text: 'Good morning!' } }],
  }));
  server.registerResource('note', 'memo:note', { mimeType: 'text/plain' }, () => ({
    contents: [{ uri: 'memo:note', mimeType: 'text/plain', text: 'Remember the \u001b[31mmilk.' }],
  }));
  const days = new ResourceTemplate('memo:{day}', {
    list: undefined,
    complete: {
      day: (start) => ['monday', 'tuesday', 'thursday'].filter((day) => day.startsWith(start)),
    },
  });
  server.registerResource('day', days, {}, (uri, { day }) => {
    if (day === 'none') throw new ResourceNotFoundError(uri.href);
    return { contents: [{ uri: uri.href, text: `The memo of ${String(day)}.` }] };
  });
  return server;
}

if (process.argv[2] === 'modern') serveStdio(createServer, { legacy: 'reject' });
else await createServer().connect(new StdioServerTransport());
