import type { Timeline } from '#shared/telemetry/timeline-api.ts';
import type { ToolCallView } from '#shared/api/tool-call-api.ts';
import type { UsageQuery, UsageView } from '#shared/api/usage-api.ts';
import type { JsonObject } from '#shared/vocabulary/json.ts';
import type { TestPolicy } from '#shared/vocabulary/policy-api.ts';
import { ping } from '#store/database/ping.ts';
import type { Store } from '#store/database/store.ts';
import type { DirectCallOptions } from '../calls/direct-calls.ts';
import { readTimeline } from '../conversations/timeline.ts';
import { Usage } from '../data/usage.ts';
import { testPolicy } from '../policy/policy-tool.ts';
import type { Policy } from '../policy/policy.ts';
import type { Servers } from '../servers/servers.ts';
import type { Engine } from './engine.ts';

/** What the doors do that belongs to no conversation. */
export interface DirectDoors {
  callTool(
    owner: string,
    serverId: string,
    toolName: string,
    args: JsonObject,
    options?: DirectCallOptions,
  ): Promise<ToolCallView>;
  /** What the policy would do with a call; nothing is run. */
  testPolicy(owner: string, call: TestPolicy): ReturnType<typeof testPolicy>;
  /** Recent usage. */
  usage(owner: string, query: UsageQuery): Promise<UsageView>;
  /** How an answer spent its time. */
  timeline(owner: string, answerId: string): Promise<Timeline>;
  /** False if no such call runs. */
  abortCall(owner: string, toolCallId: string): Promise<boolean>;
  /** Resolves if the database answers. */
  ping(): Promise<void>;
}

/** Calls of tools without a conversation, and whether the database is there. */
export function directDoors(deps: {
  store: Store;
  servers: Servers;
  policy: Policy;
  engine: Engine;
  now: () => number;
}): DirectDoors {
  const { store, servers, policy, engine, now } = deps;
  const usage = new Usage(store, now);
  return {
    callTool: async (owner, serverId, toolName, args, options) => {
      const tool = await servers.tool(owner, serverId, toolName);
      return engine.callDirectly(owner, tool, args, options);
    },
    testPolicy: (owner, call) =>
      testPolicy({ policy, store, serverTool: (...tool) => servers.tool(...tool) }, owner, call),
    usage: (owner, query) => usage.read(owner, query),
    timeline: (owner, answerId) => readTimeline(store, owner, answerId),
    abortCall: (owner, toolCallId) => engine.abortCall(owner, toolCallId),
    ping: () => ping(store),
  };
}
