import { randomUUIDv7 } from 'node:crypto';
import { toolChanged } from '#mcp/assert-definition.ts';
import type { McpService } from '#mcp/mcp-service.ts';
import type { McpTool } from '#mcp/protocol/types.ts';
import type { ServerView, ToolView } from '#shared/api.ts';
import { CeriseError } from '#shared/errors.ts';
import { isJsonObject } from '#shared/json.ts';
import { limits } from '#shared/limits.ts';
import type { SecretBox } from '#shared/ports.ts';
import {
  type Attachment,
  attachmentSchema,
  type ServerConfig,
  type ServerRecord,
} from '#shared/server.ts';
import { readServerInput } from '#shared/server-input.ts';
import type { Tool } from '#shared/tool.ts';
import { insertAudit } from '#store/audit.ts';
import {
  deleteServer,
  insertServer,
  listServers,
  listServerVersions,
  updateServer,
} from '#store/servers.ts';
import type { Db, Store } from '#store/store.ts';
import { toolVendors, vendorsWithout } from '#tools/formats/tool-definitions.ts';
import { processJsonSchema } from '#tools/json-schema.ts';
import { type LoadFailure, loadTools } from '#tools/tools-loader.ts';
import type { LaunchChange, ToolPins } from './policy-pins.ts';
import { assertSecretsStay, isElsewhere, withoutOldApprovals } from './server-move.ts';
import { withKeptSecrets, withoutSecrets } from './server-secrets.ts';
import { assertAttachable, type SessionServers } from './session-servers.ts';

/** A server that ships with Cerise, as the list of servers shows it. */
interface Builtin {
  key: string;
  name: string;
  description: string;
}

/** The servers people configured, and those that ship: kept in the store, run by the MCP service. */
export class Servers {
  readonly #store: Store;
  readonly #mcp: McpService;
  readonly #sessions: SessionServers;
  readonly #pins: ToolPins;
  readonly #box: SecretBox;
  readonly #now: () => number;
  readonly #builtinIds = new Set<string>();
  /** Told of every change, so that other hosts on the same database can hear of it. */
  onChange: () => void = () => undefined;

  constructor(parts: {
    store: Store;
    mcp: McpService;
    sessions: SessionServers;
    pins: ToolPins;
    box: SecretBox;
    now: () => number;
  }) {
    this.#store = parts.store;
    this.#mcp = parts.mcp;
    this.#sessions = parts.sessions;
    this.#pins = parts.pins;
    this.#box = parts.box;
    this.#now = parts.now;
  }

  /** Hands every configured and every built-in server to the MCP service; nothing is started. */
  async load(owner: string, builtins: readonly Builtin[]): Promise<void> {
    for (const { key, name, description } of builtins) {
      const config: ServerConfig = { type: 'inMemory', builtin: key, name, description };
      const record: ServerRecord = { id: key, owner, config, createdAt: 0, updatedAt: 0 };
      this.#builtinIds.add(key);
      await this.#mcp.setServer(record);
    }
    for (const record of await listServers(this.#store.db, this.#box, owner))
      await this.#mcp.setServer(record);
  }

  /** Takes over what another host has changed; costs one small query where nothing was. */
  async reload(owner: string): Promise<void> {
    const versions = await listServerVersions(this.#store.db, owner);
    const own = this.#records(owner).filter(({ id }) => !this.#builtinIds.has(id));
    for (const { id } of own)
      if (!versions.has(id))
        await Promise.all([this.#mcp.removeServer(id), this.#sessions.endServer(id)]);
    const known = new Map(own.map(({ id, updatedAt }) => [id, updatedAt]));
    if ([...versions].every(([id, updatedAt]) => known.get(id) === updatedAt)) return;
    for (const record of await listServers(this.#store.db, this.#box, owner))
      if (known.get(record.id) !== record.updatedAt)
        await Promise.all([this.#mcp.setServer(record), this.#sessions.changed(record)]);
  }

  list(owner: string): ServerView[] {
    return this.#records(owner).map((record) => this.#toView(record));
  }

  get(owner: string, id: string): ServerView {
    return this.#toView(this.#record(owner, id));
  }

  /**
   * Adds a server, given in our own form or as another host writes it; `attachedTo` beside its fields
   * makes it a session server. What would run a command is a draft until a person approves it.
   */
  async add(owner: string, input: unknown): Promise<ServerView> {
    const { attachedTo, server } = splitAttachment(input);
    const [record] = await this.addAll(owner, [server], attachedTo ? { attachedTo } : {});
    if (!record) throw new Error('one server was to be added');
    return this.#toView(record);
  }

  /** Adds servers, with what `before` writes first: all of it is there, or nothing. */
  async addAll(
    owner: string,
    inputs: readonly unknown[],
    options: { attachedTo?: Attachment; before?: (tx: Db) => Promise<void> },
  ): Promise<ServerRecord[]> {
    const { attachedTo, before } = options;
    const at = this.#now();
    const records = inputs.map((input): ServerRecord => {
      const id = randomUUIDv7();
      const config = readServerInput(input);
      if (config.type === 'inMemory') throw builtinOnly();
      return { id, owner, config, ...(attachedTo && { attachedTo }), createdAt: at, updatedAt: at };
    });
    if (this.#records(owner).length + records.length > limits.serversPerOwner)
      throw new CeriseError('too_many_requests', `There may be ${limits.serversPerOwner} servers.`);
    await this.#store.transaction(async (tx) => {
      await before?.(tx);
      if (attachedTo) await assertAttachable(tx, owner, attachedTo);
      for (const record of records) {
        await insertServer(tx, this.#box, record);
        const details = { launchHash: this.#mcp.launchHash(record) };
        await insertAudit(tx, { owner, action: 'server.add', subject: record.id, details });
      }
    });
    for (const record of records) await this.#mcp.setServer(record);
    this.onChange();
    return records;
  }

  /**
   * Changes fields of a server's config; null removes one. A changed command needs a new approval; what
   * was allowed, trusted or stored for another command or address does not hold for the new one.
   */
  async update(owner: string, id: string, change: object): Promise<ServerView> {
    const record = this.#record(owner, id);
    if (this.#builtinIds.has(id)) throw builtinOnly();
    const merged = Object.entries({ ...record.config, ...withDisabled(change) });
    const kept = Object.fromEntries(merged.filter(([, value]) => value !== null));
    const config = readServerInput(withKeptSecrets(kept, record.config));
    if (config.type === 'inMemory') throw builtinOnly();
    assertSecretsStay(record.config, config, change);
    const next = { ...record, config, updatedAt: this.#now() };
    if (this.#mcp.launchHash(next) === this.#mcp.launchHash(record)) {
      await this.#save(next, 'server.update');
      return this.#toView(next);
    }
    const elsewhere = isElsewhere(record.config, config);
    if (elsewhere) next.config = withoutOldApprovals(config, change);
    await this.#save(next, 'server.update', this.#pins.launchChanged(next, elsewhere));
    return this.#toView(next);
  }

  /** Approves the launch a person saw; `launch_changed` if it is no longer that one. */
  async approve(owner: string, id: string, launchHash: string): Promise<ServerView> {
    const record = this.#record(owner, id);
    if (this.#mcp.launchHash(record) !== launchHash)
      throw new CeriseError('launch_changed', 'The server is no longer the one that was shown.', {
        hint: 'Look at its command again and approve that.',
      });
    const next = { ...record, approvedHash: launchHash, updatedAt: this.#now() };
    const isNew = record.approvedHash !== launchHash;
    await this.#save(next, 'server.approve', isNew ? this.#pins.launchApproved(next) : undefined);
    return this.#toView(next);
  }

  async remove(owner: string, id: string): Promise<void> {
    this.#record(owner, id);
    if (this.#builtinIds.has(id)) throw builtinOnly();
    await this.#store.transaction(async (tx) => {
      await deleteServer(tx, owner, id);
      await insertAudit(tx, { owner, action: 'server.remove', subject: id });
    });
    await Promise.all([this.#mcp.removeServer(id), this.#sessions.endServer(id)]);
    this.onChange();
  }

  /**
   * Connects what people configured, so that it is there when the first question comes. Nobody waits
   * for it: what comes of it is in the states.
   */
  async connectAll(): Promise<void> {
    const wanted = this.#mcp
      .servers()
      .filter(({ id, attachedTo }) => !this.#builtinIds.has(id) && !attachedTo)
      .filter(({ id }) => this.#mcp.status(id).state === 'idle');
    await Promise.all(wanted.map(({ id }) => this.#mcp.checkConnectivity(id)));
  }

  /** A server that was given up gets a new chance: a person asks for it. */
  async connect(owner: string, id: string): Promise<ServerView> {
    if (this.#mcp.status(this.#record(owner, id).id).state === 'failed')
      await this.#mcp.restartServer(id);
    else await this.#mcp.initClient(id);
    return this.get(owner, id);
  }

  async restart(owner: string, id: string): Promise<ServerView> {
    await this.#sessions.endServer(this.#record(owner, id).id);
    await this.#mcp.restartServer(id);
    return this.get(owner, id);
  }

  async stop(owner: string, id: string): Promise<ServerView> {
    this.#record(owner, id);
    await Promise.all([this.#mcp.stopServer(id), this.#sessions.endServer(id)]);
    return this.get(owner, id);
  }

  async tools(owner: string, id: string): Promise<ToolView[]> {
    const record = this.#record(owner, id);
    const disabled = new Set(record.config.disabledTools);
    const tools = await this.#mcp.listTools(id);
    const facts = await this.#pins.facts(record, tools);
    const { tools: named } = await this.#executable(record);
    return tools.map((tool) => ({
      name: tool.name,
      modelName: named.find(({ toolName }) => toolName === tool.name)?.name ?? '',
      ...(tool.title && { title: tool.title }),
      description: tool.description,
      inputSchema: tool.inputSchema,
      annotations: tool.annotations,
      enabled: !disabled.has(tool.name),
      ...facts.get(tool),
      ...leftOut(tool),
    }));
  }

  /** One tool, ready to run. Connects the server if need be. */
  async tool(owner: string, id: string, toolName: string): Promise<Tool> {
    const record = this.#record(owner, id);
    await this.#mcp.listTools(id);
    const { tools, failures } = await this.#executable(record);
    const tool = tools.find((each) => each.toolName === toolName);
    if (tool) return tool;
    if (failures.some((failure) => isChanged(failure, toolName))) throw toolChanged(toolName);
    throw new CeriseError('tool_not_found', `The server has no tool named ${toolName}.`, {
      hint: 'List its tools to see which there are and which are enabled.',
    });
  }

  /** Approves what a server says of a tool now, by the hash of what a person saw. */
  async approveTool(owner: string, id: string, toolName: string, hash: string): Promise<void> {
    const record = this.#record(owner, id);
    const tool = (await this.#mcp.listTools(id)).find(({ name }) => name === toolName);
    if (!tool) throw new CeriseError('tool_not_found', `The server has no tool ${toolName}.`);
    await this.#pins.approve(record, tool, hash);
  }

  logs(owner: string, id: string): string[] {
    this.#record(owner, id);
    return [...this.#mcp.logs(id), ...this.#sessions.logs(id)];
  }

  async #executable({ id, owner, attachedTo }: ServerRecord) {
    const selection = { enabled: true, mode: 'manual' as const, selectedServers: [id] };
    const places = attachedTo ? [attachedTo] : [];
    return loadTools(this.#mcp, selection, {
      attachedTo: places,
      pins: this.#pins.check(owner),
    });
  }

  /** `judged` changes what its calls are judged by. */
  async #save(record: ServerRecord, action: string, judged?: LaunchChange): Promise<void> {
    const launchHash = this.#mcp.launchHash(record);
    await this.#store.transaction(async (tx) => {
      await updateServer(tx, this.#box, record);
      await insertAudit(tx, {
        owner: record.owner,
        action,
        subject: record.id,
        details: { launchHash },
      });
      await judged?.rows(tx);
    });
    judged?.committed();
    await Promise.all([this.#mcp.setServer(record), this.#sessions.changed(record)]);
    this.onChange();
  }

  #records(owner: string): ServerRecord[] {
    return this.#mcp.servers().filter((record) => record.owner === owner);
  }

  #record(owner: string, id: string): ServerRecord {
    const record = this.#records(owner).find((each) => each.id === id);
    if (record) return record;
    throw new CeriseError('server_not_found', 'There is no such server.', {
      hint: 'List the servers to see which there are.',
    });
  }

  #toView(record: ServerRecord): ServerView {
    const { state, reason, since, retryAt } =
      this.#sessions.status(record.id) ?? this.#mcp.status(record.id);
    return {
      id: record.id,
      name: record.config.name,
      type: record.config.type,
      state,
      ...(reason && { reason }),
      since,
      ...(retryAt && { retryAt }),
      builtin: this.#builtinIds.has(record.id),
      ...(record.attachedTo && { attachedTo: record.attachedTo }),
      launchHash: this.#mcp.launchHash(record),
      config: withoutSecrets(record.config),
    };
  }
}

/** The models that are not offered a tool: those without words for it, or all where it is unusable. */
function leftOut({ inputSchema, problem: reason }: McpTool): Pick<ToolView, 'leftOut'> {
  const found = reason
    ? toolVendors.map((dialect) => ({ dialect, reason }))
    : vendorsWithout(processJsonSchema(inputSchema));
  return found.length > 0 ? { leftOut: found } : {};
}

function isChanged({ error }: LoadFailure, toolName: string): boolean {
  const { toolName: changed } = (error.details ?? {}) as { toolName?: string };
  return error.code === 'tool_changed' && changed === toolName;
}

/** What a server is attached to stands beside the fields of its config. */
function splitAttachment(input: unknown): { attachedTo?: Attachment; server: unknown } {
  if (!isJsonObject(input) || input.attachedTo === undefined) return { server: input };
  const { attachedTo, ...server } = input;
  const parsed = attachmentSchema.safeParse(attachedTo);
  if (parsed.success) return { attachedTo: parsed.data, server };
  throw new CeriseError('invalid_server', 'attachedTo names neither an assistant nor a topic.', {
    hint: 'Write {"assistant": id} or {"topic": id}.',
  });
}

/** Other hosts' words for it: a server that is to be enabled must not stay disabled. */
function withDisabled(change: object): object {
  const { enabled, isActive, ...rest } = change as { enabled?: unknown; isActive?: unknown };
  const on = enabled ?? isActive;
  return typeof on === 'boolean' ? { disabled: !on, ...rest } : change;
}

function builtinOnly(): CeriseError {
  return new CeriseError('invalid_server', 'Servers that ship with Cerise cannot be changed.');
}
