import { Server } from '@modelcontextprotocol/server';
import { answerTo, callableTools } from './load.ts';

/** The echo server in this process, the same for every contestant: the SDK's own server. */
export function createMemoryServer(): Server {
  const info = { name: 'echo', version: '1.0.0' };
  const server = new Server(info, { capabilities: { tools: {} } });
  const tools = callableTools() as never[];
  server.setRequestHandler('tools/list', () => ({ tools }));
  server.setRequestHandler('tools/call', ({ params }) =>
    answerTo(params.name, params.arguments as { text: string; count: number }),
  );
  return server;
}
