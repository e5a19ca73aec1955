import type { Implementation } from '@modelcontextprotocol/client';
import { CeriseError, type ErrorInfo, toErrorInfo } from '#shared/errors.ts';
import type { Logger } from '#shared/ports.ts';
import type { ServerRecord } from '#shared/server.ts';
import type { ToolResult } from '#shared/tool.ts';
import type { Connection } from './connection.ts';
import { launchHash } from './launch-hash.ts';
import { ManagedServer, type ServerStatus, type ToolCallRequest } from './managed-server.ts';
import { McpProcessTracker } from './process-tracker.ts';
import type { McpTool } from './tool-list.ts';
import type { BuiltinServer } from './transports.ts';

/** What the service is made from. */
export interface McpServiceOptions {
  /** Makes a new instance of a server that ships with Cerise; throws for an unknown name. */
  builtin: (name: string) => Promise<BuiltinServer>;
  logger: Logger;
  onStatus?: (serverId: string, status: ServerStatus) => void;
  clientInfo?: Implementation;
}

/** The tools of one server, or why they could not be had. */
export interface ServerTools {
  serverId: string;
  tools?: McpTool[];
  error?: ErrorInfo;
}

/** The one entry to all MCP servers. Servers are connected at their first use. */
export class McpService {
  readonly #options: McpServiceOptions;
  readonly #tracker = new McpProcessTracker();
  readonly #servers = new Map<string, ManagedServer>();
  #closed = false;

  constructor(options: McpServiceOptions) {
    this.#options = options;
  }

  /** Adds or replaces a server. A change of what is run or reached ends the old connection. */
  async setServer(record: ServerRecord): Promise<void> {
    const known = this.#servers.get(record.id);
    if (known) return known.update(record);
    const { builtin, logger, onStatus, clientInfo } = this.#options;
    const server = new ManagedServer(record, {
      builtin,
      logger,
      tracker: this.#tracker,
      clientInfo: clientInfo ?? { name: 'cerise', version: '0.1.0' },
      onStatus: (id, status) => onStatus?.(id, status),
    });
    this.#servers.set(record.id, server);
    onStatus?.(record.id, server.status);
  }

  async removeServer(id: string): Promise<void> {
    const server = this.#server(id);
    this.#servers.delete(id);
    await server.stop();
  }

  servers(): ServerRecord[] {
    return [...this.#servers.values()].map(({ record }) => record);
  }

  status(id: string): ServerStatus {
    return this.#server(id).status;
  }

  /** The hash to approve before the server may start. */
  launchHash(record: ServerRecord): string {
    return launchHash(record.config);
  }

  /** The server's connection; callers at the same time share one attempt. */
  async initClient(id: string): Promise<Connection> {
    return this.#server(id).connect();
  }

  /** Whether the server can be connected and answers; the reason is in `status` and `logs`. */
  async checkConnectivity(id: string): Promise<boolean> {
    return this.#server(id).checkConnectivity();
  }

  async restartServer(id: string): Promise<void> {
    const server = this.#server(id);
    await server.stop();
    await server.connect();
  }

  /** Ends the connection, its process and its running calls. */
  async stopServer(id: string): Promise<void> {
    await this.#server(id).stop();
  }

  /** All tools of a server, the disabled ones too. */
  async listTools(id: string): Promise<McpTool[]> {
    return this.#server(id).listTools();
  }

  /** The tools of every server that may run. A failing or hanging server is an entry with its error. */
  async listAllActiveServerTools(): Promise<ServerTools[]> {
    const active = [...this.#servers.values()].filter(
      ({ status }) => status.state !== 'draft' && status.state !== 'disabled',
    );
    return Promise.all(active.map(toServerTools));
  }

  /** The same for the named servers only. */
  async listServerTools(ids: readonly string[]): Promise<ServerTools[]> {
    return Promise.all(
      ids.map(async (id) => {
        const server = this.#servers.get(id);
        return server ? toServerTools(server) : { serverId: id, error: toErrorInfo(notFound(id)) };
      }),
    );
  }

  /** Connects first if need be, then calls once. A result with `isError` is the tool's own failure. */
  async callTool(request: ToolCallRequest): Promise<ToolResult> {
    return this.#server(request.serverId).callTool(request);
  }

  /** Cancels a running call at its server; false if there is none of that id. */
  abortTool(callId: string): boolean {
    return [...this.#servers.values()].some((server) => server.abortTool(callId));
  }

  /** The last lines of the server's stderr and what we noted, without secrets. */
  logs(id: string): string[] {
    return this.#server(id).log.lines();
  }

  /** Ends every connection and process. Nothing can be connected afterwards. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#servers.values()].map((server) => server.stop()));
    await this.#tracker.closeAll();
  }

  #server(id: string): ManagedServer {
    if (this.#closed) throw new CeriseError('shutting_down', 'Cerise is shutting down.');
    const server = this.#servers.get(id);
    if (!server) throw notFound(id);
    return server;
  }
}

async function toServerTools(server: ManagedServer): Promise<ServerTools> {
  const serverId = server.record.id;
  try {
    return { serverId, tools: await server.listToolsSoon() };
  } catch (error) {
    return { serverId, error: toErrorInfo(error) };
  }
}

function notFound(id: string): CeriseError {
  return new CeriseError('server_not_found', `There is no server ${id}.`);
}
