import { randomUUIDv7 } from 'node:crypto';
import { launchHash } from '#mcp/connection/launch-hash.ts';
import type { McpProcessTracker } from '#mcp/process/process-tracker.ts';
import { McpService, type McpServiceOptions } from '#mcp/service/mcp-service.ts';
import { readServerInput } from '#shared/api/server-input.ts';
import { CeriseError, toErrorInfo } from '#shared/errors/errors.ts';
import { isJsonObject, type JsonObject } from '#shared/vocabulary/json.ts';
import type { Logger } from '#shared/vocabulary/ports.ts';
import type { ServerConfig, ServerRecord } from '#shared/vocabulary/server.ts';
import type { ToolResult } from '#shared/vocabulary/tool.ts';
import { McpToolAdapter, type ToolCallOptions } from './mcp-tool-adapter.ts';
import {
  enabledTools,
  type LoadFailure,
  nameTools,
  type ServerTool,
  toFailure,
  withoutProblems,
} from './tools-loader.ts';

/** What directly loaded servers run with. */
export interface DirectMcpOptions {
  /** Shared with other loads: it knows the processes of all of them. */
  tracker?: McpProcessTracker;
  logger?: Logger;
  /** Makes the servers of `inMemory` configs; absent: there are none. */
  builtin?: McpServiceOptions['builtin'];
  answers?: McpServiceOptions['answers'];
  clientInfo?: McpServiceOptions['clientInfo'];
}

/** A server that lives until its loader closes it. */
export class DirectMcpConnection {
  readonly serverId: string;
  readonly serverName: string;
  readonly #service: McpService;
  #closed: Promise<void> | undefined;

  constructor(service: McpService, server: ServerRecord) {
    this.#service = service;
    this.serverId = server.id;
    this.serverName = server.config.name;
  }

  get isClosed(): boolean {
    return this.#closed !== undefined;
  }

  /** Resolves when the connection and the whole process tree are gone, however often it is called. */
  close(): Promise<void> {
    return (this.#closed ??= this.#service.removeServer(this.serverId));
  }
}

/** A tool of a directly loaded server; usable until its connection is closed. */
export class DirectMcpToolAdapter extends McpToolAdapter {
  readonly connection: DirectMcpConnection;

  constructor(
    service: McpService,
    name: string,
    entry: ServerTool,
    connection: DirectMcpConnection,
  ) {
    super(service, name, entry);
    this.connection = connection;
  }

  override async execute(args: JsonObject, options?: ToolCallOptions): Promise<ToolResult> {
    if (!this.connection.isClosed) return super.execute(args, options);
    const { serverName } = this;
    throw new CeriseError('connection_lost', `The connection to ${serverName} was closed.`, {
      hint: 'Load its tools again.',
    });
  }
}

/** What was loaded. Every connection is the caller's to close. */
export interface DirectMcpTools {
  tools: DirectMcpToolAdapter[];
  connections: DirectMcpConnection[];
  failures: LoadFailure[];
}

/**
 * Starts servers that belong to the caller alone and loads their tools, named `server__tool`. Commands
 * are run as given, without approval: it is the caller's own code that names them. A server that
 * fails is ended and reported, and the others are there.
 */
export async function loadDirectMcpTools(
  configs: readonly (ServerConfig | JsonObject)[],
  options: DirectMcpOptions = {},
): Promise<DirectMcpTools> {
  const service = new McpService(options);
  const loads = await Promise.all(configs.map((config) => loadServer(service, config)));
  const connections = loads.flatMap(({ connection }) => connection ?? []);
  const byId = new Map(connections.map((connection) => [connection.serverId, connection]));
  const named = nameTools(loads.flatMap(({ tools }) => tools));
  const tools = [...named].flatMap(([name, entry]) => {
    const connection = byId.get(entry.server.id);
    return connection ? [new DirectMcpToolAdapter(service, name, entry, connection)] : [];
  });
  return { tools, connections, failures: loads.flatMap(({ failures }) => failures) };
}

interface Load {
  tools: ServerTool[];
  connection?: DirectMcpConnection;
  failures: LoadFailure[];
}

async function loadServer(service: McpService, input: ServerConfig | JsonObject): Promise<Load> {
  let record: ServerRecord;
  try {
    record = toRecord(readServerInput(input));
  } catch (error) {
    const name = isJsonObject(input) && typeof input.name === 'string' ? input.name : '';
    return {
      tools: [],
      failures: [{ serverId: name, serverName: name, error: toErrorInfo(error) }],
    };
  }
  await service.setServer(record);
  const connection = new DirectMcpConnection(service, record);
  try {
    const { usable, problems } = withoutProblems(
      enabledTools(record, await service.listTools(record.id)),
    );
    return { tools: usable, connection, failures: problems };
  } catch (error) {
    await connection.close();
    return { tools: [], failures: [toFailure(record, toErrorInfo(error))] };
  }
}

/** Lives with the caller's conversation, so it is a session server; what it runs, the caller chose. */
function toRecord(config: ServerConfig): ServerRecord {
  const id = randomUUIDv7();
  const at = Date.now();
  return {
    id,
    owner: 'local',
    config,
    attachedTo: { topic: id },
    approvedHash: launchHash(config),
    createdAt: at,
    updatedAt: at,
  };
}
