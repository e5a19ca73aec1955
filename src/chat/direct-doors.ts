import { ping } from '#store/ping.ts';
import type { Store } from '#store/store.ts';
import type { Engine } from './engine.ts';
import type { Host } from './host.ts';
import type { Policy } from './policy.ts';
import { testPolicy } from './policy-tool.ts';
import type { Servers } from './servers.ts';
import { Usage } from './usage.ts';

/** Calls of tools without a conversation, and whether the database is there. */
export function directDoors(parts: {
  store: Store;
  servers: Servers;
  policy: Policy;
  engine: Engine;
  now: () => number;
}): Pick<Host, 'callTool' | 'testPolicy' | 'usage' | 'abortCall' | 'ping'> {
  const { store, servers, policy, engine, now } = parts;
  const usage = new Usage(store, now);
  return {
    callTool: async (owner, serverId, toolName, args, name) => {
      const tool = await servers.tool(owner, serverId, toolName);
      return engine.callDirectly(owner, tool, args, name);
    },
    testPolicy: (owner, call) =>
      testPolicy({ policy, store, serverTool: (...tool) => servers.tool(...tool) }, owner, call),
    usage: (owner, query) => usage.read(owner, query),
    abortCall: (owner, toolCallId) => engine.abortCall(owner, toolCallId),
    ping: () => ping(store),
  };
}
