import { createHttpChannel, type HttpConfig } from '#mcp/channels/create-http-channel.ts';
import { MemoryChannel } from '#mcp/channels/memory-channel.ts';
import { StdioChannel } from '#mcp/channels/stdio-channel.ts';
import { LogRing } from '#mcp/process/log-ring.ts';
import { McpProcessTracker } from '#mcp/process/process-tracker.ts';
import type { Channel } from '#mcp/protocol/channel.ts';
import { McpClient } from '#mcp/protocol/client.ts';
import { mirroredHeaders } from '#mcp/results/mirrored-headers.ts';
import { collectPages } from '#mcp/results/pages.ts';
import { readToolResult } from '#mcp/results/read-result.ts';
import { toolList } from '#mcp/results/read-tools.ts';
import type { McpTool } from '#mcp/results/types.ts';
import { outputProblem } from '#mcp/schema/output-problem.ts';
import { usualLimits } from '#shared/vocabulary/limits.ts';
import type { StdioConfig } from '#shared/vocabulary/server.ts';
import type { Connect, Target } from '../contestant.ts';
import { createMemoryServer } from '../memory-server.ts';
import { approved } from '../../../test/fakes/mcp-servers.ts';
import { configOf } from './cerise.ts';

const time = { total: 60_000 };

/** Our protocol client without the service: it reads results, checks them and mirrors headers. */
export const connect: Connect = async (target) => {
  const client = await openClient(target);
  const tools = new Map<string, McpTool>();
  return {
    call: async (name, { id, arguments: args }) => {
      const tool = tools.get(name);
      const headers = tool?.mirrored && mirroredHeaders(tool, args);
      const options = { limits: time, callId: id, headers };
      const params = { name, arguments: args };
      const result = readToolResult(
        await client.request('tools/call', params, options),
        usualLimits.storedResult,
      );
      const problem = tool && outputProblem(tool, result);
      return problem === undefined ? result : { ...result, problem };
    },
    list: async () => {
      const ask = { limits: time, repeatable: true };
      const { value } = await collectPages(
        (cursor) => client.request('tools/list', cursor === undefined ? {} : { cursor }, ask),
        toolList({ mirror: target.transport === 'http' }),
        { most: 1000, note: fail },
      );
      for (const tool of value) tools.set(tool.name, tool);
      return value.length;
    },
    close: () => client.close(),
  };
};

/** A client of ours on a channel to the target. */
export async function openClient(target: Target): Promise<McpClient> {
  return McpClient.open({
    channel: channelTo(target),
    clientInfo: { name: 'bench', version: '1.0.0' },
    server: { id: 'bench', name: 'bench' },
    signal: new AbortController().signal,
    news: {
      onListChanged: ignore,
      onResourceUpdated: ignore,
      onLog: ignore,
      onClose: ignore,
    },
    note: ignore,
    limits: usualLimits,
  });
}

function channelTo(target: Target): Channel {
  const log = new LogRing(usualLimits.stderrRing);
  const { config } = approved(configOf(target));
  switch (target.transport) {
    case 'memory':
      return new MemoryChannel(async () => createMemoryServer());
    case 'stdio':
      return new StdioChannel(config as StdioConfig, {
        tracker: new McpProcessTracker(),
        log,
        limits: usualLimits,
      });
    case 'http':
      return createHttpChannel(config as HttpConfig, { log, limits: usualLimits });
  }
}

/** A listing that has anything to note is not the one that is measured. */
export function fail(text: string): never {
  throw new Error(text);
}

function ignore(): void {
  // Nothing of this is measured.
}
