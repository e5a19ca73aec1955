/**
 * An MCP server over stdio whose tools are the trouble: its first argument names the list it gives.
 * It speaks raw lines and answers a call with what the tool's name says.
 */
import { createInterface } from 'node:readline';

interface Message {
  id?: number;
  method?: string;
  params?: { cursor?: string; name?: string; arguments?: Record<string, unknown> };
}

const kind = process.argv[2] ?? '';
let listed = 0;

const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
const tool = (name: string, more: object = {}) => ({
  name,
  description: `Tool ${name}`,
  inputSchema: { type: 'object' },
  ...more,
});
const input = (schema: object) => ({ inputSchema: { type: 'object', ...schema } });
const output = (type: string) => ({
  outputSchema: { $id: 'http://same.example/schema', properties: { value: { type } } },
});

/** A tree that takes for ever to check: each level forty times over. */
const endless = {
  $ref: '#/$defs/tree',
  $defs: {
    tree: { anyOf: [{ properties: { a: { $ref: '#/$defs/all' } } }, { type: 'null' }] },
    all: { allOf: Array.from({ length: 40 }, () => ({ $ref: '#/$defs/tree' })) },
  },
};

const hostileSchemas = () => [
  tool('fine'),
  tool('pattern', input({ properties: { text: { type: 'string', pattern: '(a+)+$' } } })),
  tool('slow-pattern', input({ properties: { text: { type: 'string', pattern: '^a*a*a*$' } } })),
  tool('wide', input({ anyOf: Array.from({ length: 100_000 }, () => ({ type: 'string' })) })),
  tool('remote', input({ properties: { a: { $ref: 'http://127.0.0.1:1/schema.json' } } })),
  tool('recursive', input({ properties: { next: { $ref: '#' } } })),
  tool('circular', input({ $ref: '#' })),
  tool('endless', input(endless)),
  tool('deep-result'),
  tool('pollute'),
  ...['__proto__', 'toString', 'constructor'].map((name) => tool(name)),
];

/** The text of the page, because one with such depth cannot be written otherwise. */
function page(cursor: string | undefined): string {
  const at = Number(cursor ?? 0);
  const next = { nextCursor: String(at + 1) };
  switch (kind) {
    case 'schemas':
      return JSON.stringify({ tools: hostileSchemas() }).replace(
        '{"tools":[',
        `{"tools":[{"name":"deep","inputSchema":${nested(1_000_000)}},`,
      );
    case 'many':
      return JSON.stringify({
        tools: Array.from({ length: 100_000 }, (_, index) => ({ name: `tool${index}` })),
      });
    case 'rubbish':
      return JSON.stringify({ tools: [...Array.from({ length: 300_000 }, () => 1), tool('fine')] });
    case 'endless-pages':
      return JSON.stringify({ tools: [tool(`tool${at}`)], ...next });
    case 'repeating':
      return JSON.stringify({ tools: [tool('only')], nextCursor: 'again' });
    case 'empty-cursor':
      return JSON.stringify(
        cursor === undefined
          ? { tools: [tool('first')], nextCursor: '' }
          : { tools: [tool(`after-${JSON.stringify(cursor)}`)] },
      );
    case 'changing':
      return JSON.stringify({
        tools: [tool('steady'), tool('shifty', { description: `Version ${listed}` })],
      });
    default:
      return JSON.stringify({ tools: [tool('value', output(kind))] });
  }
}

async function call({ name = '', arguments: args = {} }: NonNullable<Message['params']>) {
  switch (name) {
    case 'deep-result':
      return `{"content":[],"structuredContent":${nested(1_000_000)}}`;
    case 'pollute':
      return '{"content":[{"type":"text","text":"x","__proto__":{"polluted":true}}],"structuredContent":{"__proto__":{"polluted":true},"toString":1},"__proto__":{"isError":true}}';
    case 'value':
      return JSON.stringify({ content: [], structuredContent: args });
    case 'steady':
    case 'only':
      return flood(Number(args['changes'] ?? 0));
    default:
      return JSON.stringify({ content: [{ type: 'text', text: JSON.stringify({ name, args }) }] });
  }
}

/** Announces so many changes, one a millisecond, then says how often it was asked for its list. */
async function flood(changes: number): Promise<string> {
  for (let count = 0; count < changes; count++) {
    send('{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}');
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  return JSON.stringify({ content: [{ type: 'text', text: String(listed) }] });
}

async function answer({ method, params = {} }: Message): Promise<string> {
  if (method === 'initialize') {
    const capabilities = { tools: { listChanged: true } };
    const serverInfo = { name: 'listing', version: '1' };
    return JSON.stringify({ protocolVersion: '2025-11-25', capabilities, serverInfo });
  }
  if (method === 'tools/list') {
    listed += 1;
    return page(params.cursor);
  }
  return method === 'tools/call' ? call(params) : '{}';
}

function send(line: string): void {
  process.stdout.write(`${line}\n`);
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const message = JSON.parse(line) as Message;
  if (message.id === undefined) return;
  const head = `{"jsonrpc":"2.0","id":${message.id}`;
  if (message.method === 'server/discover') {
    send(`${head},"error":{"code":-32601,"message":"Method not found"}}`);
  } else void answer(message).then((result) => send(`${head},"result":${result}}`));
});
