import { InMemoryTransport } from '@modelcontextprotocol/server';
import type { Connect, Target } from '../contestant.ts';
import { createMemoryServer } from '../memory-server.ts';
import { importPeer } from '../peers.ts';

const peer = '@modelcontextprotocol/sdk';

interface SdkClient {
  connect(transport: unknown): Promise<void>;
  callTool(params: { name: string; arguments: object }): Promise<unknown>;
  listTools(params: { cursor?: string }): Promise<{ tools: unknown[]; nextCursor?: string }>;
  close(): Promise<void>;
}
type ClientModule = { Client: new (info: object) => SdkClient };
type HttpModule = { StreamableHTTPClientTransport: new (url: URL) => unknown };
type StdioModule = {
  StdioClientTransport: new (options: { command: string; args: string[] }) => unknown;
};

/** `@modelcontextprotocol/sdk` 1.32 as it comes. It knows only the legacy era. */
export const connect: Connect = async (target) => {
  const { Client } = await importPeer<ClientModule>(peer, '/client/index.js');
  const client = new Client({ name: 'bench', version: '1.0.0' });
  await client.connect(await transportTo(target));
  return {
    call: (name, call) => client.callTool({ name, arguments: call.arguments }),
    list: () => listAll(client),
    close: () => client.close(),
  };
};

async function listAll(client: SdkClient): Promise<number> {
  let count = 0;
  let cursor: string | undefined;
  do {
    const { tools, nextCursor } = await client.listTools(cursor === undefined ? {} : { cursor });
    count += tools.length;
    cursor = nextCursor;
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
      const { StdioClientTransport } = await importPeer<StdioModule>(peer, '/client/stdio.js');
      return new StdioClientTransport({ command: target.command, args: target.args });
    }
    case 'http': {
      const path = '/client/streamableHttp.js';
      const { StreamableHTTPClientTransport } = await importPeer<HttpModule>(peer, path);
      return new StreamableHTTPClientTransport(new URL(target.url));
    }
  }
}
