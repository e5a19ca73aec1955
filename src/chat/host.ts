import { builtinServers } from '#mcp/builtin/index.ts';
import type { McpService } from '#mcp/mcp-service.ts';
import { hideEnvironment } from '#mcp/process/hide-environment.ts';
import { createCatalog, type ModelCatalog } from '#models/catalog.ts';
import { createDemoModel } from '#models/demo/model.ts';
import { createLocalServers, type LocalPlace, usualPlaces } from '#models/local-servers.ts';
import type { ToolCallView } from '#shared/api.ts';
import { toErrorInfo } from '#shared/errors.ts';
import type { HostEvent } from '#shared/event.ts';
import type { JsonObject } from '#shared/json.ts';
import { limits } from '#shared/limits.ts';
import type { Message } from '#shared/message.ts';
import type { ModelAdapter } from '#shared/model.ts';
import type { Logger, SecretBox } from '#shared/ports.ts';
import { type Blobs, createBlobs } from '#store/blobs.ts';
import { createCredentials } from '#store/credentials.ts';
import { createSecretBox, loadSecretKey, verifySecretKey } from '#store/secrets.ts';
import { openStore, type Store } from '#store/store.ts';
import type { NativeTool } from '#tools/registry.ts';
import { Approvals } from './approvals.ts';
import { Assistants } from './assistants.ts';
import { BlobCollector } from './blob-collector.ts';
import { createMcp, openTracker } from './create-mcp.ts';
import { Decisions } from './decisions.ts';
import { callDirectly, endLostDirectCalls } from './direct-calls.ts';
import { HostEvents } from './host-events.ts';
import { Once } from './idempotency.ts';
import { Inputs } from './inputs.ts';
import { Journal } from './journal.ts';
import { Limiter } from './limiter.ts';
import type { LiveTopic } from './live-topic.ts';
import { LiveTopics } from './live-topics.ts';
import type { MessagesDeps } from './messages.ts';
import { Providers } from './providers.ts';
import { recover } from './recovery.ts';
import { RunningCalls } from './running-calls.ts';
import { ServerContents } from './server-contents.ts';
import { ServerSignIn } from './server-sign-in.ts';
import { Servers } from './servers.ts';
import { SessionServers } from './session-servers.ts';
import { Settings } from './settings.ts';
import { SignIns } from './sign-ins.ts';
import { createToolCheckMemory } from './tool-check-memory.ts';
import { nameTopic } from './titles.ts';
import { Topics } from './topics.ts';
import { loadTurnTools } from './turn-tools.ts';
import { Turns } from './turns.ts';
import { FrameClock } from './viewers.ts';

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
  /** False if no such call runs. */
  abortCall(toolCallId: string): boolean;
  /** Answers get `grace` milliseconds to end; what is still open goes on at the next start. */
  close(grace?: number): Promise<void>;
}

/** Opens the data, puts the engine together and goes on with whatever an earlier process left. */
export async function createHost(options: HostOptions): Promise<Host> {
  const { logger, now = Date.now } = options;
  if (options.hideEnvironment) hideEnvironment();
  const store = await openStore({ ...options, alone: true });
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
  const known = { store, box, options, events, settings, models, running };
  const { mcp, sessions, servers, inputs, signIn } = await createServers(known);
  const engine = createEngine({ store, blobs, options, events, models, mcp, sessions, running });
  await goOn(store, engine, options);
  const collector = new BlobCollector(blobs, logger);
  collector.start();
  let closed: Promise<void> | undefined;

  return {
    store,
    topics: new Topics({ ...engine, store, sessions, collector, now }),
    assistants: new Assistants({ store, servers, sessions, now }),
    providers,
    servers,
    contents: new ServerContents(mcp, (owner, id) => void servers.get(owner, id)),
    inputs,
    serverSignIn: signIn,
    settings,
    models,
    blobs,
    approvals: engine.approvals,
    signIns: new SignIns(store, options.adminTokens ?? [], now),
    events,
    once: new Once(store),
    messages: {
      store,
      blobs,
      topics: engine.live,
      turns: engine.turns,
      checkModel: async (name) => void (await models.resolve(name)),
      defaultModel: (owner) => settings.defaultModel(owner),
      now,
    },
    callTool: async (owner, serverId, toolName, args, callId) => {
      const tool = await servers.tool(owner, serverId, toolName);
      return callDirectly({ ...engine, store, blobs, logger, now }, owner, tool, args, callId);
    },
    abortCall: (toolCallId) => engine.running.abort(toolCallId),
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
}) {
  const { store, box, options, events, settings, models, running } = known;
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
  const servers = new Servers({ store, mcp, sessions, box, now });
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

/** The parts that make answers, and how they end. */
function createEngine(parts: {
  store: Store;
  blobs: Blobs;
  options: HostOptions & { now: () => number };
  events: HostEvents;
  models: ModelCatalog;
  mcp: McpService;
  sessions: SessionServers;
  running: RunningCalls;
}) {
  const { store, blobs, options, events, models, running } = parts;
  const { logger, now } = options;
  const emit = (owner: string, event: HostEvent) => events.emit(owner, event);
  const journal = new Journal(store, logger, options.journalTick);
  const clock = new FrameClock();
  const live = new LiveTopics({
    store,
    journal,
    clock,
    onChange: (owner, topic) => emit(owner, { type: 'topic-changed', topic }),
  });
  const decisions = new Decisions();
  const limiter = new Limiter(limits.parallelCallsPerServer);
  const approvals = new Approvals({ store, blobs, topics: live, decisions, now });
  const closing = new AbortController();
  const turns = new Turns({
    topics: live,
    logger,
    onEnd: (topic, answer) => afterAnswer(store, models, logger, topic, answer, closing.signal),
    deps: {
      store,
      blobs,
      resolveModel: (name) => models.resolve(name),
      loadTools: (owner, topic, selection) =>
        loadTurnTools({ ...parts, ...options }, owner, topic, selection),
      onToolLeftOut: (toolName, reason) =>
        logger.warn({ toolName, reason }, 'A tool cannot be told to the model of an answer'),
      policy: (call) => approvals.policy(call),
      decisions,
      limiter,
      running,
      emit,
      now,
    },
  });
  const close = async (grace: number) => {
    await turns.close(grace);
    closing.abort();
    await journal.close();
    await live.endViewers();
    clock.close();
  };
  return {
    live,
    turns,
    approvals,
    decisions,
    limiter,
    running,
    emit,
    signal: closing.signal,
    close,
  };
}

/** Goes on with what an earlier process left open. */
async function goOn(
  store: Store,
  engine: { live: LiveTopics; turns: Turns },
  { logger, now }: HostOptions & { now: () => number },
): Promise<void> {
  await endLostDirectCalls(store, localOwner, now());
  const answers = await recover(store, engine.live, engine.turns);
  if (answers > 0) logger.info({ answers }, 'Going on with answers that were left open');
}

/** What happens after the end of an answer; none of it may break the turn. */
async function afterAnswer(
  store: Store,
  models: ModelCatalog,
  logger: Logger,
  live: LiveTopic,
  answer: Message,
  signal: AbortSignal,
): Promise<void> {
  if (answer.status !== 'success' || live.topic.titled) return;
  try {
    const model = await models.resolve(answer.model ?? '');
    await nameTopic(store, model, live, answer, signal);
  } catch (error) {
    logger.warn({ topicId: live.id, ...toErrorInfo(error) }, 'The topic could not be named');
  }
}
