/**
 * A real stdio server that tells news. Its argument is the era it speaks, `modern` or `legacy`. `grow`
 * adds a tool, `wait` waits until it is cancelled and says so on stderr, `report` tells its progress.
 */
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';

const done = { content: [{ type: 'text' as const, text: 'done' }] };
let extra = 0;

function makeServer(): McpServer {
  const server = new McpServer(
    { name: 'news', version: '1' },
    { capabilities: { tools: { listChanged: true } } },
  );
  server.registerTool('grow', {}, () => {
    extra += 1;
    server.registerTool(`extra${extra}`, {}, () => done);
    return done;
  });
  server.registerTool('wait', {}, async ({ mcpReq }) => {
    process.stderr.write('waiting\n');
    const { promise, resolve } = Promise.withResolvers<void>();
    mcpReq.signal.addEventListener('abort', () => resolve());
    await promise;
    process.stderr.write('told to stop\n');
    return done;
  });
  server.registerTool('report', {}, async ({ mcpReq }) => {
    const progressToken = mcpReq._meta?.progressToken ?? 'none';
    const params = { progressToken, progress: 1, total: 4, message: 'a quarter' };
    await mcpReq.notify({ method: 'notifications/progress', params });
    return done;
  });
  return server;
}

if (process.argv[2] === 'modern') serveStdio(makeServer, { legacy: 'reject' });
else await makeServer().connect(new StdioServerTransport());
