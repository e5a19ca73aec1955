import { randomUUIDv7 } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CeriseError, toErrorInfo } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import { type Limits, usualLimits } from '#shared/vocabulary/limits.ts';
import { type Logger, silentLogger } from '#shared/vocabulary/ports.ts';
import type { RequestAnswers } from '#shared/vocabulary/server-request.ts';
import type { ServerRecord } from '#shared/vocabulary/server.ts';
import type { ToolResult } from '#shared/vocabulary/tool.ts';
import { noBuiltin, noServer, shuttingDown } from './service-errors.ts';
import type { ToolCallRequest } from '../calls/call-request.ts';
import type { BuiltinServer } from '../channels/memory-channel.ts';
import { askAgain } from '../connection/ask-again.ts';
import type { CompletionTarget, Connection } from '../connection/connection.ts';
import { launchHash } from '../connection/launch-hash.ts';
import type { EraMemory, OpenDeps } from '../connection/open-connection.ts';
import { McpProcessTracker } from '../process/process-tracker.ts';
import { type CallLimits, callLimits } from '../protocol/call-limits.ts';
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
import { ManagedServer, type ServerNotice } from './managed-server.ts';
import { restingState } from './server-hold.ts';
import type { Diagnosis, Examination, ServerStatus } from './server-status.ts';
import {
  type BatchOutcome,
  idOf,
  type ServerCall,
  type ServerInput,
  type ServerRecordInput,
  type ServerRef,
  toServerRecords,
  wholeRecord,
} from './server-input.ts';
import { listTogether, type ServerTools } from './server-tools.ts';
import type { Patience } from './settle-soon.ts';
import manifest from '../../../package.json' with { type: 'json' };

/** What the service is made from. */
export interface McpServiceOptions {
  /** Makes an owner's new instance of an in-memory server; throws for an unknown name. Absent: none. */
  builtin?: ((name: string, owner: string) => Promise<BuiltinServer>) | undefined;
  /** Absent: nothing is logged. */
  logger?: Logger | undefined;
  /**
   * Asked whether a server that nobody approved yet may run what its config says, before anything of it
   * runs. Absent: such a server is a draft.
   */
  approve?: ((record: ServerRecord) => boolean | Promise<boolean>) | undefined;
  /** Absent: those that ship. */
  limits?: Limits;
  onStatus?: (serverId: string, status: ServerStatus, record: ServerRecord) => void;
  /** A line was written into its log. */
  onLog?: (serverId: string, record: ServerRecord) => void;
  /** A server said something of its own accord. */
  onNews?: (serverId: string, news: ServerNotice) => void;
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
  watch?: OpenDeps['watch'];
}

/** The one entry to all MCP servers. Servers are connected at their first use. */
export class McpService {
  readonly #options: McpServiceOptions;
  readonly #limits: Limits;
  readonly #tracker: McpProcessTracker;
  readonly #servers = new Map<string, ManagedServer>();
  readonly #eras: EraMemory = new Map();
  readonly #arriving = new Map<string, Promise<void>>();
  #closed = false;

  constructor(options: McpServiceOptions = {}) {
    this.#options = options;
    this.#limits = options.limits ?? usualLimits;
    this.#tracker = options.tracker ?? new McpProcessTracker();
  }

  /** Nobody chose these servers one by one, so nobody misses one that is slow. */
  get #impatient(): Patience {
    return { least: 3000, quiet: 2000, most: this.#limits.connectTime };
  }

  /** Adds or replaces a server. A change of what is run or reached ends the old connection. */
  async setServer(given: ServerRecordInput): Promise<void> {
    const record = wholeRecord(given);
    const { approve } = this.#options;
    const isApproved = approve && restingState(record) === 'draft' && (await approve(record));
    if (isApproved) record.approvedHash = launchHash(record.config);
    const known = this.#servers.get(record.id);
    if (known) await known.update(record);
    else this.#add(record);
  }

  /** Adds what a program writes: a record, a config, or `mcpServers` as other hosts keep them. */
  async addServers(input: ServerInput): Promise<ServerRecord[]> {
    const records = toServerRecords(input, (id) => this.#servers.has(id));
    for (const record of records) await this.setServer(record);
    return records.map(({ id }) => this.#server(id).record);
  }

  #add(record: ServerRecord): ManagedServer {
    const { builtin = noBuiltin, logger = silentLogger } = this.#options;
    const { onStatus, clientInfo, answers, authorizer, hostVariables, unpack } = this.#options;
    const server: ManagedServer = new ManagedServer(record, {
      builtin,
      logger,
      limits: this.#limits,
      tracker: this.#tracker,
      packagesFolder: this.#options.packagesFolder ?? join(tmpdir(), 'cerise-packages'),
      eras: this.#options.eras ?? this.#eras,
      clientInfo: clientInfo ?? { name: 'cerise', version: manifest.version },
      ...(answers && { answers: answers(() => server.record) }),
      ...(authorizer && { authorizer }),
      ...(hostVariables && { hostVariables }),
      sandbox: this.#options.sandbox,
      ...(unpack && { unpack }),
      watch: this.#options.watch,
      onStatus: (id, status) => onStatus?.(id, status, server.record),
      onNews: (id, news) => this.#options.onNews?.(id, news),
    });
    server.log.onPush = () => this.#options.onLog?.(record.id, server.record);
    this.#servers.set(record.id, server);
    onStatus?.(record.id, server.status, record);
    return server;
  }

  async removeServer(id: string): Promise<void> {
    const server = this.#server(id);
    this.#servers.delete(id);
    await server.end(noServer(id));
  }

  servers(): ServerRecord[] {
    return [...this.#servers.values()].map(({ record }) => record);
  }

  status(id: ServerRef): ServerStatus {
    return this.#server(id).status;
  }

  /** The hash to approve before the server may start. */
  launchHash(record: ServerRecordInput): string {
    return launchHash(wholeRecord(record).config);
  }

  /** The server's connection; callers at the same time share one attempt. */
  async initClient(id: ServerRef): Promise<Connection> {
    return this.#use(id, (server) => server.connect());
  }

  /** Whether the server can be connected and answers; the reason is in `status` and `logs`. */
  async checkConnectivity(id: ServerRef): Promise<boolean> {
    return this.#use(id, (server) => server.checkConnectivity());
  }

  /** Whether a connected server answers, and what of its tools can be used. */
  async examine(id: ServerRef): Promise<Examination> {
    return this.#use(id, (server) => server.examine());
  }

  async restartServer(id: ServerRef): Promise<void> {
    await this.#use(id, async (server) => {
      await server.stop();
      await server.connect();
    });
  }

  /** Ends the connection, its process and its running calls. */
  async stopServer(id: ServerRef): Promise<void> {
    await this.#server(id).stop();
  }

  /** How many tools it had when they were last listed; undefined if they were not. */
  toolCount(id: ServerRef): number | undefined {
    return this.#server(id).catalog.tools.peek()?.length;
  }

  /** All tools of a server, the disabled ones too. */
  async listTools(id: ServerRef): Promise<McpTool[]> {
    return (await this.#free(id)).catalog.tools.get();
  }

  /** The tools of every server that may run. A failing or hanging server is an entry with its error. */
  async listAllActiveServerTools(): Promise<ServerTools[]> {
    const active = [...this.#servers.values()].filter(
      ({ status }) => status.state !== 'draft' && status.state !== 'disabled',
    );
    return listTogether(active, this.#impatient);
  }

  /**
   * The same for the named servers only, which are waited for a little longer. For calls the lists that are
   * known are enough, until a server says that its list changed.
   */
  async listServerTools(ids: readonly string[], isKnownEnough = false): Promise<ServerTools[]> {
    const known = ids.flatMap((id) => this.#servers.get(id) ?? []);
    const patience = { ...this.#impatient, least: this.#limits.connectTime };
    const lists = await listTogether(known, patience, isKnownEnough);
    return ids.map(
      (id) =>
        lists.find(({ serverId }) => serverId === id) ?? {
          serverId: id,
          error: toErrorInfo(noServer(id)),
        },
    );
  }

  /** Connects first if need be, then calls once. A result with `isError` is the tool's own failure. */
  async callTool(request: ToolCallRequest | ServerCall): Promise<ToolResult> {
    if ('serverId' in request) return await this.#server(request.serverId).callTool(request);
    const { server, args = {}, callId = randomUUIDv7() } = request;
    return this.#use(server, (managed) =>
      managed.callTool({ ...request, serverId: managed.record.id, arguments: args, callId }),
    );
  }

  /** Several calls at once; every one settles, each outcome stands where its request stood. */
  async batchToolCalls(
    requests: readonly (ToolCallRequest | ServerCall)[],
  ): Promise<BatchOutcome[]> {
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

  async listResources(id: ServerRef): Promise<McpResource[]> {
    return (await this.#free(id)).catalog.resources.get();
  }

  async listResourceTemplates(id: ServerRef): Promise<McpResourceTemplate[]> {
    return (await this.#free(id)).catalog.templates.get();
  }

  /** Asks a server over its connection, over a new one if that was over: for what may be asked twice. */
  async ask<T>(
    id: ServerRef,
    ask: (connection: Connection, limits: CallLimits) => Promise<T>,
  ): Promise<T> {
    const server = await this.#free(id);
    const limits = callLimits(server.record.config, this.#limits);
    return askAgain(
      () => server.connect(),
      (connection) => ask(connection, limits),
    );
  }

  async getResource(id: ServerRef, uri: string): Promise<ResourceContents[]> {
    const server = await this.#free(id);
    return server.catalog.read(uri, callLimits(server.record.config, this.#limits));
  }

  /** Calls back when the resource changes, over reconnections too, until the result is called. */
  async subscribeResource(
    id: ServerRef,
    uri: string,
    onChange: () => void,
  ): Promise<() => Promise<void>> {
    return (await this.#free(id)).catalog.subscribe(uri, onChange);
  }

  /** The skills of a server, by what they say of themselves; none of their files is read. */
  async listSkills(id: ServerRef): Promise<McpSkill[]> {
    return (await this.#free(id)).catalog.skills.get();
  }

  /** The instructions of a skill, checked against the list; throws if they are not what was listed. */
  async loadSkill(id: ServerRef, uri: string): Promise<SkillContents> {
    const { loadSkill } = await import('../skills/load-skill.ts');
    return loadSkill(await this.#skill(id, uri), (file) => this.#readFresh(id, file));
  }

  /** Another file of a skill, checked in the same way. */
  async readSkillFile(id: ServerRef, skillUri: string, uri: string): Promise<SkillContents> {
    const { readSkillFile } = await import('../skills/load-skill.ts');
    const skill = await this.#skill(id, skillUri);
    return readSkillFile(skill, uri, (file) => this.#readFresh(id, file));
  }

  async listPrompts(id: ServerRef): Promise<McpPrompt[]> {
    return (await this.#free(id)).catalog.prompts.get();
  }

  async getPrompt(
    id: ServerRef,
    name: string,
    args: Record<string, string> = {},
  ): Promise<GetPromptResult> {
    const server = await this.#free(id);
    return server.catalog.prompt(name, args, callLimits(server.record.config, this.#limits));
  }

  /** Proposals for the value of an argument; `known` are the arguments given so far. */
  async complete(
    id: ServerRef,
    target: CompletionTarget,
    argument: { name: string; value: string },
    known?: Record<string, string>,
  ): Promise<Completion> {
    return this.ask(id, (connection) => connection.complete(target, argument, known));
  }

  /** The last lines of the server's stderr and what we noted, without secrets. */
  logs(id: ServerRef): string[] {
    return this.#server(id).log.lines();
  }

  /** Everything that explains the server's state; `auth` is what is known about the sign-in to it. */
  async diagnose(
    id: ServerRef,
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

  async #skill(id: ServerRef, uri: string): Promise<McpSkill> {
    const skill = (await this.listSkills(id)).find((each) => each.uri === uri);
    if (skill) return skill;
    throw new CeriseError('not_found', say('no-skill')`The server has no skill at ${uri}.`);
  }

  async #readFresh(id: ServerRef, uri: string): Promise<ResourceContents[]> {
    const { value } = await this.ask(id, (connection, limits) =>
      connection.readResource(uri, limits),
    );
    return value;
  }

  /** The object of a server that was not set yet sets it; it runs only if it was approved. */
  #server(ref: ServerRef): ManagedServer {
    if (this.#closed) throw shuttingDown();
    const server = this.#servers.get(idOf(ref));
    if (server) return server;
    if (typeof ref === 'string') throw noServer(ref);
    return this.#add(wholeRecord(ref));
  }

  /** The same for what may run it: first the program is asked whether it may. */
  async #use<T>(ref: ServerRef, work: (server: ManagedServer) => T | Promise<T>): Promise<T> {
    if (typeof ref !== 'string' && !this.#closed && !this.#servers.has(idOf(ref))) {
      const arriving = this.#arriving.get(ref.id) ?? this.setServer(ref);
      this.#arriving.set(ref.id, arriving);
      await arriving.finally(() => this.#arriving.delete(ref.id));
    }
    return work(this.#server(ref));
  }

  async #free(ref: ServerRef): Promise<ManagedServer> {
    return this.#use(ref, (server) => {
      server.assertFree();
      return server;
    });
  }
}
