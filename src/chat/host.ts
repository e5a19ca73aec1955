import { randomUUID } from 'node:crypto';
import { builtinServers } from '#mcp/builtin/index.ts';
import type { McpService } from '#mcp/mcp-service.ts';
import { hideEnvironment } from '#mcp/process/hide-environment.ts';
import { createCatalogs, type ModelCatalogs } from '#models/catalog.ts';
import { createDemoModel } from '#models/demo/model.ts';
import { createLocalServers, type LocalPlace, usualPlaces } from '#models/local-servers.ts';
import type { ToolCallView } from '#shared/api.ts';
import { toErrorInfo } from '#shared/errors.ts';
import type { JsonObject } from '#shared/json.ts';
import type { ModelAdapter } from '#shared/model.ts';
import type { SignInWays } from '#shared/people-api.ts';
import type { TestPolicy } from '#shared/policy-api.ts';
import type { Logger, SecretBox } from '#shared/ports.ts';
import { Troubles } from '#shared/troubles.ts';
import type { UsageQuery, UsageView } from '#shared/usage-api.ts';
import { type Blobs, createBlobs } from '#store/blobs.ts';
import { createCredentials } from '#store/credentials.ts';
import { listInstances } from '#store/leases.ts';
import { openSecretBox } from '#store/secrets.ts';
import { openStore, type Store } from '#store/store.ts';
import type { NativeTool } from '#tools/registry.ts';
import { describeHost } from './about.ts';
import type { ApiKeys } from './api-keys.ts';
import type { Approvals } from './approvals.ts';
import { Assistants } from './assistants.ts';
import { BlobCollector } from './blob-collector.ts';
import { createMcp, openTracker } from './create-mcp.ts';
import { createPeople } from './create-people.ts';
import { Data } from './data.ts';
import { directDoors } from './direct-doors.ts';
import { Engine } from './engine.ts';
import { HostEvents } from './host-events.ts';
import { type HostHealth, watchHealth } from './host-health.ts';
import { Once } from './idempotency.ts';
import { Inputs } from './inputs.ts';
import { LoadedServers } from './loaded-servers.ts';
import { type MessagesDeps, receiveMessages } from './messages.ts';
import { ModelChoices } from './model-choices.ts';
import type { Oidc, OidcOptions } from './oidc.ts';
import type { OpenStreams } from './open-streams.ts';
import { Pictures } from './pictures.ts';
import { Policy } from './policy.ts';
import { ToolPins } from './policy-pins.ts';
import type { testPolicy } from './policy-tool.ts';
import { Providers } from './providers.ts';
import type { CallName } from './repeated-call.ts';
import { RunningCalls } from './running-calls.ts';
import { ServerContents } from './server-contents.ts';
import { ServerSignIn } from './server-sign-in.ts';
import { Servers } from './servers.ts';
import { SessionServers } from './session-servers.ts';
import { Settings } from './settings.ts';
import type { SignIns } from './sign-ins.ts';
import { createToolCheckMemory } from './tool-check-memory.ts';
import { Topics } from './topics.ts';
import { receiveTranslations } from './translations.ts';
import { localOwner, type Users } from './users.ts';

export interface HostOptions {
  /** The data folder. */
  home: string;
  /** PostgreSQL; absent: SQLite in `home`. */
  databaseUrl?: string;
  /** Absent: a key file in `home`. */
  secretKey?: string;
  /** Bearer tokens of the admin for headless use. */
  adminTokens?: string[];
  /** The https address people reach this host by; lets it name itself to authorization servers. */
  publicUrl?: string;
  /** The identity provider that people may sign in by. */
  oidc?: OidcOptions;
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
  demoPace?: number;
  journalTick?: number;
  /** Milliseconds a topic's own servers run without a call. */
  sessionIdleTime?: number;
  /** Hides our environment from the processes we start. For programs that are nothing but a host. */
  hideEnvironment?: boolean;
  now?: () => number;
}

/** The engine, put together: everything the doors (HTTP, command line, library) call. */
export interface Host extends HostHealth {
  store: Store;
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
  policy: Policy;
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
  callTool(
    owner: string,
    serverId: string,
    toolName: string,
    args: JsonObject,
    name?: CallName,
  ): Promise<ToolCallView>;
  /** What would become of a call; nothing is run. */
  testPolicy(owner: string, call: TestPolicy): ReturnType<typeof testPolicy>;
  /** What was used of late. */
  usage(owner: string, query: UsageQuery): Promise<UsageView>;
  /** False if no such call runs. */
  abortCall(owner: string, toolCallId: string): Promise<boolean>;
  /** Resolves if the database answers. */
  ping(): Promise<void>;
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
    return { ...health, ...(await assemble(store, { ...options, logger, now })) };
  } catch (error) {
    await store.close();
    throw error;
  }
}

type Assembled = Omit<Host, keyof HostHealth>;
type Timed = HostOptions & { now: () => number };

async function assemble(store: Store, options: Timed): Promise<Assembled> {
  const { adminTokens = [], logger, now } = options;
  const box = await openSecretBox(store.db, options);
  const blobs = createBlobs(store, options.home, now);
  const events = new HostEvents();
  const things = () => ({ topics, loaded, engine });
  const people = await createPeople({ ...options, store, box, adminTokens, things });
  const { users } = people;
  const settings = new Settings({ store, box, users, alwaysAllowed: options.fetchAllow ?? [] });
  const { providers, models } = createModels(store, box, users, options);
  const choices = new ModelChoices({ settings, models });
  const running = new RunningCalls();
  const policy = new Policy(store, now, {
    ownerOf: (serverId) => mcp.servers().find(({ id }) => id === serverId)?.owner,
    check: (owner, named) => servers.check(owner, named),
  });
  const pins = new ToolPins({ store, policy, now });
  const shared = { store, box, options, events, settings, models, running, pins, users };
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
    onNeighbourEvent: (event) => {
      if (event.type === 'input-answered') inputs.refresh([event.inputId]).catch(() => undefined);
    },
    reload: async () => {
      await people.reload();
      await policy.reloadAll();
      await loaded.reload();
      await inputs.refresh();
    },
  });
  servers.onChange = policy.onChange = () => engine.changed();
  const messages = createMessages(engine, { store, blobs, models, servers, choices, now });
  const collector = new BlobCollector(blobs, logger);
  const parts = { store, sessions, collector, servers, now };
  const topics: Topics = new Topics({ ...parts, ...topicParts(engine) });
  await inputs.tidy(options.databaseUrl ? [...(await listInstances(store.db))] : []);
  await engine.start();
  collector.start();
  let closed: Promise<void> | undefined;

  return {
    store,
    topics,
    assistants: new Assistants({ store, servers, sessions, now }),
    providers,
    servers,
    contents: new ServerContents(mcp, servers),
    inputs,
    serverSignIn: signIn,
    settings,
    models,
    blobs,
    pictures: new Pictures(settings),
    data: new Data({ ...options, ...known, ...parts, topics, blobs, emit: engine.emit }),
    policy,
    approvals: engine.approvals,
    ...people,
    about: describeHost(options),
    events,
    once: new Once(store, known.instance),
    messages,
    ...directDoors({ store, servers, policy, engine, now }),
    drain: (grace) => engine.drain(grace),
    close: (grace = 0) =>
      (closed ??= closeAll([people, collector, models, sessions, mcp, store], { engine, grace })),
  };
}

/** What topics need of the engine. */
function topicParts({ live, turns, commands, emit }: Engine) {
  return { live, turns, commands, emit };
}

/** In the order in which each needs the next. */
async function closeAll(
  parts: { close(): void | Promise<void> }[],
  { engine, grace }: { engine: Engine; grace: number },
): Promise<void> {
  await engine.close(grace);
  for (const part of parts) await part.close();
}

/** What sending messages needs of the host, and what other hosts send here. */
function createMessages(
  { live: topics, turns, commands }: Engine,
  parts: {
    store: Store;
    blobs: Blobs;
    models: ModelCatalogs;
    servers: Servers;
    choices: ModelChoices;
    now: () => number;
  },
): MessagesDeps {
  const { store, blobs, models, servers, choices, now } = parts;
  const messages: MessagesDeps = {
    store,
    blobs,
    topics,
    turns,
    commands,
    now,
    checkModel: async (name, owner) => void (await models.of(owner).resolve(name)),
    checkServers: (owner, named) => servers.check(owner, named),
    choices,
  };
  receiveMessages(messages);
  receiveTranslations(messages);
  return messages;
}

/** The vendors of models, and the models. */
function createModels(
  store: Store,
  box: SecretBox,
  users: Users,
  options: HostOptions & { now: () => number },
) {
  const { discover = false, environment = {}, logger, now } = options;
  const places = discover === true ? usualPlaces : discover || [];
  const local = createLocalServers(places, now);
  const providers = new Providers({ store, box, users, now, environment, local });
  const models = createCatalogs({
    providers: (owner, name) => providers.withKeys(owner, name),
    demo: createDemoModel({ pace: options.demoPace }),
    plugged: options.models,
    toolChecks: createToolCheckMemory(store, localOwner),
    report: (error) => logger.warn(toErrorInfo(error), 'A tool check could not be kept'),
    now,
  });
  return { providers, models };
}

/** The MCP servers: what runs them, answers their questions and signs people in to them. */
async function createServers(known: {
  store: Store;
  box: SecretBox;
  options: HostOptions & { now: () => number };
  events: HostEvents;
  settings: Settings;
  models: ModelCatalogs;
  running: RunningCalls;
  pins: ToolPins;
  users: Users;
  instance: string;
}) {
  const { store, box, options, events, settings, models, running, pins, users } = known;
  const { logger, now } = options;
  const recordOf = (serverId: string) => mcp.servers().find(({ id }) => id === serverId);
  const inputs = new Inputs({
    store,
    models,
    running,
    server: recordOf,
    defaultModel: (owner) => settings.defaultModel(owner),
    emit: (owner, event) => events.emit(owner, event),
    now,
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
  const parts = {
    store,
    settings,
    events,
    inputs,
    signIn,
    tracker,
    eras: new Map(),
    home: options.home,
    logger,
  };
  const mcp: McpService = createMcp(parts);
  const sessions = new SessionServers(mcp, {
    createService: (statusOf) => createMcp({ ...parts, statusOf }),
    idleTime: options.sessionIdleTime,
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
  const servers = new Servers({ store, mcp, sessions, loaded, pins, box, users, now });
  await loaded.start();
  return { mcp, sessions, loaded, servers, inputs, signIn };
}
