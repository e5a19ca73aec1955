import { once } from 'node:events';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { sseBytes, textChunks, toolCallChunks } from '../fakes/fake-openai.ts';

/** What a model is sent, as far as the provider looks at it. */
interface Said {
  role: string;
  content?: unknown;
  tool_calls?: { id: string }[];
  tool_call_id?: string;
}

/** Everything outside of the hosts: a model, a server over HTTP, and the file that counts effects. */
export interface FaultWorld {
  modelUrl: string;
  mcpUrl: string;
  effects: string;
  /** How often a key was acted on. */
  countEffects(key: string): number;
  /** Requests that no vendor would take. */
  problems: string[];
  close(): Promise<void>;
}

/** The tools that the model calls in its first round, by what the effect of each is named. */
export const calledTools = {
  act: 'mcp__counter__act',
  large: 'mcp__counter__large',
  order: 'mcp__counter__order',
  remote: 'mcp__remote__act',
} as const;

/** Starts the world on loopback. A message `go KEY` makes the model call every tool, any other none. */
export async function startWorld(effects: string): Promise<FaultWorld> {
  const problems: string[] = [];
  const model = await listen(async (request, response) => {
    const { messages = [] } = (await readJson(request)) as { messages?: Said[] };
    problems.push(...illegalHistory(messages));
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const [index, chunk] of replyTo(messages).entries()) {
      response.write(chunk);
      // The first words are in the journal before the next ones come.
      await setTimeout(index === 0 ? 30 : 1);
    }
    response.end();
  });
  const remote = await listen(async (request, response) => {
    const { id, method, params } = (await readJson(request)) as {
      id?: number;
      method?: string;
      params?: { arguments?: { key?: string } };
    };
    if (method === 'tools/call') appendFileSync(effects, `${params?.arguments?.key}\n`);
    const result = remoteResults[method ?? ''];
    const error = { code: -32_601, message: 'Method not found' };
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ jsonrpc: '2.0', id, ...(result ? { result } : { error }) }));
  });
  return {
    modelUrl: `${urlOf(model)}/v1`,
    mcpUrl: `${urlOf(remote)}/mcp`,
    effects,
    countEffects: (key) => linesOf(effects).filter((line) => line === key).length,
    problems,
    close: async () => {
      for (const server of [model, remote]) {
        server.closeAllConnections();
        server.close();
        await once(server, 'close');
      }
    },
  };
}

const remoteResults: Record<string, object> = {
  'server/discover': { supportedVersions: ['2026-07-28'], capabilities: { tools: {} } },
  'tools/list': {
    tools: [
      { name: 'act', inputSchema: { type: 'object', properties: { key: { type: 'string' } } } },
    ],
  },
  'tools/call': { content: [{ type: 'text', text: 'done' }] },
};

function replyTo(messages: Said[]): Buffer[] {
  const asked = messages.findLastIndex(({ role }) => role === 'user');
  const text = textOf(messages[asked]?.content);
  const [, key] = /go (\S+)/.exec(text) ?? [];
  const hasResults = messages.slice(asked + 1).some(({ role }) => role === 'tool');
  if (key === undefined || hasResults) return events(textChunks(['That ', 'is ', 'all.']));
  const calls = Object.entries(calledTools).map(([name, tool]) => ({
    id: `call_${name}`,
    name: tool,
    arguments: JSON.stringify({ key: `${key}/${name}` }),
  }));
  const before = textChunks(['Let ', 'me ', 'see. ']).slice(0, -2);
  return events([...before, ...toolCallChunks(calls)]);
}

function events(chunks: unknown[]): Buffer[] {
  return [
    ...chunks.map((chunk) => Buffer.from(`data: ${JSON.stringify(chunk)}\n\n`)),
    sseBytes([]),
  ];
}

function textOf(content: unknown): string {
  return typeof content === 'string' ? content : JSON.stringify(content ?? '');
}

/** Every call has its result before anybody speaks again. */
function illegalHistory(messages: Said[]): string[] {
  return messages.flatMap(({ tool_calls: calls = [] }, index) => {
    const after = messages.slice(index + 1, index + 1 + calls.length);
    const answered = new Set(after.map(({ tool_call_id: id }) => id));
    return calls.filter(({ id }) => !answered.has(id)).map(({ id }) => `${id} has no result`);
  });
}

function linesOf(file: string): string[] {
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  let text = '';
  for await (const piece of request.setEncoding('utf8')) text += piece as string;
  return text === '' ? {} : JSON.parse(text);
}

async function listen(
  handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
): Promise<Server> {
  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

function urlOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
