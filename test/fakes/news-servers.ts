import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import {
  createMcpHandler,
  McpServer,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { z } from 'zod';

/** A real server over HTTP of one era that can be restarted, with what it has seen. */
export interface NewsServer {
  url: string;
  /** The arguments of each call of `act` that was carried out. */
  acts: string[];
  /** How a call of `wait` ended, as it saw it. */
  waits: string[];
  /** Resolves when a call of `wait` has begun. */
  waiting: Promise<void>;
  /** Log levels as they were set. */
  levels: string[];
  /** Resources that clients with a session are subscribed to. */
  subscribed: Set<string>;
  /** Adds a tool (`extra1`, `extra2`, …) and tells those who listen. */
  grow(): void;
  /** Changes `memo:note` and tells those who subscribed. */
  change(): void;
  /** Forgets everything it knew of its clients; at the same address. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

interface State {
  acts: string[];
  waits: string[];
  levels: string[];
  subscribed: Set<string>;
  extra: number;
  begun: PromiseWithResolvers<void>;
}

/** Tools that act, wait, report progress and log. */
function makeServer(state: State): McpServer {
  const server = new McpServer(
    { name: 'news', version: '1' },
    {
      capabilities: {
        logging: {},
        tools: { listChanged: true },
        resources: { listChanged: true, subscribe: true },
      },
    },
  );
  const done = { content: [{ type: 'text' as const, text: 'done' }] };
  const what = z.object({ what: z.string() });
  server.registerTool('act', { inputSchema: what }, ({ what: text }) => {
    state.acts.push(text);
    return done;
  });
  server.registerTool('wait', {}, async (context) => {
    const { signal } = context.mcpReq;
    const { promise, resolve } = Promise.withResolvers<void>();
    signal.addEventListener('abort', () => resolve());
    state.begun.resolve();
    await promise;
    state.waits.push('cancelled');
    return done;
  });
  server.registerTool('report', {}, async (context) => {
    const { mcpReq } = context;
    const progressToken = mcpReq._meta?.progressToken ?? 'none';
    const params = { progressToken, progress: 1, total: 4, message: 'a quarter' };
    await mcpReq.notify({ method: 'notifications/progress', params });
    await mcpReq.log('debug', 'too quiet');
    await mcpReq.log('warning', 'loud enough');
    return done;
  });
  server.registerResource('note', 'memo:note', {}, () => ({
    contents: [{ uri: 'memo:note', text: 'note' }],
  }));
  for (let n = 1; n <= state.extra; n++) server.registerTool(`extra${n}`, {}, () => done);
  return server;
}

/** A server of 2025-11-25 that keeps a session for each client. */
export async function startSessionServer(): Promise<NewsServer> {
  const state = newState();
  const sessions = new Map<string, [McpServer, WebStandardStreamableHTTPServerTransport]>();
  const open = async (request: Request): Promise<Response> => {
    const server = makeServer(state);
    server.server.setRequestHandler('logging/setLevel', ({ params }) => {
      state.levels.push(params.level);
      return {};
    });
    server.server.setRequestHandler('resources/subscribe', ({ params }) => {
      state.subscribed.add(params.uri);
      return {};
    });
    server.server.setRequestHandler('resources/unsubscribe', ({ params }) => {
      state.subscribed.delete(params.uri);
      return {};
    });
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (id) => void sessions.set(id, [server, transport]),
    });
    await server.connect(transport);
    return transport.handleRequest(request);
  };
  const listener = await startListener((request) => {
    const id = request.headers.get('mcp-session-id');
    const session = id === null ? undefined : sessions.get(id)?.[1];
    if (session) return session.handleRequest(request);
    return id === null ? open(request) : new Response('No such session', { status: 404 });
  });
  return {
    ...presented(state),
    ...listener,
    grow() {
      state.extra += 1;
      for (const [server] of sessions.values())
        server.registerTool(`extra${state.extra}`, {}, () => ({ content: [] }));
    },
    change() {
      for (const [server] of sessions.values())
        void server.server.sendResourceUpdated({ uri: 'memo:note' });
    },
    async restart() {
      const all = [...sessions.values()];
      sessions.clear();
      await Promise.all(all.map(([, transport]) => transport.close()));
      await listener.restart();
    },
  };
}

/** A server of 2026-07-28 only. */
export async function startModernServer(): Promise<NewsServer> {
  const state = newState();
  const make = () => createMcpHandler(() => makeServer(state), { legacy: 'reject' });
  let handler = make();
  const listener = await startListener((request) => handler.fetch(request));
  return {
    ...presented(state),
    ...listener,
    grow() {
      state.extra += 1;
      handler.notify.toolsChanged();
    },
    change: () => handler.notify.resourceUpdated('memo:note'),
    async restart() {
      handler = make();
      await listener.restart();
    },
  };
}

function newState(): State {
  return {
    acts: [],
    waits: [],
    levels: [],
    subscribed: new Set(),
    extra: 0,
    begun: Promise.withResolvers(),
  };
}

function presented({ acts, waits, levels, subscribed, begun }: State) {
  return { acts, waits, levels, subscribed, waiting: begun.promise };
}

async function startListener(fetch: (request: Request) => Response | Promise<Response>) {
  let server: Server;
  const open = async (port: number): Promise<number> => {
    const handle = getRequestListener(fetch);
    server = createServer((request, response) => void handle(request, response));
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  };
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  const port = await open(0);
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    close,
    async restart() {
      await close();
      await open(port);
    },
  };
}
