import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { InMemoryTransport } from '@modelcontextprotocol/server';
import type { Connect, Target } from '../contestant.ts';
import { createMemoryServer } from '../memory-server.ts';

/** `@modelcontextprotocol/client` 2.4 as it comes, told which era to expect. */
export const connect: Connect = async (target) => {
  const modern = target.transport !== 'memory' && target.era === 'modern';
  const mode = modern ? { pin: '2026-07-28' } : 'legacy';
  const info = { name: 'bench', version: '1.0.0' };
  const client = new Client(info, { versionNegotiation: { mode } });
  await client.connect(await transportTo(target));
  return {
    call: (name, call) => client.callTool({ name, arguments: call.arguments }),
    list: async () => (await client.listTools()).tools.length,
    close: () => client.close(),
  };
};

async function transportTo(target: Target) {
  switch (target.transport) {
    case 'memory': {
      const [near, far] = InMemoryTransport.createLinkedPair();
      await createMemoryServer().connect(far);
      return near;
    }
    case 'stdio':
      return new StdioClientTransport({ command: target.command, args: target.args });
    case 'http':
      return new StreamableHTTPClientTransport(new URL(target.url));
  }
}
