import type { ServerRecord } from '#shared/vocabulary/server.ts';
import type { Visitor } from '../people/visitor.ts';
import { serverFor, withinOf } from '../servers/key-rights.ts';
import { serverNotFound } from '../servers/loaded-servers.ts';
import type { DoorDeps, DoorNews } from './door-deps.ts';
import { Door } from './door.ts';

interface Listener {
  door: Door;
  tell: (news: DoorNews) => void;
  /** What servers there were when it was last told. */
  seen: string;
}

/** Opens doors: all that a visitor may use as one MCP server, or one server with its own names. */
export class Doors {
  readonly #deps: DoorDeps;
  readonly #listeners = new Set<Listener>();
  readonly #closers = new Set<() => void>();

  constructor(deps: DoorDeps) {
    this.#deps = deps;
    const { signals } = deps;
    signals.on('server-said', (said) => this.#pass(said.serverId, said));
    signals.on('tell-changed', () => this.#look());
    signals.on('heard-changed', () => this.#look());
  }

  /** `name` is a server by its id or name; absent: all of them. Throws `server_not_found`. */
  async open(visitor: Visitor, name?: string): Promise<Door> {
    if (name === undefined) return new Door(this.#deps, visitor);
    return new Door(this.#deps, visitor, (await this.#find(visitor, name)).id);
  }

  /** Tells what changes behind a door until the result is called. */
  listen(door: Door, tell: (news: DoorNews) => void): () => void {
    const listener = { door, tell, seen: door.fingerprint };
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Calls back when the host drains, unless the result is called before. */
  onClose(end: () => void): () => void {
    this.#closers.add(end);
    return () => void this.#closers.delete(end);
  }

  /** Ends what programs hold open; calls that run go on. */
  close(): void {
    for (const end of this.#closers) end();
    this.#closers.clear();
  }

  async #find(visitor: Visitor, name: string): Promise<ServerRecord> {
    const { loaded, servers } = this.#deps;
    await loaded.missing(visitor.owner, [name]);
    const within = withinOf(visitor);
    const named = loaded
      .visible(visitor.owner)
      .filter(({ id, config }) => config.name === name && loaded.isNamed(visitor.owner, id, within))
      .toSorted((a, b) => Number(b.owner === visitor.owner) - Number(a.owner === visitor.owner));
    const isId = loaded.visible(visitor.owner).some(({ id }) => id === name);
    const record = serverFor(servers, visitor, isId ? name : (named[0]?.id ?? name));
    if (record.attachedTo) throw serverNotFound();
    return record;
  }

  #pass(
    serverId: string,
    news:
      | { kind: 'list'; list: 'tools' | 'prompts' | 'resources' }
      | { kind: 'log'; level: string; text: string },
  ): void {
    for (const { door, tell } of this.#listeners) {
      const server = door.servers().find(({ id }) => id === serverId);
      if (!server) continue;
      if (news.kind === 'list') tell({ kind: 'list', list: news.list });
      else if (door.manages(server))
        tell({ kind: 'log', level: news.level, text: news.text, serverName: server.config.name });
    }
  }

  /** Servers may have come, changed or gone, here or on another host. */
  #look(): void {
    for (const listener of this.#listeners) {
      const { fingerprint } = listener.door;
      if (fingerprint === listener.seen) continue;
      listener.seen = fingerprint;
      for (const list of ['tools', 'prompts', 'resources'] as const)
        listener.tell({ kind: 'list', list });
    }
  }
}
