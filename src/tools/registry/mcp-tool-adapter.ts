import { randomUUIDv7 } from 'node:crypto';
import type { McpService } from '#mcp/service/mcp-service.ts';
import type { JsonObject } from '#shared/vocabulary/json.ts';
import type { ToolAnnotations, ToolProgress, ToolResult } from '#shared/vocabulary/tool.ts';
import {
  describeTool,
  fetchMcpTools,
  type LoadFailure,
  nameTools,
  type ServerTool,
  type ToolHost,
  withoutProblems,
} from './tools-loader.ts';

/** Seconds a call may take where its server's config sets no time. */
const callTimeSeconds = 120;

/** What a caller may say about one call. */
export interface ToolCallOptions {
  /** Cancels the call at its server. */
  signal?: AbortSignal;
  onProgress?: (progress: ToolProgress) => void;
  /** Names the call for `McpService.abortTool`. */
  callId?: string;
}

/** A tool as agent code likes it. `parameters` is the JSON schema of the arguments. */
export interface ITool {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonObject;
  /** What a host may know of it: one that is read-only runs without approval. */
  readonly annotations?: ToolAnnotations;
  /** Throws CeriseError; a result with `isError` is the tool's own failure. */
  execute(args: JsonObject, options?: ToolCallOptions): Promise<ToolResult>;
}

/**
 * One MCP tool as an `ITool`. Where the server's config sets no time a call has 120 seconds; when they
 * are over it is cancelled at the server and fails with `timed_out`.
 */
export class McpToolAdapter implements ITool {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonObject;
  /** The server, and what the tool is called there. */
  readonly serverId: string;
  readonly serverName: string;
  readonly toolName: string;
  readonly #host: ToolHost;

  constructor(host: ToolHost, name: string, { server, tool }: ServerTool) {
    const { description, inputSchema } = describeTool(tool);
    this.name = name;
    this.description = description;
    this.parameters = inputSchema;
    this.serverId = server.id;
    this.serverName = server.config.name;
    this.toolName = tool.name;
    this.#host = host;
  }

  async execute(args: JsonObject, options: ToolCallOptions = {}): Promise<ToolResult> {
    const { callId = randomUUIDv7(), signal, onProgress } = options;
    return this.#host.callTool({
      serverId: this.serverId,
      name: this.toolName,
      arguments: args,
      callId,
      timeout: callTimeSeconds,
      ...(signal && { signal }),
      ...(onProgress && { onProgress }),
    });
  }
}

/** The tools of the named servers (by id or name). What is missing is told to `onFailure` only. */
export async function loadMcpTools(
  service: McpService,
  serverIds: readonly string[],
  options: { owner?: string; onFailure?: (failure: LoadFailure) => void } = {},
): Promise<McpToolAdapter[]> {
  const { owner, onFailure } = options;
  const selection = { enabled: true, mode: 'manual' as const, selectedServers: [...serverIds] };
  const loaded = await fetchMcpTools(service, selection, owner === undefined ? {} : { owner });
  const { usable, problems } = withoutProblems(loaded.tools);
  for (const failure of [...loaded.failures, ...problems]) onFailure?.(failure);
  return [...nameTools(usable)].map(([name, entry]) => new McpToolAdapter(service, name, entry));
}
