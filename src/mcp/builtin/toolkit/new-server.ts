import { McpServer } from '@modelcontextprotocol/server';

/** An empty built-in server. Only what makes a server imports this: the SDK below it is large. */
export function newServer(name: string, title: string, instructions: string): McpServer {
  return new McpServer({ name: `cerise-${name}`, title, version: '1.0.0' }, { instructions });
}
