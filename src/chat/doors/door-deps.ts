import type { McpService } from '#mcp/service/mcp-service.ts';
import type { ToolCallView } from '#shared/api/tool-call-api.ts';
import type { JsonObject } from '#shared/vocabulary/json.ts';
import type { Tool } from '#shared/vocabulary/tool.ts';
import type { DirectCallOptions } from '../calls/direct-calls.ts';
import type { RunningCalls } from '../calls/running-calls.ts';
import type { ToolPins } from '../policy/policy-pins.ts';
import type { LoadedServers } from '../servers/loaded-servers.ts';
import type { Servers } from '../servers/servers.ts';
import type { Signals } from '../topic/signals.ts';

/** What programs that speak MCP reach of a host. */
export interface DoorDeps {
  mcp: McpService;
  servers: Servers;
  loaded: LoadedServers;
  pins: ToolPins;
  running: RunningCalls;
  signals: Signals;
  /** Calls a tool under the policy. */
  callDirectly(
    owner: string,
    tool: Tool,
    args: JsonObject,
    options: DirectCallOptions,
  ): Promise<ToolCallView>;
  getCall(owner: string, toolCallId: string): Promise<ToolCallView>;
  abortCall(owner: string, toolCallId: string): Promise<boolean>;
}

/** Something changed of what a door leads to: a list, or a message in the log of a server. */
export type DoorNews =
  | { kind: 'list'; list: 'tools' | 'prompts' | 'resources' }
  | { kind: 'log'; level: string; text: string; serverName: string };
