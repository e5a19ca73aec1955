import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

interface Asked {
  id?: number;
  method: string;
  params?: { name?: string; protocolVersion?: string; _meta?: { progressToken?: number } };
}

type Answer = (asked: Asked, response: ServerResponse) => unknown;

/** A server of 2025-11-25 over HTTP, with sessions, that answers as it is told. */
export interface PlainServer {
  url: string;
  /** The methods that were carried out, in order; calls by the name of their tool. */
  done: string[];
  /** What is answered instead, by method. A string is the code of an HTTP status and its words. */
  answers: Record<string, Answer | [status: number, words: string]>;
  /** What every request is refused with. */
  refusal?: [status: number, words: string];
  /** Forgets its sessions, as a restart does. */
  forget(): void;
  close(): Promise<void>;
}

const usual: Record<string, (asked: Asked) => unknown> = {
  initialize: ({ params }) => ({
    protocolVersion: params?.protocolVersion,
    capabilities: { tools: {}, resources: {} },
    serverInfo: { name: 'plain', version: '1' },
  }),
  ping: () => ({}),
  'tools/list': () => ({ tools: [{ name: 'act', inputSchema: { type: 'object' } }] }),
  'tools/call': () => ({ content: [{ type: 'text', text: 'done' }] }),
};

/** Starts such a server on loopback. */
export async function startPlainServer(): Promise<PlainServer> {
  let sessions = 0;
  let session: string | undefined;
  const server = createServer((request, response) => void handle(request, response));
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await text(request);
    if (plain.refusal) return refuse(response, plain.refusal);
    if (request.method !== 'POST') return refuse(response, [405, '']);
    const asked = JSON.parse(body) as Asked;
    if (asked.method === 'initialize') session = `s${++sessions}`;
    else if (asked.method !== 'server/discover' && request.headers['mcp-session-id'] !== session)
      return refuse(response, [404, 'Session not found']);
    if (asked.id === undefined) return void response.writeHead(202).end();
    const own = plain.answers[asked.method] ?? usual[asked.method];
    if (Array.isArray(own)) return refuse(response, own);
    plain.done.push(asked.params?.name ?? asked.method);
    const result = own?.(asked, response);
    if (response.writableEnded || response.headersSent) return;
    response.setHeader('content-type', 'application/json');
    if (session) response.setHeader('mcp-session-id', session);
    const missing = { error: { code: -32601, message: 'Method not found' } };
    const rest = own ? { result } : missing;
    response.end(JSON.stringify({ jsonrpc: '2.0', id: asked.id, ...rest }));
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const plain: PlainServer = {
    url: `http://127.0.0.1:${port}/mcp`,
    done: [],
    answers: {},
    forget: () => void (session = undefined),
    close: async () => {
      server.closeAllConnections();
      if (!server.listening) return;
      server.close();
      await once(server, 'close');
    },
  };
  return plain;
}

function refuse(response: ServerResponse, [status, words]: [number, string]): void {
  response.writeHead(status, { 'content-type': 'text/plain' }).end(words);
}
