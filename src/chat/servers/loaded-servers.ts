import type { McpService } from '#mcp/service/mcp-service.ts';
import { Rereading } from '#shared/async/rereading.ts';
import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import type { SecretBox } from '#shared/vocabulary/ports.ts';
import { allowsServer, type Within } from '#shared/vocabulary/server-limit.ts';
import type { ServerConfig, ServerRecord } from '#shared/vocabulary/server.ts';
import { listServers, listServerVersions } from '#store/configuration/servers.ts';
import type { Store } from '#store/database/store.ts';
import { localOwner, type Users } from '../people/users.ts';
import type { SessionServers } from './session-servers.ts';

/** A server that ships with Cerise, as the list of servers shows it. */
export interface Builtin {
  key: string;
  name: string;
  description: string;
}

interface LoadedDeps {
  store: Store;
  mcp: McpService;
  sessions: SessionServers;
  box: SecretBox;
  users: Pick<Users, 'isAdmin' | 'admins'>;
  builtins: readonly Builtin[];
  /** Whether a call of this owner runs. */
  isBusy: (owner: string) => boolean;
  /** Told of a server that somebody removed, on this host or another. */
  onRemoved: (record: ServerRecord) => void;
  now: () => number;
}

/** How long the servers of somebody who does nothing stay known, and for how many people at once. */
const maxIdleMs = 30 * 60_000;
const maxOwners = 200;
/** Nobody is forgotten in the middle of a request. */
const minIdleMs = 60_000;

/**
 * The servers that the MCP service knows. Those of admins are there from the start, since they may be
 * everybody's; those of other people are loaded with their first request and unloaded when they are idle.
 */
export class LoadedServers {
  readonly #deps: LoadedDeps;
  readonly #owners = new Map<string, { loaded: Promise<void>; usedAt: number }>();
  readonly #reading = new Rereading(() => this.#read());

  constructor(deps: LoadedDeps) {
    this.#deps = deps;
  }

  async start(): Promise<void> {
    for (const owner of this.#deps.users.admins()) await this.prepare(owner);
  }

  /** Makes sure that the servers of an owner are known; nothing is started. */
  async prepare(owner: string): Promise<void> {
    const before = this.#owners.get(owner);
    const entry = { loaded: before?.loaded ?? this.#load(owner), usedAt: this.#deps.now() };
    this.#owners.delete(owner);
    this.#owners.set(owner, entry);
    try {
      await entry.loaded;
    } catch (error) {
      if (this.#owners.get(owner)?.loaded === entry.loaded) this.#owners.delete(owner);
      throw error;
    }
    if (!before) await this.#forgetIdle();
  }

  /** Throws `server_not_found` unless an owner, or their key, may use all of these, by id or by name. */
  async check(owner: string, named: readonly string[], within?: Within): Promise<void> {
    if (named.length === 0) return;
    for (const each of await this.missing(owner, named)) this.find(owner, each);
    if (within && named.some((each) => !this.isNamed(owner, each, within))) throw serverNotFound();
  }

  /** Undefined where there is no such server. */
  ownerOf(serverId: string): string | undefined {
    return this.#deps.mcp.servers().find(({ id }) => id === serverId)?.owner;
  }

  /** Ends and forgets all servers of an owner; the next `prepare` reads them again. */
  async unload(owner: string): Promise<void> {
    this.#owners.delete(owner);
    await Promise.all(this.own(owner).map(({ id }) => this.remove(id)));
  }

  /** Takes over what another host has changed; costs one small query where nothing was. */
  reload(): Promise<void> {
    return this.#reading.load();
  }

  /** The same immediately, for requests that show servers; on SQLite there is no other host. */
  async refresh(): Promise<void> {
    if (this.#deps.store.dialect === 'postgres') await this.reload();
  }

  /**
   * Servers may come, change and go here while the store is read. What is known is noted first, so what
   * comes later is not missed in an older answer; and what has gone since is not taken from one.
   */
  async #read(): Promise<void> {
    const { store, box } = this.#deps;
    const owners = [...this.#owners.keys()];
    const own = owners.flatMap((owner) => this.own(owner)).filter(({ id }) => !this.isBuiltin(id));
    const updatedAtById = new Map(own.map(({ id, updatedAt }) => [id, updatedAt]));
    const versions = await listServerVersions(store.db, owners);
    const ids = new Set(versions.map(({ id }) => id));
    for (const { id } of own) if (!ids.has(id)) await this.drop(id);
    const changed = versions.filter(({ id, updatedAt }) => updatedAtById.get(id) !== updatedAt);
    for (const owner of new Set(changed.map((version) => version.owner)))
      for (const record of await listServers(store.db, box, owner)) {
        const isNews = updatedAtById.get(record.id) !== record.updatedAt;
        const hasGone = updatedAtById.has(record.id) && !this.#known(record.id);
        if (isNews && !hasGone && this.#owners.has(owner)) await this.set(record);
      }
  }

  /** Ends a server and forgets it, if it is still known. */
  async remove(id: string): Promise<void> {
    const { mcp, sessions } = this.#deps;
    await Promise.all([this.#known(id) && mcp.removeServer(id), sessions.endServer(id)]);
  }

  /** The same for a server that was removed, which those who see it are told. */
  async drop(id: string): Promise<void> {
    const record = this.#known(id);
    await this.remove(id);
    if (record) this.#deps.onRemoved(record);
  }

  /** Adds or replaces a server, wherever it runs; a version that is older than the known one is late. */
  async set(record: ServerRecord): Promise<void> {
    const { mcp, sessions, users } = this.#deps;
    const present = this.#known(record.id);
    if (present && present.updatedAt > record.updatedAt) return;
    const { publicOnly: _, ...rest } = record;
    const known = { ...rest, ...(!users.isAdmin(record.owner) && { publicOnly: true as const }) };
    await Promise.all([mcp.setServer(known), sessions.changed(known)]);
  }

  /** Which of these, ids or names, an owner cannot use; looked for also where another host added them. */
  async missing(owner: string, named: readonly string[]): Promise<string[]> {
    await this.prepare(owner);
    const isMissing = (each: string): boolean => !this.isNamed(owner, each);
    if (named.some(isMissing)) await this.refresh();
    return named.filter(isMissing);
  }

  /** Whether an owner, or a key of theirs, may use a server that is called so, by id or by name. */
  isNamed(owner: string, name: string, within?: Within): boolean {
    const byId = this.#usable(owner, name);
    const named = byId ? [byId] : this.visible(owner).filter(({ config }) => config.name === name);
    return named.some(({ id }) => allowsServer(within, id));
  }

  own(owner: string): ServerRecord[] {
    return this.#deps.mcp.servers().filter((record) => record.owner === owner);
  }

  /** An owner's own, and what admins share. */
  visible(owner: string): ServerRecord[] {
    const { mcp, users } = this.#deps;
    return mcp
      .servers()
      .filter(
        (record) =>
          record.owner === owner ||
          (record.shared && !record.attachedTo && users.isAdmin(record.owner)),
      );
  }

  /** One that an owner may use. Built-in servers may be called by their name. */
  find(owner: string, id: string): ServerRecord {
    const record = this.#usable(owner, id);
    if (record) return record;
    throw serverNotFound();
  }

  #usable(owner: string, id: string): ServerRecord | undefined {
    const visible = this.visible(owner);
    return (
      visible.find((each) => each.id === id) ??
      visible.find((each) => each.id === builtinId(owner, id))
    );
  }

  isBuiltin(id: string): boolean {
    return this.#known(id)?.config.type === 'inMemory';
  }

  #known(id: string): ServerRecord | undefined {
    return this.#deps.mcp.servers().find((record) => record.id === id);
  }

  async #load(owner: string): Promise<void> {
    const { store, box, builtins } = this.#deps;
    for (const { key, name, description } of builtins) {
      const config: ServerConfig = { type: 'inMemory', builtin: key, name, description };
      await this.set({ id: builtinId(owner, key), owner, config, createdAt: 0, updatedAt: 0 });
    }
    // The owner may be forgotten while the list is read; servers set after that would never be ended.
    for (const record of await listServers(store.db, box, owner))
      if (this.#owners.has(owner)) await this.set(record);
  }

  async #forgetIdle(): Promise<void> {
    const { now, users, isBusy } = this.#deps;
    const people = [...this.#owners].filter(([owner]) => !users.isAdmin(owner) && !isBusy(owner));
    const tooMany = this.#owners.size - maxOwners;
    const idle = people.filter(([, { usedAt }], place) => {
      const quiet = now() - usedAt;
      return quiet > maxIdleMs || (place < tooMany && quiet > minIdleMs);
    });
    for (const [owner] of idle) await this.unload(owner);
  }
}

export function serverNotFound(): CeriseError {
  return new CeriseError('server_not_found', say('server-gone')`This server doesn't exist.`, {
    hint: say('list-servers')`List the servers to see what's available.`,
  });
}

/** Everybody has their own built-in servers; the admin of the console has the plain names. */
function builtinId(owner: string, key: string): string {
  return owner === localOwner ? key : `${key}.${owner}`;
}
