import { vendorLabel } from '#models/vendors/vendors.ts';
import { untilAborted } from '#shared/async/until-aborted.ts';
import { CeriseError, toErrorInfo } from '#shared/errors/errors.ts';
import { fault } from '#shared/errors/fault.ts';
import { say } from '#shared/errors/sentence.ts';
import { isBlockOpen, type ToolBlock, toolBlockStatus } from '#shared/vocabulary/block.ts';
import type { Chunk } from '#shared/vocabulary/chunk.ts';
import type { Message, ToolSelection, TurnSelection } from '#shared/vocabulary/message.ts';
import type {
  AnswerShape,
  ModelAdapter,
  ModelMessage,
  ModelParameters,
} from '#shared/vocabulary/model.ts';
import { shutdownReason, type ToolDefinition, type TraceContext } from '#shared/vocabulary/tool.ts';
import type { Usage } from '#shared/vocabulary/usage.ts';
import { closeToolCalls, listToolCalls, type ToolCallRecord } from '#store/calls/tool-calls.ts';
import type { ToolRegistry } from '#tools/registry/registry.ts';
import { cutErrors, cutPatch } from '../calls/cut-calls.ts';
import { earlierCalls, type ProposedCall } from '../calls/refuse-call.ts';
import { resumeTools, runTools, type ToolDeps, type ToolRound } from '../calls/run-tools.ts';
import { isLargeMedium, storeMedia } from '../calls/stored-media.ts';
import { inlineLength } from '../calls/stored-results.ts';
import { untilStored } from '../calls/until-stored.ts';
import { countCutRounds } from '../history/history.ts';
import { TurnHistory } from '../history/turn-history.ts';
import { BlockManager } from '../topic/block-manager.ts';
import type { LiveTopic } from '../topic/live-topic.ts';
import { addUsage, withCost } from './add-usage.ts';
import { type TurnContext, openModel, type OpeningDeps, openTools } from './open-turn.ts';
import { type Ending, type RoundSteps, runRounds } from './rounds.ts';
import { type RoundResult, StreamProcessor } from './stream-processor.ts';
import { isStuck } from './stuck-calls.ts';
import {
  hasSearchedTools,
  makeOffer,
  type Offer,
  shapeOfRound,
  withClientTools,
  withoutTools,
} from './tool-offer.ts';
import { TurnWatch } from './turn-watch.ts';

/** What was asked of an answer; stored with it, so that it can go on after a restart. */
export interface AnswerRequest {
  model: string;
  systemPrompt: string;
  parameters: ModelParameters;
  tools: ToolSelection;
  /**
   * In the place of `tools`, which are none then: what a key that is limited to servers may use. A host
   * that does not know of such keys offers nothing.
   */
  limited?: TurnSelection | undefined;
  /** Tools of the program that asked: their calls end the answer, and it brings the results. */
  clientTools?: ToolDefinition[] | undefined;
  /** How that program wants the answer to look. */
  shape?: AnswerShape | undefined;
  /** Nobody can be asked: what would need a person is refused. */
  unattended?: true | undefined;
  /** The trace that the question came with. */
  caller?: TraceContext | undefined;
  /** The answer that its calls take their results from: none of them runs. */
  recordedIn?: string | undefined;
  /** Every call needs an approval, whatever the rules say. */
  asksForCalls?: true | undefined;
}

/** What a turn needs of the host. Models are functions and tools are values to it. */
export interface TurnDeps extends ToolDeps, OpeningDeps {
  /** Told of a tool that cannot be told to the model of a turn. */
  onToolLeftOut?: (toolName: string, reason: string) => void;
}

export interface Turn {
  live: LiveTopic;
  answerId: string;
  request: AnswerRequest;
  known?: TurnContext | undefined;
  signal: AbortSignal;
  /** True if a newer message waits: the answer ends at its next round boundary. */
  mustYield(): boolean;
}

/**
 * Makes one answer: asks the model, runs the tools it wants, asks again, until there is an end. The
 * end is committed when this resolves, unless the host shuts down: then the answer stays open.
 */
export async function runTurn(deps: TurnDeps, turn: Turn): Promise<Message | undefined> {
  const answer = turn.live.message(turn.answerId);
  if (!answer) throw new Error(`answer ${turn.answerId} is not live`);
  const rounds = new Rounds(deps, turn, answer);
  const ending = await rounds.run().catch((error: unknown) => rounds.failure(error));
  if (ending === 'left open') return undefined;
  // What is closed depends on what became of the write that failed.
  const isKnown = await untilStored(() => turn.live.settled().then(() => true), turn.signal);
  if (!isKnown) return undefined;
  rounds.closeBlocks(ending);
  const { answerId } = turn;
  const end = {
    type: 'message-end',
    messageId: answerId,
    status: ending.status,
    at: deps.now(),
    usage: rounds.usage,
  } as const;
  const ended = await untilStored(
    () =>
      turn.live.finish(end, (tx) => closeToolCalls(tx, answerId, end.at, cutErrors(ending.status))),
    turn.signal,
  );
  // What is not committed goes on elsewhere, and is told there.
  if (ended) rounds.watch.ended(answer, ending, end);
  return ended;
}

/** The rounds of one answer, and what they share. */
class Rounds {
  usage: Usage | undefined;
  readonly #deps: TurnDeps;
  readonly #turn: Turn;
  readonly #blocks: BlockManager;
  readonly #earlier: ToolRound['earlier'] = [];
  /** Calls wait for the program that asked: the answer is over. */
  #isHandedOver = false;
  readonly watch: TurnWatch;

  constructor(deps: TurnDeps, turn: Turn, answer: Message) {
    this.#deps = deps;
    this.#turn = turn;
    this.#blocks = new BlockManager(turn.live, answer, deps.now);
    const { answerId, live, request } = turn;
    const { model, caller } = request;
    const ref = { answerId, topicId: live.id, model, caller };
    const { telemetry, now } = deps;
    this.watch = new TurnWatch({ ref, live, telemetry, now });
    for (const { usage } of answer.rounds ?? []) this.usage = addUsage(this.usage, usage);
    this.#blocks.round = answer.blocks.at(-1)?.round ?? 0;
  }

  get #answer(): Message {
    const answer = this.#turn.live.message(this.#turn.answerId);
    if (!answer) throw new Error(`answer ${this.#turn.answerId} is not live`);
    return answer;
  }

  async run(): Promise<Ending> {
    const deps = this.#deps;
    const turn = this.#turn;
    const { model, record } = await openModel(deps, turn);
    const onUsage = (usage: Usage | undefined) => this.#addUsage(usage, model);
    const { store, blobs, limits } = deps;
    const { path } = turn.known ?? {};
    const parts = { store, blobs, limits, ...turn, path, model, blocks: this.#blocks, onUsage };
    const history = new TurnHistory(parts);
    const command = await history.compactCommand();
    if (command) return this.#compactNow(history, command);
    const registry = await openTools(deps, turn);
    record?.keepTools(registry.tools());
    const offer = this.#offer(registry, model, await history.path());
    if (this.#answer.blocks.length > 0) await this.#resume(offer);
    if (this.#isHandedOver) return { status: 'success' };
    const { signal } = turn;
    const steps: RoundSteps = {
      signal,
      answer: () => this.#answer.blocks,
      blocks: this.#blocks,
      isLast: () => this.#isLast(),
      askModel: (last) => this.#askModel(model, history, last ? withoutTools(offer) : offer),
      runTools: (calls) => this.#runTools(calls),
      mustYield: () => this.#isHandedOver || turn.mustYield(),
      stopped: () => this.#stopped(),
    };
    return runRounds(steps, this.#blocks.round);
  }

  /** A topic whose tools were once searched for keeps its few definitions, for the prompt cache. */
  #offer(registry: ToolRegistry, model: ModelAdapter, path: Message[]): Offer {
    const { contextTokens } = model.capabilities ?? {};
    const offer = makeOffer(registry.tools(), {
      ...(contextTokens !== undefined && { contextTokens }),
      mode: path.some(hasSearchedTools) ? 'always' : 'auto',
      dialect: model.dialect,
      onLeftOut: (toolName, reason) => this.#deps.onToolLeftOut?.(toolName, reason),
    });
    return withClientTools(offer, this.#turn.request.clientTools ?? [], model.dialect);
  }

  /** Runs the calls that are made here, then hands the others over. */
  async #runTools(calls: ProposedCall[]): Promise<void> {
    const own = calls.filter(({ tool }) => tool?.kind !== 'client');
    if (own.length > 0) await runTools(this.#toolRound(), own);
    if (own.length < calls.length && !this.#turn.signal.aborted) this.#handOver();
  }

  /** The calls of this round that the program runs which asked for the answer: here they are over. */
  #handOver(): void {
    this.#isHandedOver = true;
    for (const { id, client, round } of toolBlocks(this.#answer))
      if (client && round === this.#blocks.round)
        this.#blocks.end(id, 'success', 'tool', { state: 'succeeded' });
  }

  /** What an exception in the loop means for the answer. */
  failure(error: unknown): Ending {
    if (this.#turn.signal.aborted) return this.#stopped();
    return { status: 'error', error: toErrorInfo(error) };
  }

  /** Nothing stays open in an answer that ended, and an error is a block of its own. */
  closeBlocks(ending: Exclude<Ending, 'left open'>): void {
    const textStatus = ending.status === 'stopped' ? 'paused' : 'error';
    const errors = cutErrors(ending.status);
    for (const block of toolBlocks(this.#answer).filter(isBlockOpen)) {
      const patch = cutPatch(block.state, errors);
      const status = toolBlockStatus[patch.state];
      this.#turn.live.append(this.#blocks.endEvent(block.id, status, 'tool', patch), 'soon');
    }
    this.#blocks.endAll(
      ending.status === 'success' ? 'success' : textStatus,
      'cancelled',
      cutPatch('proposed', errors),
    );
    if (ending.status === 'error')
      this.#blocks.add({ type: 'error', status: 'error', error: ending.error });
  }

  #stopped(): Ending {
    return this.#turn.signal.reason === shutdownReason ? 'left open' : { status: 'stopped' };
  }

  /** At the round limit, or when the model gets no further with tools, it must answer without them. */
  #isLast(): boolean {
    const { limits } = this.#deps;
    return this.#blocks.round >= limits.roundsPerTurn || isStuck(this.#answer.blocks, limits);
  }

  /** Asks the model; where it says that this was too much, once more with less. */
  async #askModel(model: ModelAdapter, history: TurnHistory, offer: Offer): Promise<RoundResult> {
    this.watch.beginRound(this.#blocks.round);
    const { definitions } = offer;
    const messages = await history.messages(definitions);
    const tools = (await history.hasMoreToRead()) ? offer.withReadMore : definitions;
    const begun = this.#blocks.count;
    const result = await this.#askOnce(model, messages, tools, offer);
    history.measure(this.#blocks.round, result.usage?.inputTokens);
    const tooLong = result.error?.code === 'model_context_too_long' && this.#blocks.count === begun;
    if (!tooLong || this.#turn.signal.aborted) return result;
    const shorter = await history.shorter(tools);
    if (!shorter || this.#turn.signal.aborted) return result;
    return this.#askOnce(model, shorter, tools, offer);
  }

  async #askOnce(
    model: ModelAdapter,
    history: ModelMessage[],
    tools: ToolDefinition[],
    offer: Offer,
  ): Promise<RoundResult> {
    const { request, signal } = this.#turn;
    const { systemPrompt, parameters } = request;
    const system = [systemPrompt, offer.note].filter(Boolean).join('\n\n');
    const vendor = vendorLabel(model, request.model);
    const processor = new StreamProcessor(this.#blocks, (call) => offer.resolve(call), vendor);
    const messages = offer.toHistory(history);
    const shape = shapeOfRound(request.shape, this.#blocks.round, tools);
    const asked = { purpose: 'answer' as const, system, messages, tools, parameters, shape };
    // What an earlier request waited for, perhaps in another process, is over.
    if (this.#answer.waiting?.retry) this.#blocks.retrying();
    const { round } = this.#blocks;
    const watch = this.watch.modelStarted(model, round, () => ({ system, messages }));
    await fault('model-asked');
    for await (const batch of untilAborted(model.stream(asked, signal), signal)) {
      watch.received(batch);
      const slow = fault('model-stream');
      if (slow) await slow;
      const most = inlineLength(this.#deps.limits);
      const isLarge = batch.some((chunk) => isLargeMedium(chunk, most));
      processor.process(isLarge ? await this.#storeMedia(batch) : batch);
    }
    const result = processor.finish(signal.aborted);
    watch.end(result, signal.aborted);
    await fault('round-ended');
    this.#addUsage(result.usage, model);
    return result;
  }

  /** Large media are durable before a block refers to them. */
  async #storeMedia(batch: Chunk[]): Promise<Chunk[]> {
    const { owner, id: topicId } = this.#turn.live;
    const { answerId } = this.#turn;
    const origins = await this.#deps.origins.before({ topicId, answerId });
    return storeMedia(batch, this.#deps, { owner, topicId, origins });
  }

  /** The answer to `/compact`: a summary of everything before it, and nothing else. */
  async #compactNow(history: TurnHistory, commandId: string): Promise<Ending> {
    this.#blocks.endAll('interrupted', 'interrupted');
    await this.#turn.live.commit({ events: [] });
    const { blocks } = this.#answer;
    if (blocks.some(({ status }) => status === 'success')) return { status: 'success' };
    if (blocks.length >= 2) throw cutTwice();
    await history.compactAll(commandId);
    return this.#turn.signal.aborted ? this.#stopped() : { status: 'success' };
  }

  /** After a restart: calls that were recorded go on; a round whose stream was cut is asked again. */
  async #resume(offer: Offer): Promise<void> {
    const deps = this.#deps;
    const turn = this.#turn;
    const records = await listToolCalls(deps.store.db, turn.live.owner, turn.answerId);
    this.#earlier.push(...earlierCalls(toolBlocks(this.#answer), records));
    this.#blocks.round = this.#answer.blocks.at(-1)?.round ?? 0;
    this.watch.beginRound(this.#blocks.round);
    const ofRound = records.filter((record) => record.round === this.#blocks.round);
    const open = ofRound.filter(({ endedAt }) => endedAt === undefined);
    const modelNames = new Map(
      toolBlocks(this.#answer).map((b) => [b.toolCallId, b.modelToolName]),
    );
    const nameOf = (record: ToolCallRecord) => modelNames.get(record.id) ?? '';
    if (ofRound.length > 0)
      await resumeTools(
        this.#toolRound(),
        open,
        (toolName) => offer.resolve({ toolName, arguments: {} }).tool,
        nameOf,
      );
    else {
      this.#blocks.endAll('interrupted', 'interrupted');
      await turn.live.commit({ events: [] });
    }
    const isClients = ({ client, round }: ToolBlock) => client && round === this.#blocks.round;
    if (ofRound.length > 0 && toolBlocks(this.#answer).some(isClients)) return this.#handOver();
    const resumes = this.#blocks.round;
    this.#blocks.round += 1;
    this.watch.beginRound(this.#blocks.round, resumes);
    if (countCutRounds(this.#answer, this.#blocks.round) >= 2) throw cutTwice();
  }

  #toolRound(): ToolRound {
    const deps = this.#deps;
    const turn = this.#turn;
    return {
      ...deps,
      live: turn.live,
      answerId: turn.answerId,
      signal: turn.signal,
      blocks: this.#blocks,
      round: this.#blocks.round,
      earlier: this.#earlier,
      unattended: turn.request.unattended,
      caller: turn.request.caller,
    };
  }

  #addUsage(usage: Usage | undefined, { price }: ModelAdapter): void {
    this.usage = addUsage(this.usage, withCost(usage, price));
  }
}

function toolBlocks(message: Message): ToolBlock[] {
  return message.blocks.filter((block) => block.type === 'tool');
}

function cutTwice(): CeriseError {
  return new CeriseError(
    'interrupted',
    say('answer-cut-twice')`This answer was interrupted twice because Cerise shut down.`,
    {
      hint: say('regenerate-again')`Regenerate it.`,
    },
  );
}
