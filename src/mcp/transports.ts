import {
  InMemoryTransport,
  SSEClientTransport,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client';
import type { ServerConfig } from '#shared/server.ts';
import { type StdioDependencies, StdioTransport } from './stdio-transport.ts';

/** A server that ships with Cerise, ready to be connected once. */
export interface BuiltinServer {
  connect(transport: Transport): Promise<void>;
  close(): Promise<void>;
}

/** What the transports need from their surroundings. */
export interface TransportDependencies extends StdioDependencies {
  builtin: (name: string) => Promise<BuiltinServer>;
}

/** The transport of a config, not started yet. */
export async function createTransport(
  config: ServerConfig,
  dependencies: TransportDependencies,
): Promise<Transport> {
  switch (config.type) {
    case 'stdio':
      return new StdioTransport(config, dependencies);
    case 'streamableHttp':
      return new StreamableHTTPClientTransport(new URL(config.baseUrl), {
        requestInit: { headers: config.headers ?? {} },
      });
    case 'sse':
      return new SSEClientTransport(new URL(config.baseUrl), {
        requestInit: { headers: config.headers ?? {} },
      });
    case 'inMemory':
      return connectBuiltin(await dependencies.builtin(config.builtin));
  }
}

async function connectBuiltin(server: BuiltinServer): Promise<Transport> {
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await server.connect(theirs);
  return ours;
}
