import { toolChanged } from '#mcp/calls/assert-definition.ts';
import type { McpService } from '#mcp/service/mcp-service.ts';
import type { ToolView } from '#shared/api/api.ts';
import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import { onlyServer } from '#shared/vocabulary/message.ts';
import type { ServerRecord } from '#shared/vocabulary/server.ts';
import type { Tool } from '#shared/vocabulary/tool.ts';
import { type LoadFailure, type LoadOptions, loadTools } from '#tools/registry/tools-loader.ts';
import type { ToolPins } from '../policy/policy-pins.ts';
import { omittedModels } from './omitted-models.ts';

interface ServerToolsDeps {
  mcp: McpService;
  pins: ToolPins;
}

/** The tools of a server as they are shown. Connects it if need be. */
export async function toolViews(deps: ServerToolsDeps, record: ServerRecord): Promise<ToolView[]> {
  const disabled = new Set(record.config.disabledTools);
  const tools = await deps.mcp.listTools(record.id);
  const facts = await deps.pins.facts(record, tools);
  const { tools: named } = await executable(deps, record);
  return tools.map((tool) => ({
    name: tool.name,
    modelName: named.find(({ toolName }) => toolName === tool.name)?.name ?? '',
    ...(tool.title && { title: tool.title }),
    description: tool.description,
    inputSchema: tool.inputSchema,
    annotations: tool.annotations,
    enabled: !disabled.has(tool.name),
    ...facts.get(tool),
    ...omittedModels(tool),
  }));
}

/** One tool, ready to run. Connects the server if need be. Throws `tool_not_found`, `tool_changed`. */
export async function readyTool(
  deps: ServerToolsDeps,
  record: ServerRecord,
  toolName: string,
): Promise<Tool> {
  const call = { toolName, isKnownEnough: true };
  const known = await executable(deps, record, call);
  if (known.tools[0]) return known.tools[0];
  await deps.mcp.listTools(record.id);
  const { tools, failures } = await executable(deps, record, call);
  if (tools[0]) return tools[0];
  if (failures.some((failure) => isChanged(failure, toolName))) throw toolChanged(toolName);
  throw new CeriseError(
    'tool_not_found',
    say('server-no-tool')`The server has no tool named ${toolName}.`,
    { hint: say('list-tools')`List its tools to see which ones exist and which are enabled.` },
  );
}

/** All tools that are ready to run, and why others are not. */
export async function executable(
  { mcp, pins }: ServerToolsDeps,
  { id, attachedTo }: ServerRecord,
  options: LoadOptions = {},
): Promise<{ tools: Tool[]; failures: LoadFailure[] }> {
  const attached = { attachedTo: attachedTo ? [attachedTo] : [] };
  return loadTools(mcp, onlyServer(id), { ...options, ...attached, pins: pins.check() });
}

function isChanged({ error }: LoadFailure, toolName: string): boolean {
  const { toolName: changed } = (error.details ?? {}) as { toolName?: string };
  return error.code === 'tool_changed' && changed === toolName;
}
