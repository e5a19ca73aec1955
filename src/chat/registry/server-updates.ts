import type { z } from 'zod';
import type { ServerUpdate, UpdatedEntry, updateEntrySchema } from '#shared/api/registry-api.ts';
import { readServerInput } from '#shared/api/server-input.ts';
import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import type { InstalledFrom } from '#shared/vocabulary/server/installed-from.ts';
import { type ServerConfig, type ServerRecord } from '#shared/vocabulary/server.ts';
import type { Store } from '#store/database/store.ts';
import { insertAudit } from '#store/people/audit.ts';
import type { Visitor } from '../people/visitor.ts';
import { isListed, notListed, readLimit } from '../servers/catalogue-limit.ts';
import { launchMove } from '../servers/server-move.ts';
import { withoutSecrets } from '../servers/server-secrets.ts';
import type { Servers } from '../servers/servers.ts';
import type { CopiedEntry } from './copied-entry.ts';
import { type EntryWay, installedFrom, sameWay, waysOf } from './entry-way.ts';
import type { Registries } from './registries.ts';
import { serverDifference } from './server-difference.ts';
import { updatedConfig } from './updated-config.ts';

interface UpdatesDeps {
  store: Store;
  registries: Pick<Registries, 'entries' | 'find'>;
  servers: Pick<Servers, 'list' | 'managed' | 'relaunch'>;
}

/** An installed server and what its entry offers now. */
interface Offer {
  record: ServerRecord;
  from: InstalledFrom;
  entry: CopiedEntry;
  way: EntryWay;
}

/** Newer versions of installed servers, according to the last copies. Nothing is updated automatically. */
export class ServerUpdates {
  readonly #deps: UpdatesDeps;

  constructor(deps: UpdatesDeps) {
    this.#deps = deps;
  }

  /** Updates for the servers that a user manages. */
  async list(owner: string): Promise<{ updates: ServerUpdate[] }> {
    const { servers, registries } = this.#deps;
    const installed = servers
      .list(owner)
      .filter((view) => view.installedFrom !== undefined)
      .map(({ id }) => servers.managed(owner, id));
    if (installed.length === 0) return { updates: [] };
    const entries = new Map<string, CopiedEntry>();
    for (const entry of await registries.entries()) {
      const key = keyOf(entry.view);
      if (!entries.has(key)) entries.set(key, entry);
    }
    return {
      updates: installed.flatMap((record) => {
        const { installedFrom: from } = record;
        const entry = from && entries.get(keyOf(from));
        if (!entry || entry.view.version === from.version) return [];
        const way = sameWay(waysOf(entry.server), from);
        return way ? [describe({ record, from, entry, way })] : [];
      }),
    };
  }

  /** Updates a server to the version that was shown, or says what would change. It needs a new approval. */
  async update(
    { owner, role }: Pick<Visitor, 'owner' | 'role'>,
    { server, version, dryRun, answers }: z.output<typeof updateEntrySchema>,
    signal: AbortSignal,
  ): Promise<UpdatedEntry> {
    const offer = await this.#offer(owner, server, version, signal);
    const { record, entry, way } = offer;
    const given = new Map(Object.entries(answers));
    const { open } = updatedConfig(record.config, offer.from, way, given);
    const shown = { ...describe(offer, given), questions: open };
    if (dryRun || way.bundle) return { ...shown, ...preview(offer, given) };
    if (role !== 'admin' && !isListed(await readLimit(this.#deps.store.db), entry.view))
      throw notListed();
    const updated = await this.#deps.servers.relaunch(
      owner,
      record.id,
      (present) => launch(present, { entry, way, given }),
      async (tx, { id }) => {
        const { registry, name } = entry.view;
        const details = { registry, name, version };
        await insertAudit(tx, { owner, action: 'server.update.catalogue', subject: id, details });
      },
    );
    return { ...shown, updated };
  }

  async #offer(owner: string, id: string, version: string, signal: AbortSignal): Promise<Offer> {
    const { servers, registries } = this.#deps;
    const record = servers.managed(owner, id);
    const { installedFrom: from } = record;
    if (!from) throw notInstalled();
    const { registry, name } = from;
    const entry = await registries.find({ registry, name, version }, signal);
    const way = sameWay(waysOf(entry.server), from);
    if (!way) throw noWay(version);
    return { record, from, entry, way };
  }
}

function keyOf({ registry, name }: { registry: string; name: string }): string {
  return `${registry} ${name}`;
}

function describe(
  { record, from, entry, way }: Offer,
  given: ReadonlyMap<string, string> = new Map(),
): ServerUpdate {
  const { id, config } = record;
  const { version } = entry.view;
  const facts = { server: id, name: config.name, version: from.version, entry: entry.view };
  if (way.bundle) return { ...facts, bundle: { ...way.bundle, place: way.place } };
  const { config: next } = updatedConfig(config, from, way, given);
  const difference = serverDifference(config, next, { before: from.version, after: version });
  return { ...facts, difference };
}

function preview({ record, from, way }: Offer, given: ReadonlyMap<string, string>) {
  if (way.bundle) return {};
  const { config, open } = updatedConfig(record.config, from, way, given);
  // With open questions it may not be a valid config yet.
  return open.length > 0 ? {} : { config: withoutSecrets(readServerInput(config, 'seconds')) };
}

/** The stored server with the new version; a remote server at a new address starts disabled. */
function launch(
  present: ServerRecord,
  { entry, way, given }: { entry: CopiedEntry; way: EntryWay; given: ReadonlyMap<string, string> },
): Pick<ServerRecord, 'config' | 'installedFrom'> {
  const { installedFrom: from } = present;
  if (!from) throw notInstalled();
  const { config: next, open } = updatedConfig(present.config, from, way, given);
  if (open.length > 0) throw unanswered(open.map(({ id, label }) => label ?? id));
  const config: ServerConfig = readServerInput(next, 'seconds');
  const isElsewhere = config.type !== 'stdio' && launchMove(present.config, config) !== 'none';
  return {
    config: isElsewhere ? { ...config, disabled: true } : config,
    installedFrom: installedFrom(entry, way),
  };
}

function unanswered(labels: string[]): CeriseError {
  return new CeriseError(
    'invalid_server',
    say('import-unanswered')`Missing values: ${labels.join(', ')}.`,
    { hint: say('import-answer-all')`Enter a value for everything this server asks for.` },
  );
}

function notInstalled(): CeriseError {
  return new CeriseError(
    'invalid_server',
    say('server-no-catalogue')`This server wasn't installed from the catalogue.`,
  );
}

function noWay(version: string): CeriseError {
  return new CeriseError(
    'invalid_server',
    say('update-no-way')`Version ${version} can't run the same way as this server.`,
    { hint: say('update-no-way-hint')`Install it as a new server.` },
  );
}
