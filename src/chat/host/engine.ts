import { setTimeout } from 'node:timers/promises';
import type { ToolCallView } from '#shared/api/tool-call-api.ts';
import { Limiter } from '#shared/async/limiter.ts';
import { CeriseError, toErrorInfo } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import type { HostEvent } from '#shared/vocabulary/event.ts';
import type { JsonObject } from '#shared/vocabulary/json.ts';
import type { Message, Topic, TurnSelection } from '#shared/vocabulary/message.ts';
import type { Logger, SecretBox } from '#shared/vocabulary/ports.ts';
import { shutdownReason, type Tool } from '#shared/vocabulary/tool.ts';
import type { Blobs } from '#store/blobs/blobs.ts';
import {
  askToAbort,
  getToolCall,
  isCallOver,
  type ToolCallRecord,
} from '#store/calls/tool-calls.ts';
import { findDead } from '#store/conversations/leases.ts';
import type { Store } from '#store/database/store.ts';
import type { HostTool } from '#tools/registry/registry.ts';
import type { LoadFailure } from '#tools/registry/tools-loader.ts';
import { Approvals } from '../calls/approvals.ts';
import { AtWork } from '../calls/at-work.ts';
import { CallOrigins } from '../calls/call-origins.ts';
import { callDirectly, type DirectCallOptions, runDecided } from '../calls/direct-calls.ts';
import { parkedTool } from '../calls/parked-tool.ts';
import { type ResumeDeps, resumeDirectCalls } from '../calls/resume-direct-calls.ts';
import type { CallDeps } from '../calls/run-call.ts';
import type { RunningCalls } from '../calls/running-calls.ts';
import { Commands, type RunCommand } from '../cluster/commands.ts';
import type { Quota } from '../data/quota.ts';
import type { ModelChoices } from '../models/model-choices.ts';
import type { Settings } from '../models/settings.ts';
import { findToolOfCall } from '../policy/policy-tool.ts';
import type { Servers } from '../servers/servers.ts';
import { Recorder } from '../replay/recorder.ts';
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
import type { Base } from './base.ts';
import type { ModelParts } from './create-models.ts';
import type { ServerParts } from './create-servers.ts';
import { Neighbours } from './neighbours.ts';
import { recover } from './recovery.ts';

/** The longest time between two looks at answers that wait. */
const parkEveryMs = 60_000;
/** Between two looks for calls that nobody works on, or that another host wants stopped. */
const directEveryMs = 3_000;
/** How long another host has to stop a call. */
const longestAbortMs = 20_000;
const pollMs = 60;

interface EngineDeps {
  blobs: Blobs;
  modelParts: ModelParts;
  serverParts: ServerParts;
  /** Present where there may be others. */
  databaseUrl: string | undefined;
  box: SecretBox;
  settings: Settings;
  quota: Quota;
  /** Functions of the host that models may call. */
  tools: HostTool[];
}

/** The parts that make answers, on this host alone or among others, and how they begin and end. */
export class Engine {
  readonly live: LiveTopics;
  readonly turns: Turns;
  readonly approvals: Approvals;
  readonly commands: Commands;
  readonly origins: CallOrigins;
  readonly recorder: Recorder;
  readonly #base: Base;
  readonly #running: RunningCalls;
  readonly #limiter: Limiter;
  readonly #journal: Journal;
  readonly #clock: FrameClock;
  readonly #direct: ResumeDeps;
  readonly #abort: RunCommand<'abort'>;
  readonly #closing = new AbortController();
  readonly #leases: Leases | undefined;
  readonly #neighbours: Neighbours | undefined;
  #draining = false;
  #parkTimer: NodeJS.Timeout | undefined;
  #directTimer: NodeJS.Timeout | undefined;

  constructor(base: Base, deps: EngineDeps) {
    const { store, limits, logger, signals, events, instance, now } = base;
    const { blobs, databaseUrl, tools } = deps;
    const { mcp, sessions, loaded, servers, policy, pins, running } = deps.serverParts;
    const { signal } = this.#closing;
    const emit = (owner: string, event: HostEvent) => events.emit(owner, event);
    const prepare = (owner: string) => loaded.prepare(owner);
    const limiter = new Limiter(limits.parallelCallsPerServer);
    this.#journal = new Journal(store, logger, limits);
    this.#clock = new FrameClock(limits.viewerFrame);
    this.recorder = new Recorder({ ...base, ...deps });
    const leases = databaseUrl ? new Leases(store, instance, logger) : undefined;
    const commands = new Commands({ store, signals, logger, now });
    const live = new LiveTopics({
      store,
      journal: this.#journal,
      limits,
      clock: this.#clock,
      leases,
      signals,
      onChange: (owner, topic) => topic.unlisted || emit(owner, { type: 'topic-changed', topic }),
    });
    const origins = new CallOrigins({ store, live, policy, mcp, now });
    const sources = { store, blobs, limits, mcp, sessions, pins, prepare, logger, tools };
    /** Tools that cannot be loaded for a turn are logged, unless `onFailure` is given. */
    const loadTools = (
      owner: string,
      topic: Topic,
      selection: TurnSelection,
      onFailure?: (failure: LoadFailure) => void,
    ) => loadTurnTools(sources, owner, topic, selection, onFailure);
    const serverTool = (...tool: Parameters<Servers['tool']>) => servers.tool(...tool);
    const findTool = (record: ToolCallRecord) =>
      findToolOfCall({ store, serverTool, loadTools }, record);
    const approvals = new Approvals({
      store,
      blobs,
      live,
      commands,
      policy,
      origins,
      findTool,
      signals,
      emit,
      instance,
      logger,
      now,
    });
    const calls: CallDeps = { ...base, blobs, approvals, origins, limiter, running };
    const parked = (record: ToolCallRecord, topic?: Topic) =>
      parkedTool({ mcp, sessions, prepare }, record, topic);
    const made = { live, calls, loadTools, parkedTool: parked, signal, records: this.recorder };
    const turns = createTurns(base, deps, made);
    const direct: ResumeDeps = {
      ...base,
      ...calls,
      findTool,
      parkedTool: parked,
      atWork: new AtWork(),
      quota: deps.quota,
      signal,
    };
    this.#base = base;
    this.#running = running;
    this.#limiter = limiter;
    this.#leases = leases;
    this.#direct = direct;
    this.live = live;
    this.turns = turns;
    this.approvals = approvals;
    this.commands = commands;
    this.origins = origins;
    this.#abort = commands.define('abort', ({ owner, topicId }, { toolCallId }) =>
      live.use(owner, topicId, async () => running.abort(toolCallId)),
    );
    this.#neighbours = databaseUrl
      ? new Neighbours(base, { databaseUrl, live, commands })
      : undefined;
    this.#listen();
  }

  #listen(): void {
    const { signals } = this.#base;
    const { turns } = this;
    signals.on('topic-opened', ({ live, answers }) => resume(turns, live, answers));
    signals.on('topic-lost', ({ live }) => turns.abandon(live));
    signals.on('call-approved', ({ record, tool }) => runDecided(this.#direct, record, tool));
    signals.on('heard-stop', () => this.#lookAtDirectCalls());
  }

  /** Continues what an earlier process left unfinished. */
  async start(): Promise<void> {
    const { logger, limits } = this.#base;
    await this.#leases?.start();
    await this.#resumeDirectCalls();
    const open = await this.#takeOver();
    if (open > 0) logger.info({ topics: open }, 'Resuming unfinished answers');
    this.#neighbours?.start();
    const parkMs = Math.min(parkEveryMs, limits.heldWhileWaiting);
    this.#parkTimer = setInterval(() => this.#lookAtAnswers(), parkMs).unref();
    this.#directTimer = setInterval(() => this.#lookAtDirectCalls(), directEveryMs).unref();
  }

  /** Continues answers that no host works on. Returns how many topics it tried. */
  async #takeOver(): Promise<number> {
    if (this.#neighbours) return this.#neighbours.takeOver();
    return recover(this.#base.store, this.live, this.#base.logger);
  }

  /** Parks answers that have waited for long, and continues those that were parked while someone decided. */
  #lookAtAnswers(): void {
    const { limits, logger, now } = this.#base;
    this.turns
      .parkWaiting(now() - limits.heldWhileWaiting)
      .then(() => this.#takeOver())
      .catch((error: unknown) =>
        logger.warn(toErrorInfo(error), 'Could not check for waiting answers'),
      );
  }

  #lookAtDirectCalls(): void {
    this.#resumeDirectCalls().catch((error: unknown) =>
      this.#base.logger.warn(toErrorInfo(error), 'Could not check for unfinished calls'),
    );
  }

  async #resumeDirectCalls(): Promise<void> {
    const { store } = this.#base;
    // A draining host takes nothing over.
    const dead =
      this.#leases &&
      (async (instances: string[]) =>
        this.#draining ? new Set<string>() : findDead(store.db, instances));
    await resumeDirectCalls(this.#direct, dead);
  }

  /** Calls a tool without a conversation. */
  async callDirectly(
    owner: string,
    tool: Tool,
    args: JsonObject,
    options?: DirectCallOptions,
  ): Promise<ToolCallView> {
    return callDirectly(this.#direct, owner, tool, args, options);
  }

  /** Cancels one running call, on whichever host it runs. False if it does not run. */
  async abortCall(owner: string, toolCallId: string): Promise<boolean> {
    const { store } = this.#base;
    const call = await getToolCall(store.db, owner, toolCallId);
    if (call && this.#running.abort(toolCallId)) return true;
    if (!call || call.endedAt !== undefined || !this.live.isShared) return false;
    const { topicId } = call;
    if (topicId === undefined) return call.state !== 'proposed' && this.#abortElsewhere(toolCallId);
    return this.#abort({ owner, topicId }, { toolCallId });
  }

  /** Cancels a direct call through its row, which the host that runs it reads. */
  async #abortElsewhere(toolCallId: string): Promise<true> {
    const { store, signals, now } = this.#base;
    await askToAbort(store.db, toolCallId, now());
    void signals.tell('tell-stop', {});
    const deadline = performance.now() + longestAbortMs;
    while (performance.now() < deadline) {
      if (await isCallOver(store.db, toolCallId)) return true;
      await setTimeout(pollMs);
    }
    throw new CeriseError(
      'timed_out',
      say('call-host-silent')`The instance running this call isn't responding.`,
      {
        hint: say(
          'call-host-later',
        )`The call will be stopped once it responds. Check again in a moment.`,
      },
    );
  }

  /** Starts no more answers; running ones have `grace` milliseconds to end. */
  async drain(grace: number): Promise<void> {
    const deadline = performance.now() + grace;
    this.#draining = true;
    clearInterval(this.#parkTimer);
    clearInterval(this.#directTimer);
    await this.#neighbours?.stopTakingOver();
    await this.turns.close(grace);
    // The remaining calls at servers are direct ones; nobody waits for one that was approved.
    while (this.#limiter.isBusy && performance.now() < deadline) await setTimeout(pollMs);
  }

  /** What waits and runs at this moment. */
  get load() {
    return {
      ...this.turns.load,
      liveTopics: this.live.size,
      callsQueued: this.#limiter.waiting,
      journalLagMs: this.#journal.lagMs,
      leases: this.#leases?.size ?? 0,
    };
  }

  async close(grace: number): Promise<void> {
    await this.drain(grace);
    await this.#neighbours?.close();
    this.#closing.abort(shutdownReason);
    await this.#journal.close();
    await this.recorder.settled();
    this.live.endViewers();
    this.#clock.close();
    await this.#leases?.close();
  }
}

/** Creates what runs the answers of a host. */
function createTurns(
  { store, logger }: Base,
  { modelParts: { models, choices }, serverParts: { policy } }: EngineDeps,
  made: {
    live: LiveTopics;
    calls: CallDeps;
    loadTools: ConstructorParameters<typeof Turns>[0]['deps']['loadTools'];
    parkedTool: (record: ToolCallRecord, topic: Topic) => Pick<Tool, 'execute'>;
    signal: AbortSignal;
    records: Recorder;
  },
): Turns {
  const { live, calls, loadTools, signal } = made;
  return new Turns({
    live,
    logger,
    onEnd: (topic, answer) => afterAnswer(store, choices, logger, topic, answer, signal),
    deps: {
      ...calls,
      resolveModel: (name, owner) => models.of(owner).resolve(name),
      loadTools: (owner, topic, selection) => loadTools(owner, topic, selection),
      onToolLeftOut: (toolName, reason) =>
        logger.warn({ toolName, reason }, 'A tool cannot be offered to the model'),
      parkedTool: made.parkedTool,
      records: made.records,
      isSafeToRepeat: (...tool) => policy.isSafeToRepeat(...tool),
    },
  });
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
    logger.warn(
      { topicId: live.id, ...toErrorInfo(error) },
      'Could not generate a title for a topic',
    );
  }
}
