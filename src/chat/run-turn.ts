import { setTimeout } from 'node:timers/promises';
import type { ToolBlock } from '#shared/block.ts';
import { CeriseError, type ErrorInfo, toErrorInfo } from '#shared/errors.ts';
import { limits } from '#shared/limits.ts';
import type { Message, Topic } from '#shared/message.ts';
import type { ModelAdapter, ModelParameters, Usage } from '#shared/model.ts';
import type { ToolSelection } from '#shared/message.ts';
import { pathTo } from '#store/messages.ts';
import type { Store } from '#store/store.ts';
import { closeToolCalls, listToolCalls, type ToolCallRecord } from '#store/tool-calls.ts';
import type { ToolRegistry } from '#tools/registry.ts';
import { argumentsHash } from '#tools/policy.ts';
import { BlockManager } from './block-manager.ts';
import { buildHistory, countCutRounds } from './history.ts';
import type { LiveTopic } from './live-topic.ts';
import {
  resumeTools,
  runTools,
  shutdownReason,
  type ToolDeps,
  type ToolRound,
} from './run-tools.ts';
import { type RoundResult, StreamProcessor } from './stream-processor.ts';

/** What was asked of an answer; stored with it, so that it can go on after a restart. */
export interface AnswerRequest {
  model: string;
  systemPrompt: string;
  parameters: ModelParameters;
  tools: ToolSelection;
}

/** What a turn needs of the host. Models are functions and tools are values to it. */
export interface TurnDeps extends ToolDeps {
  store: Store;
  resolveModel: (name: string) => Promise<ModelAdapter>;
  /** What it gives is the turn's to its end, whatever servers say of their tools meanwhile. */
  loadTools: (owner: string, topic: Topic, selection: ToolSelection) => Promise<ToolRegistry>;
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
  rounds.closeBlocks(ending);
  const { answerId } = turn;
  const end = {
    type: 'message-end',
    messageId: answerId,
    at: deps.now(),
    usage: rounds.usage,
  } as const;
  return untilStored(
    () => turn.live.finish({ ...end, ...ending }, (tx) => closeToolCalls(tx, answerId, end.at)),
    turn.signal,
  );
}

/** An end that cannot be stored is tried again: an answer must not hang because a disk was full. */
async function untilStored<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  for (let wait = 200; ; wait = Math.min(wait * 2, 5000)) {
    try {
      return await work();
    } catch (error) {
      if (signal.reason === shutdownReason) return undefined;
      if (!(error instanceof CeriseError) || error.code !== 'storage_unavailable') throw error;
      await setTimeout(wait);
    }
  }
}

/** The rounds of one answer, and what they share. */
class Rounds {
  usage: Usage | undefined;
  readonly #deps: TurnDeps;
  readonly #turn: Turn;
  readonly #blocks: BlockManager;
  readonly #earlier: ToolRound['earlier'];
  #round: number;

  constructor(deps: TurnDeps, turn: Turn, answer: Message) {
    this.#deps = deps;
    this.#turn = turn;
    this.#blocks = new BlockManager(turn.live, answer, deps.now);
    this.#round = answer.blocks.at(-1)?.round ?? 0;
    this.#earlier = answer.blocks
      .filter((block) => block.type === 'tool')
      .map(({ modelToolName, arguments: args }) => ({
        modelToolName,
        argsHash: argumentsHash(args),
      }));
  }

  get #answer(): Message {
    const answer = this.#turn.live.message(this.#turn.answerId);
    if (!answer) throw new Error(`answer ${this.#turn.answerId} is not live`);
    return answer;
  }

  async run(): Promise<Ending> {
    const deps = this.#deps;
    const turn = this.#turn;
    const model = await deps.resolveModel(turn.request.model);
    const { owner, topic } = turn.live;
    const registry = await deps.loadTools(owner, topic, turn.request.tools);
    if (this.#answer.blocks.length > 0) await this.#resume(registry);
    for (;;) {
      if (turn.signal.aborted) return this.#stopped();
      if (countCutRounds(this.#answer, this.#round) >= 2) throw cutTwice();
      this.#blocks.round = this.#round;
      const last = this.#isLast();
      const result = await this.#askModel(model, registry, last);
      this.#addUsage(result.usage);
      if (turn.signal.aborted) return this.#stopped();
      if (result.error) return { status: 'error', error: result.error };
      if (result.calls.length === 0 || last) return { status: 'success' };
      await runTools(this.#toolRound(), result.calls);
      if (turn.signal.aborted) return this.#stopped();
      if (turn.mustYield()) return { status: 'success' };
      this.#round += 1;
    }
  }

  /** What an exception in the loop means for the answer. */
  failure(error: unknown): Ending {
    if (this.#turn.signal.aborted) return this.#stopped();
    return { status: 'error', error: toErrorInfo(error) };
  }

  /** Nothing stays open in an answer that ended, and an error is a block of its own. */
  closeBlocks(ending: Exclude<Ending, 'left open'>): void {
    const textStatus = ending.status === 'stopped' ? 'paused' : 'error';
    const code = ending.status === 'stopped' ? 'cancelled' : 'interrupted';
    this.#blocks.endAll(ending.status === 'success' ? 'success' : textStatus, {
      status: 'cancelled',
      state: 'cancelled',
      approval: null,
      error: { code, message: 'The answer ended before this call was run.' },
    });
    if (ending.status === 'error')
      this.#blocks.add({ type: 'error', status: 'error', error: ending.error });
  }

  #stopped(): Ending {
    return this.#turn.signal.reason === shutdownReason ? 'left open' : { status: 'stopped' };
  }

  /** At the round limit, or when the model goes in circles, it must answer without tools. */
  #isLast(): boolean {
    const blocks = this.#answer.blocks;
    return (
      this.#round >= limits.roundsPerTurn ||
      blocks.some((block) => block.type === 'tool' && isGuard(block))
    );
  }

  async #askModel(
    model: ModelAdapter,
    registry: ToolRegistry,
    last: boolean,
  ): Promise<RoundResult> {
    const deps = this.#deps;
    const turn = this.#turn;
    const rows = await pathTo(deps.store.db, turn.live.id, turn.answerId);
    const path = rows.map((message) => turn.live.message(message.id) ?? message);
    const processor = new StreamProcessor(
      this.#blocks,
      (name) => (last ? undefined : registry.find(name)),
      this.#citationCount,
    );
    const stream = model.stream(
      {
        purpose: 'answer',
        system: turn.request.systemPrompt,
        messages: buildHistory(path, turn.request.model),
        tools: last ? [] : registry.definitions(),
        parameters: turn.request.parameters,
      },
      turn.signal,
    );
    for await (const batch of untilAborted(stream, turn.signal)) processor.process(batch);
    return processor.finish();
  }

  /** After a restart: calls that were recorded go on; a round whose stream was cut is asked again. */
  async #resume(registry: ToolRegistry): Promise<void> {
    const deps = this.#deps;
    const turn = this.#turn;
    const records = await listToolCalls(deps.store.db, turn.live.owner, turn.answerId);
    this.#round = this.#answer.blocks.at(-1)?.round ?? 0;
    this.#blocks.round = this.#round;
    const ofRound = records.filter((record) => record.round === this.#round);
    const open = ofRound.filter(({ endedAt }) => endedAt === undefined);
    const modelNames = new Map(
      toolBlocks(this.#answer).map((b) => [b.toolCallId, b.modelToolName]),
    );
    const nameOf = (record: ToolCallRecord) => modelNames.get(record.id) ?? '';
    if (ofRound.length > 0)
      await resumeTools(this.#toolRound(), open, (name) => registry.find(name), nameOf);
    else {
      this.#blocks.endAll('interrupted', { status: 'interrupted' });
      await turn.live.commit({ events: [] });
    }
    this.#round += 1;
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

  #addUsage(usage: Usage | undefined): void {
    if (!usage) return;
    const sum: Usage = { ...this.usage };
    for (const key of [
      'inputTokens',
      'outputTokens',
      'reasoningTokens',
      'cachedInputTokens',
    ] as const)
      if (usage[key] !== undefined) sum[key] = (sum[key] ?? 0) + usage[key];
    this.usage = sum;
  }
}

/** Reads a stream until it ends or the signal says so, even if the stream does not listen to it. */
async function* untilAborted<T>(
  stream: AsyncIterable<T>,
  signal: AbortSignal,
): AsyncGenerator<T, void> {
  const iterator = stream[Symbol.asyncIterator]();
  let giveUp = (): void => undefined;
  const onAbort = () => giveUp();
  signal.addEventListener('abort', onAbort);
  try {
    while (!signal.aborted) {
      const step = await new Promise<IteratorResult<T> | undefined>((resolve, reject) => {
        giveUp = () => resolve(undefined);
        iterator.next().then(resolve, reject);
      });
      if (!step || step.done) return;
      yield step.value;
    }
  } finally {
    signal.removeEventListener('abort', onAbort);
    iterator.return?.().catch(() => undefined);
  }
}

function toolBlocks(message: Message): ToolBlock[] {
  return message.blocks.filter((block) => block.type === 'tool');
}

function isGuard(block: ToolBlock): boolean {
  return block.error?.code === 'repeated_call' || block.error?.code === 'call_limit';
}

function cutTwice(): CeriseError {
  return new CeriseError('interrupted', 'This answer was cut twice by an end of Cerise itself.', {
    hint: 'Regenerate it to try again.',
  });
}
