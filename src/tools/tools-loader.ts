import type { McpService, ServerTools } from '#mcp/mcp-service.ts';
import type { McpTool } from '#mcp/tool-list.ts';
import type { ErrorInfo } from '#shared/errors.ts';
import { limits } from '#shared/limits.ts';
import type { ToolSelection } from '#shared/message.ts';
import type { ServerRecord } from '#shared/server.ts';
import { truncate } from '#shared/text.ts';
import type { Tool } from '#shared/tool.ts';
import { processJsonSchema, schemaProblem } from './json-schema.ts';
import { assignToolNames } from './names.ts';

/** Why a server's tools, or one of them, are missing. */
export interface LoadFailure {
  serverId: string;
  serverName: string;
  error: ErrorInfo;
}

/** A server's tool with the server it belongs to. */
export interface ServerTool {
  server: ServerRecord;
  tool: McpTool;
}

/** The enabled tools of the selected servers. A failing server never hides the others. */
export async function fetchMcpTools(
  service: McpService,
  selection: Partial<ToolSelection>,
): Promise<{ tools: ServerTool[]; failures: LoadFailure[] }> {
  if (!selection.enabled) return { tools: [], failures: [] };
  const servers = new Map(service.servers().map((server) => [server.id, server]));
  const lists =
    selection.mode === 'manual'
      ? await service.listServerTools(selectedIds(servers, selection.selectedServers ?? []))
      : await service.listAllActiveServerTools();
  const tools: ServerTool[] = [];
  const failures: LoadFailure[] = [];
  for (const list of lists) {
    const server = servers.get(list.serverId);
    if (list.error || !server) failures.push(toFailure(list, server));
    else tools.push(...enabledTools(server, list.tools ?? []));
  }
  return { tools, failures };
}

/** Tools the engine can run, under names every provider takes. Unusable tools become failures. */
export async function loadTools(
  service: McpService,
  selection: Partial<ToolSelection>,
): Promise<{ tools: Tool[]; failures: LoadFailure[] }> {
  const { tools: found, failures } = await fetchMcpTools(service, selection);
  const usable = found.filter(({ server, tool }) => {
    const problem = schemaProblem(tool.inputSchema);
    if (problem === undefined) return true;
    failures.push({
      serverId: server.id,
      serverName: server.config.name,
      error: {
        code: 'unreadable_response',
        message: `The tool ${tool.name} was left out: ${problem}`,
        details: { toolName: tool.name },
      },
    });
    return false;
  });
  const named = assignToolNames(
    usable.map(({ server, tool }) => ({
      kind: 'configured' as const,
      serverId: server.id,
      serverName: server.config.name,
      toolName: tool.name,
      server,
      tool,
    })),
  );
  return {
    tools: [...named].map(([name, { server, tool }]) => toTool(service, name, server, tool)),
    failures,
  };
}

/** Servers may be named by id or by name; what is neither stays and fails as unknown. */
function selectedIds(servers: ReadonlyMap<string, ServerRecord>, selected: string[]): string[] {
  const ids = selected.flatMap((wanted) => {
    if (servers.has(wanted)) return [wanted];
    const named = [...servers.values()].filter(({ config }) => config.name === wanted);
    return named.length > 0 ? named.map(({ id }) => id) : [wanted];
  });
  return [...new Set(ids)];
}

function enabledTools(server: ServerRecord, tools: McpTool[]): ServerTool[] {
  const disabled = new Set(server.config.disabledTools);
  return tools.filter(({ name }) => !disabled.has(name)).map((tool) => ({ server, tool }));
}

function toFailure(list: ServerTools, server: ServerRecord | undefined): LoadFailure {
  return {
    serverId: list.serverId,
    serverName: server?.config.name ?? list.serverId,
    error: list.error ?? { code: 'server_not_found', message: 'The server is gone.' },
  };
}

function toTool(service: McpService, name: string, server: ServerRecord, tool: McpTool): Tool {
  const { name: toolName, title, outputSchema, annotations } = tool;
  return {
    kind: 'mcp',
    name,
    description: truncate(tool.description, limits.descriptionToModel),
    inputSchema: processJsonSchema(tool.inputSchema),
    serverId: server.id,
    serverName: server.config.name,
    toolName,
    ...(title && { title }),
    annotations,
    ...(outputSchema && { outputSchema }),
    trusted: server.config.type === 'inMemory',
    execute: (args, context) =>
      service.callTool({
        serverId: server.id,
        name: toolName,
        arguments: args,
        callId: context.callId,
        signal: context.signal,
        onProgress: (progress) => context.onProgress(progress),
      }),
  };
}
