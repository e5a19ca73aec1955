import { z } from 'zod';
import type {
  InstalledEntry,
  installEntrySchema,
  RegistryList,
  RegistrySearch,
  SetRegistries,
} from '#shared/api/registry-api.ts';
import { pickedRegistry, registryViewSchema } from '#shared/api/registry-api.ts';
import { CeriseError, toErrorInfo } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import { readPage, replacePages } from '#store/configuration/registry-pages.ts';
import { getSetting, setSetting } from '#store/configuration/settings.ts';
import { transactSerially } from '#store/database/transact-serially.ts';
import type { Db, Store } from '#store/database/store.ts';
import { insertAudit } from '#store/people/audit.ts';
import { localOwner, type Users } from '../people/users.ts';
import { assertStill, type Visitor } from '../people/visitor.ts';
import { importServers } from '../servers/server-import.ts';
import type { Servers } from '../servers/servers.ts';
import { type CopiedEntry, ranked, toCopied } from './copied-entry.ts';
import { fetchRegistry } from './fetch-registry.ts';
import { pickedServers } from './picked-servers.ts';

const settingKey = 'registries';
const storedSchema = z.array(registryViewSchema.extend({ url: z.string() }));
type Stored = z.output<typeof storedSchema>[number];

/** Unless an admin chooses others. */
const defaults: Stored[] = [
  {
    id: 'official',
    name: 'MCP Registry',
    url: 'https://registry.modelcontextprotocol.io',
    count: 0,
  },
];
const picked = pickedServers.flatMap((server) => toCopied(pickedRegistry, server) ?? []);

/** A check that is under way, for everyone who asked for it. */
interface Check {
  done: Promise<void>;
  end: AbortController;
  waiting: number;
}

interface RegistryDeps {
  store: Store;
  servers: Pick<Servers, 'list' | 'add'>;
  users: Pick<Users, 'isAdmin'>;
  /** Private addresses that may be fetched from. */
  fetchAllow: () => Promise<readonly string[]>;
  now: () => number;
}

/**
 * The catalogue: what registries list, read from their last copy in the database, which all hosts on it share.
 * Nothing is fetched unless somebody asks for a check. What is installed comes in as any import does: as a draft.
 */
export class Registry {
  readonly #deps: RegistryDeps;
  readonly #copies = new Map<string, { at: number; entries: CopiedEntry[] }>();
  readonly #checks = new Map<string, Check>();

  constructor(deps: RegistryDeps) {
    this.#deps = deps;
  }

  async list(): Promise<RegistryList> {
    const own = { id: pickedRegistry, name: 'Cerise', count: picked.length };
    return { registries: [own, ...(await readStored(this.#deps.store.db))] };
  }

  /** Which registries there are; for admins. The copy of one that stays where it was stays too. */
  async set(owner: string, { registries }: SetRegistries): Promise<RegistryList> {
    const ids = new Set([pickedRegistry, ...registries.map(({ id }) => id)]);
    if (ids.size <= registries.length)
      throw new CeriseError('conflict', say('registry-id-taken')`Two registries have the same id.`);
    await this.#change(owner, async (present, tx) => {
      const isKept = (one: { id: string; url: string }) =>
        registries.some(({ id, url }) => id === one.id && url === one.url);
      for (const one of present) if (!isKept(one)) await replacePages(tx, one.id, []);
      return registries.map((next) => {
        const before = present.find(({ id, url }) => id === next.id && url === next.url);
        return { count: 0, ...before, ...next };
      });
    });
    return this.list();
  }

  /** Fetches registries anew, one or all. One that fails keeps its copy and says why; the others go on. */
  async check(registry: string | undefined, signal: AbortSignal): Promise<RegistryList> {
    const all = await readStored(this.#deps.store.db);
    const wanted = all.filter(({ id }) => registry === undefined || id === registry);
    if (registry !== undefined && registry !== pickedRegistry && wanted.length === 0)
      throw notFound();
    await Promise.all(wanted.map((one) => this.#join(one, signal)));
    return this.list();
  }

  async search(wanted: {
    search: string;
    registry?: string | undefined;
    limit: number;
  }): Promise<RegistrySearch> {
    const { search, registry, limit } = wanted;
    const found = ranked(await this.#entries(registry), search);
    return { entries: found.slice(0, limit), total: found.length };
  }

  /** Adds what an entry offers, or says what would be added: exactly the version that was shown. */
  async install(
    visitor: Pick<Visitor, 'owner' | 'role'>,
    { registry, name, version, ...rest }: z.output<typeof installEntrySchema>,
  ): Promise<InstalledEntry> {
    const entries = await this.#entries(registry);
    const found = entries.find(({ view }) => view.name === name);
    if (!found) throw notFound();
    if (found.view.version !== version)
      throw new CeriseError(
        'conflict',
        say('registry-other-version')`The catalogue now has version ${found.view.version}.`,
        { hint: say('registry-other-version-hint')`Look at it again before you add it.` },
      );
    const request = { ...rest, text: JSON.stringify(found.server) };
    const imported = await importServers(this.#deps.servers, visitor, request);
    const added = imported.entries.flatMap(({ server }) => server ?? []);
    await this.#deps.store.transaction(async (tx) => {
      for (const { id } of added)
        await insertAudit(tx, {
          owner: visitor.owner,
          action: 'server.install',
          subject: id,
          details: { registry, name, version },
        });
    });
    return { ...imported, entry: found.view };
  }

  async #entries(registry: string | undefined): Promise<CopiedEntry[]> {
    const stored = await readStored(this.#deps.store.db);
    const wanted = stored.filter(({ id }) => registry === undefined || id === registry);
    const isPicked = registry === undefined || registry === pickedRegistry;
    if (!isPicked && wanted.length === 0) throw notFound();
    const all = isPicked ? [...picked] : [];
    for (const one of wanted) for (const entry of await this.#copy(one)) all.push(entry);
    return all;
  }

  /** Read page by page, and again only once another host or a check has replaced it. */
  async #copy({ id, copiedAt }: Stored): Promise<CopiedEntry[]> {
    if (copiedAt === undefined) return [];
    const known = this.#copies.get(id);
    if (known?.at === copiedAt) return known.entries;
    const entries: CopiedEntry[] = [];
    for (let at = 0; ; at += 1) {
      const page = await readPage(this.#deps.store.db, id, at);
      if (!Array.isArray(page)) break;
      for (const each of page) entries.push(...[toCopied(id, each) ?? []].flat());
    }
    this.#copies.set(id, { at: copiedAt, entries });
    return entries;
  }

  /** One check of a registry at a time; it ends when everyone who waits for it has left. */
  async #join(registry: Stored, signal: AbortSignal): Promise<void> {
    const check = this.#checks.get(registry.id) ?? this.#start(registry);
    check.waiting += 1;
    const left = Promise.withResolvers<never>();
    const leave = () => {
      check.waiting -= 1;
      if (check.waiting === 0) check.end.abort(signal.reason);
      left.reject(cancelled(signal.reason));
    };
    signal.addEventListener('abort', leave, { once: true });
    try {
      await Promise.race([check.done, left.promise]);
    } finally {
      signal.removeEventListener('abort', leave);
    }
  }

  #start(registry: Stored): Check {
    const end = new AbortController();
    const done = this.#fetch(registry, end.signal).finally(() => this.#checks.delete(registry.id));
    const check = { done, end, waiting: 0 };
    this.#checks.set(registry.id, check);
    return check;
  }

  async #fetch({ id, url }: Stored, signal: AbortSignal): Promise<void> {
    // An address that an admin entered may be private; the default one may not.
    const own = defaults.some((one) => one.url === url) ? [] : [new URL(url).host];
    const allow = [...(await this.#deps.fetchAllow()), ...own];
    try {
      const pages = await fetchRegistry(url, allow, signal);
      await this.#note(id, url, async (tx) => {
        await replacePages(tx, id, pages);
        return { count: pages.flat().length, copiedAt: this.#deps.now() };
      });
    } catch (error) {
      // Nothing is wrong with a registry that nobody waited for.
      if (!(error instanceof CeriseError) || signal.aborted) throw error;
      await this.#note(id, url, async () => ({ error: toErrorInfo(error) }));
    }
  }

  async #note(id: string, url: string, work: (tx: Db) => Promise<Partial<Stored>>): Promise<void> {
    await this.#change(undefined, async (present, tx) => {
      if (!present.some((one) => one.id === id && one.url === url)) return present;
      const facts = await work(tx);
      return present.map((one) => {
        if (one.id !== id) return one;
        const { error: _, ...kept } = one;
        return { ...kept, ...facts };
      });
    });
  }

  async #change(
    owner: string | undefined,
    next: (present: Stored[], tx: Db) => Promise<Stored[]>,
  ): Promise<void> {
    const { store } = this.#deps;
    await transactSerially(store, settingKey, async (tx) => {
      if (owner !== undefined) await assertStill(tx, store.dialect, owner, true);
      await setSetting(tx, localOwner, settingKey, await next(await readStored(tx), tx));
      if (owner !== undefined)
        await insertAudit(tx, { owner, action: 'registry.set', subject: settingKey });
    });
  }
}

async function readStored(db: Db): Promise<Stored[]> {
  const parsed = storedSchema.safeParse(await getSetting(db, localOwner, settingKey));
  return parsed.data ?? defaults;
}

function cancelled(cause: unknown): CeriseError {
  return new CeriseError('cancelled', say('request-cancelled')`The request was cancelled.`, {
    cause,
  });
}

function notFound(): CeriseError {
  return new CeriseError(
    'not_found',
    say('registry-no-entry')`The catalogue doesn't have this entry.`,
    { hint: say('registry-no-entry-hint')`Check the registry for changes, then search again.` },
  );
}
