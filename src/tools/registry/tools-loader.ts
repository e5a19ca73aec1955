import { isShowcase } from '#mcp/builtin/builtin-servers.ts';
import type { ToolCallRequest } from '#mcp/calls/call-request.ts';
import { definitionHash } from '#mcp/calls/definition-hash.ts';
import { launchHash } from '#mcp/connection/launch-hash.ts';
import type { McpTool } from '#mcp/results/types.ts';
import type { McpService } from '#mcp/service/mcp-service.ts';
import { isHeld } from '#mcp/service/server-hold.ts';
import type { ServerTools } from '#mcp/service/server-tools.ts';
import { CeriseError, errorInfo, type ErrorInfo } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import { truncate } from '#shared/text/text.ts';
import { CallError } from '#shared/vocabulary/call-error.ts';
import { usualLimits } from '#shared/vocabulary/limits.ts';
import type { TurnSelection } from '#shared/vocabulary/message.ts';
import { allowsServer, allowsTool } from '#shared/vocabulary/server-limit.ts';
import { type Attachment, isSamePlace, type ServerRecord } from '#shared/vocabulary/server.ts';
import type { Tool, ToolResult } from '#shared/vocabulary/tool.ts';
import { processJsonSchema } from '../formats/json-schema.ts';
import { assignToolNames, type ToolIdentity } from './names.ts';

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

/** Where tools are listed and run: the service, or the instances of one conversation. */
export interface ToolHost extends Pick<McpService, 'listServerTools'> {
  callTool(request: ToolCallRequest): Promise<ToolResult>;
}

/** For whom tools are loaded. */
export interface LoadOptions {
  /** Servers of anybody else do not exist, unless they are shared. Absent: all of the service. */
  owner?: string;
  /** What the conversation is. Servers that are attached elsewhere do not exist for it. */
  attachedTo?: readonly Attachment[];
  /** Runs the attached servers; absent: the service itself does. */
  session?: ToolHost;
  /** Bytes of a description that a model gets; absent: as it ships. */
  descriptionToModel?: number;
  /** For a call: lists that are known are enough; see `McpService.listServerTools`. */
  isKnownEnough?: boolean;
  /** Only the tools of this name. */
  toolName?: string;
  /** Names that other tools of the same request have. */
  reserved?: ReadonlySet<string>;
  /** Leaves out tools that are no longer what a person approved; absent: nobody asks. */
  pins?: (
    found: readonly ServerTool[],
  ) => Promise<{ usable: ServerTool[]; problems: LoadFailure[] }>;
}

/** The enabled tools of the selected servers. A failing server never hides the others. */
export async function fetchMcpTools(
  service: McpService,
  selection: Partial<TurnSelection> | undefined,
  options: LoadOptions = {},
): Promise<{ tools: ServerTool[]; failures: LoadFailure[] }> {
  if (!selection?.enabled) return { tools: [], failures: [] };
  const { within } = selection;
  const own = service
    .servers()
    .filter((server) => isVisible(server, options) && allowsServer(within, server.id));
  const isOffered = ({ id, config }: ServerRecord) =>
    !isHeld(service.status(id).state) && !(selection.withoutShowcase && isShowcase(config));
  const { servers, unknown } =
    selection.mode === 'manual'
      ? findServers(own, selection.selectedServers ?? [])
      : { servers: own.filter(isOffered), unknown: [] };
  // What is attached to a conversation was chosen for it: no other choice leaves it out.
  const attached = own.filter((server) => server.attachedTo && isOffered(server));
  if (!selection.exact) servers.push(...attached.filter((server) => !servers.includes(server)));
  const lists = await listTools(servers, service, options);
  const tools: ServerTool[] = [];
  const failures: LoadFailure[] = [];
  for (const server of servers) {
    const list = lists.get(server.id);
    if (list?.tools)
      tools.push(
        ...enabledTools(server, list.tools).filter(
          ({ tool }) =>
            allowsTool(within, server.id, tool.name) &&
            (options.toolName === undefined || options.toolName === tool.name),
        ),
      );
    else failures.push(toFailure(server, list?.error ?? gone));
  }
  failures.push(
    ...unknown.map((wanted) => ({ serverId: wanted, serverName: wanted, error: notThere(wanted) })),
  );
  return { tools, failures };
}

/** Tools the engine can run, under names every provider takes. Unusable tools become failures. */
export async function loadTools(
  service: McpService,
  selection: Partial<TurnSelection> | undefined,
  options: LoadOptions = {},
): Promise<{ tools: Tool[]; failures: LoadFailure[] }> {
  const { tools: found, failures } = await fetchMcpTools(service, selection, options);
  const pinned = options.pins ? await options.pins(found) : { usable: found, problems: [] };
  const { usable, problems } = withoutProblems(pinned.usable);
  const session = options.session ?? service;
  const launches = new Map(
    [...new Set(usable.map(({ server }) => server))].map((server) => [server, launchOf(server)]),
  );
  return {
    tools: [...nameTools(usable, options.reserved)].map(([name, { server, tool }]) => ({
      ...toTool(server.attachedTo ? session : service, name, server, tool),
      ...describeTool(tool, options.descriptionToModel),
      ...launches.get(server),
    })),
    failures: [...failures, ...pinned.problems, ...problems],
  };
}

/** Gives every tool the name a model sees: `server__tool` for attached servers, else `mcp__server__tool`. */
export function nameTools<T extends ServerTool>(
  found: readonly T[],
  reserved?: ReadonlySet<string>,
): Map<string, T> {
  const named = assignToolNames(
    found.map((entry): ToolIdentity & { entry: T } => ({
      kind: entry.server.attachedTo ? 'session' : 'configured',
      serverId: entry.server.id,
      serverName: entry.server.config.name,
      toolName: entry.tool.name,
      entry,
    })),
    reserved,
  );
  return new Map([...named].map(([name, { entry }]) => [name, entry]));
}

/** Tools that may be offered, and for each of the others why not. */
export function withoutProblems<T extends ServerTool>(
  found: readonly T[],
): { usable: T[]; problems: LoadFailure[] } {
  const usable = found.filter(({ tool }) => tool.problem === undefined);
  const problems = found.flatMap(({ server, tool: { name, problem } }) => {
    if (problem === undefined) return [];
    const message = say('tool-left-out')`The tool ${name} isn't available: ${problem}`;
    const details = { toolName: name };
    return [toFailure(server, errorInfo('unreadable_response', message, { details }))];
  });
  return { usable, problems };
}

/** The tools a person has not switched off. */
export function enabledTools(server: ServerRecord, tools: readonly McpTool[]): ServerTool[] {
  const disabled = new Set(server.config.disabledTools);
  return tools.filter(({ name }) => !disabled.has(name)).map((tool) => ({ server, tool }));
}

export function toFailure(server: ServerRecord, error: ErrorInfo): LoadFailure {
  return { serverId: server.id, serverName: server.config.name, error };
}

function isVisible({ owner, attachedTo, shared }: ServerRecord, options: LoadOptions): boolean {
  const isOwn = options.owner === undefined || owner === options.owner;
  if (!isOwn) return shared === true && attachedTo === undefined;
  const places = options.attachedTo ?? [];
  return attachedTo === undefined || places.some((place) => isSamePlace(attachedTo, place));
}

/** Servers may be named by id or by name; each is taken once. */
function findServers(
  own: readonly ServerRecord[],
  selected: readonly string[],
): { servers: ServerRecord[]; unknown: string[] } {
  const unknown: string[] = [];
  const found = selected.flatMap((wanted) => {
    const byId = own.find(({ id }) => id === wanted);
    const servers = byId ? [byId] : own.filter(({ config }) => config.name === wanted);
    if (servers.length === 0) unknown.push(wanted);
    return servers;
  });
  return { servers: [...new Set(found)], unknown: [...new Set(unknown)] };
}

async function listTools(
  servers: readonly ServerRecord[],
  service: ToolHost,
  { session = service, isKnownEnough = false }: LoadOptions,
): Promise<Map<string, ServerTools>> {
  const idsOf = (attached: boolean): string[] =>
    servers.filter(({ attachedTo }) => (attachedTo !== undefined) === attached).map(({ id }) => id);
  const lists = await Promise.all([
    service.listServerTools(idsOf(false), isKnownEnough),
    session.listServerTools(idsOf(true), isKnownEnough),
  ]);
  return new Map(lists.flat().map((list) => [list.serverId, list]));
}

const gone: ErrorInfo = errorInfo(
  'server_not_found',
  say('server-is-gone')`The server no longer exists.`,
);

function notThere(wanted: string): ErrorInfo {
  return errorInfo(
    'server_not_found',
    say('no-server-named')`There is no server named ${truncate(wanted, 200)}.`,
  );
}

function toTool(
  host: ToolHost,
  name: string,
  server: ServerRecord,
  tool: McpTool,
): Omit<Tool, 'description' | 'inputSchema'> {
  const { name: toolName, title, outputSchema, annotations } = tool;
  const hash = server.config.type === 'inMemory' ? undefined : definitionHash(tool);
  return {
    kind: 'mcp',
    name,
    serverId: server.id,
    serverName: server.config.name,
    toolName,
    ...(title && { title }),
    annotations,
    ...(outputSchema && { outputSchema }),
    trusted: server.config.type === 'inMemory',
    autoApproved: isAutoApproved(server, toolName),
    ...(hash !== undefined && { definitionHash: hash }),
    execute: executeOn(host, server.id, toolName, hash),
  };
}

function launchOf({ config }: ServerRecord): Pick<Tool, 'launchHash'> {
  return config.type === 'inMemory' ? {} : { launchHash: launchHash(config) };
}

/** Runs a tool by its own name, whether its server lists it right now or not. */
export function executeOn(
  host: Pick<ToolHost, 'callTool'>,
  serverId: string,
  toolName: string,
  definitionHash?: string,
): Tool['execute'] {
  return async (args, { callId, signal, trace, resume, ...context }) => {
    try {
      return await host.callTool({
        serverId,
        name: toolName,
        ...(definitionHash !== undefined && { definitionHash }),
        arguments: args,
        callId,
        signal,
        onProgress: (progress) => context.onProgress(progress),
        onStep: (step) => context.onStep?.(step),
        ...(trace && { trace }),
        onParked: async (continuation) => context.onParked?.(continuation),
        onUnparked: async () => context.onUnparked?.(),
        ...(context.origins && { origins: () => context.origins?.() ?? Promise.resolve([]) }),
        ...(resume && { resume }),
      });
    } catch (error) {
      // Without a word on how far it came there was nobody to take it.
      if (error instanceof CallError || !(error instanceof CeriseError)) throw error;
      throw CallError.of(error, resume ? 'left' : 'never-left');
    }
  };
}

function isAutoApproved({ config }: ServerRecord, toolName: string): boolean {
  return config.autoApprove?.some((name) => name === '*' || name === toolName) ?? false;
}

/** The words and the schema of a tool within the bounds of what a model is told. */
export function describeTool(
  tool: McpTool,
  most: number = usualLimits.descriptionToModel,
): Pick<Tool, 'description' | 'inputSchema'> {
  // A name in another script is all but lost in the one that a model sees.
  const isForeign = /[^\x20-\x7e]/.test(tool.name);
  const words = isForeign ? `${tool.name}: ${tool.description}` : tool.description;
  return {
    description: truncate(words, most),
    inputSchema: processJsonSchema(tool.inputSchema),
  };
}
