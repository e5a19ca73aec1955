import { randomUUID } from 'node:crypto';
import { builtinServers } from '#mcp/builtin/builtin-servers.ts';
import { hideEnvironment } from '#mcp/process/hide-environment.ts';
import type { ModelCatalogs } from '#models/catalog/catalog.ts';
import type { LocalPlace } from '#models/catalog/local-servers.ts';
import type { SignInWays } from '#shared/api/people-api.ts';
import type { HostEvent } from '#shared/vocabulary/event.ts';
import { type Limits, limitsWith } from '#shared/vocabulary/limits.ts';
import type { ModelAdapter } from '#shared/vocabulary/model.ts';
import type { Logger } from '#shared/vocabulary/ports.ts';
import { Troubles } from '#shared/vocabulary/troubles.ts';
import { type Blobs, createBlobs } from '#store/blobs/blobs.ts';
import { openSecretBox } from '#store/configuration/secrets.ts';
import { listInstances } from '#store/conversations/leases.ts';
import { type Store } from '#store/database/store.ts';
import { openStore } from '#store/open-store.ts';
import { createCredentials } from '#store/people/credentials.ts';
import type { NativeTool } from '#tools/registry/registry.ts';
import type { Approvals } from '../calls/approvals.ts';
import { RunningCalls } from '../calls/running-calls.ts';
import { HostEvents } from '../cluster/host-events.ts';
import { Once } from '../cluster/idempotency.ts';
import { Messages } from '../conversations/messages.ts';
import { Topics } from '../conversations/topics.ts';
import { Data } from '../data/data.ts';
import { Pictures } from '../data/pictures.ts';
import { Quota } from '../data/quota.ts';
import { Sweeper } from '../data/sweeper.ts';
import { Inputs } from '../inputs/inputs.ts';
import type { Providers } from '../models/providers.ts';
import { Settings } from '../models/settings.ts';
import type { ApiKeys } from '../people/api-keys.ts';
import type { Oidc, OidcOptions } from '../people/oidc.ts';
import type { OpenStreams } from '../people/open-streams.ts';
import type { SignIns } from '../people/sign-ins.ts';
import type { Users } from '../people/users.ts';
import { ToolPins } from '../policy/policy-pins.ts';
import { Policy } from '../policy/policy.ts';
import { Assistants } from '../servers/assistants.ts';
import { LoadedServers } from '../servers/loaded-servers.ts';
import { ServerContents } from '../servers/server-contents.ts';
import { ServerSignIn } from '../servers/server-sign-in.ts';
import { Servers } from '../servers/servers.ts';
import { SessionServers } from '../servers/session-servers.ts';
import { Signals } from '../topic/signals.ts';
import { describeHost } from './about.ts';
import { createMcp, openTracker } from './create-mcp.ts';
import { createModels } from './create-models.ts';
import { createPeople } from './create-people.ts';
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
  /** The https address people reach this host by; lets it name itself to authorization servers. */
  publicUrl?: string | undefined;
  /** The identity provider that people may sign in by. */
  oidc?: OidcOptions | undefined;
  /** Private addresses the fetch tool may reach, besides those of the settings. */
  fetchAllow?: string[];
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
   * Makes ready what somebody has who comes in. Whoever looks at servers sees what holds in the store,
   * whichever host was told of it; for everybody else it is enough to hear of it soon.
   */
  enter(owner: string, wants?: { looksAtServers: boolean }): Promise<void>;
  /** What this host is, for whoever wants to know. */
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
  const { home, databaseUrl, tools = [], adminTokens = [], fetchAllow = [] } = options;
  const { limits, logger, now, publicUrl } = options;
  const instance = randomUUID();
  const box = await openSecretBox(store.db, options);
  const blobs = createBlobs(store, home, { now, limits });
  const signals = new Signals();
  const events = new HostEvents(signals);
  const people = await createPeople({ ...options, store, box, adminTokens, signals });
  const { users } = people;
  const settings = new Settings({ store, box, users, alwaysAllowed: fetchAllow });
  const { providers, models, choices } = createModels({ ...options, store, box, users, settings });

  const running = new RunningCalls();
  const inputs = new Inputs({
    store,
    models,
    running,
    defaultModel: (owner) => settings.defaultModel(owner),
    emit: (owner, event) => events.emit(owner, event),
    now,
    limits,
    instance,
  });
  const credentials = createCredentials(store, box, now);
  const tracker = await openTracker(home, logger);
  const eras = new Map();
  const mcpDeps = { store, settings, events, inputs, credentials, tracker, eras };
  const service = { ...mcpDeps, home, limits, logger, now };
  const mcp = createMcp(service);
  const sessions = new SessionServers(mcp, {
    createService: (statusOf) => createMcp({ ...service, statusOf }),
    limits,
  });
  const loaded = new LoadedServers({
    store,
    mcp,
    sessions,
    box,
    users,
    builtins: builtinServers,
    isBusy: (owner) => running.isBusy(owner),
    now,
  });
  const policy = new Policy({
    store,
    signals,
    now,
    servers: {
      isAdmin: (owner) => users.isAdmin(owner),
      ownerOf: (serverId) => loaded.ownerOf(serverId),
      check: (owner, named) => loaded.check(owner, named),
    },
  });
  const pins = new ToolPins({ store, policy, now });
  const servers = new Servers({
    store,
    mcp,
    sessions,
    loaded,
    pins,
    box,
    users,
    limits,
    signals,
    now,
  });
  const signIn = new ServerSignIn({
    store,
    credentials,
    logger,
    now,
    limits,
    publicUrl,
    mcp,
    servers,
  });

  const engine = new Engine({
    store,
    blobs,
    events,
    signals,
    models,
    choices,
    mcp,
    sessions,
    loaded,
    servers,
    policy,
    pins,
    running,
    instance,
    databaseUrl,
    tools,
    limits,
    logger,
    now,
  });
  const { live, turns, commands, origins, approvals } = engine;
  const emit = (owner: string, event: HostEvent) => events.emit(owner, event);
  const quota = new Quota(store, limits);
  const sweeper = new Sweeper({ store, blobs, users, limits, logger, now });
  const messages = new Messages({
    store,
    blobs,
    limits,
    topics: live,
    turns,
    commands,
    origins,
    checkModel: async (name, owner) => void (await models.of(owner).resolve(name)),
    checkServers: (...named) => servers.check(...named),
    checkRoom: (owner) => quota.requireRoom(owner, 0),
    choices,
    now,
  });
  const topics = new Topics({
    store,
    limits,
    live,
    turns,
    commands,
    servers,
    sessions,
    sweeper,
    emit,
    now,
  });

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

  await loaded.start();
  await inputs.tidy(databaseUrl ? [...(await listInstances(store.db))] : []);
  await engine.start();
  sweeper.start();
  let closed: Promise<void> | undefined;

  return {
    store,
    limits,
    topics,
    assistants: new Assistants({ store, servers, sessions, now }),
    providers,
    servers,
    contents: new ServerContents({ mcp, servers, policy, signIn }),
    inputs,
    serverSignIn: signIn,
    settings,
    models,
    blobs,
    pictures: new Pictures(settings),
    quota,
    data: new Data({
      store,
      blobs,
      limits,
      box,
      settings,
      models,
      servers,
      sweeper,
      topics,
      quota,
      home,
      emit,
      now,
    }),
    policy,
    untrusted: new Untrusted({ home, now, store, mcp }),
    approvals,
    ...people,
    enter: async (owner, wants) => {
      await loaded.prepare(owner);
      if (wants?.looksAtServers) await loaded.refresh();
    },
    about: describeHost(options),
    events,
    once: new Once(store, instance, now),
    messages,
    ...directDoors({ store, servers, policy, engine, now }),
    drain: (grace) => engine.drain(grace),
    close: (grace = 0) =>
      (closed ??= closeAll(engine, grace, [people, sweeper, models, sessions, mcp, store])),
  };
}

/** In the order in which each needs the next. */
async function closeAll(engine: Engine, grace: number, deps: { close(): unknown }[]) {
  await engine.close(grace);
  for (const part of deps) await part.close();
}
