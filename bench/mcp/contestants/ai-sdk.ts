import { InMemoryTransport } from '@modelcontextprotocol/server';
import type { Connect, Target } from '../contestant.ts';
import { createMemoryServer } from '../memory-server.ts';
import { importPeer } from '../peers.ts';

const peer = '@ai-sdk/mcp';

interface AiClient {
  callTool(call: { name: string; arguments: object }): Promise<unknown>;
  listTools(options: {
    params?: { cursor: string };
  }): Promise<{ tools: unknown[]; nextCursor?: string }>;
  close(): Promise<void>;
}
type ClientModule = {
  createMCPClient: (config: {
    transport: unknown;
    protocolVersionDiscovery: boolean;
  }) => Promise<AiClient>;
};
type StdioModule = {
  Experimental_StdioMCPTransport: new (options: { command: string; args: string[] }) => unknown;
};

/** `@ai-sdk/mcp` as it comes, told which era to expect. It checks no output schema of its own accord. */
export const connect: Connect = async (target) => {
  const { createMCPClient } = await importPeer<ClientModule>(peer);
  const client = await createMCPClient({
    transport: await transportTo(target),
    protocolVersionDiscovery: target.transport !== 'memory' && target.era === 'modern',
  });
  return {
    call: (name, call) => client.callTool({ name, arguments: call.arguments }),
    list: () => listAll(client),
    close: () => client.close(),
  };
};

async function listAll(client: AiClient): Promise<number> {
  let count = 0;
  let cursor: string | undefined;
  do {
    const page = await client.listTools(cursor === undefined ? {} : { params: { cursor } });
    count += page.tools.length;
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return count;
}

async function transportTo(target: Target): Promise<unknown> {
  switch (target.transport) {
    case 'memory': {
      const [near, far] = InMemoryTransport.createLinkedPair();
      await createMemoryServer().connect(far);
      return near;
    }
    case 'stdio': {
      const stdio = await importPeer<StdioModule>(peer, '/mcp-stdio');
      const { command, args } = target;
      return new stdio.Experimental_StdioMCPTransport({ command, args });
    }
    case 'http':
      return { type: 'http', url: target.url };
  }
}
