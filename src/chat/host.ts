import { randomUUID } from 'node:crypto';
import { builtinServers } from '#mcp/builtin/index.ts';
import type { McpService } from '#mcp/mcp-service.ts';
import { hideEnvironment } from '#mcp/process/hide-environment.ts';
import { createCatalog, type ModelCatalog } from '#models/catalog.ts';
import { createDemoModel } from '#models/demo/model.ts';
import { createLocalServers, type LocalPlace, usualPlaces } from '#models/local-servers.ts';
import type { ToolCallView } from '#shared/api.ts';
import { toErrorInfo } from '#shared/errors.ts';
import type { JsonObject } from '#shared/json.ts';
import type { ModelAdapter } from '#shared/model.ts';
import type { TestPolicy } from '#shared/policy-api.ts';
import type { Logger, SecretBox } from '#shared/ports.ts';
import { type Blobs, createBlobs } from '#store/blobs.ts';
import { createCredentials } from '#store/credentials.ts';
import { listInstances } from '#store/leases.ts';
import { createSecretBox, loadSecretKey, verifySecretKey } from '#store/secrets.ts';
import { openStore, type Store } from '#store/store.ts';
import type { NativeTool } from '#tools/registry.ts';
import type { Approvals } from './approvals.ts';
import { Assistants } from './assistants.ts';
import { BlobCollector } from './blob-collector.ts';
import { createMcp, openTracker } from './create-mcp.ts';
import { Engine } from './engine.ts';
import { HostEvents } from './host-events.ts';
import { Once } from './idempotency.ts';
import { Inputs } from './inputs.ts';
import { type MessagesDeps, receiveMessages } from './messages.ts';
import { Policy } from './policy.ts';
import { ToolPins } from './policy-pins.ts';
import { testPolicy } from './policy-tool.ts';
import { Providers } from './providers.ts';
import { RunningCalls } from './running-calls.ts';
import { ServerContents } from './server-contents.ts';
import { ServerSignIn } from './server-sign-in.ts';
import { Servers } from './servers.ts';
import { SessionServers } from './session-servers.ts';
import { Settings } from './settings.ts';
import { SignIns } from './sign-ins.ts';
import { createToolCheckMemory } from './tool-check-memory.ts';
import { Topics } from './topics.ts';

/** The one owner of a host that runs on one machine. */
const localOwner = 'local';

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
export interface Host {
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
  models: ModelCatalog;
  /** Files of people, and what is large of results. */
  blobs: Blobs;
  policy: Policy;
  approvals: Approvals;
  signIns: SignIns;
  events: HostEvents;
  messages: MessagesDeps;
  once: Once;
  callTool(
    owner: string,
    serverId: string,
    toolName: string,
    args: JsonObject,
    callId?: string,
  ): Promise<ToolCallView>;
  /** What would become of a call; nothing is run. */
  testPolicy(owner: string, call: TestPolicy): ReturnType<typeof testPolicy>;
  /** False if no such call runs. */
  abortCall(owner: string, toolCallId: string): Promise<boolean>;
  /** Answers get `grace` milliseconds to end and none begins; everything else is still there. */
  drain(grace: number): Promise<void>;
  /** The same, then the end; what is still open goes on at the next start, or on another host. */
  close(grace?: number): Promise<void>;
}

/** Opens the data, puts the engine together and goes on with whatever an earlier process left. */
export async function createHost(options: HostOptions): Promise<Host> {
  const { logger, now = Date.now } = options;
  if (options.hideEnvironment) hideEnvironment();
  const store = await openStore(options);
  try {
    return await assemble(store, { ...options, logger, now });
  } catch (error) {
    await store.close();
    throw error;
  }
}

async function assemble(store: Store, options: HostOptions & { now: () => number }): Promise<Host> {
  const { logger, now } = options;
  const box = await openSecretBox(store, options);
  const blobs = createBlobs(store, options.home, now);
  const events = new HostEvents();
  const settings = new Settings(store, box, options.fetchAllow ?? []);
  const { providers, models } = createModels(store, box, options);
  const running = new RunningCalls();
  const policy = new Policy(store, now);
  const pins = new ToolPins({ store, policy, now });
  const instance = randomUUID();
  const known = { store, box, options, events, settings, models, running, pins, instance };
  const { mcp, sessions, servers, inputs, signIn } = await createServers(known);
  const engine = new Engine({
    ...known,
    blobs,
    mcp,
    sessions,
    policy,
    logger,
    now,
    owner: localOwner,
    serverTool: (owner, serverId, toolName) => servers.tool(owner, serverId, toolName),
    onNeighbourEvent: (event) => {
      if (event.type === 'input-answered') inputs.refresh([event.inputId]).catch(() => undefined);
    },
    reload: async () => {
      await policy.reload(localOwner);
      await servers.reload(localOwner);
      await inputs.refresh();
    },
  });
  servers.onChange = () => engine.changed();
  policy.onChange = () => engine.changed();
  const messages = createMessages(engine, { store, blobs, models, settings, now });
  const collector = new BlobCollector(blobs, logger);
  const { live, turns, commands, emit } = engine;
  const topics = new Topics({ live, turns, commands, emit, store, sessions, collector, now });
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
    contents: new ServerContents(mcp, (owner, id) => void servers.get(owner, id)),
    inputs,
    serverSignIn: signIn,
    settings,
    models,
    blobs,
    policy,
    approvals: engine.approvals,
    signIns: new SignIns(store, options.adminTokens ?? [], now),
    events,
    once: new Once(store),
    messages,
    callTool: async (owner, serverId, toolName, args, callId) => {
      const tool = await servers.tool(owner, serverId, toolName);
      return engine.callDirectly(owner, tool, args, callId);
    },
    testPolicy: (owner, call) =>
      testPolicy({ policy, serverTool: (...tool) => servers.tool(...tool) }, owner, call),
    abortCall: (owner, toolCallId) => engine.abortCall(owner, toolCallId),
    drain: (grace) => engine.drain(grace),
    close: (grace = 0) =>
      (closed ??= engine
        .close(grace)
        .then(() => collector.close())
        .then(() => models.close())
        .then(() => sessions.close())
        .then(() => mcp.close())
        .then(() => store.close())),
  };
}

/** What sending messages needs of the host, and what other hosts send here. */
function createMessages(
  { live: topics, turns, commands }: Engine,
  parts: {
    store: Store;
    blobs: Blobs;
    models: ModelCatalog;
    settings: Settings;
    now: () => number;
  },
): MessagesDeps {
  const { store, blobs, models, settings, now } = parts;
  const messages: MessagesDeps = {
    store,
    blobs,
    topics,
    turns,
    commands,
    now,
    checkModel: async (name) => void (await models.resolve(name)),
    defaultModel: (owner) => settings.defaultModel(owner),
  };
  receiveMessages(messages);
  return messages;
}

/** The vendors of models, and the models. */
function createModels(store: Store, box: SecretBox, options: HostOptions & { now: () => number }) {
  const { discover = false, environment = {}, logger, now } = options;
  const places = discover === true ? usualPlaces : discover || [];
  const local = createLocalServers(places, now);
  const providers = new Providers({ store, box, now, environment, local });
  const models = createCatalog({
    providers: (name) => providers.withKeys(localOwner, name),
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
  models: ModelCatalog;
  running: RunningCalls;
  pins: ToolPins;
  instance: string;
}) {
  const { store, box, options, events, settings, models, running, pins } = known;
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
    owner: localOwner,
    logger,
  };
  const mcp: McpService = createMcp(parts);
  const sessions = new SessionServers(mcp, {
    createService: (statusOf) => createMcp({ ...parts, statusOf }),
    idleTime: options.sessionIdleTime,
  });
  const servers = new Servers({ store, mcp, sessions, pins, box, now });
  await servers.load(localOwner, builtinServers);
  return { mcp, sessions, servers, inputs, signIn };
}

/** Throws CeriseError `wrong_key` unless the key is the one the stored secrets were sealed with. */
async function openSecretBox(store: Store, options: HostOptions): Promise<SecretBox> {
  const key = await loadSecretKey(options.home, { CERISE_SECRET_KEY: options.secretKey });
  const box = createSecretBox(key);
  await verifySecretKey(store.db, box);
  return box;
}
