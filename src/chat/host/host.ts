import { randomUUID } from 'node:crypto';
import { hideEnvironment } from '#mcp/process/hide-environment.ts';
import type { ModelCatalogs } from '#models/catalog/catalog.ts';
import type { LocalPlace } from '#models/catalog/local-servers.ts';
import type { SignInWays } from '#shared/api/people-api.ts';
import { type Limits, limitsWith } from '#shared/vocabulary/limits.ts';
import type { ModelAdapter } from '#shared/vocabulary/model.ts';
import { type Logger, silentLogger } from '#shared/vocabulary/ports.ts';
import { Troubles } from '#shared/vocabulary/troubles.ts';
import { type Blobs, createBlobs } from '#store/blobs/blobs.ts';
import { openSecretBox } from '#store/configuration/secrets.ts';
import { listInstances } from '#store/conversations/leases.ts';
import { type Store } from '#store/database/store.ts';
import { openStore } from '#store/open-store.ts';
import type { HostTool } from '#tools/registry/registry.ts';
import type { Approvals } from '../calls/approvals.ts';
import { HostEvents } from '../cluster/host-events.ts';
import { Once } from '../cluster/idempotency.ts';
import type { Messages } from '../conversations/messages.ts';
import type { Topics } from '../conversations/topics.ts';
import type { Data } from '../data/data.ts';
import type { Pictures } from '../data/pictures.ts';
import { Quota } from '../data/quota.ts';
import type { Inputs } from '../inputs/inputs.ts';
import type { Consents } from '../grants/consents.ts';
import type { Grants } from '../grants/grants.ts';
import type { Programs } from '../grants/programs.ts';
import type { Providers } from '../models/providers.ts';
import { Settings } from '../models/settings.ts';
import type { ApiKeys } from '../people/api-keys.ts';
import type { Oidc, OidcOptions } from '../people/oidc.ts';
import type { OpenStreams } from '../people/open-streams.ts';
import type { SignIns } from '../people/sign-ins.ts';
import type { Users } from '../people/users.ts';
import type { Policy } from '../policy/policy.ts';
import type { Catalogue } from '../registry/catalogue.ts';
import type { Rehearsals } from '../replay/rehearsals.ts';
import { Replays } from '../replay/replays.ts';
import type { RunReaders } from '../runs/run-readers.ts';
import type { Runs } from '../runs/runs.ts';
import type { UiAnswers } from '../runs/ui-answers.ts';
import { Assistants } from '../servers/assistants.ts';
import type { Bundles } from '../servers/bundles.ts';
import type { LoadedServers } from '../servers/loaded-servers.ts';
import { ServerContents } from '../servers/server-contents.ts';
import type { ServerSignIn } from '../servers/server-sign-in.ts';
import type { Servers } from '../servers/servers.ts';
import { HostLog } from '../telemetry/host-log.ts';
import { HostTelemetry, type TelemetryOptions } from '../telemetry/host-telemetry.ts';
import { Signals } from '../topic/signals.ts';
import { checkHostTools } from '../turn/turn-tools.ts';
import { describeHost } from './about.ts';
import type { Base } from './base.ts';
import { openFolders, tidyFolders } from './bundle-folders.ts';
import type { Doors } from '../doors/doors.ts';
import { createConsents } from './create-consents.ts';
import { createConversations } from './create-conversations.ts';
import { createDoors } from './create-doors.ts';
import { createModels } from './create-models.ts';
import { createPeople } from './create-people.ts';
import { createServers } from './create-servers.ts';
import { type DirectDoors, directDoors } from './direct-doors.ts';
import { Engine } from './engine.ts';
import { type HostHealth, watchHealth } from './host-health.ts';
import { HostLogDoor } from './host-log-door.ts';
import { createMetricsDoor, type MetricsDoor } from './metrics-door.ts';
import { endEverythingOf } from './remove-person.ts';
import { Untrusted } from './untrusted.ts';

/** What a host is made from; only `home`, the folder of its data, is required. */
export interface HostOptions extends TelemetryOptions {
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
  /** Absent: nothing is logged. */
  logger?: Logger;
  /** Which lines are logged, from `trace` to `silent`; absent: all, and the logger chooses. Admins can change it. */
  logLevel?: string;
  /** Further models by their whole name, and functions of the host that models may call. */
  models?: Record<string, ModelAdapter>;
  tools?: HostTool[];
  /** Variables that may hold keys of vendors, such as `process.env`; absent: none are read. */
  environment?: Record<string, string | undefined>;
  /** Look for model servers on this machine: on their usual ports, or at the given places. */
  discover?: boolean | LocalPlace[];
  /** Milliseconds between the words of the demo model. */
  demoPace?: number | undefined;
  /** Limits that differ from the defaults. */
  limits?: Partial<Limits>;
  /** The program that confines local servers; absent: it is looked for. False: there is none. */
  bubblewrap?: string | false;
  /** Hides our environment from the processes we start. For programs that are nothing but a host. */
  hideEnvironment?: boolean;
  now?: () => number;
}

/** The options with their defaults. */
type ResolvedOptions = Omit<HostOptions, 'now' | 'limits' | 'logger'> & {
  now: () => number;
  limits: Limits;
  logger: Logger;
  troubles: Troubles;
};

/** The engine, put together: everything the doors (HTTP, command line, library) call. */
export interface Host extends HostHealth, DirectDoors {
  store: Store;
  /** Writes into the log; what it counts is among the troubles. */
  logger: Logger;
  /** The last lines of the log, and its level. */
  log: HostLogDoor;
  limits: Limits;
  topics: Topics;
  assistants: Assistants;
  providers: Providers;
  servers: Servers;
  /** Archives that become servers. */
  bundles: Bundles;
  /** The catalogue of servers. */
  catalogue: Catalogue;
  contents: ServerContents;
  /** What programs that speak MCP use of this host. */
  doors: Doors;
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
  /** How much people can store. */
  quota: Quota;
  policy: Policy;
  /** Stored data that came from untrusted sources. */
  untrusted: Untrusted;
  approvals: Approvals;
  signIns: SignIns;
  users: Users;
  /** Absent if there is no identity provider. */
  oidc?: Oidc | undefined;
  keys: ApiKeys;
  /** Programs that can be connected, the people who decide on that, and what they allowed. */
  programs: Programs;
  consents: Consents;
  grants: Grants;
  /** Open streams, which end with the credential of their reader. */
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
  /** Requests of programs in the words of other vendors, and who reads their answers. */
  runs: Runs;
  readers: RunReaders;
  /** Answers for pages made with the AI SDK. */
  uiAnswers: UiAnswers;
  once: Once;
  /** Answers made again from their records. */
  replays: Replays;
  rehearsals: Rehearsals;
  /** Metrics, for those with the key; absent: nothing is counted. */
  metrics?: MetricsDoor | undefined;
  /** Answers get `grace` milliseconds to end and none begins; everything else is still there. */
  drain(grace: number): Promise<void>;
  /** Drains, then ends; what is unfinished continues at the next start, or on another host. */
  close(grace?: number): Promise<void>;
}

/** Opens the data, puts the engine together and goes on with whatever an earlier process left. */
export async function createHost(options: HostOptions): Promise<Host> {
  const { home, now = Date.now } = options;
  checkHostTools(options.tools ?? []);
  if (options.hideEnvironment) hideEnvironment();
  const troubles = new Troubles(now);
  const limits = limitsWith(options.limits);
  const level = options.logLevel ?? 'debug';
  const log = new HostLog(options.logger ?? silentLogger, level, limits.hostLog, now);
  const logger = troubles.counting(log);
  const store = await openStore({ ...options, logger });
  try {
    const health = await watchHealth({ home, store, troubles, logger });
    const known = { ...options, logger, now, limits, troubles };
    const base = createBase(store, known);
    const door = new HostLogDoor(base, log);
    await door.load();
    return { ...health, logger, log: door, ...(await assemble(base, known)) };
  } catch (error) {
    await store.close();
    throw error;
  }
}

type Assembled = Omit<Host, keyof HostHealth | 'logger' | 'log'>;

/** What everything else is built on. */
function createBase(store: Store, options: ResolvedOptions): Base {
  const { limits, logger, now } = options;
  const signals = new Signals();
  const events = new HostEvents(signals);
  const telemetry = new HostTelemetry(options, logger, now);
  const instance = randomUUID();
  const once = new Once(store, instance, now);
  return { store, limits, logger, signals, events, telemetry, instance, once, now };
}

/** Each part after those that it needs; then the signals between them. */
async function assemble(base: Base, options: ResolvedOptions): Promise<Assembled> {
  const { home, databaseUrl, publicUrl, adminTokens = [], fetchAllow = [], tools = [] } = options;
  const { signInLink, command, environment, discover, demoPace, limits, now, troubles } = options;
  const { store, signals, events, telemetry, once } = base;
  const box = await openSecretBox(store.db, options);
  const blobs = createBlobs(store, home, { now, limits });
  const waysIn = { adminTokens, oidc: options.oidc, signInLink, command };
  const people = await createPeople(base, { box, ...waysIn });
  const { users, signIns, oidc, keys, grants, streams, ways } = people;
  const settings = new Settings({ store, box, users, alwaysAllowed: fetchAllow });
  const vendors = { plugged: options.models, environment, discover, demoPace };
  const modelParts = createModels(base, { box, users, settings, vendors });
  const { providers, models } = modelParts;
  const { serverVariables = {}, bubblewrap } = options;
  const folders = openFolders(base, home, blobs);
  const reach = { home, publicUrl, serverVariables, folders, bubblewrap };
  const serverParts = await createServers(base, { box, blobs, users, settings, models, ...reach });
  const { mcp, sessions, loaded, servers, inputs, policy, pins, signIn } = serverParts;
  const parts = { box, blobs, users, settings, modelParts, serverParts };
  const quota = new Quota(store, limits);
  const engine = new Engine(base, { ...parts, quota, databaseUrl, tools });
  const doors = createDoors(signals, serverParts, engine);
  const conversations = createConversations(base, home, { ...parts, quota, engine });
  const { sweeper, topics, messages, runs, readers, data, bundles, catalogue } = conversations;
  connect({ store, signals, people, policy, loaded, inputs, engine, topics });

  await loaded.start();
  await inputs.tidy(databaseUrl ? [...(await listInstances(store.db))] : []);
  await engine.start();
  sweeper.start();
  const tidying = tidyFolders(base, home, { folders, signals });
  const services = [sessions, serverParts.rehearsals, mcp];
  const closing = [readers, people, sweeper, tidying, models, ...services, telemetry, store];
  let closed: Promise<void> | undefined;

  return {
    store,
    limits,
    topics,
    messages,
    runs,
    readers,
    uiAnswers: conversations.uiAnswers,
    quota,
    assistants: new Assistants({ store, servers, sessions, limits, now }),
    providers,
    servers,
    bundles,
    catalogue,
    contents: new ServerContents({ mcp, servers, policy, pins, signIn }),
    doors,
    inputs,
    serverSignIn: signIn,
    settings,
    models,
    blobs,
    pictures: conversations.pictures,
    data,
    policy,
    untrusted: new Untrusted({ home, now, store, mcp }),
    approvals: engine.approvals,
    signIns,
    users,
    oidc,
    keys,
    ...createConsents(base, settings, grants),
    streams,
    ways,
    enter: (...visit) => enter(loaded, ...visit),
    about: describeHost(options),
    events,
    once,
    replays: new Replays({ ...base, blobs, recorder: engine.recorder }),
    rehearsals: serverParts.rehearsals,
    metrics: createMetricsDoor(telemetry, { engine, mcp, signIns, streams, troubles }),
    ...directDoors({ store, servers, policy, engine, now }),
    drain: (grace) => drain(doors, engine, grace),
    close: (grace = 0) => (closed ??= closeAll(doors, engine, grace, closing)),
  };
}

async function enter(
  loaded: LoadedServers,
  ...[owner, wants]: Parameters<Host['enter']>
): Promise<void> {
  await loaded.prepare(owner);
  if (wants?.looksAtServers) await loaded.refresh();
}

/** Connects the parts through signals. */
function connect(parts: {
  store: Store;
  signals: Signals;
  people: { reload(): Promise<void> };
  policy: Policy;
  loaded: LoadedServers;
  inputs: Inputs;
  engine: Engine;
  topics: Topics;
}): void {
  const { store, signals, people, policy, loaded, inputs, topics } = parts;
  const { approvals } = parts.engine;
  signals.on('role-changed', async ({ owner }) => {
    policy.roleChanged(owner);
    await loaded.unload(owner);
  });
  signals.on('person-leaving', ({ owner, signal }) =>
    endEverythingOf({ store, topics, loaded }, owner, signal),
  );
  signals.on('heard-event', ({ event }) => {
    // If the database is away, the next complete refresh finds this out.
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

/** Streams of programs end at once, so that they reconnect elsewhere; their calls have until the end. */
async function drain(doors: Doors, engine: Engine, grace: number): Promise<void> {
  doors.close();
  await engine.drain(grace);
}

/** Closes each part before those that it needs. */
async function closeAll(doors: Doors, engine: Engine, grace: number, deps: { close(): unknown }[]) {
  doors.close();
  await engine.close(grace);
  for (const part of deps) await part.close();
}
