import { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';

/** A small MCP server that lives in this process. */
export function createGreeter() {
  const server = new McpServer({ name: 'greeter', version: '1.0.0' });
  const inputSchema = z.object({ name: z.string() });
  server.registerTool('greet', { description: 'Greets someone', inputSchema }, ({ name }) => ({
    content: [{ type: 'text', text: `Hello ${name}` }],
  }));
  return server;
}
