import type { Bundle } from '#mcp/bundles/read-bundle.ts';
import { type NewValues, settingsForm, settle, startValues } from '#mcp/bundles/settings.ts';
import { guardedFetch } from '#mcp/builtin/web/guarded-fetch.ts';
import type { ServerView } from '#shared/api/api.ts';
import type { BundleList, BundleView } from '#shared/api/bundle-api.ts';
import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import type { Limits } from '#shared/vocabulary/limits.ts';
import type { StoredBlob } from '#shared/vocabulary/ports.ts';
import type { InstalledFrom } from '#shared/vocabulary/server/installed-from.ts';
import type { ServerBundle } from '#shared/vocabulary/server/server-bundle.ts';
import type { Attachment, ServerRecord, StdioConfig } from '#shared/vocabulary/server.ts';
import { claimForServer, dropUpload, fileNotFound } from '#store/blobs/blob-references.ts';
import type { Blobs } from '#store/blobs/blobs.ts';
import type { Db, Store } from '#store/database/store.ts';
import type { Users } from '../people/users.ts';
import { bundleDifference } from './bundle-difference.ts';
import {
  accessAfter,
  assertRunsHere,
  runtimeProblem,
  serverOf,
  titleOf,
  updatedServer,
} from './bundle-server.ts';
import { freeName } from './server-import.ts';
import { assertMayKeep } from './server-input.ts';
import { withoutSecrets } from './server-secrets.ts';
import type { Servers } from './servers.ts';

/** How long the download of a bundle may take. */
const downloadTimeMs = 300_000;

interface BundlesDeps {
  store: Store;
  blobs: Blobs;
  servers: Servers;
  users: Pick<Users, 'isAdmin'>;
  /** Private addresses that may be fetched from. */
  fetchAllow: () => Promise<readonly string[]>;
  quota: { upload<T>(owner: string, bytes: number, work: () => Promise<T>): Promise<T> };
  limits: Limits;
  now: () => number;
}

/** The entry of the catalogue that a bundle comes from, and what is written with its server. */
interface BundleOrigin {
  installedFrom?: InstalledFrom;
  /** Other bytes are refused; empty: the entry does not say. */
  sha256?: string;
  after?: (tx: Db, record: ServerRecord) => Promise<void>;
}

/** A server that was installed from a bundle. */
type Installed = ServerRecord & { config: StdioConfig & { bundle: ServerBundle } };

/**
 * Installs bundles as servers. Every way in ends here: the bytes are kept as a blob, read within bounds, and become
 * a draft; nothing runs before a person has approved the exact command and these bytes.
 */
export class Bundles {
  readonly #deps: BundlesDeps;

  constructor(deps: BundlesDeps) {
    this.#deps = deps;
  }

  /** Throws, and keeps on record, what a command of somebody who is no admin would. */
  async assertMayInstall(owner: string): Promise<void> {
    const { store, users, now } = this.#deps;
    if (users.isAdmin(owner)) return;
    const config: StdioConfig = {
      type: 'stdio',
      name: 'bundle',
      command: 'bundle',
      args: [],
      env: {},
    };
    const at = now();
    await assertMayKeep(store, owner, [
      { id: 'bundle', owner, config, createdAt: at, updatedAt: at },
    ]);
  }

  list(owner: string): BundleList {
    const bundles = this.#installed(owner).map(({ id, config }) => {
      const { name, version, publisher, hash } = config.bundle;
      return { server: id, name, version, publisher, hash };
    });
    return { bundles };
  }

  /** Takes in a bundle that somebody sends; `announced` is how large they say it is. */
  async upload(
    owner: string,
    bytes: AsyncIterable<Uint8Array>,
    announced: number,
  ): Promise<BundleView> {
    await this.assertMayInstall(owner);
    const { quota, limits } = this.#deps;
    if (announced > limits.bundleSize) throw tooLarge(limits.bundleSize);
    return this.#staged(
      owner,
      await quota.upload(owner, announced, () => this.#keep(owner, bytes)),
    );
  }

  /** Takes in a bundle from a public address; with `sha256` it must be exactly these bytes. */
  async fetch(
    owner: string,
    { url, sha256 }: { url: string; sha256?: string | undefined },
    signal: AbortSignal,
  ): Promise<BundleView> {
    await this.assertMayInstall(owner);
    const { quota, limits, fetchAllow } = this.#deps;
    const most = { bytes: limits.bundleSize, timeMs: downloadTimeMs };
    const { body } = await guardedFetch({ url, allow: await fetchAllow(), signal, most });
    const blob = await quota.upload(owner, body.length, () => this.#keep(owner, body));
    if (sha256 !== undefined && blob.hash !== sha256.toLowerCase()) {
      await dropUpload(this.#deps.store.db, owner, blob.id);
      throw otherHash(blob.hash);
    }
    return this.#staged(owner, blob);
  }

  /** The bundle that a server runs from, with its settings. */
  async read(owner: string, serverId: string): Promise<BundleView> {
    const { config } = this.#managed(owner, serverId);
    const { bundle } = config;
    const bytes = await this.#deps.blobs.read({ hash: bundle.hash });
    const read = await this.#read(bytes);
    return {
      ...(await this.#view(read, { hash: bundle.hash, size: bytes.length }, bundle)),
      updates: [],
    };
  }

  /** Makes a server of an uploaded bundle, or updates one. It has to be approved. */
  async install(
    owner: string,
    input: {
      file: string;
      values: NewValues;
      name?: string | undefined;
      server?: string | undefined;
      attachedTo?: Attachment | undefined;
    },
    from: BundleOrigin = {},
  ): Promise<ServerView> {
    await this.assertMayInstall(owner);
    const { store, blobs, servers, now } = this.#deps;
    const { file, values, name, server, attachedTo } = input;
    const blob = await blobs.find(owner, file);
    if (!blob) throw fileNotFound();
    const { manifest } = await this.#read(await blobs.read(blob));
    assertRunsHere(manifest);
    const { installedFrom, sha256 = '' } = from;
    if (sha256 !== '' && blob.hash !== sha256.toLowerCase()) throw otherHash(blob.hash);
    const claim = async (tx: Db, to: ServerRecord) => {
      await claimForServer(tx, store.dialect, { owner, id: file }, to, now());
      await from.after?.(tx, to);
    };
    const origin = installedFrom && { installedFrom };
    if (server !== undefined) {
      const { id } = this.#managed(owner, server, manifest.name);
      const launch = (present: ServerRecord) => {
        const { config } = asInstalled(present);
        const settings = settle(manifest, values, config.bundle);
        const { access: _, ...next } = updatedServer(
          config,
          serverOf(manifest, blob.hash, settings),
        );
        const access = accessAfter(manifest, config, settings);
        return { config: { ...next, ...access, ...(name && { name }) }, ...origin };
      };
      return servers.relaunch(owner, id, launch, claim);
    }
    const config = serverOf(manifest, blob.hash, settle(manifest, values));
    const free = freeName(name ?? config.name, servers.list(owner));
    const [record] = await servers.addAll(owner, [{ ...config, name: free }], {
      isBundle: true,
      after: claim,
      ...origin,
      ...(attachedTo && { attachedTo }),
    });
    if (!record) throw new Error('one server was to be added');
    return servers.get(owner, record.id);
  }

  /** Changes settings of an installed bundle. It has to be approved again if anything is different. */
  async change(owner: string, serverId: string, values: NewValues): Promise<ServerView> {
    // What somebody cannot see is not there, whoever they are.
    this.#deps.servers.usable(owner, serverId);
    await this.assertMayInstall(owner);
    const { id, config } = this.#managed(owner, serverId);
    const { hash } = config.bundle;
    const { manifest } = await this.#read(await this.#deps.blobs.read({ hash }));
    const launch = (present: ServerRecord) => {
      const { config: now } = asInstalled(present);
      if (now.bundle.hash !== hash) throw noBundle();
      const settings = settle(manifest, values, now.bundle);
      const { access: _, ...rest } = now;
      const bundle = { ...now.bundle, ...settings };
      return { config: { ...rest, ...accessAfter(manifest, now, settings), bundle } };
    };
    return this.#deps.servers.relaunch(owner, id, launch, async () => undefined);
  }

  async #keep(owner: string, bytes: Uint8Array | AsyncIterable<Uint8Array>): Promise<StoredBlob> {
    const { blobs, limits } = this.#deps;
    return blobs.keep(bytes, { owner, mimeType: 'application/zip' }, limits.bundleSize);
  }

  async #staged(owner: string, blob: StoredBlob): Promise<BundleView> {
    try {
      const read = await this.#read(await this.#deps.blobs.read(blob));
      assertRunsHere(read.manifest);
      const view = await this.#view(read, blob, undefined);
      return { ...view, file: blob.id, updates: await this.#updates(owner, read, blob.hash) };
    } catch (error) {
      await dropUpload(this.#deps.store.db, owner, blob.id);
      throw error;
    }
  }

  async #read(bytes: Buffer): Promise<Bundle> {
    // Loaded at its first use, which keeps the start of the host fast.
    const { readBundle } = await import('#mcp/bundles/read-bundle.ts');
    return readBundle(bytes, this.#deps.limits);
  }

  async #view(
    { manifest }: Bundle,
    { hash, size }: Pick<StoredBlob, 'hash' | 'size'>,
    stored: ServerBundle | undefined,
  ): Promise<Omit<BundleView, 'updates'>> {
    const { name, version, description = '', author, server, compatibility } = manifest;
    const values = startValues(manifest, stored);
    const config = serverOf(manifest, hash, stored ?? startSettings(values));
    const problem = await runtimeProblem(config);
    return {
      hash,
      size,
      name,
      title: titleOf(manifest),
      version,
      description,
      publisher: author.name,
      verified: false,
      runtime: server.type,
      requires: compatibility?.runtimes ?? {},
      config: withoutSecrets(config),
      form: settingsForm(manifest),
      values,
      ...(problem && { problem }),
    };
  }

  async #updates(owner: string, next: Bundle, hash: string): Promise<BundleView['updates']> {
    const same = this.#installed(owner).filter(
      ({ config }) => config.bundle.name === next.manifest.name,
    );
    return Promise.all(
      same.map(async ({ id, config }) => {
        const before = await this.#read(await this.#deps.blobs.read({ hash: config.bundle.hash }));
        const after = { bundle: next, config: serverOf(next.manifest, hash, config.bundle) };
        const difference = bundleDifference({ bundle: before, config }, after);
        const values = startValues(next.manifest, config.bundle);
        return { server: id, name: config.name, values, difference };
      }),
    );
  }

  #installed(owner: string): Installed[] {
    const { servers } = this.#deps;
    return servers
      .list(owner)
      .filter(({ readOnly, config }) => !readOnly && hasBundle(config))
      .map(({ id }) => asInstalled(servers.managed(owner, id)));
  }

  /** `name`: an update must be one of the same bundle. */
  #managed(owner: string, serverId: string, name?: string): Installed {
    const record = asInstalled(this.#deps.servers.managed(owner, serverId));
    if (name === undefined || record.config.bundle.name === name) return record;
    throw new CeriseError(
      'invalid_bundle',
      say(
        'bundle-other-name',
      )`This server runs ${record.config.bundle.name}; the new bundle is ${name}.`,
      { hint: say('bundle-other-name-hint')`Install it as a new server.` },
    );
  }
}

function hasBundle(config: unknown): boolean {
  return (config as Partial<StdioConfig>).bundle !== undefined;
}

function asInstalled(record: ServerRecord): Installed {
  if (record.config.type === 'stdio' && record.config.bundle) return record as Installed;
  throw noBundle();
}

/** What a preview runs with: everything but secrets, which are not there yet. */
function startSettings(values: BundleView['values']): Pick<ServerBundle, 'values' | 'secrets'> {
  return { values: values as ServerBundle['values'], secrets: {} };
}

function otherHash(hash: string): CeriseError {
  return new CeriseError(
    'invalid_bundle',
    say('bundle-other-hash')`The downloaded bundle isn't the expected one (SHA-256 ${hash}).`,
    {
      hint: say('bundle-other-hash-hint')`The file at this URL has changed. Don't install it.`,
    },
  );
}

function tooLarge(most: number): CeriseError {
  return new CeriseError(
    'file_too_large',
    say('bundle-large')`The bundle is larger than ${Math.round(most / 1024 ** 2)} MiB.`,
  );
}

function noBundle(): CeriseError {
  return new CeriseError(
    'invalid_server',
    say('server-no-bundle')`This server wasn't installed from a bundle.`,
  );
}
