import { randomUUID } from 'node:crypto';
import { hideEnvironment } from '#mcp/process/hide-environment.ts';
import type { ModelCatalogs } from '#models/catalog/catalog.ts';
import type { LocalPlace } from '#models/catalog/local-servers.ts';
import type { SignInWays } from '#shared/api/people-api.ts';
import { type Limits, limitsWith } from '#shared/vocabulary/limits.ts';
import type { ModelAdapter } from '#shared/vocabulary/model.ts';
import type { Logger } from '#shared/vocabulary/ports.ts';
import { Troubles } from '#shared/vocabulary/troubles.ts';
import { type Blobs, createBlobs } from '#store/blobs/blobs.ts';
import { openSecretBox } from '#store/configuration/secrets.ts';
import { listInstances } from '#store/conversations/leases.ts';
import { type Store } from '#store/database/store.ts';
import { openStore } from '#store/open-store.ts';
import type { NativeTool } from '#tools/registry/registry.ts';
import type { Approvals } from '../calls/approvals.ts';
import { HostEvents } from '../cluster/host-events.ts';
import { Once } from '../cluster/idempotency.ts';
import type { Messages } from '../conversations/messages.ts';
import type { Topics } from '../conversations/topics.ts';
import type { Data } from '../data/data.ts';
import { Pictures } from '../data/pictures.ts';
import type { Quota } from '../data/quota.ts';
import type { Inputs } from '../inputs/inputs.ts';
import type { Providers } from '../models/providers.ts';
import { Settings } from '../models/settings.ts';
import type { ApiKeys } from '../people/api-keys.ts';
import type { Oidc, OidcOptions } from '../people/oidc.ts';
import type { OpenStreams } from '../people/open-streams.ts';
import type { SignIns } from '../people/sign-ins.ts';
import type { Users } from '../people/users.ts';
import type { Policy } from '../policy/policy.ts';
import type { Registry } from '../registry/registry.ts';
import { Assistants } from '../servers/assistants.ts';
import type { Bundles } from '../servers/bundles.ts';
import type { LoadedServers } from '../servers/loaded-servers.ts';
import { ServerContents } from '../servers/server-contents.ts';
import type { ServerSignIn } from '../servers/server-sign-in.ts';
import type { Servers } from '../servers/servers.ts';
import { Signals } from '../topic/signals.ts';
import { describeHost } from './about.ts';
import type { Base } from './base.ts';
import { openFolders, tidyBundles } from './bundle-folders.ts';
import { createConversations } from './create-conversations.ts';
import { createModels } from './create-models.ts';
import { createPeople } from './create-people.ts';
import { createServers } from './create-servers.ts';
import { type DirectDoors, directDoors } from './direct-doors.ts';
import { Engine } from './engine.ts';
import { type HostHealth, watchHealth } from './host-health.ts';
import { endEverythingOf } from './remove-person.ts';
import { Untrusted } from './untrusted.ts';

export interface HostOptions {
  /** The data folder. */
  home: string;
  /** PostgreSQL; absent: SQLite in `home`. */
  databaseUrl?: string | undefined;
  /** Absent: a key file in `home`. */
  secretKey?: string | undefined;
  /** Bearer tokens of the admin for headless use. */
  adminTokens?: string[];
  /** False: no one-time links sign browsers in. */
  signInLink?: boolean;
  /** How the command line is called where this host runs; default: `cerise`. Everyone can read it. */
  command?: string;
  /** The https address people reach this host by; lets it name itself to authorization servers. */
  publicUrl?: string | undefined;
  /** The identity provider that people may sign in by. */
  oidc?: OidcOptions | undefined;
  /** Private addresses the fetch tool may reach, besides those of the settings. */
  fetchAllow?: string[];
  /** Variables that servers of admins may use as `${NAME}`. */
  serverVariables?: Record<string, string>;
  logger: Logger;
  /** Further models by their whole name, and functions of the host that models may call. */
  models?: Record<string, ModelAdapter>;
  tools?: NativeTool[];
  /** Variables that may hold keys of vendors, such as `process.env`; absent: none are looked at. */
  environment?: Record<string, string | undefined>;
  /** Look for model servers on this machine: on their usual ports, or at the given places. */
  discover?: boolean | LocalPlace[];
  /** Milliseconds between the words of the demo model. */
  demoPace?: number | undefined;
  /** Where they are to differ from those that ship. */
  limits?: Partial<Limits>;
  /** The program that confines local servers; absent: it is looked for. False: there is none. */
  bubblewrap?: string | false;
  /** Hides our environment from the processes we start. For programs that are nothing but a host. */
  hideEnvironment?: boolean;
  now?: () => number;
}

/** With what was left open decided. */
type KnownOptions = Omit<HostOptions, 'now' | 'limits'> & { now: () => number; limits: Limits };

/** The engine, put together: everything the doors (HTTP, command line, library) call. */
export interface Host extends HostHealth, DirectDoors {
  store: Store;
  limits: Limits;
  topics: Topics;
  assistants: Assistants;
  providers: Providers;
  servers: Servers;
  /** Archives that become servers. */
  bundles: Bundles;
  /** The catalogue of servers. */
  registry: Registry;
  contents: ServerContents;
  /** The questions of servers that wait for a person. */
  inputs: Inputs;
  /** Sign-ins to protected MCP servers. */
  serverSignIn: ServerSignIn;
  settings: Settings;
  /** The models that each person may use. */
  models: ModelCatalogs;
  /** Files of people, and what is large of results. */
  blobs: Blobs;
  /** Pictures of other hosts that a person asked to see. */
  pictures: Pictures;
  /** Everything of a person at once. */
  data: Data;
  /** How much people may keep. */
  quota: Quota;
  policy: Policy;
  /** What is kept that came from untrusted sources. */
  untrusted: Untrusted;
  approvals: Approvals;
  signIns: SignIns;
  users: Users;
  /** Absent where people do not sign in by an identity provider. */
  oidc?: Oidc | undefined;
  keys: ApiKeys;
  /** What people hold open; it ends with their credential. */
  streams: OpenStreams;
  /** How people can sign in here. */
  ways(): Promise<SignInWays>;
  /**
   * Loads what a visitor has. Requests that look at servers see what the store says by now, whichever
   * host changed it; for all others it is enough to hear of changes soon.
   */
  enter(owner: string, wants?: { looksAtServers: boolean }): Promise<void>;
  /** What this host is: version, database, ways in. */
  about: ReturnType<typeof describeHost>;
  events: HostEvents;
  messages: Messages;
  once: Once;
  /** Answers get `grace` milliseconds to end and none begins; everything else is still there. */
  drain(grace: number): Promise<void>;
  /** The same, then the end; what is still open goes on at the next start, or on another host. */
  close(grace?: number): Promise<void>;
}

/** Opens the data, puts the engine together and goes on with whatever an earlier process left. */
export async function createHost(options: HostOptions): Promise<Host> {
  const { home, now = Date.now } = options;
  if (options.hideEnvironment) hideEnvironment();
  const troubles = new Troubles(now);
  const logger = troubles.counting(options.logger);
  const store = await openStore({ ...options, logger });
  try {
    const health = await watchHealth({ home, store, troubles, logger });
    const limits = limitsWith(options.limits);
    return { ...health, ...(await assemble(store, { ...options, logger, now, limits })) };
  } catch (error) {
    await store.close();
    throw error;
  }
}

type Assembled = Omit<Host, keyof HostHealth>;

/** From what needs nothing to what needs everything; then who hears of what. */
async function assemble(store: Store, options: KnownOptions): Promise<Assembled> {
  const { home, databaseUrl, publicUrl, adminTokens = [], fetchAllow = [], tools = [] } = options;
  const { signInLink, command, environment, discover, demoPace, limits, logger, now } = options;
  const instance = randomUUID();
  const signals = new Signals();
  const events = new HostEvents(signals);
  const base: Base = { store, limits, logger, signals, events, instance, now };
  const box = await openSecretBox(store.db, options);
  const blobs = createBlobs(store, home, { now, limits });
  const waysIn = { adminTokens, oidc: options.oidc, signInLink, command };
  const people = await createPeople(base, { box, ...waysIn });
  const { users, signIns, oidc, keys, streams, ways } = people;
  const settings = new Settings({ store, box, users, alwaysAllowed: fetchAllow });
  const vendors = { plugged: options.models, environment, discover, demoPace };
  const modelParts = createModels(base, { box, users, settings, vendors });
  const { providers, models } = modelParts;
  const { serverVariables = {}, bubblewrap } = options;
  const folders = openFolders(base, home, blobs);
  const reach = { home, publicUrl, serverVariables, folders, bubblewrap };
  const serverParts = await createServers(base, { box, users, settings, models, ...reach });
  const { mcp, sessions, loaded, servers, inputs, policy, signIn } = serverParts;
  const engine = new Engine(base, { blobs, modelParts, serverParts, databaseUrl, tools });
  const { approvals } = engine;
  const parts = { box, blobs, users, settings, modelParts, serverParts, engine };
  const conversations = createConversations(base, home, parts);
  const { quota, sweeper, topics, messages, data, bundles, registry } = conversations;
  connect({ store, signals, people, policy, loaded, inputs, approvals, topics });

  await loaded.start();
  await inputs.tidy(databaseUrl ? [...(await listInstances(store.db))] : []);
  await engine.start();
  sweeper.start();
  const tidying = tidyBundles(folders, signals, logger);
  const closing = [people, sweeper, tidying, models, sessions, mcp, store];
  let closed: Promise<void> | undefined;

  return {
    store,
    limits,
    topics,
    messages,
    quota,
    assistants: new Assistants({ store, servers, sessions, limits, now }),
    providers,
    servers,
    bundles,
    registry,
    contents: new ServerContents({ mcp, servers, policy, signIn }),
    inputs,
    serverSignIn: signIn,
    settings,
    models,
    blobs,
    pictures: new Pictures(settings),
    data,
    policy,
    untrusted: new Untrusted({ home, now, store, mcp }),
    approvals,
    signIns,
    users,
    oidc,
    keys,
    streams,
    ways,
    enter: async (owner, wants) => {
      await loaded.prepare(owner);
      if (wants?.looksAtServers) await loaded.refresh();
    },
    about: describeHost(options),
    events,
    once: new Once(store, instance, now),
    ...directDoors({ store, servers, policy, engine, now }),
    drain: (grace) => engine.drain(grace),
    close: (grace = 0) => (closed ??= closeAll(engine, grace, closing)),
  };
}

/** Who hears of what. */
function connect(parts: {
  store: Store;
  signals: Signals;
  people: { reload(): Promise<void> };
  policy: Policy;
  loaded: LoadedServers;
  inputs: Inputs;
  approvals: Approvals;
  topics: Topics;
}): void {
  const { store, signals, people, policy, loaded, inputs, approvals, topics } = parts;
  signals.on('role-changed', async ({ owner }) => {
    policy.roleChanged(owner);
    await loaded.unload(owner);
  });
  signals.on('person-leaving', ({ owner, signal }) =>
    endEverythingOf({ store, topics, loaded }, owner, signal),
  );
  signals.on('heard-event', ({ event }) => {
    // Where the database is away this is found out when everything is looked at again.
    if (event.type === 'tool-call-decided')
      approvals.refresh([event.toolCallId]).catch(() => undefined);
    if (event.type === 'input-answered') inputs.refresh([event.inputId]).catch(() => undefined);
  });
  signals.on('heard-changed', async () => {
    await people.reload();
    await policy.reloadAll();
    await loaded.reload();
    await inputs.refresh();
    await approvals.refresh();
  });
}

/** In the order in which each needs the next. */
async function closeAll(engine: Engine, grace: number, deps: { close(): unknown }[]) {
  await engine.close(grace);
  for (const part of deps) await part.close();
}
