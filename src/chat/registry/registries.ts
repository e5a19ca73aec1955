import { z } from 'zod';
import type { RegistryList, SetRegistries } from '#shared/api/registry-api.ts';
import { registryViewSchema } from '#shared/api/registry-api.ts';
import { pickedRegistry } from '#shared/messages/builtin-tool.ts';
import { CeriseError, toErrorInfo } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import { readPage, replacePages } from '#store/configuration/registry-pages.ts';
import { getSetting, setSetting } from '#store/configuration/settings.ts';
import { inSlices } from '#store/database/slices.ts';
import { transactSerially } from '#store/database/transact-serially.ts';
import type { Db, Store } from '#store/database/store.ts';
import { insertAudit } from '#store/people/audit.ts';
import { localOwner } from '../people/users.ts';
import { assertStill } from '../people/visitor.ts';
import { readLimit, setLimit } from '../servers/catalogue-limit.ts';
import { type CopiedEntry, toCopied, toVersion } from './copied-entry.ts';
import { fetchRegistry, fetchVersions, isFile, readRegistryFile } from './fetch-registry.ts';
import { pickedServers } from './picked-servers.ts';
import { SharedWork } from './shared-work.ts';

const settingKey = 'registries';
const storedSchema = z.array(registryViewSchema);
type Stored = z.output<typeof storedSchema>[number];

/** The registries unless an admin sets others. */
const defaults: Stored[] = [
  {
    id: 'official',
    name: 'MCP Registry',
    url: 'https://registry.modelcontextprotocol.io',
    count: 0,
  },
];
const picked = pickedServers.flatMap((server) => toCopied(pickedRegistry, server) ?? []);

/** How long a copy counts as fresh, and how long a registry that failed is not tried again. */
const freshMs = { copied: 24 * 3600_000, failed: 15 * 60_000 };
/** How many entries have their versions in memory, and how many of each. */
const [maxVersioned, maxVersions] = [50, 200];

interface RegistriesDeps {
  store: Store;
  /** Private addresses that may be fetched from. */
  fetchAllow: () => Promise<readonly string[]>;
  now: () => number;
}

/**
 * The registries of the catalogue, read from their last copy in the database, which all hosts share. Nothing is fetched
 * unless someone requests a check or the versions of an entry.
 */
export class Registries {
  readonly #deps: RegistriesDeps;
  readonly #copies = new Map<string, { at: number; entries: Promise<CopiedEntry[]> }>();
  readonly #versions = new Map<string, CopiedEntry[]>();
  readonly #checks = new SharedWork();

  constructor(deps: RegistriesDeps) {
    this.#deps = deps;
  }

  async list(): Promise<RegistryList> {
    const { db } = this.#deps.store;
    const own = { id: pickedRegistry, name: 'Cerise', count: picked.length };
    const limit = await readLimit(db);
    return { registries: [own, ...(await readStored(db))], ...(limit && { limit }) };
  }

  /** Sets the registries and what users can install; for admins. A registry whose URL stays keeps its copy. */
  async set(owner: string, { registries, limit }: SetRegistries): Promise<RegistryList> {
    const { store } = this.#deps;
    await transactSerially(store, settingKey, async (tx) => {
      await assertStill(tx, store.dialect, owner, true);
      if (registries) await this.#replace(tx, registries);
      if (limit !== undefined) await setLimit(tx, limit);
      await insertAudit(tx, { owner, action: 'registry.set', subject: settingKey });
    });
    return this.list();
  }

  /** Fetches one registry or all of them. One that fails keeps its copy and stores the error; the others continue. */
  async check(
    { registry, stale = false }: { registry?: string | undefined; stale?: boolean },
    signal: AbortSignal,
  ): Promise<RegistryList> {
    const all = await readStored(this.#deps.store.db);
    const wanted = all.filter(({ id }) => registry === undefined || id === registry);
    if (registry !== undefined && registry !== pickedRegistry && wanted.length === 0)
      throw notFound();
    const due = wanted.filter((one) => one.url !== undefined && (!stale || this.#isStale(one)));
    await Promise.all(
      due.map((one) => this.#checks.join(one.id, signal, (end) => this.#fetch(one, end))),
    );
    return this.list();
  }

  /** The entries of one registry, or of all; the latest version of each. */
  async entries(registry?: string): Promise<CopiedEntry[]> {
    const stored = await readStored(this.#deps.store.db);
    const wanted = stored.filter(({ id }) => registry === undefined || id === registry);
    const isPicked = registry === undefined || registry === pickedRegistry;
    if (!isPicked && wanted.length === 0) throw notFound();
    const all = isPicked ? [...picked] : [];
    for (const one of wanted) for (const entry of await this.#copy(one)) all.push(entry);
    return all;
  }

  /** The versions of an entry, the latest first: asks its registry, unless that is a file. */
  async versions(registry: string, name: string, signal: AbortSignal): Promise<CopiedEntry[]> {
    const copied = (await this.entries(registry)).filter(({ view }) => view.name === name);
    if (copied.length === 0) throw notFound();
    const stored = await this.#remote(registry);
    if (!stored) return copied;
    const address = { url: stored.url, allow: await this.#allow(stored.url) };
    const told = await fetchVersions(address, { name }, signal);
    const found = told
      .slice(0, maxVersions)
      .flatMap((each) => toVersion(registry, each) ?? [])
      .filter(({ view }) => view.name === name);
    const [latest] = copied;
    const isLatest = ({ view }: CopiedEntry) => view.version === latest?.view.version;
    const sorted = found.toSorted(
      (a, b) =>
        Number(isLatest(b)) - Number(isLatest(a)) ||
        (b.view.publishedAt ?? 0) - (a.view.publishedAt ?? 0),
    );
    this.#remember(`${stored.url} ${name}`, sorted);
    return sorted;
  }

  /** This exact version of an entry: from the copy, or else from its registry. Throws `conflict`, `not_found`. */
  async find(
    { registry, name, version }: { registry: string; name: string; version: string },
    signal: AbortSignal,
  ): Promise<CopiedEntry> {
    const copied = (await this.entries(registry)).filter(({ view }) => view.name === name);
    const [latest] = copied;
    if (!latest) throw notFound();
    const stored = await this.#remote(registry);
    const known = stored ? (this.#versions.get(`${stored.url} ${name}`) ?? []) : [];
    const isIt = ({ view }: CopiedEntry) => view.version === version;
    const found = copied.find(isIt) ?? known.find(isIt);
    if (found) return found;
    const entry =
      stored && (await this.#fetchVersion(registry, stored.url, { name, version }, signal));
    if (!entry) throw otherVersion(latest);
    this.#remember(`${stored.url} ${name}`, [...known, entry]);
    return entry;
  }

  /** Undefined if the registry has no such version. */
  async #fetchVersion(
    registry: string,
    url: string,
    { name, version }: { name: string; version: string },
    signal: AbortSignal,
  ): Promise<CopiedEntry | undefined> {
    const address = { url, allow: await this.#allow(url) };
    const told = await fetchVersions(address, { name, version }, signal).catch((error: unknown) => {
      if (toErrorInfo(error).code === 'http_error') return [];
      throw error;
    });
    const entry = toVersion(registry, told[0]);
    return entry?.view.name === name && entry.view.version === version ? entry : undefined;
  }

  async #remote(registry: string): Promise<{ url: string } | undefined> {
    const stored = await readStored(this.#deps.store.db);
    const url = stored.find(({ id }) => id === registry)?.url;
    return url === undefined || isFile(url) ? undefined : { url };
  }

  #remember(key: string, versions: CopiedEntry[]): void {
    this.#versions.delete(key);
    this.#versions.set(key, versions);
    for (const old of this.#versions.keys())
      if (this.#versions.size > maxVersioned) this.#versions.delete(old);
  }

  async #replace(tx: Db, wanted: NonNullable<SetRegistries['registries']>): Promise<void> {
    const ids = new Set([pickedRegistry, ...wanted.map(({ id }) => id)]);
    if (ids.size <= wanted.length)
      throw new CeriseError('conflict', say('registry-id-taken')`Two registries have the same ID.`);
    const present = await readStored(tx);
    const isKept = (one: Stored) => wanted.some(({ id, url }) => id === one.id && url === one.url);
    for (const one of present) if (!isKept(one)) await replacePages(tx, one.id, []);
    const next: Stored[] = [];
    for (const { file, ...one } of wanted) {
      const before = present.find(({ id, url }) => id === one.id && url === one.url);
      const facts = one.url === undefined ? await this.#read(tx, one, file, before) : {};
      next.push({ count: 0, ...before, ...one, ...facts });
    }
    await setSetting(tx, localOwner, settingKey, next);
  }

  /** Replaces the servers of a registry with those of a file. */
  async #read(
    tx: Db,
    { id, name }: { id: string; name: string },
    file: string | undefined,
    before: Stored | undefined,
  ): Promise<Partial<Stored>> {
    if (file === undefined && before) return {};
    if (file === undefined)
      throw new CeriseError(
        'invalid_request',
        say('registry-no-source')`The registry ${name} needs a URL or a file.`,
      );
    const pages = readRegistryFile(file, name);
    await replacePages(tx, id, pages);
    return { count: pages.flat().length, copiedAt: this.#later(before) };
  }

  /** Every copy is newer than the one before, even if a clock is behind. */
  #later(before: Stored | undefined): number {
    return Math.max(this.#deps.now(), (before?.copiedAt ?? 0) + 1);
  }

  #isStale({ checkedAt = 0, error }: Stored): boolean {
    return this.#deps.now() - checkedAt > (error ? freshMs.failed : freshMs.copied);
  }

  /** Reads a copy page by page, once for all callers, and again only after this or another host has replaced it. */
  async #copy({ id, copiedAt }: Stored): Promise<CopiedEntry[]> {
    if (copiedAt === undefined) return [];
    const known = this.#copies.get(id);
    if (known?.at === copiedAt) return known.entries;
    const copy = { at: copiedAt, entries: this.#readCopy(id) };
    this.#copies.set(id, copy);
    // After a failure, the next caller reads again.
    copy.entries.catch(() => {
      if (this.#copies.get(id) === copy) this.#copies.delete(id);
    });
    return copy.entries;
  }

  async #readCopy(id: string): Promise<CopiedEntry[]> {
    const entries: CopiedEntry[] = [];
    let at = 0;
    await inSlices(async () => {
      const page = await readPage(this.#deps.store.db, id, at);
      at += 1;
      if (!Array.isArray(page)) return false;
      for (const each of page) {
        const entry = toCopied(id, each);
        if (entry) entries.push(entry);
      }
      return true;
    });
    return entries;
  }

  async #allow(url: string): Promise<string[]> {
    // A URL that an admin entered can be private; the default one cannot.
    const own = defaults.some((one) => one.url === url) ? [] : [new URL(url).host];
    return [...(await this.#deps.fetchAllow()), ...own];
  }

  async #fetch({ id, url = '' }: Stored, signal: AbortSignal): Promise<void> {
    try {
      const pages = await fetchRegistry({ url, allow: await this.#allow(url) }, signal);
      await this.#note(id, url, async (tx, before) => {
        await replacePages(tx, id, pages);
        return { count: pages.flat().length, copiedAt: this.#later(before) };
      });
    } catch (error) {
      // A cancelled check says nothing about the registry.
      if (!(error instanceof CeriseError) || signal.aborted) throw error;
      await this.#note(id, url, async () => ({ error: toErrorInfo(error) }));
    }
  }

  /** Stores the outcome of a check, unless the registry has changed since. */
  async #note(
    id: string,
    url: string,
    work: (tx: Db, before: Stored) => Promise<Partial<Stored>>,
  ): Promise<void> {
    await transactSerially(this.#deps.store, settingKey, async (tx) => {
      const present = await readStored(tx);
      const before = present.find((one) => one.id === id && one.url === url);
      if (!before) return;
      const facts = { checkedAt: this.#deps.now(), ...(await work(tx, before)) };
      const { error: _, ...kept } = before;
      const next = present.map((one) => (one === before ? { ...kept, ...facts } : one));
      await setSetting(tx, localOwner, settingKey, next);
    });
  }
}

async function readStored(db: Db): Promise<Stored[]> {
  const parsed = storedSchema.safeParse(await getSetting(db, localOwner, settingKey));
  return parsed.data ?? defaults;
}

function otherVersion({ view: { version } }: CopiedEntry): CeriseError {
  return new CeriseError(
    'conflict',
    say('registry-other-version')`The catalogue now has version ${version}.`,
    { hint: say('registry-other-version-hint')`Review it again before you add it.` },
  );
}

function notFound(): CeriseError {
  return new CeriseError(
    'not_found',
    say('registry-no-entry')`The catalogue doesn't have this entry.`,
    { hint: say('registry-no-entry-hint')`Refresh the registry, then search again.` },
  );
}
