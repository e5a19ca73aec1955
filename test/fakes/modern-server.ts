/** A stdio server that speaks only the stateless 2026-07-28 revision. */
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';

serveStdio(
  () => {
    const server = new McpServer({ name: 'modern', version: '1' });
    server.registerTool('greet', {}, () => ({ content: [{ type: 'text', text: 'hello' }] }));
    return server;
  },
  { legacy: 'reject' },
);
