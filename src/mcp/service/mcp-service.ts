import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CeriseError, type ErrorInfo, toErrorInfo } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import { type Limits, usualLimits } from '#shared/vocabulary/limits.ts';
import type { Logger } from '#shared/vocabulary/ports.ts';
import type { RequestAnswers } from '#shared/vocabulary/server-request.ts';
import type { ServerRecord } from '#shared/vocabulary/server.ts';
import type { ToolResult } from '#shared/vocabulary/tool.ts';
import type { ToolCallRequest } from '../calls/call-request.ts';
import type { BuiltinServer } from '../channels/memory-channel.ts';
import { askAgain } from '../connection/ask-again.ts';
import { stillStarting } from '../connection/cached.ts';
import type { CompletionTarget, Connection } from '../connection/connection.ts';
import { launchHash } from '../connection/launch-hash.ts';
import type { EraMemory, OpenDeps } from '../connection/open-connection.ts';
import { McpProcessTracker } from '../process/process-tracker.ts';
import { callLimits } from '../protocol/call-limits.ts';
import type {
  Completion,
  GetPromptResult,
  McpPrompt,
  McpResource,
  McpResourceTemplate,
  McpSkill,
  McpTool,
  ResourceContents,
} from '../results/types.ts';
import type { SkillContents } from '../skills/load-skill.ts';
import { diagnose } from './diagnosis.ts';
import { ManagedServer } from './managed-server.ts';
import type { Diagnosis, Examination, ServerStatus } from './server-status.ts';
import { type Patience, settleSoon } from './settle-soon.ts';

/** What the service is made from. */
export interface McpServiceOptions {
  /** Makes an owner's new instance of a server that ships with Cerise; throws for an unknown name. */
  builtin: (name: string, owner: string) => Promise<BuiltinServer>;
  logger: Logger;
  /** Absent: those that ship. */
  limits?: Limits;
  onStatus?: (serverId: string, status: ServerStatus, record: ServerRecord) => void;
  /** A line was written into its log. */
  onLog?: (serverId: string, record: ServerRecord) => void;
  clientInfo?: { name: string; version: string } | undefined;
  /** Whoever answers the questions of a server; absent: servers are told that nobody does. */
  answers?: ((server: () => ServerRecord) => RequestAnswers) | undefined;
  /** Shared with other services: each ends only its own processes. */
  tracker?: McpProcessTracker | undefined;
  /** What was found out about servers before. */
  eras?: EraMemory;
  authorizer?: OpenDeps['authorizer'];
  /** Variables of the host that servers may use; absent: none. */
  hostVariables?: OpenDeps['hostVariables'];
  sandbox?: OpenDeps['sandbox'];
  /** Where packages of servers are installed; absent: in a folder for temporary files. */
  packagesFolder?: string;
  unpack?: OpenDeps['unpack'];
}

/** The tools of one server, or why they could not be had. */
export interface ServerTools {
  serverId: string;
  tools?: McpTool[];
  error?: ErrorInfo;
}

/** How one call of a batch ended. */
export type BatchOutcome = { result: ToolResult } | { error: ErrorInfo };

/** The one entry to all MCP servers. Servers are connected at their first use. */
export class McpService {
  readonly #options: McpServiceOptions;
  readonly #limits: Limits;
  readonly #tracker: McpProcessTracker;
  readonly #servers = new Map<string, ManagedServer>();
  readonly #eras: EraMemory = new Map();
  #closed = false;

  constructor(options: McpServiceOptions) {
    this.#options = options;
    this.#limits = options.limits ?? usualLimits;
    this.#tracker = options.tracker ?? new McpProcessTracker();
  }

  /** Nobody chose these servers one by one, so nobody misses one that is slow. */
  get #impatient(): Patience {
    return { least: 3000, quiet: 2000, most: this.#limits.connectTime };
  }

  /** Adds or replaces a server. A change of what is run or reached ends the old connection. */
  async setServer(record: ServerRecord): Promise<void> {
    const known = this.#servers.get(record.id);
    if (known) return known.update(record);
    const { builtin, logger, onStatus, clientInfo, answers } = this.#options;
    const { authorizer, hostVariables, unpack, sandbox } = this.#options;
    const server: ManagedServer = new ManagedServer(record, {
      builtin,
      logger,
      limits: this.#limits,
      tracker: this.#tracker,
      packagesFolder: this.#options.packagesFolder ?? join(tmpdir(), 'cerise-packages'),
      eras: this.#options.eras ?? this.#eras,
      clientInfo: clientInfo ?? { name: 'cerise', version: '0.1.0' },
      ...(answers && { answers: answers(() => server.record) }),
      ...(authorizer && { authorizer }),
      ...(hostVariables && { hostVariables }),
      sandbox,
      ...(unpack && { unpack }),
      onStatus: (id, status) => onStatus?.(id, status, server.record),
    });
    server.log.onPush = () => this.#options.onLog?.(record.id, server.record);
    this.#servers.set(record.id, server);
    onStatus?.(record.id, server.status, record);
  }

  async removeServer(id: string): Promise<void> {
    const server = this.#server(id);
    this.#servers.delete(id);
    await server.end(notFound(id));
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

  /** Whether a connected server answers, and what of its tools can be used. */
  async examine(id: string): Promise<Examination> {
    return this.#server(id).examine();
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
    return this.#free(id).catalog.tools.get();
  }

  /** The tools of every server that may run. A failing or hanging server is an entry with its error. */
  async listAllActiveServerTools(): Promise<ServerTools[]> {
    const active = [...this.#servers.values()].filter(
      ({ status }) => status.state !== 'draft' && status.state !== 'disabled',
    );
    return listTogether(active, this.#impatient);
  }

  /** The same for the named servers only, which are waited for a little longer. */
  async listServerTools(ids: readonly string[]): Promise<ServerTools[]> {
    const known = ids.flatMap((id) => this.#servers.get(id) ?? []);
    const lists = await listTogether(known, {
      ...this.#impatient,
      least: this.#limits.connectTime,
    });
    return ids.map(
      (id) =>
        lists.find(({ serverId }) => serverId === id) ?? {
          serverId: id,
          error: toErrorInfo(notFound(id)),
        },
    );
  }

  /** Connects first if need be, then calls once. A result with `isError` is the tool's own failure. */
  async callTool(request: ToolCallRequest): Promise<ToolResult> {
    return await this.#server(request.serverId).callTool(request);
  }

  /** Several calls at once; every one settles, each outcome stands where its request stood. */
  async batchToolCalls(requests: readonly ToolCallRequest[]): Promise<BatchOutcome[]> {
    return Promise.all(
      requests.map(async (request) => {
        try {
          return { result: await this.callTool(request) };
        } catch (error) {
          return { error: toErrorInfo(error) };
        }
      }),
    );
  }

  /** Cancels a running call at its server; false if there is none of that id. */
  abortTool(callId: string): boolean {
    return [...this.#servers.values()].some((server) => server.abortTool(callId));
  }

  async listResources(id: string): Promise<McpResource[]> {
    return this.#free(id).catalog.resources.get();
  }

  async listResourceTemplates(id: string): Promise<McpResourceTemplate[]> {
    return this.#free(id).catalog.templates.get();
  }

  async getResource(id: string, uri: string): Promise<ResourceContents[]> {
    const server = this.#free(id);
    return server.catalog.read(uri, callLimits(server.record.config, this.#limits));
  }

  /** Calls back when the resource changes, over reconnections too, until the result is called. */
  async subscribeResource(
    id: string,
    uri: string,
    onChange: () => void,
  ): Promise<() => Promise<void>> {
    return this.#free(id).catalog.subscribe(uri, onChange);
  }

  /** The skills of a server, by what they say of themselves; none of their files is read. */
  async listSkills(id: string): Promise<McpSkill[]> {
    return this.#free(id).catalog.skills.get();
  }

  /** The instructions of a skill, checked against the list; throws if they are not what was listed. */
  async loadSkill(id: string, uri: string): Promise<SkillContents> {
    const { loadSkill } = await import('../skills/load-skill.ts');
    return loadSkill(await this.#skill(id, uri), (file) => this.#readFresh(id, file));
  }

  /** Another file of a skill, checked in the same way. */
  async readSkillFile(id: string, skillUri: string, uri: string): Promise<SkillContents> {
    const { readSkillFile } = await import('../skills/load-skill.ts');
    const skill = await this.#skill(id, skillUri);
    return readSkillFile(skill, uri, (file) => this.#readFresh(id, file));
  }

  async listPrompts(id: string): Promise<McpPrompt[]> {
    return this.#free(id).catalog.prompts.get();
  }

  async getPrompt(
    id: string,
    name: string,
    args: Record<string, string> = {},
  ): Promise<GetPromptResult> {
    const server = this.#free(id);
    const limits = callLimits(server.record.config, this.#limits);
    return askAgain(
      () => server.connect(),
      (connection) => connection.getPrompt(name, args, limits),
    );
  }

  /** Proposals for the value of an argument; `known` are the arguments given so far. */
  async complete(
    id: string,
    target: CompletionTarget,
    argument: { name: string; value: string },
    known?: Record<string, string>,
  ): Promise<Completion> {
    const server = this.#free(id);
    return askAgain(
      () => server.connect(),
      (connection) => connection.complete(target, argument, known),
    );
  }

  /** The last lines of the server's stderr and what we noted, without secrets. */
  logs(id: string): string[] {
    return this.#server(id).log.lines();
  }

  /** Everything that explains the server's state; `auth` is what is known about the sign-in to it. */
  async diagnose(
    id: string,
    auth: Diagnosis['auth'] = { state: 'not-needed' },
  ): Promise<Diagnosis> {
    const server = this.#server(id);
    const { processId } = server.connection ?? {};
    const processes = processId ? this.#tracker.processTree(processId) : [];
    const isLocal = server.record.config.type === 'stdio';
    const sandbox = isLocal ? await this.#options.sandbox?.state() : undefined;
    return diagnose(server, { auth, processes, sandbox });
  }

  /** Ends every connection and process. Nothing can be connected afterwards. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#servers.values()].map((server) => server.end(shuttingDown())));
    if (!this.#options.tracker) await this.#tracker.closeAll();
  }

  async #skill(id: string, uri: string): Promise<McpSkill> {
    const skill = (await this.listSkills(id)).find((each) => each.uri === uri);
    if (skill) return skill;
    throw new CeriseError('not_found', say('no-skill')`The server has no skill at ${uri}.`);
  }

  async #readFresh(id: string, uri: string): Promise<ResourceContents[]> {
    const server = this.#free(id);
    const limits = callLimits(server.record.config, this.#limits);
    const { value } = await askAgain(
      () => server.connect(),
      (connection) => connection.readResource(uri, limits),
    );
    return value;
  }

  #server(id: string): ManagedServer {
    if (this.#closed) throw shuttingDown();
    const server = this.#servers.get(id);
    if (!server) throw notFound(id);
    return server;
  }

  #free(id: string): ManagedServer {
    const server = this.#server(id);
    server.assertFree();
    return server;
  }
}

/** A server that hangs costs the others no more than the patience; it goes on starting meanwhile. */
async function listTogether(
  servers: readonly ManagedServer[],
  patience: Patience,
): Promise<ServerTools[]> {
  const lists = await settleSoon(
    // A little less, so that whoever was waited for just now is not waited for again.
    servers.map((server) => toServerTools(server, patience.least * 0.9)),
    patience,
  );
  return lists.map(
    (list, at) =>
      list ?? { serverId: servers[at]?.record.id ?? '', error: toErrorInfo(stillStarting()) },
  );
}

async function toServerTools(server: ManagedServer, patience: number): Promise<ServerTools> {
  const serverId = server.record.id;
  try {
    server.assertFree();
    return { serverId, tools: await server.catalog.tools.getUnlessStuck(patience) };
  } catch (error) {
    return { serverId, error: toErrorInfo(error) };
  }
}

function notFound(id: string): CeriseError {
  return new CeriseError(
    'server_not_found',
    say('no-server-named')`There is no server named ${id}.`,
  );
}

function shuttingDown(): CeriseError {
  return new CeriseError('shutting_down', say('shutting-down')`Cerise is shutting down.`);
}
