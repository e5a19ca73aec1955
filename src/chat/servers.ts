import { randomUUIDv7 } from 'node:crypto';
import type { McpService } from '#mcp/mcp-service.ts';
import type { ServerView, ToolView } from '#shared/api.ts';
import { CeriseError } from '#shared/errors.ts';
import { isJsonObject } from '#shared/json.ts';
import { limits } from '#shared/limits.ts';
import type { SecretBox } from '#shared/ports.ts';
import { type ServerConfig, type ServerRecord, serverConfigSchema } from '#shared/server.ts';
import { hiddenSecret } from '#shared/text.ts';
import type { Tool } from '#shared/tool.ts';
import { insertAudit } from '#store/audit.ts';
import { deleteServer, insertServer, listServers, updateServer } from '#store/servers.ts';
import type { Store } from '#store/store.ts';
import { loadTools } from '#tools/tools-loader.ts';

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
  readonly #box: SecretBox;
  readonly #now: () => number;
  readonly #builtinIds = new Set<string>();

  constructor(parts: { store: Store; mcp: McpService; box: SecretBox; now: () => number }) {
    this.#store = parts.store;
    this.#mcp = parts.mcp;
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

  list(owner: string): ServerView[] {
    return this.#records(owner).map((record) => this.#toView(record));
  }

  get(owner: string, id: string): ServerView {
    return this.#toView(this.#record(owner, id));
  }

  /** Adds a server. What would run a command is a draft until a person approves exactly that. */
  async add(owner: string, config: ServerConfig): Promise<ServerView> {
    if (config.type === 'inMemory') throw builtinOnly();
    const records = this.#records(owner);
    if (records.length >= limits.serversPerOwner)
      throw new CeriseError('too_many_requests', `There may be ${limits.serversPerOwner} servers.`);
    const at = this.#now();
    const record: ServerRecord = {
      id: randomUUIDv7(),
      owner,
      config,
      createdAt: at,
      updatedAt: at,
    };
    await this.#store.transaction(async (tx) => {
      await insertServer(tx, this.#box, record);
      await insertAudit(tx, {
        owner,
        action: 'server.add',
        subject: record.id,
        details: { launchHash: this.#mcp.launchHash(record) },
      });
    });
    await this.#mcp.setServer(record);
    return this.#toView(record);
  }

  /** Changes fields of a server's config; null removes one. A changed launch needs a new approval. */
  async update(owner: string, id: string, change: object): Promise<ServerView> {
    const record = this.#record(owner, id);
    if (this.#builtinIds.has(id)) throw builtinOnly();
    const merged = Object.entries({ ...record.config, ...change });
    const kept = Object.fromEntries(merged.filter(([, value]) => value !== null));
    const config = parseConfig(withKeptSecrets(kept, record.config));
    if (config.type === 'inMemory') throw builtinOnly();
    const next = { ...record, config, updatedAt: this.#now() };
    await this.#save(next, 'server.update');
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
    await this.#save(next, 'server.approve');
    return this.#toView(next);
  }

  async remove(owner: string, id: string): Promise<void> {
    this.#record(owner, id);
    if (this.#builtinIds.has(id)) throw builtinOnly();
    await this.#store.transaction(async (tx) => {
      await deleteServer(tx, owner, id);
      await insertAudit(tx, { owner, action: 'server.remove', subject: id });
    });
    await this.#mcp.removeServer(id);
  }

  async connect(owner: string, id: string): Promise<ServerView> {
    await this.#mcp.initClient(this.#record(owner, id).id);
    return this.get(owner, id);
  }

  async restart(owner: string, id: string): Promise<ServerView> {
    await this.#mcp.restartServer(this.#record(owner, id).id);
    return this.get(owner, id);
  }

  async stop(owner: string, id: string): Promise<ServerView> {
    await this.#mcp.stopServer(this.#record(owner, id).id);
    return this.get(owner, id);
  }

  async tools(owner: string, id: string): Promise<ToolView[]> {
    const { config } = this.#record(owner, id);
    const disabled = new Set(config.disabledTools);
    const tools = await this.#mcp.listTools(id);
    const named = await this.#executable(id);
    return tools.map((tool) => ({
      name: tool.name,
      modelName: named.find(({ toolName }) => toolName === tool.name)?.name ?? '',
      ...(tool.title && { title: tool.title }),
      description: tool.description,
      inputSchema: tool.inputSchema,
      annotations: tool.annotations,
      enabled: !disabled.has(tool.name),
    }));
  }

  /** One tool, ready to run. Connects the server if need be. */
  async tool(owner: string, id: string, toolName: string): Promise<Tool> {
    this.#record(owner, id);
    await this.#mcp.listTools(id);
    const tool = (await this.#executable(id)).find((each) => each.toolName === toolName);
    if (tool) return tool;
    throw new CeriseError('tool_not_found', `The server has no tool named ${toolName}.`, {
      hint: 'List its tools to see which there are and which are enabled.',
    });
  }

  logs(owner: string, id: string): string[] {
    return this.#mcp.logs(this.#record(owner, id).id);
  }

  async #executable(id: string): Promise<Tool[]> {
    const selection = { enabled: true, mode: 'manual' as const, selectedServers: [id] };
    return (await loadTools(this.#mcp, selection)).tools;
  }

  async #save(record: ServerRecord, action: string): Promise<void> {
    const launchHash = this.#mcp.launchHash(record);
    await this.#store.transaction(async (tx) => {
      await updateServer(tx, this.#box, record);
      await insertAudit(tx, {
        owner: record.owner,
        action,
        subject: record.id,
        details: { launchHash },
      });
    });
    await this.#mcp.setServer(record);
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
    const { state, reason } = this.#mcp.status(record.id);
    return {
      id: record.id,
      name: record.config.name,
      type: record.config.type,
      state,
      ...(reason && { reason }),
      builtin: this.#builtinIds.has(record.id),
      launchHash: this.#mcp.launchHash(record),
      config: withoutSecrets(record.config),
    };
  }
}

/** Values of environment variables and headers are never read back; their names are. */
function withoutSecrets(config: ServerConfig): unknown {
  const hide = (values: Record<string, string>) =>
    Object.fromEntries(Object.keys(values).map((key) => [key, hiddenSecret]));
  if (config.type === 'stdio') return { ...config, env: hide(config.env) };
  if (config.type === 'inMemory' || !config.headers) return config;
  return { ...config, headers: hide(config.headers) };
}

/** A value that comes back as it was shown means: unchanged. */
function withKeptSecrets(next: object, present: ServerConfig): object {
  const values = 'env' in present ? present.env : 'headers' in present ? present.headers : {};
  const keep = (sent: unknown) =>
    isJsonObject(sent)
      ? Object.fromEntries(
          Object.entries(sent).map(([key, value]) => [
            key,
            value === hiddenSecret ? values?.[key] : value,
          ]),
        )
      : sent;
  if ('env' in next) return { ...next, env: keep(next.env) };
  return 'headers' in next ? { ...next, headers: keep(next.headers) } : next;
}

function parseConfig(value: unknown): ServerConfig {
  const parsed = serverConfigSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new CeriseError('invalid_server', `${issue?.path.join('.')}: ${issue?.message}`);
}

function builtinOnly(): CeriseError {
  return new CeriseError('invalid_server', 'Servers that ship with Cerise cannot be changed.');
}
