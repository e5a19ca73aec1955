import { approved, testService } from '../../../test/fakes/mcp-servers.ts';
import type { Connect, Target } from '../contestant.ts';
import { createMemoryServer } from '../memory-server.ts';

/** The whole service: supervision, catalog, abort by call id, limits, output check, log of outcomes. */
export const connect: Connect = async (target) => {
  const service = testService({ builtin: async () => createMemoryServer() });
  const record = approved(configOf(target));
  const serverId = record.id;
  await service.setServer(record);
  return {
    call: (name, call) =>
      service.callTool({ serverId, name, arguments: call.arguments, callId: call.id }),
    list: async () => (await service.listTools(serverId)).length,
    close: () => service.close(),
  };
};

/** How to reach a target, as a server is configured. */
export function configOf(target: Target): Record<string, unknown> {
  switch (target.transport) {
    case 'memory':
      return { type: 'inMemory', builtin: 'echo' };
    case 'stdio':
      return { type: 'stdio', command: target.command, args: target.args };
    case 'http':
      return { type: 'streamableHttp', baseUrl: target.url };
  }
}
