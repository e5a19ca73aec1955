import { Client } from '@modelcontextprotocol/client';
import { InMemoryTransport, type McpServer } from '@modelcontextprotocol/server';
import type { BuiltinContext } from '#mcp/builtin/toolkit/context.ts';
import type { Origin } from '#shared/vocabulary/origin.ts';
import type { KnowledgeGraph } from '#shared/vocabulary/ports.ts';

/** A real MCP client connected to the server in memory; for tests. */
export async function connectClient(server: McpServer): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' });
  const [near, far] = InMemoryTransport.createLinkedPair();
  await server.connect(far);
  await client.connect(near);
  return client;
}

/** Calls a tool and gives the joined text of the result with its other parts. */
export async function callTool(
  client: Client,
  name: string,
  args: Record<string, unknown> = {},
): Promise<{ text: string; isError: boolean; structured: unknown; types: string[] }> {
  const result = await client.callTool({ name, arguments: args });
  return {
    text: result.content.map((part) => (part.type === 'text' ? part.text : '')).join(''),
    isError: result.isError === true,
    structured: result.structuredContent,
    types: result.content.map(({ type }) => type),
  };
}

/** A context for tests whose memory lives in the process. */
export function testContext(context: Partial<BuiltinContext> = {}): BuiltinContext {
  let graph: KnowledgeGraph = { entities: [], relations: [] };
  return {
    workspace: '/nowhere',
    provenance: testProvenance(),
    memory: {
      read: async () => structuredClone(graph),
      originsOf: async () => [],
      update: async (change) => (graph = change(structuredClone(graph))),
    },
    fetchAllow: async () => [],
    now: () => new Date('2026-03-01T12:00:00Z'),
    ...context,
  };
}

/** Keeps in the process who wrote what. */
function testProvenance(): BuiltinContext['provenance'] {
  const known = new Map<string, Origin[]>();
  return {
    find: async (keys) => new Map([...known].filter(([key]) => keys.includes(key))),
    note: async (keys, origins) => {
      for (const key of keys)
        if (origins.length === 0 || !known.has(key)) known.set(key, [...origins]);
    },
  };
}
