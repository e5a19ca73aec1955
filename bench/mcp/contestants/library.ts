import { McpService } from '#library/mcp.ts';
import type { Connect } from '../contestant.ts';
import { createMemoryServer } from '../memory-server.ts';
import { configOf } from './cerise.ts';

/** The service as a program has it: without a host, log or limits of its own. */
export const connect: Connect = async (target) => {
  const service = new McpService({
    approve: () => true,
    builtin: async () => createMemoryServer(),
  });
  const [server] = await service.addServers({ name: 'echo', ...configOf(target) });
  if (!server) throw new Error('There is no server.');
  return {
    call: (name, call) => service.callTool({ server, name, args: call.arguments, callId: call.id }),
    list: async () => (await service.listTools(server)).length,
    close: () => service.close(),
  };
};
