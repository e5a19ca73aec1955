import type { McpService } from '#mcp/service/mcp-service.ts';
import type { Topic } from '#shared/vocabulary/message.ts';
import type { Tool } from '#shared/vocabulary/tool.ts';
import type { ToolCallRecord } from '#store/calls/tool-calls.ts';
import { executeOn } from '#tools/registry/tools-loader.ts';
import type { SessionServers } from '../servers/session-servers.ts';

/**
 * Goes on with a parked call at the server that parked it. Nothing is listed for that: the person may be
 * asked while the server cannot be reached.
 */
export function parkedTool(
  parts: { mcp: McpService; sessions: SessionServers; prepare: (owner: string) => Promise<void> },
  { owner, serverId, toolName }: Pick<ToolCallRecord, 'owner' | 'serverId' | 'toolName'>,
  topic?: Pick<Topic, 'id' | 'assistantId'>,
): Pick<Tool, 'execute'> {
  const { mcp, sessions, prepare } = parts;
  return {
    execute: async (args, context) => {
      await prepare(owner);
      const server = mcp.servers().find(({ id }) => id === serverId);
      const host = topic && server?.attachedTo ? sessions.of(topic) : mcp;
      return executeOn(host, serverId, toolName)(args, context);
    },
  };
}
