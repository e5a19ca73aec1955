import { randomUUIDv7 } from 'node:crypto';
import type { Sandbox } from '#mcp/process/sandbox.ts';
import type { McpService } from '#mcp/service/mcp-service.ts';
import type { ServerView, ToolView } from '#shared/api/api.ts';
import { readServerInput } from '#shared/api/server-input.ts';
import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import type { Limits } from '#shared/vocabulary/limits.ts';
import type { SecretBox } from '#shared/vocabulary/ports.ts';
import type { Within } from '#shared/vocabulary/server-limit.ts';
import type { InstalledFrom } from '#shared/vocabulary/server/installed-from.ts';
import {
  type Attachment,
  serverConfigSchema,
  type ServerRecord,
} from '#shared/vocabulary/server.ts';
import type { Tool } from '#shared/vocabulary/tool.ts';
import {
  deleteServer,
  holdServer,
  insertServer,
  updateServer,
} from '#store/configuration/servers.ts';
import { transactSerially } from '#store/database/transact-serially.ts';
import type { Db, Store } from '#store/database/store.ts';
import { insertAudit } from '#store/people/audit.ts';
import { assertMaySet } from '../people/admin-fields.ts';
import type { Users } from '../people/users.ts';
import { adminOnly, assertStill } from '../people/visitor.ts';
import type { LaunchChange, ToolPins } from '../policy/policy-pins.ts';
import type { Signals } from '../topic/signals.ts';
import {
  applyChange,
  assertMayKeep,
  assertNoBundle,
  assertRoom,
  builtinOnly,
  launchChanged,
  splitInput,
} from './server-input.ts';
import { assertListed } from './catalogue-limit.ts';
import { countTools, withLastUse } from './listed-facts.ts';
import { type LoadedServers, serverNotFound } from './loaded-servers.ts';
import { assertSecretsStay, launchMove, onlyNarrows, withoutOldApprovals } from './server-move.ts';
import { restoreSecrets } from './server-secrets.ts';
import { executable, readyTool, toolViews } from './server-tools.ts';
import { toServerView } from './server-view.ts';
import { assertAttachable, type SessionServers } from './session-servers.ts';
import { unlessInstalling } from './unless-installing.ts';

/** How servers are added. */
interface AddOptions {
  attachedTo?: Attachment;
  /** Absent: what an admin adds is shared. */
  shared?: boolean;
  /** The entry of the catalogue that it comes from. */
  installedFrom?: InstalledFrom;
  /** What is added runs from a bundle that `after` claims. */
  isBundle?: true;
  before?: (tx: Db) => Promise<void>;
  after?: (tx: Db, record: ServerRecord) => Promise<void>;
}

interface ServersDeps {
  store: Store;
  mcp: McpService;
  sessions: SessionServers;
  loaded: LoadedServers;
  pins: ToolPins;
  box: SecretBox;
  users: Pick<Users, 'isAdmin'>;
  limits: Pick<Limits, 'serversPerOwner'>;
  signals: Signals;
  sandbox: Pick<Sandbox, 'removeFolder'>;
  now: () => number;
}

/**
 * The servers people configured, and those that ship: kept in the store, run by the MCP service. What an
 * admin shares everybody may use, and admins may change.
 */
export class Servers {
  readonly #deps: ServersDeps;

  constructor(deps: ServersDeps) {
    this.#deps = deps;
  }

  list(owner: string): ServerView[] {
    return this.#deps.loaded.visible(owner).map((record) => this.#toView(owner, record));
  }

  /** The list with when each was last used, which is not in memory, and how many tools a connected one has. */
  async listUsed(owner: string): Promise<ServerView[]> {
    await countTools(this.#deps.mcp, this.list(owner));
    return withLastUse(this.#deps.store.db, owner, this.list(owner));
  }

  get(owner: string, id: string): ServerView {
    return this.#toView(owner, this.usable(owner, id));
  }

  /** A server that an owner may use: theirs, or one that is shared. Throws `server_not_found`. */
  usable(owner: string, id: string): ServerRecord {
    return this.#deps.loaded.find(owner, id);
  }

  /** A server that an owner may change. Throws `admin_only` for one that is only shared with them. */
  managed(owner: string, id: string): ServerRecord {
    const record = this.usable(owner, id);
    if (record.owner === owner || this.#deps.users.isAdmin(owner)) return record;
    throw adminOnly(
      say('server-shared')`This server is shared by an admin. You can use it, but not change it.`,
    );
  }

  /** Throws `server_not_found` unless an owner, or their key, may use all of these, by id or by name. */
  async check(owner: string, named: readonly string[], within?: Within): Promise<void> {
    await this.#deps.loaded.check(owner, named, within);
  }

  /**
   * Adds a server, given in our own form or as another host writes it; `attachedTo` beside its fields
   * makes it a session server. What would run a command is a draft until a person approves it.
   */
  async add(
    owner: string,
    input: unknown,
    more: Pick<AddOptions, 'installedFrom' | 'after'> = {},
  ): Promise<ServerView> {
    const { attachedTo, shared, server } = splitInput(input);
    const options = { ...(attachedTo && { attachedTo }), ...(shared !== undefined && { shared }) };
    const [record] = await this.addAll(owner, [server], { ...options, ...more });
    if (!record) throw new Error('one server was to be added');
    return this.#toView(owner, record);
  }

  /** Adds servers, with what `before` and `after` write: all of it is there, or nothing. */
  async addAll(
    owner: string,
    inputs: readonly unknown[],
    options: AddOptions,
  ): Promise<ServerRecord[]> {
    const { attachedTo, before, installedFrom } = options;
    const at = this.#deps.now();
    const isAdmin = this.#deps.users.isAdmin(owner);
    const mayShare = isAdmin && !attachedTo;
    const shared = mayShare && (options.shared ?? true);
    // Those of one time are listed by their ids, so that what was pasted keeps its order.
    const ids = inputs.map(() => randomUUIDv7()).sort();
    const records = ids.map((id, index): ServerRecord => {
      const config = readServerInput(inputs[index]);
      if (config.type === 'inMemory') throw builtinOnly();
      const facts = { id, owner, config, shared, createdAt: at, updatedAt: at };
      return {
        ...facts,
        ...(attachedTo && { attachedTo }),
        ...(installedFrom && { installedFrom }),
      };
    });
    if (!isAdmin) await assertMayKeep(this.#deps.store, owner, records, options);
    if (!options.isBundle) for (const { config } of records) assertNoBundle(config);
    await transactSerially(this.#deps.store, `servers ${owner}`, async (tx) => {
      await assertStill(tx, this.#deps.store.dialect, owner, isAdmin);
      if (!isAdmin) await assertListed(tx, records);
      await assertRoom(tx, owner, records.length, this.#deps.limits.serversPerOwner);
      await before?.(tx);
      if (attachedTo) await assertAttachable(tx, owner, attachedTo);
      for (const record of records) {
        await insertServer(tx, this.#deps.box, record);
        await options.after?.(tx, record);
        const details = { launchHash: this.#deps.mcp.launchHash(record) };
        await insertAudit(tx, { owner, action: 'server.add', subject: record.id, details });
      }
    });
    for (const record of records) await this.#deps.loaded.set(record);
    void this.#deps.signals.tell('tell-changed', {});
    return records;
  }

  /**
   * Changes fields of a server's config; null removes one. A changed command needs a new approval; what
   * was allowed, trusted or stored for another command or address does not hold for the new one.
   */
  async update(owner: string, id: string, change: object): Promise<ServerView> {
    const present = this.managed(owner, id);
    if (!this.#deps.users.isAdmin(owner)) {
      const changed = this.#changed(present, change);
      await assertMayKeep(this.#deps.store, owner, [changed], change);
      if (launchMove(present.config, changed.config) !== 'none')
        await assertListed(this.#deps.store.db, [{ config: changed.config }]);
    }
    return this.#save(owner, present, 'server.update', (record) => {
      const next = this.#changed(record, change);
      const { mcp } = this.#deps;
      const [hash, present] = [mcp.launchHash(next), mcp.launchHash(record)];
      if (hash === present) return { next };
      if (onlyNarrows(record.config, next.config)) {
        if (record.approvedHash === present) next.approvedHash = hash;
        return { next };
      }
      const move = launchMove(record.config, next.config);
      if (move !== 'none') next.config = withoutOldApprovals(next.config, change);
      return { next, judged: this.#deps.pins.launchChanged(next, move) };
    });
  }

  /** Puts another launch in the place of a server's, with what `within` writes; it needs a new approval. */
  async relaunch(
    owner: string,
    id: string,
    launch: (present: ServerRecord) => Pick<ServerRecord, 'config' | 'installedFrom'>,
    within: (tx: Db, record: ServerRecord) => Promise<void>,
  ): Promise<ServerView> {
    return this.#save(owner, this.managed(owner, id), 'server.update', (record) => {
      const next = { ...record, ...launch(record) };
      if (!this.#deps.users.isAdmin(owner)) assertMaySet(serverConfigSchema, next.config);
      const isSame = this.#deps.mcp.launchHash(next) === this.#deps.mcp.launchHash(record);
      if (!isSame) next.config = withoutOldApprovals(next.config, {});
      const judged = isSame ? undefined : this.#deps.pins.launchChanged(next, 'elsewhere');
      const rows = async (tx: Db) => {
        await within(tx, next);
        await judged?.rows(tx);
      };
      return { next, judged: { rows, committed: () => judged?.committed() } };
    });
  }

  #changed(record: ServerRecord, change: object): ServerRecord {
    if (record.config.type === 'inMemory') throw builtinOnly();
    assertNoBundle(change);
    const { shared = record.shared, ...fields } = change as { shared?: boolean };
    const merged = Object.entries(applyChange(record.config, fields));
    const kept = Object.fromEntries(merged.filter(([, value]) => value !== null));
    const config = readServerInput(restoreSecrets(kept, record.config), 'seconds');
    if (config.type === 'inMemory') throw builtinOnly();
    assertSecretsStay(record.config, config, change);
    const mayShare = this.#deps.users.isAdmin(record.owner) && !record.attachedTo;
    return { ...record, config, ...(mayShare && { shared: shared === true }) };
  }

  /** A server whose launch somebody may approve; throws `launch_changed` if it is no longer the one they saw. */
  async approvable(owner: string, id: string, launchHash: string): Promise<ServerRecord> {
    const present = this.managed(owner, id);
    if (!this.#deps.users.isAdmin(owner)) await assertMayKeep(this.#deps.store, owner, [present]);
    if (this.#deps.mcp.launchHash(present) !== launchHash) throw launchChanged();
    return present;
  }

  /** Approves the launch a person saw. */
  async approve(owner: string, id: string, launchHash: string): Promise<ServerView> {
    const present = await this.approvable(owner, id, launchHash);
    return this.#save(owner, present, 'server.approve', (record) => {
      if (this.#deps.mcp.launchHash(record) !== launchHash) throw launchChanged();
      const next = { ...record, approvedHash: launchHash };
      const isNew = record.approvedHash !== launchHash;
      return { next, ...(isNew && { judged: this.#deps.pins.launchApproved(next) }) };
    });
  }

  async remove(owner: string, serverId: string): Promise<void> {
    const { id, config, owner: whose } = this.managed(owner, serverId);
    if (config.type === 'inMemory') throw builtinOnly();
    await transactSerially(this.#deps.store, `server ${id}`, async (tx) => {
      await assertStill(tx, this.#deps.store.dialect, owner, whose !== owner);
      if (!(await deleteServer(tx, whose, id))) throw serverNotFound();
      await insertAudit(tx, { owner, action: 'server.remove', subject: id });
    });
    await this.#deps.loaded.drop(id);
    await this.#deps.sandbox.removeFolder(id);
    void this.#deps.signals.tell('tell-changed', {});
  }

  /**
   * Connects what people configured, so that it is there when the first question comes. Nobody waits
   * for it: what comes of it is in the states.
   */
  async connectAll(): Promise<void> {
    const wanted = this.#deps.mcp
      .servers()
      .filter(({ config, attachedTo }) => config.type !== 'inMemory' && !attachedTo)
      .filter(({ id }) => this.#deps.mcp.status(id).state === 'idle');
    await Promise.all(wanted.map(({ id }) => this.#deps.mcp.checkConnectivity(id)));
  }

  /** Retries a server that was given up, for someone who may change it. */
  async connect(owner: string, serverId: string): Promise<ServerView> {
    const { id } = this.usable(owner, serverId);
    const present = () => this.#deps.mcp.status(id).state;
    const state = present();
    if (state === 'failed')
      await unlessInstalling(this.#deps.mcp.restartServer(this.managed(owner, id).id), present);
    else {
      // One that only seems to be connected is found out, and connected anew.
      if (state === 'connected') await this.#deps.mcp.checkConnectivity(id);
      await unlessInstalling(this.#deps.mcp.initClient(id), present);
    }
    return this.get(owner, id);
  }

  async restart(owner: string, serverId: string): Promise<ServerView> {
    const { id } = this.managed(owner, serverId);
    await this.#deps.sessions.endServer(id);
    await unlessInstalling(this.#deps.mcp.restartServer(id), () => this.#deps.mcp.status(id).state);
    return this.get(owner, id);
  }

  async stop(owner: string, serverId: string): Promise<ServerView> {
    const { id } = this.managed(owner, serverId);
    await Promise.all([this.#deps.mcp.stopServer(id), this.#deps.sessions.endServer(id)]);
    return this.get(owner, id);
  }

  async tools(owner: string, id: string): Promise<ToolView[]> {
    return toolViews(this.#deps, this.usable(owner, id));
  }

  /** All tools that are ready to run, of a server that is connected. */
  async ready(owner: string, id: string): Promise<Tool[]> {
    return (await executable(this.#deps, this.usable(owner, id))).tools;
  }

  /** One tool, ready to run. Connects the server if need be. */
  async tool(owner: string, id: string, toolName: string): Promise<Tool> {
    await this.#deps.loaded.missing(owner, [id]);
    return readyTool(this.#deps, this.usable(owner, id), toolName);
  }

  /** Approves what a server says of a tool now, by the hash of what a person saw. */
  async approveTool(owner: string, id: string, toolName: string, hash: string): Promise<void> {
    const record = this.managed(owner, id);
    const tool = (await this.#deps.mcp.listTools(record.id)).find(({ name }) => name === toolName);
    if (!tool)
      throw new CeriseError(
        'tool_not_found',
        say('server-no-tool')`The server has no tool named ${toolName}.`,
      );
    await this.#deps.pins.approve(record, tool, hash);
  }

  /** What a shared server writes may be about anybody, so only who manages it reads it. */
  logs(owner: string, serverId: string): string[] {
    const { id } = this.managed(owner, serverId);
    return [...this.#deps.mcp.logs(id), ...this.#deps.sessions.logs(id)];
  }

  /**
   * Changes a server as it is in the store: others may have changed it since it was last seen here.
   * `judged` changes what its calls are judged by.
   */
  async #save(
    owner: string,
    known: ServerRecord,
    action: string,
    change: (present: ServerRecord) => { next: ServerRecord; judged?: LaunchChange },
  ): Promise<ServerView> {
    const { id, config } = known;
    if (config.type === 'inMemory') throw builtinOnly();
    const isAdmin = this.#deps.users.isAdmin(owner);
    const { dialect } = this.#deps.store;
    const { next, judged } = await transactSerially(
      this.#deps.store,
      `server ${id}`,
      async (tx) => {
        await assertStill(tx, dialect, owner, isAdmin);
        const present = await holdServer(tx, dialect, this.#deps.box, known);
        if (!present) throw serverNotFound();
        const changed = change(present);
        // Every version is newer than the one before, even where a clock is behind.
        changed.next.updatedAt = Math.max(this.#deps.now(), present.updatedAt + 1);
        await updateServer(tx, this.#deps.box, changed.next);
        const details = { launchHash: this.#deps.mcp.launchHash(changed.next) };
        await insertAudit(tx, { owner, action, subject: id, details });
        await changed.judged?.rows(tx);
        return changed;
      },
    );
    judged?.committed();
    await this.#deps.loaded.set(next);
    void this.#deps.signals.tell('tell-changed', {});
    return this.#toView(owner, next);
  }

  #toView(owner: string, record: ServerRecord): ServerView {
    const readOnly = record.owner !== owner && !this.#deps.users.isAdmin(owner);
    const status = this.#deps.sessions.status(record.id) ?? this.#deps.mcp.status(record.id);
    const toolCount = this.#deps.mcp.toolCount(record.id);
    return toServerView(
      record,
      { ...status, toolCount },
      this.#deps.mcp.launchHash(record),
      readOnly,
    );
  }
}
