import { setTimeout } from 'node:timers/promises';
import type { McpService } from '#mcp/service/mcp-service.ts';
import type { ModelCatalogs } from '#models/catalog/catalog.ts';
import type { ToolCallView } from '#shared/api/tool-call-api.ts';
import { Limiter } from '#shared/async/limiter.ts';
import { CeriseError, toErrorInfo } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import type { HostEvent } from '#shared/vocabulary/event.ts';
import type { JsonObject } from '#shared/vocabulary/json.ts';
import type { Limits } from '#shared/vocabulary/limits.ts';
import type { Message, Topic, TurnSelection } from '#shared/vocabulary/message.ts';
import type { Logger } from '#shared/vocabulary/ports.ts';
import { shutdownReason, type Tool } from '#shared/vocabulary/tool.ts';
import type { Blobs } from '#store/blobs/blobs.ts';
import {
  askToAbort,
  getToolCall,
  getToolCallState,
  isCallOver,
  type ToolCallRecord,
} from '#store/calls/tool-calls.ts';
import { findDead } from '#store/conversations/leases.ts';
import type { Store } from '#store/database/store.ts';
import type { NativeTool } from '#tools/registry/registry.ts';
import type { LoadFailure } from '#tools/registry/tools-loader.ts';
import { Approvals } from '../calls/approvals.ts';
import { AtWork } from '../calls/at-work.ts';
import { CallOrigins } from '../calls/call-origins.ts';
import { Decisions } from '../calls/decisions.ts';
import { callDirectly, runDecided } from '../calls/direct-calls.ts';
import { parkedTool } from '../calls/parked-tool.ts';
import type { CallName } from '../calls/repeated-call.ts';
import { resumeDirectCalls } from '../calls/resume-direct-calls.ts';
import type { RunningCalls } from '../calls/running-calls.ts';
import type { Command } from '../cluster/command.ts';
import { Commands } from '../cluster/commands.ts';
import type { HostEvents } from '../cluster/host-events.ts';
import type { ModelChoices } from '../models/model-choices.ts';
import type { ToolPins } from '../policy/policy-pins.ts';
import { findToolOfCall } from '../policy/policy-tool.ts';
import type { Policy } from '../policy/policy.ts';
import type { SessionServers } from '../servers/session-servers.ts';
import { Journal } from '../topic/journal.ts';
import { Leases } from '../topic/leases.ts';
import type { LiveTopic } from '../topic/live-topic.ts';
import { LiveTopics } from '../topic/live-topics.ts';
import type { OpenAnswer } from '../topic/open-topic.ts';
import { FrameClock } from '../topic/viewers.ts';
import type { AnswerRequest } from '../turn/run-turn.ts';
import { nameTopic } from '../turn/titles.ts';
import { loadTurnTools } from '../turn/turn-tools.ts';
import { Turns } from '../turn/turns.ts';
import { Neighbours } from './neighbours.ts';
import { recover } from './recovery.ts';

/** Milliseconds between two looks at answers that wait. */
const parkEvery = 60_000;
/** Milliseconds between two looks for calls that nobody works on, or that another host wants stopped. */
const directEvery = 3_000;
/** Milliseconds that another host has to stop a call. */
const longestAbort = 20_000;
const pollEvery = 60;

interface EngineDeps {
  store: Store;
  blobs: Blobs;
  events: HostEvents;
  models: ModelCatalogs;
  choices: Pick<ModelChoices, 'titleModel'>;
  mcp: McpService;
  sessions: SessionServers;
  policy: Policy;
  pins: ToolPins;
  /** A tool of a server, outside of any topic. */
  serverTool: (owner: string, serverId: string, toolName: string) => Promise<Tool>;
  running: RunningCalls;
  /** Makes sure that the servers of an owner are known. */
  prepare: (owner: string) => Promise<void>;
  /** The name of this host among others on the same database. */
  instance: string;
  options: { databaseUrl?: string | undefined; tools?: NativeTool[] };
  limits: Limits;
  logger: Logger;
  now: () => number;
  /** Something was decided or answered on another host of the same database. */
  onNeighbourEvent: (event: HostEvent) => void;
  /** What is kept in memory may have been changed by another host. */
  reload: () => Promise<void>;
}

/** The parts that make answers, on this host alone or among others, and how they begin and end. */
export class Engine {
  readonly live: LiveTopics;
  readonly turns: Turns;
  readonly approvals: Approvals;
  readonly commands: Commands;
  readonly decisions: Decisions;
  readonly origins: CallOrigins;
  readonly limiter: Limiter;
  readonly running: RunningCalls;
  readonly instance: string;
  readonly #deps: EngineDeps;
  readonly #journal: Journal;
  readonly #clock: FrameClock;
  readonly #closing = new AbortController();
  readonly #atWork = new AtWork();
  readonly #leases: Leases | undefined;
  readonly #neighbours: Neighbours | undefined;
  #draining = false;
  #parkTimer: NodeJS.Timeout | undefined;
  #directTimer: NodeJS.Timeout | undefined;

  constructor(deps: EngineDeps) {
    const { store, options, events, instance, logger, now, limits } = deps;
    this.#deps = deps;
    this.limiter = new Limiter(limits.parallelCallsPerServer);
    this.#clock = new FrameClock(limits.viewerFrame);
    this.running = deps.running;
    this.instance = instance;
    this.#journal = new Journal(store, logger, limits);
    this.#leases = options.databaseUrl ? new Leases(store, instance, logger) : undefined;
    this.decisions = new Decisions((id) => getToolCallState(store.db, id));
    const ring = (payload: { inbox: string }) => this.#neighbours?.ring(payload);
    this.commands = new Commands({ store, ring, logger, now });
    this.live = new LiveTopics({
      store,
      journal: this.#journal,
      limits,
      clock: this.#clock,
      ...(this.#leases && { leases: this.#leases }),
      onChange: (owner, topic) => this.emit(owner, { type: 'topic-changed', topic }),
      onOpen: (topic, answers) => resume(this.turns, topic, answers),
      onLost: (topic) => this.turns.abandon(topic),
    });
    this.origins = new CallOrigins({ ...deps, topics: this.live });
    this.approvals = new Approvals({
      ...this.#common,
      topics: this.live,
      policy: deps.policy,
      findTool: this.#findTool,
      runDirect: (record, tool) => void runDecided(this.#directCalls, record, tool),
      instance,
      logger,
    });
    this.turns = this.#createTurns();
    this.commands.on('abort', (command) => this.#abortHere(command));
    this.#neighbours = this.#createNeighbours(options.databaseUrl);
    events.forward = (owner, event) => this.#neighbours?.ring({ host: { owner, event } });
  }

  /** Aborted when everything that runs here has to end. */
  get signal(): AbortSignal {
    return this.#closing.signal;
  }

  emit = (owner: string, event: HostEvent): void => this.#deps.events.emit(owner, event);

  /** Tells other hosts that something they keep in memory has changed. */
  changed(): void {
    this.#neighbours?.ring({ changed: true });
  }

  /** Goes on with what an earlier process left open. */
  async start(): Promise<void> {
    const { store, logger, now, limits } = this.#deps;
    await this.#leases?.start();
    await this.#resumeDirectCalls();
    const open = this.#neighbours
      ? await this.#neighbours.takeOver()
      : await recover(store, this.live, logger);
    if (open > 0) logger.info({ topics: open }, 'Going on with answers that were left open');
    this.#neighbours?.start();
    this.#parkTimer = setInterval(() => {
      void this.turns.parkWaiting(now() - limits.heldWhileWaiting);
    }, parkEvery).unref();
    this.#directTimer = setInterval(this.#lookAtDirectCalls, directEvery).unref();
  }

  readonly #lookAtDirectCalls = (): void => {
    this.#resumeDirectCalls().catch((error: unknown) =>
      this.#deps.logger.warn(toErrorInfo(error), 'Calls that were left could not be looked at'),
    );
  };

  async #resumeDirectCalls(): Promise<void> {
    const { store } = this.#deps;
    // Whoever is about to end takes nothing over.
    const dead =
      this.#leases &&
      (async (instances: string[]) =>
        this.#draining ? new Set<string>() : findDead(store.db, instances));
    await resumeDirectCalls(this.#directCalls, dead);
  }

  /** What calls outside of a conversation run with. */
  get #directCalls() {
    const deps = this.#deps;
    return {
      ...this.#common,
      approvals: this.approvals,
      findTool: this.#findTool,
      running: this.running,
      atWork: this.#atWork,
      limiter: this.limiter,
      instance: this.instance,
      logger: deps.logger,
      signal: this.signal,
      parkedTool: (record: ToolCallRecord) => parkedTool(deps, record),
    };
  }

  /** Calls a tool without a conversation. */
  async callDirectly(
    owner: string,
    tool: Tool,
    args: JsonObject,
    name?: CallName,
  ): Promise<ToolCallView> {
    return callDirectly(this.#directCalls, owner, tool, args, name);
  }

  /** Cancels one running call, on whatever host it runs. False if it does not. */
  async abortCall(owner: string, toolCallId: string): Promise<boolean> {
    const call = await getToolCall(this.#deps.store.db, owner, toolCallId);
    if (call && this.running.abort(toolCallId)) return true;
    if (!call || call.endedAt !== undefined || !this.live.isShared) return false;
    const { topicId } = call;
    if (topicId === undefined) return call.state !== 'proposed' && this.#abortElsewhere(toolCallId);
    const command = { owner, topicId, kind: 'abort', body: { toolCallId } } as const;
    return this.commands.run(command, () => this.#abortHere(command));
  }

  /** Of a call outside of any topic: by its row, which whoever works on it looks at. */
  async #abortElsewhere(toolCallId: string): Promise<true> {
    const { store, now } = this.#deps;
    await askToAbort(store.db, toolCallId, now());
    this.#neighbours?.ring({ calls: true });
    const deadline = performance.now() + longestAbort;
    while (performance.now() < deadline) {
      if (await isCallOver(store.db, toolCallId)) return true;
      await setTimeout(pollEvery);
    }
    throw new CeriseError(
      'timed_out',
      say('call-host-silent')`The host that runs this call does not answer.`,
      {
        hint: say(
          'call-host-later',
        )`The call is stopped as soon as it does; look again in a moment.`,
      },
    );
  }

  async #abortHere({ owner, topicId, body }: Command<'abort'>): Promise<boolean> {
    const { toolCallId } = body;
    return this.live.use(owner, topicId, async () => this.running.abort(toolCallId));
  }

  /** No answer begins here any more, and those that run have `grace` milliseconds to end. */
  async drain(grace: number): Promise<void> {
    const deadline = performance.now() + grace;
    this.#draining = true;
    clearInterval(this.#parkTimer);
    clearInterval(this.#directTimer);
    await this.#neighbours?.stopTakingOver();
    await this.turns.close(grace);
    // What is left at servers are calls outside of answers; one that was approved has nobody who waits for it.
    while (this.limiter.isBusy && performance.now() < deadline) await setTimeout(pollEvery);
  }

  async close(grace: number): Promise<void> {
    await this.drain(grace);
    await this.#neighbours?.close();
    this.#closing.abort(shutdownReason);
    await this.#journal.close();
    this.live.endViewers();
    this.#clock.close();
    await this.#leases?.close();
  }

  get #common() {
    const { store, blobs, limits, now } = this.#deps;
    const { decisions, commands, origins, emit } = this;
    return { store, blobs, limits, now, decisions, commands, origins, emit };
  }

  /** What is missing from the tools of a turn is logged, unless somebody wants to know. */
  readonly #loadTools = (
    owner: string,
    topic: Topic,
    selection: TurnSelection,
    onFailure?: (failure: LoadFailure) => void,
  ) => loadTurnTools({ ...this.#deps, ...this.#deps.options }, owner, topic, selection, onFailure);

  readonly #findTool = (record: ToolCallRecord): Promise<Tool> =>
    findToolOfCall({ ...this.#deps, loadTools: this.#loadTools }, record);

  #createTurns(): Turns {
    const deps = this.#deps;
    const { store, models, choices, logger } = deps;
    return new Turns({
      topics: this.live,
      logger,
      onEnd: (topic, answer) => afterAnswer(store, choices, logger, topic, answer, this.signal),
      deps: {
        ...this.#common,
        limiter: this.limiter,
        running: this.running,
        resolveModel: (name, owner) => models.of(owner).resolve(name),
        loadTools: (owner, topic, selection) => this.#loadTools(owner, topic, selection),
        onToolLeftOut: (toolName, reason) =>
          logger.warn({ toolName, reason }, 'A tool cannot be told to the model of an answer'),
        policy: (call) => this.approvals.policy(call),
        refusal: (record, tool) => this.approvals.refusal(record, tool),
        onWaiting: (owner, toolCallId) => void this.approvals.judgeWaiting(owner, toolCallId),
        parkedTool: (record, topic) => parkedTool(deps, record, topic),
        isSafeToRepeat: (...tool) => deps.policy.isSafeToRepeat(...tool),
      },
    });
  }

  #createNeighbours(databaseUrl: string | undefined): Neighbours | undefined {
    if (!databaseUrl) return undefined;
    const { store, limits, events, instance, logger, now, onNeighbourEvent, reload } = this.#deps;
    const { live: topics, commands } = this;
    return new Neighbours({
      store,
      limits,
      databaseUrl,
      instance,
      topics,
      commands,
      events,
      logger,
      now,
      onEvent: (event) => {
        // Where the database is away this is found out when everything is looked at again.
        if (event.type === 'tool-call-decided')
          this.decisions.refresh([event.toolCallId]).catch(() => undefined);
        onNeighbourEvent(event);
      },
      onCalls: this.#lookAtDirectCalls,
      onChanged: async () => {
        await reload();
        await this.decisions.refresh();
      },
    });
  }
}

/** Answers that were left open go on, in the order in which they were asked for. */
function resume(turns: Turns, topic: LiveTopic, answers: OpenAnswer[]): void {
  for (const { message, request } of answers)
    turns.start(topic, {
      answerId: message.id,
      request: request as AnswerRequest,
      steers: false,
    });
}

/** What happens after the end of an answer; none of it may break the turn. */
async function afterAnswer(
  store: Store,
  choices: Pick<ModelChoices, 'titleModel'>,
  logger: Logger,
  live: LiveTopic,
  answer: Message,
  signal: AbortSignal,
): Promise<void> {
  if (answer.status !== 'success' || live.topic.titled) return;
  try {
    const model = await choices.titleModel(live.owner, answer.model ?? '');
    await nameTopic(store, model, live, answer, signal);
  } catch (error) {
    logger.warn({ topicId: live.id, ...toErrorInfo(error) }, 'The topic could not be named');
  }
}
