import { randomUUIDv7 } from 'node:crypto';
import type { CatalogProvider } from '#models/catalog/catalog.ts';
import type { LocalServers } from '#models/catalog/local-servers.ts';
import { testProvider, type ProviderTest } from '#models/catalog/test-provider.ts';
import {
  type EnvironmentProvider,
  findEnvironmentProviders,
  type Variables,
} from '#models/vendors/environment.ts';
import {
  compatibleKind,
  describeVendor,
  findVendor,
  isSameServer,
  vendors,
} from '#models/vendors/vendors.ts';
import { createProviderSchema, updateProviderSchema } from '#shared/api/provider-api.ts';
import { CeriseError } from '#shared/errors/errors.ts';
import { counted, say, type Sentence } from '#shared/errors/sentence.ts';
import type { Listing } from '#shared/text/listing.ts';
import { hiddenSecret } from '#shared/text/text.ts';
import type { Limits } from '#shared/vocabulary/limits.ts';
import type { ModelPrice, Provider, VendorInfo } from '#shared/vocabulary/model.ts';
import type { SecretBox } from '#shared/vocabulary/ports.ts';
import {
  deleteProvider,
  insertProvider,
  listProvidersWithKeys,
  listSharedProviders,
  type OwnedProvider,
  type ProviderPatch,
  type StoredProvider,
  updateProvider,
} from '#store/configuration/providers.ts';
import { transactSerially } from '#store/database/transact-serially.ts';
import type { Db, Store } from '#store/database/store.ts';
import { insertAudit } from '#store/people/audit.ts';
import { assertMaySet } from '../people/admin-fields.ts';
import { localOwner, type Users } from '../people/users.ts';
import { adminOnly, assertStill } from '../people/visitor.ts';
import { fromDiscovery, fromEnvironment, type WithKey } from './automatic-providers.ts';
import { addressOf, checkAddress, heldBack, droppedKeys } from './provider-address.ts';
import {
  forgetMarks,
  hideModels,
  joinMarks,
  limitTimes,
  marksOf,
  priceModels,
  type ProviderMarks,
  readMarks,
  switchProvider,
} from './provider-marks.ts';
import { demoSlug, slugFor } from './provider-slug.ts';

interface Fields {
  name: string;
  /** Absent: the vendor of that name if there is one and no address is given, else any address. */
  kind?: string | undefined;
  /** Absent or empty: the vendor's own. */
  baseUrl?: string | undefined;
  apiKey?: string | undefined;
  models: string[];
  /** Absent: what an admin adds is shared. */
  shared?: boolean | undefined;
}

/** What may be said of any provider, also of one that nobody configured. */
interface Marks {
  enabled?: boolean | undefined;
  hidden?: Listing | undefined;
  /** Null removes a price; those that are not named stay. */
  prices?: Record<string, ModelPrice | null> | undefined;
  times?: Parameters<typeof limitTimes>[3] | undefined;
}

interface ProvidersDeps {
  store: Store;
  box: SecretBox;
  users: Pick<Users, 'isAdmin' | 'admins'>;
  limits: Pick<Limits, 'providersPerOwner'>;
  now: () => number;
  /** Where keys are looked for. */
  environment: Variables;
  local: LocalServers;
  /** Has a vendor asked for its models again. */
  refreshModels: (provider: CatalogProvider) => void;
}

/** Whose it is; what was found by itself is the host's. */

/**
 * The vendors of models: those that people configured, those that admins share, those whose keys are in
 * the environment and those found on this machine. Of several with one slug the first in this order
 * counts. Keys go in and are used, never read back.
 */
export class Providers {
  readonly #deps: ProvidersDeps;
  /** Those of the environment. */
  readonly #given: readonly EnvironmentProvider[];

  constructor(deps: ProvidersDeps) {
    this.#deps = deps;
    this.#given = findEnvironmentProviders(deps.environment);
  }

  /** What a provider can be made of. */
  vendors(): VendorInfo[] {
    return vendors.map(describeVendor);
  }

  async list(owner: string): Promise<Provider[]> {
    return (await this.#all(owner)).map((provider) => this.#toView(owner, provider));
  }

  /** The enabled ones, for the model catalog only. Local servers are looked for if `slug` is not known. */
  async withKeys(owner: string, slug?: string): Promise<CatalogProvider[]> {
    const known = enabled(await this.#known(owner));
    if (slug !== undefined && known.some((provider) => provider.slug === slug)) return known;
    return enabled(await this.#all(owner));
  }

  async create(owner: string, { apiKey, ...fields }: Fields): Promise<Provider> {
    const isAdmin = this.#deps.users.isAdmin(owner);
    const named = !fields.baseUrl && findVendor(fields.name);
    const kind = fields.kind ?? (named ? fields.name : compatibleKind);
    if (!isAdmin) assertMaySet(createProviderSchema, { ...fields, kind });
    const others = (await this.#all(owner)).filter(
      (entry) => entry.owner !== owner || isAutomatic(entry),
    );
    const provider: Provider = {
      ...fields,
      kind,
      slug: '',
      baseUrl: checkAddress(kind, fields.baseUrl),
      id: randomUUIDv7(),
      hasKey: Boolean(apiKey),
      shared: isAdmin && (fields.shared ?? true),
      enabled: true,
      hidden: [],
      prices: {},
      times: {},
      createdAt: this.#deps.now(),
    };
    const { store, box } = this.#deps;
    await transactSerially(store, `providers ${owner}`, async (tx) => {
      await assertStill(tx, store.dialect, owner, isAdmin);
      const stored = await listProvidersWithKeys(tx, box, owner);
      const { providersPerOwner: most } = this.#deps.limits;
      if (stored.length >= most)
        throw new CeriseError(
          'too_many_requests',
          say('providers-at-most')`You can add up to ${counted(most, 'provider')}.`,
        );
      assertFree(fields.name, stored);
      provider.slug = slugFor(
        { name: fields.name, kind },
        stored,
        // Nobody named what was found: it gives way to its slug alone.
        others.map((one) => ({ slug: one.slug, name: isAutomatic(one) ? one.slug : one.name })),
      );
      const baseUrl = fields.baseUrl ?? '';
      await insertProvider(tx, box, owner, { ...provider, baseUrl, apiKey });
      await insertAudit(tx, { owner, action: 'provider.add', subject: provider.id });
    });
    return provider;
  }

  /** An absent key stays as it is; an empty one is removed. */
  async update(owner: string, id: string, change: ProviderPatch & Marks): Promise<Provider> {
    const { enabled: on, hidden, prices, times, ...fields } = change;
    const present = await this.#managed(owner, id);
    const { store, users } = this.#deps;
    const isAdmin = users.isAdmin(owner);
    if (Object.keys(fields).length > 0) {
      refuseAutomatic(present, say('be-changed')`changed`);
      if (!isAdmin) assertMaySet(updateProviderSchema, fields);
      if (fields.kind !== undefined || fields.baseUrl !== undefined)
        checkAddress(fields.kind ?? present.kind, fields.baseUrl ?? present.baseUrl);
    }
    let dropped: string[] = [];
    await transactSerially(store, `providers ${present.owner}`, async (tx) => {
      await assertStill(tx, store.dialect, owner, isAdmin);
      if (Object.keys(fields).length > 0) dropped = await this.#save(tx, present.owner, id, fields);
      if (on !== undefined) await switchProvider(tx, present.owner, id, on);
      if (hidden !== undefined) await hideModels(tx, present.owner, id, hidden);
      if (prices !== undefined) await priceModels(tx, present.owner, id, prices);
      if (times !== undefined) await limitTimes(tx, present.owner, id, times);
      const details = { ...(dropped.length > 0 && { secretsDropped: dropped }) };
      await insertAudit(tx, { owner, action: 'provider.update', subject: id, details });
    });
    const view = this.#toView(owner, await this.#find(owner, id));
    return { ...view, ...(dropped.length > 0 && { secretsDropped: dropped }) };
  }

  /** Changes a provider as it is in the store. What was stored for another address goes, and is named. */
  async #save(tx: Db, owner: string, id: string, fields: ProviderPatch): Promise<string[]> {
    const { box } = this.#deps;
    const rows = await listProvidersWithKeys(tx, box, owner);
    const row = rows.find((each) => each.id === id);
    if (!row) throw notFound();
    if (fields.name !== undefined)
      assertFree(
        fields.name,
        rows.filter((each) => each !== row),
      );
    const { apiKey, ...rest } = fields;
    const isKept = apiKey === undefined || apiKey === hiddenSecret;
    const dropped = isKept && row.hasKey ? droppedKeys(row, fields) : [];
    const kept = dropped.length > 0 ? { apiKey: '' } : {};
    const change = { ...rest, ...(isKept ? kept : { apiKey }) };
    if (!(await updateProvider(tx, box, owner, id, change))) throw notFound();
    return dropped;
  }

  async delete(owner: string, id: string): Promise<void> {
    const present = await this.#managed(owner, id);
    refuseAutomatic(present, say('be-removed')`removed`);
    const { store } = this.#deps;
    await transactSerially(store, `providers ${present.owner}`, async (tx) => {
      await assertStill(tx, store.dialect, owner, present.owner !== owner);
      if (!(await deleteProvider(tx, present.owner, id))) throw notFound();
      await forgetMarks(tx, present.owner, id);
      await insertAudit(tx, { owner, action: 'provider.remove', subject: id });
    });
  }

  /** Whether the key and the address work; `model` is the one to ask. */
  async test(owner: string, id: string, model?: string): Promise<ProviderTest & { ms: number }> {
    const provider = await this.#find(owner, id);
    const held = provider.adminOnly && heldBack(provider);
    if (held) throw held;
    const start = performance.now();
    const result = await testProvider(provider, new AbortController().signal, model);
    this.#deps.refreshModels(provider);
    return { ...result, ms: Math.round(performance.now() - start) };
  }

  /** Looks for local servers again. */
  async discover(owner: string): Promise<Provider[]> {
    await this.#deps.local.look();
    const local = (await this.#all(owner)).filter(({ kind }) => findVendor(kind)?.ports);
    for (const provider of local) this.#deps.refreshModels(provider);
    return local
      .filter(({ fromDiscovery: found }) => found)
      .map((provider) => this.#toView(owner, provider));
  }

  async #find(owner: string, id: string): Promise<WithKey> {
    const provider = (await this.#all(owner)).find((entry) => entry.id === id);
    if (!provider) throw notFound();
    return provider;
  }

  /** One that an owner may change: theirs, and for admins whatever everybody uses. */
  async #managed(owner: string, id: string): Promise<WithKey> {
    const provider = await this.#find(owner, id);
    if (provider.owner === owner || this.#deps.users.isAdmin(owner)) return provider;
    throw adminOnly(
      say(
        'provider-shared',
      )`This provider is shared by an admin. You can use it, but not change it.`,
    );
  }

  async #all(owner: string): Promise<WithKey[]> {
    const known = await this.#known(owner);
    const marks = await readMarks(this.#deps.store.db, localOwner);
    const found = (await this.#deps.local.found()).filter(
      ({ name, baseUrl }) =>
        !known.some((entry) => entry.slug === name || isSameServer(entry.baseUrl, baseUrl)),
    );
    return [...known, ...found.map((server) => fromDiscovery(server, marks))];
  }

  /** Those that are there without looking. */
  async #known(owner: string): Promise<WithKey[]> {
    const stored = [...(await this.#stored(owner)), ...(await this.#shared(owner))].filter(
      ({ slug }, place, all) => all.findIndex((entry) => entry.slug === slug) === place,
    );
    const given = this.#given.filter(({ name }) => !stored.some((entry) => entry.slug === name));
    if (given.length === 0) return stored;
    const marks = await readMarks(this.#deps.store.db, localOwner);
    return [...stored, ...given.map((provider) => fromEnvironment(provider, marks))];
  }

  async #stored(owner: string): Promise<WithKey[]> {
    const marks = await readMarks(this.#deps.store.db, owner);
    const { store, box, users } = this.#deps;
    const rows = await listProvidersWithKeys(store.db, box, owner);
    const isHeld = (row: StoredProvider) => !users.isAdmin(owner) && heldBack(row) !== undefined;
    return rows.map((row) => ({
      ...toProvider({ ...row, owner }, marks),
      ...(isHeld(row) && { adminOnly: true as const }),
    }));
  }

  /** What other admins let everybody use. */
  async #shared(owner: string): Promise<WithKey[]> {
    const { store, box, users } = this.#deps;
    const others = users.admins().filter((admin) => admin !== owner);
    const rows = await listSharedProviders(store.db, box, others);
    const all: ProviderMarks[] = [];
    for (const each of new Set(rows.map((row) => row.owner)))
      all.push(await readMarks(store.db, each));
    const marks = joinMarks(all);
    return rows.map((row) => toProvider(row, marks));
  }

  /** Never the key, and to people who only use it not the address. */
  #toView(owner: string, { apiKey: _, owner: whose, ...provider }: WithKey): Provider {
    if (whose === owner || this.#deps.users.isAdmin(owner)) return provider;
    return { ...provider, baseUrl: '', readOnly: true };
  }
}

function toProvider(row: OwnedProvider, marks: ProviderMarks): WithKey {
  return { ...row, baseUrl: addressOf(row), ...marksOf(marks, row.id) };
}

function enabled(providers: WithKey[]): WithKey[] {
  return providers.filter((provider) => provider.enabled && !provider.adminOnly);
}

/** Throws `conflict` where another provider of the same person, or the demo, has that name. */
function assertFree(name: string, others: readonly StoredProvider[]): void {
  if (name !== demoSlug && !others.some((entry) => entry.name === name)) return;
  throw new CeriseError(
    'conflict',
    say('provider-name-taken')`A provider named ${name} already exists.`,
    {
      hint: say('provider-name-taken-hint')`Change the existing provider, or choose another name.`,
    },
  );
}

/** It was not configured here. */
function isAutomatic({ fromEnvironment, fromDiscovery }: Provider): boolean {
  return (fromEnvironment ?? fromDiscovery) === true;
}

/** What was not configured here cannot be changed here. */
function refuseAutomatic(provider: Provider, what: Sentence): void {
  if (!isAutomatic(provider)) return;
  const { name } = provider;
  const why = provider.fromEnvironment
    ? say('provider-from-key')`its key comes from the environment`
    : say('provider-found-here')`it was found on this machine`;
  throw new CeriseError(
    'conflict',
    say('provider-fixed')`The provider ${name} can't be ${what}: ${why}.`,
    {
      hint: say(
        'provider-fixed-hint',
      )`Disable it, or add a provider with the same name to replace it.`,
    },
  );
}

function notFound(): CeriseError {
  return new CeriseError('provider_not_found', say('provider-gone')`This provider doesn't exist.`);
}
