import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

const official = 'io.modelcontextprotocol.registry/official';

/** A package of npm as a registry describes it. */
export const npm = (identifier: string, more: object = {}) => ({
  registryType: 'npm',
  identifier,
  version: '1.0.0',
  transport: { type: 'stdio' },
  ...more,
});

/** An entry of a registry: a server, and what the registry says of it. */
export interface Listed {
  server: { name: string; version: string; [more: string]: unknown };
  _meta: Record<string, { isLatest: boolean; [more: string]: unknown }>;
}

/** An entry as a page of a registry has it. */
export const listed = (name: string, more: object = {}, meta: object = {}): Listed => ({
  server: { name, description: `About ${name}`, version: '1.0.0', packages: [npm('x')], ...more },
  _meta: { [official]: { status: 'active', isLatest: true, ...meta } },
});

type Answer = (cursor: number) => string | undefined;

/**
 * A registry of MCP servers that speaks v0.1 of the public API: pages by cursor, the latest version of each or all of
 * one. What it says can be replaced, and requests are noted.
 */
export async function startServerRegistry(all: Listed[], answer?: Answer) {
  const asked: string[] = [];
  const state: {
    all: Listed[];
    answer: Answer | undefined;
    redirect?: string;
    hold?: Promise<void>;
  } = { all, answer };
  let closed = 0;
  const server = createServer((request, response) => void answerTo(request, response));
  const answerTo = async (request: IncomingMessage, response: ServerResponse) => {
    asked.push(request.url ?? '');
    response.on('close', () => (closed += response.writableEnded ? 0 : 1));
    await state.hold;
    if (state.redirect) return response.writeHead(302, { location: state.redirect }).end();
    response.setHeader('content-type', 'application/json');
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://x');
    const said = state.answer?.(Number(searchParams.get('cursor') ?? 0));
    const body = said ?? pageOf(state.all, pathname, searchParams);
    if (body === undefined) return response.writeHead(404).end('{"title":"Not Found"}');
    return response.end(body);
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, asked, state, closed: () => closed, close };
}

/** The same for one test. */
export async function serverRegistry(all: Listed[], answer?: Answer) {
  const registry = await startServerRegistry(all, answer);
  onTestFinished(registry.close);
  return registry;
}

function pageOf(all: Listed[], pathname: string, query: URLSearchParams): string | undefined {
  const [, name, version] =
    /^\/v0\.1\/servers\/([^/]+)\/versions(?:\/([^/]+))?$/.exec(pathname) ?? [];
  if (name !== undefined) {
    const found = all.filter(({ server }) => server.name === decodeURIComponent(name));
    const one = found.find(({ server }) => server.version === decodeURIComponent(version ?? ''));
    if (version !== undefined) return one && JSON.stringify(one);
    return found.length === 0
      ? undefined
      : JSON.stringify({ servers: found, metadata: { count: found.length } });
  }
  if (pathname.endsWith('.json')) return JSON.stringify({ servers: all });
  if (pathname !== '/v0.1/servers') return undefined;
  const latest = all.filter(
    ({ _meta }) => query.get('version') !== 'latest' || _meta[official]?.isLatest !== false,
  );
  const [start, limit] = [Number(query.get('cursor') ?? 0), Number(query.get('limit') ?? 30)];
  const servers = latest.slice(start, start + limit);
  const nextCursor = start + limit < latest.length ? String(start + limit) : undefined;
  return JSON.stringify({ servers, metadata: { nextCursor, count: servers.length } });
}
