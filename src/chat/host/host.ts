import { randomUUID } from 'node:crypto';
import { builtinServers } from '#mcp/builtin/builtin-servers.ts';
import { hideEnvironment } from '#mcp/process/hide-environment.ts';
import type { McpService } from '#mcp/service/mcp-service.ts';
import type { ModelCatalogs } from '#models/catalog/catalog.ts';
import type { LocalPlace } from '#models/catalog/local-servers.ts';
import type { SignInWays } from '#shared/api/people-api.ts';
import { type Limits, limitsWith } from '#shared/vocabulary/limits.ts';
import type { ModelAdapter } from '#shared/vocabulary/model.ts';
import type { Logger, SecretBox } from '#shared/vocabulary/ports.ts';
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
import { type MessagesDeps, receiveMessages } from '../conversations/messages.ts';
import { Topics } from '../conversations/topics.ts';
import { receiveTranslations } from '../conversations/translations.ts';
import { Data } from '../data/data.ts';
import { Pictures } from '../data/pictures.ts';
import { Quota } from '../data/quota.ts';
import { Sweeper } from '../data/sweeper.ts';
import { Inputs } from '../inputs/inputs.ts';
import type { ModelChoices } from '../models/model-choices.ts';
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
import { describeHost } from './about.ts';
import { createMcp, openTracker } from './create-mcp.ts';
import { createModels } from './create-models.ts';
import { createPeople } from './create-people.ts';
import { type DirectDoors, directDoors } from './direct-doors.ts';
import { Engine } from './engine.ts';
import { type HostHealth, watchHealth } from './host-health.ts';
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
type KnownOptions = HostOptions & { now: () => number; limits: Limits };

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
  messages: MessagesDeps;
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

async function assemble(store: Store, options: KnownOptions): Promise<Assembled> {
  const { adminTokens = [], limits, logger, now } = options;
  const box = await openSecretBox(store.db, options);
  const blobs = createBlobs(store, options.home, { now, limits });
  const events = new HostEvents();
  const things = () => ({ topics, loaded, engine, policy });
  const people = await createPeople({ ...options, store, box, adminTokens, things });
  const { users } = people;
  const settings = new Settings({ store, box, users, alwaysAllowed: options.fetchAllow ?? [] });
  const { providers, models, choices } = createModels({ ...options, store, box, users, settings });
  const running = new RunningCalls();
  const policy: Policy = new Policy(store, now, {
    isAdmin: (owner) => users.isAdmin(owner),
    ownerOf: (serverId) => mcp.servers().find(({ id }) => id === serverId)?.owner,
    check: (owner, named) => servers.check(owner, named),
  });
  const pins = new ToolPins({ store, policy, now });
  const shared = { store, box, options, limits, events, settings, models, running, pins, users };
  const known = { ...shared, choices, instance: randomUUID() };
  const made = await createServers(known);
  const { sessions, servers, loaded, inputs, signIn } = made;
  const mcp: McpService = made.mcp;
  const engine: Engine = new Engine({
    ...known,
    blobs,
    mcp,
    sessions,
    policy,
    logger,
    now,
    prepare: (owner) => loaded.prepare(owner),
    serverTool: (owner, serverId, toolName) => servers.tool(owner, serverId, toolName),
    ...fromNeighbours({ people, policy, loaded, inputs }),
  });
  const quota = new Quota(store, limits);
  servers.onChange = policy.onChange = () => engine.changed();
  const kept = { store, blobs, limits, quota, servers, now };
  const messages = createMessages(engine, { ...kept, models, choices });
  const sweeper = new Sweeper({ store, blobs, users, limits, logger, now });
  const deps = { ...kept, sessions, sweeper };
  const topics: Topics = new Topics({ ...deps, ...topicParts(engine) });
  await inputs.tidy(options.databaseUrl ? [...(await listInstances(store.db))] : []);
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
    contents: new ServerContents(mcp, servers, policy),
    inputs,
    serverSignIn: signIn,
    settings,
    models,
    blobs,
    pictures: new Pictures(settings),
    quota,
    data: new Data({ ...options, ...known, ...deps, topics, blobs, emit: engine.emit }),
    policy,
    untrusted: new Untrusted({ ...options, store, mcp }),
    approvals: engine.approvals,
    ...people,
    about: describeHost(options),
    events,
    once: new Once(store, known.instance, now),
    messages,
    ...directDoors({ store, servers, policy, engine, now }),
    drain: (grace) => engine.drain(grace),
    close: (grace = 0) =>
      (closed ??= closeAll(engine, grace, [people, sweeper, models, sessions, mcp, store])),
  };
}

/** What other hosts on the same database change is read again here. */
function fromNeighbours(deps: {
  people: { reload(): Promise<void> };
  policy: Policy;
  loaded: LoadedServers;
  inputs: Inputs;
}): Pick<ConstructorParameters<typeof Engine>[0], 'onNeighbourEvent' | 'reload'> {
  const { people, policy, loaded, inputs } = deps;
  return {
    onNeighbourEvent: (event) => {
      if (event.type === 'input-answered') inputs.refresh([event.inputId]).catch(() => undefined);
    },
    reload: async () => {
      await people.reload();
      await policy.reloadAll();
      await loaded.reload();
      await inputs.refresh();
    },
  };
}

/** What topics need of the engine. */
function topicParts({ live, turns, commands, emit }: Engine) {
  return { live, turns, commands, emit };
}

/** In the order in which each needs the next. */
async function closeAll(engine: Engine, grace: number, deps: { close(): unknown }[]) {
  await engine.close(grace);
  for (const part of deps) await part.close();
}

/** What sending messages needs of the host, and what other hosts send here. */
function createMessages(
  { live: topics, turns, commands, origins }: Engine,
  deps: {
    store: Store;
    blobs: Blobs;
    limits: Limits;
    models: ModelCatalogs;
    servers: Servers;
    choices: ModelChoices;
    quota: Quota;
    now: () => number;
  },
): MessagesDeps {
  const { models, servers, quota } = deps;
  const messages: MessagesDeps = {
    ...deps,
    topics,
    turns,
    commands,
    origins,
    checkModel: async (name, owner) => void (await models.of(owner).resolve(name)),
    checkServers: (...named) => servers.check(...named),
    checkRoom: (owner) => quota.requireRoom(owner, 0),
  };
  receiveMessages(messages);
  receiveTranslations(messages);
  return messages;
}

/** The MCP servers: what runs them, answers their questions and signs people in to them. */
async function createServers(known: {
  store: Store;
  box: SecretBox;
  options: KnownOptions;
  events: HostEvents;
  settings: Settings;
  models: ModelCatalogs;
  running: RunningCalls;
  pins: ToolPins;
  users: Users;
  instance: string;
}) {
  const { store, box, options, events, settings, models, running, pins, users } = known;
  const { limits, logger, now } = options;
  const recordOf = (serverId: string) => mcp.servers().find(({ id }) => id === serverId);
  const inputs = new Inputs({
    store,
    models,
    running,
    server: recordOf,
    defaultModel: (owner) => settings.defaultModel(owner),
    emit: (owner, event) => events.emit(owner, event),
    now,
    limits,
    instance: known.instance,
  });
  const signIn = new ServerSignIn({
    store,
    credentials: createCredentials(store, box, now),
    ...options,
    recordOf,
    servers: () => servers,
  });
  const tracker = await openTracker(options.home, logger);
  const deps = {
    store,
    settings,
    events,
    inputs,
    signIn,
    tracker,
    eras: new Map(),
    home: options.home,
    limits,
    logger,
  };
  const mcp: McpService = createMcp(deps);
  const sessions = new SessionServers(mcp, {
    createService: (statusOf) => createMcp({ ...deps, statusOf }),
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
  const servers = new Servers({ store, mcp, sessions, loaded, pins, box, users, limits, now });
  await loaded.start();
  return { mcp, sessions, loaded, servers, inputs, signIn };
}
