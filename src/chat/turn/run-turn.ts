import { demoModelInfo } from '#models/demo/model.ts';
import { vendorLabel } from '#models/vendors/vendors.ts';
import { untilAborted } from '#shared/async/until-aborted.ts';
import { errorInfo, CeriseError, type ErrorInfo, toErrorInfo } from '#shared/errors/errors.ts';
import { fault } from '#shared/errors/fault.ts';
import { say } from '#shared/errors/sentence.ts';
import { isBlockOpen, type ToolBlock, toolBlockStatus } from '#shared/vocabulary/block.ts';
import type { Chunk, FinishReason } from '#shared/vocabulary/chunk.ts';
import type { Limits } from '#shared/vocabulary/limits.ts';
import type { Message, Topic, ToolSelection, TurnSelection } from '#shared/vocabulary/message.ts';
import type { ModelAdapter, ModelMessage, ModelParameters } from '#shared/vocabulary/model.ts';
import { shutdownReason, type ToolDefinition } from '#shared/vocabulary/tool.ts';
import type { Usage } from '#shared/vocabulary/usage.ts';
import { closeToolCalls, listToolCalls, type ToolCallRecord } from '#store/calls/tool-calls.ts';
import type { Store } from '#store/database/store.ts';
import { withPromptedTools } from '#tools/prompted/prompted-tools.ts';
import type { ToolRegistry } from '#tools/registry/registry.ts';
import { cutErrors, cutPatch } from '../calls/cut-calls.ts';
import { earlierCalls } from '../calls/refuse-call.ts';
import { resumeTools, runTools, type ToolDeps, type ToolRound } from '../calls/run-tools.ts';
import { isLargeMedium, storeMedia } from '../calls/stored-media.ts';
import { inlineLength } from '../calls/stored-results.ts';
import { untilStored } from '../calls/until-stored.ts';
import { countCutRounds } from '../history/history.ts';
import { TurnHistory } from '../history/turn-history.ts';
import { BlockManager } from '../topic/block-manager.ts';
import type { LiveTopic } from '../topic/live-topic.ts';
import { addUsage, withCost } from './add-usage.ts';
import { type RoundResult, StreamProcessor } from './stream-processor.ts';
import { isStuck } from './stuck-calls.ts';
import { hasSearchedTools, makeOffer, type Offer, withoutTools } from './tool-offer.ts';

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
}

/** What a turn needs of the host. Models are functions and tools are values to it. */
export interface TurnDeps extends ToolDeps {
  store: Store;
  resolveModel: (name: string, owner: string) => Promise<ModelAdapter>;
  /** What it gives is the turn's to its end, whatever servers say of their tools in the meantime. */
  loadTools: (owner: string, topic: Topic, selection: TurnSelection) => Promise<ToolRegistry>;
  /** Told of a tool that cannot be told to the model of a turn. */
  onToolLeftOut?: (toolName: string, reason: string) => void;
}

export interface Turn {
  live: LiveTopic;
  answerId: string;
  request: AnswerRequest;
  signal: AbortSignal;
  /** True if a newer message waits: the answer ends at its next round boundary. */
  mustYield(): boolean;
}

type Ending =
  | { status: 'success' | 'stopped' }
  | { status: 'error'; error: ErrorInfo }
  | 'left open';

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
  return untilStored(
    () =>
      turn.live.finish(end, (tx) => closeToolCalls(tx, answerId, end.at, cutErrors(ending.status))),
    turn.signal,
  );
}

/** The rounds of one answer, and what they share. */
class Rounds {
  usage: Usage | undefined;
  readonly #deps: TurnDeps;
  readonly #turn: Turn;
  readonly #blocks: BlockManager;
  readonly #earlier: ToolRound['earlier'] = [];
  #round: number;

  constructor(deps: TurnDeps, turn: Turn, answer: Message) {
    this.#deps = deps;
    this.#turn = turn;
    this.#blocks = new BlockManager(turn.live, answer, deps.now);
    this.#round = answer.blocks.at(-1)?.round ?? 0;
  }

  get #answer(): Message {
    const answer = this.#turn.live.message(this.#turn.answerId);
    if (!answer) throw new Error(`answer ${this.#turn.answerId} is not live`);
    return answer;
  }

  async run(): Promise<Ending> {
    const deps = this.#deps;
    const turn = this.#turn;
    const model = callable(
      await deps.resolveModel(turn.request.model, turn.live.owner),
      deps.limits,
    );
    const onUsage = (usage: Usage | undefined) => this.#addUsage(usage, model);
    const { store, blobs, limits } = deps;
    const parts = { store, blobs, limits, ...turn, model, blocks: this.#blocks, onUsage };
    const history = new TurnHistory(parts);
    const command = await history.compactCommand();
    if (command) return this.#compactNow(history, command);
    const { owner, topic } = turn.live;
    const { tools, limited = tools } = turn.request;
    const withoutShowcase = turn.request.model !== demoModelInfo.id;
    const registry = await deps.loadTools(owner, topic, { ...limited, withoutShowcase });
    const offer = this.#offer(registry, model, await history.path());
    if (this.#answer.blocks.length > 0) await this.#resume(offer);
    for (;;) {
      if (turn.signal.aborted) return this.#stopped();
      this.#blocks.round = this.#round;
      const last = this.#isLast();
      const result = await this.#askModel(model, history, last ? withoutTools(offer) : offer);
      if (turn.signal.aborted) return this.#stopped();
      if (result.error) return { status: 'error', error: result.error };
      if (result.calls.length === 0 || last) return this.#ending(result);
      await runTools(this.#toolRound(), result.calls);
      if (turn.signal.aborted) return this.#stopped();
      if (turn.mustYield()) return { status: 'success' };
      this.#round += 1;
    }
  }

  /** A topic whose tools were once searched for keeps its few definitions, for the prompt cache. */
  #offer(registry: ToolRegistry, model: ModelAdapter, path: Message[]): Offer {
    const { contextTokens } = model.capabilities ?? {};
    return makeOffer(registry.tools(), {
      ...(contextTokens !== undefined && { contextTokens }),
      mode: path.some(hasSearchedTools) ? 'always' : 'auto',
      dialect: model.dialect,
      onLeftOut: (toolName, reason) => this.#deps.onToolLeftOut?.(toolName, reason),
    });
  }

  /** An answer that the model did not end by itself says so. */
  #ending({ calls, finishReason }: RoundResult): Ending {
    const hasSpoken = this.#answer.blocks.some(
      ({ type, round }) => type === 'main_text' && round === this.#round,
    );
    if (calls.length > 0 && !hasSpoken) return { status: 'error', error: onlyCalls };
    const error = finishReason && cutAnswers[finishReason];
    if (error) this.#blocks.add({ type: 'error', status: 'error', error });
    return { status: 'success' };
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
    return this.#round >= limits.roundsPerTurn || isStuck(this.#answer.blocks, limits);
  }

  /** Asks the model; where it says that this was too much, once more with less. */
  async #askModel(model: ModelAdapter, history: TurnHistory, offer: Offer): Promise<RoundResult> {
    const { definitions } = offer;
    const messages = await history.messages(definitions);
    const tools = (await history.hasMoreToRead()) ? offer.withReadMore : definitions;
    const begun = this.#blocks.count;
    const result = await this.#askOnce(model, messages, tools, offer);
    history.measure(this.#round, result.usage?.inputTokens);
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
    const processor = new StreamProcessor(this.#blocks, (call) => offer.resolve(call), {
      citationCount: this.#citationCount,
      vendor: vendorLabel(model, request.model),
    });
    const messages = offer.toHistory(history);
    const asked = { purpose: 'answer' as const, system, messages, tools, parameters };
    // What an earlier request waited for, perhaps in another process, is over.
    if (this.#answer.waiting?.retry) this.#blocks.retrying();
    await fault('model-asked');
    for await (const batch of untilAborted(model.stream(asked, signal), signal)) {
      const slow = fault('model-stream');
      if (slow) await slow;
      const most = inlineLength(this.#deps.limits);
      const isLarge = batch.some((chunk) => isLargeMedium(chunk, most));
      processor.process(isLarge ? await this.#storeMedia(batch) : batch);
    }
    const result = processor.finish(signal.aborted);
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
    this.#round = this.#answer.blocks.at(-1)?.round ?? 0;
    this.#blocks.round = this.#round;
    const ofRound = records.filter((record) => record.round === this.#round);
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
    this.#round += 1;
    if (countCutRounds(this.#answer, this.#round) >= 2) throw cutTwice();
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
      round: this.#round,
      earlier: this.#earlier,
      citationCount: this.#citationCount,
    };
  }

  get #citationCount(): number {
    return this.#answer.blocks.reduce(
      (count, block) => count + (block.type === 'citation' ? block.citations.length : 0),
      0,
    );
  }

  #addUsage(usage: Usage | undefined, { price }: ModelAdapter): void {
    this.usage = addUsage(this.usage, withCost(usage, price));
  }
}

const onlyCalls: ErrorInfo = errorInfo(
  'call_limit',
  say('calls-without-end')`The model kept calling tools without reaching an answer.`,
  { hint: say('go-on-or-other')`Ask it to continue with what it has, or choose another model.` },
);

const cutAnswers: Partial<Record<FinishReason, ErrorInfo>> = {
  length: errorInfo(
    'model_length',
    say('answer-length')`The answer is incomplete: the model reached its maximum output length.`,
    { hint: say('go-on-or-more')`Ask it to continue, or raise the maximum output tokens.` },
  ),
  'content-filter': errorInfo(
    'model_refused',
    say('answer-withheld')`The answer is incomplete: the provider withheld the rest.`,
    { hint: say('ask-otherwise')`Rephrase your question, or choose another model.` },
  ),
};

/** A model without function calling is told of tools in words. */
function callable(model: ModelAdapter, limits: Limits): ModelAdapter {
  return model.capabilities?.tools === false ? withPromptedTools(model, limits) : model;
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
