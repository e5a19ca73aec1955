/** An MCP server with tools, resources and prompts: in memory by `createDesk`, or run with `stdio` as a process. */
import { McpServer } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';

/** How often each prompt was asked for, by all desks of this process. */
export const asked = { prompts: 0 };

export function createDesk(): McpServer {
  const server = new McpServer({ name: 'desk', version: '1.0.0' });
  const text = (said: string) => ({ content: [{ type: 'text' as const, text: said }] });
  server.registerTool(
    'add',
    {
      description: 'Adds two numbers',
      inputSchema: z.object({ a: z.number(), b: z.number() }),
      annotations: { readOnlyHint: true },
    },
    ({ a, b }) => text(String(a + b)),
  );
  server.registerTool('wait', { description: 'Waits until it is cancelled' }, async (context) => {
    await new Promise((resolve) => context.mcpReq.signal.addEventListener('abort', resolve));
    return text('cancelled');
  });
  server.registerTool('draw', { description: 'Draws a picture' }, () => ({
    content: [
      { type: 'text', text: 'A dot:' },
      { type: 'image', data: 'AQID', mimeType: 'image/png' },
    ],
  }));
  server.registerResource('notes', 'desk://notes', { mimeType: 'text/plain' }, () => ({
    contents: [{ uri: 'desk://notes', mimeType: 'text/plain', text: 'Buy milk.' }],
  }));
  const argsSchema = z.object({ name: z.string() });
  server.registerPrompt('greet', { description: 'A greeting', argsSchema }, ({ name }) => {
    asked.prompts += 1;
    return { messages: [{ role: 'user', content: { type: 'text', text: `Greet ${name}` } }] };
  });
  return server;
}

if (process.argv[2] === 'stdio') await createDesk().connect(new StdioServerTransport());
