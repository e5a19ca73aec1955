import type { z } from 'zod';
import type { Sandbox } from '#mcp/process/sandbox.ts';
import { sandboxOf } from '#mcp/service/diagnosis.ts';
import type {
  InstalledEntry,
  installEntrySchema,
  RegistryEntry,
  RegistrySearch,
} from '#shared/api/registry-api.ts';
import { CeriseError, toErrorInfo } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import type { ImportedEntry, ImportView } from '#shared/api/import-api.ts';
import type { Db, Store } from '#store/database/store.ts';
import { insertAudit } from '#store/people/audit.ts';
import type { ServerRecord } from '#shared/vocabulary/server.ts';
import type { Visitor } from '../people/visitor.ts';
import type { Bundles } from '../servers/bundles.ts';
import { isListed, notListed, readLimit } from '../servers/catalogue-limit.ts';
import { withProposedAccess } from '../servers/proposed-access.ts';
import { type Complete, importServers } from '../servers/server-import.ts';
import type { Servers } from '../servers/servers.ts';
import { type CopiedEntry, ranked } from './copied-entry.ts';
import { type EntryWay, installedFrom, waysOf } from './entry-way.ts';
import type { InstallRequests } from './install-requests.ts';
import { networkOf } from './picked-servers.ts';
import type { Registries } from './registries.ts';

type Who = Pick<Visitor, 'owner' | 'role'>;
type Install = z.output<typeof installEntrySchema>;

interface RegistryDeps {
  store: Store;
  registries: Registries;
  requests: InstallRequests;
  servers: Pick<Servers, 'list' | 'add'>;
  sandbox: Pick<Sandbox, 'state'>;
  bundles: Pick<Bundles, 'install'>;
}

/** Searches the catalogue and installs its entries, which become drafts like any import. */
export class Registry {
  readonly #deps: RegistryDeps;

  constructor(deps: RegistryDeps) {
    this.#deps = deps;
  }

  async search(wanted: {
    search: string;
    registry?: string | undefined;
    limit: number;
  }): Promise<RegistrySearch> {
    const { search, registry, limit } = wanted;
    const found = ranked(await this.#deps.registries.entries(registry), search);
    return { entries: found.slice(0, limit), total: found.length };
  }

  /** The versions of an entry, the latest first. */
  async versions(
    { registry, name }: { registry: string; name: string },
    signal: AbortSignal,
  ): Promise<{ versions: RegistryEntry[] }> {
    const found = await this.#deps.registries.versions(registry, name, signal);
    return { versions: found.map(({ view }) => view) };
  }

  /** Adds the servers of an entry, or says what would be added; always the version that was shown. */
  async install(visitor: Who, request: Install, signal: AbortSignal): Promise<InstalledEntry> {
    const entry = await this.#deps.registries.find(request, signal);
    const { only } = request;
    const ways = waysOf(entry.server).filter(({ place }) => !only || only.includes(place));
    const refused = await this.#refused(visitor, entry, ways);
    const facts = { entry: entry.view, needsAdmin: refused.map(({ place }) => place) };
    if (request.dryRun) {
      const sandbox = sandboxOf(await this.#deps.sandbox.state());
      return { ...(await this.#preview(visitor, entry, request, refused)), ...facts, sandbox };
    }
    if (request.bundle)
      return { ...(await this.#installBundle(visitor, entry, ways, request)), ...facts };
    const done: ImportView[] = [];
    for (const way of ways) done.push(await this.#add(visitor, entry, way, request));
    if (done.some(({ entries }) => entries.some(({ exists }) => exists)))
      await this.#fulfilByPresent(visitor, entry, request);
    await this.#announce(request);
    return {
      entries: done.flatMap(({ entries }) => entries),
      questions: done.flatMap(({ questions }) => questions),
      ...facts,
    };
  }

  /** The ways that only admins can install: servers that run here, and entries that are not on the list. */
  async #refused({ role }: Who, { view }: CopiedEntry, ways: EntryWay[]): Promise<EntryWay[]> {
    if (role === 'admin') return [];
    if (!isListed(await readLimit(this.#deps.store.db), view)) return ways;
    return ways.filter(({ place }) => !place.startsWith('remotes'));
  }

  async #preview(
    visitor: Who,
    entry: CopiedEntry,
    { answers, only }: Install,
    refused: readonly EntryWay[],
  ): Promise<ImportView> {
    const request = { text: JSON.stringify(entry.server), dryRun: true, answers };
    const { servers } = this.#deps;
    const complete = this.#proposal(visitor, entry);
    const view = await importServers(servers, visitor, { ...request, only }, complete);
    const places = refused.map(({ place }) => place);
    if (places.length === 0) return view;
    // Shown anyway, so that the user knows what to request.
    const shown = await importServers(
      servers,
      { ...visitor, role: 'admin' },
      { ...request, only: places },
      complete,
    );
    const held = new Map(shown.entries.map((one) => [one.place, one]));
    const entries = view.entries.map((one): ImportedEntry => {
      const known = held.get(one.place);
      if (!known) return one;
      const why = one.place.startsWith('remotes') ? notListed() : forAdmins();
      return { ...known, questions: [], error: toErrorInfo(why) };
    });
    return { ...view, entries };
  }

  async #add(
    visitor: Who,
    entry: CopiedEntry,
    way: EntryWay,
    request: Install,
  ): Promise<ImportView> {
    const { servers } = this.#deps;
    const origin = {
      installedFrom: installedFrom(entry, way),
      after: this.#after(visitor, entry, request),
    };
    const adding = {
      list: (owner: string) => servers.list(owner),
      add: (owner: string, input: unknown) => servers.add(owner, input, origin),
    };
    const { answers, attachedTo } = request;
    const text = JSON.stringify(entry.server);
    const what = { text, dryRun: false, answers, only: [way.place], attachedTo };
    return importServers(adding, visitor, what, this.#proposal(visitor, entry));
  }

  /** Only an admin learns which folders exist. */
  #proposal({ role }: Who, { view }: CopiedEntry): Complete {
    const network = networkOf(view);
    return (config, values) =>
      network === undefined
        ? config
        : withProposedAccess(config, { values: role === 'admin' ? values : [], network });
  }

  async #installBundle(
    visitor: Who,
    entry: CopiedEntry,
    ways: readonly EntryWay[],
    request: Install,
  ): Promise<ImportView> {
    const way = ways.find(({ bundle }) => bundle !== undefined);
    const { bundle, attachedTo } = request;
    if (!way?.bundle || !bundle) return { entries: [], questions: [] };
    const server = await this.#deps.bundles.install(
      visitor.owner,
      { ...bundle, attachedTo },
      {
        installedFrom: installedFrom(entry, way),
        sha256: way.bundle.sha256,
        after: this.#after(visitor, entry, request),
      },
    );
    await this.#announce(request);
    const facts = { place: way.place, name: server.name, bundle: way.bundle };
    return {
      entries: [{ ...facts, questions: [], leftOut: [], exists: false, server }],
      questions: [],
    };
  }

  /** A requested server may exist already: everyone can use a shared one. */
  async #fulfilByPresent(visitor: Who, { view }: CopiedEntry, { request }: Install): Promise<void> {
    if (request === undefined || visitor.role !== 'admin') return;
    const { registry, name } = view;
    const present = this.#deps.servers
      .list(visitor.owner)
      .find(
        ({ shared, installedFrom: from }) =>
          shared && from?.registry === registry && from.name === name,
      );
    if (!present) return;
    const { store, requests } = this.#deps;
    await store.transaction((tx) => requests.fulfil(tx, request, { registry, name }, present.id));
  }

  async #announce({ request }: Install): Promise<void> {
    if (request !== undefined) await this.#deps.requests.announce(request);
  }

  /** Rows that are written together with the server. */
  #after({ owner, role }: Who, { view }: CopiedEntry, { request }: Install) {
    const { registry, name, version } = view;
    return async (tx: Db, { id }: ServerRecord): Promise<void> => {
      const details = { registry, name, version };
      await insertAudit(tx, { owner, action: 'server.install', subject: id, details });
      if (request !== undefined && role === 'admin')
        await this.#deps.requests.fulfil(tx, request, { registry, name }, id);
    };
  }
}

function forAdmins(): CeriseError {
  return new CeriseError(
    'admin_only',
    say('catalogue-admin')`Only an admin can install a server that runs on this machine.`,
    { hint: say('catalogue-admin-hint')`Request it from an admin instead.` },
  );
}
