import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import type { Limits } from '#shared/vocabulary/limits.ts';
import type { Message } from '#shared/vocabulary/message.ts';
import type { ModelAdapter, ModelMessage, ModelParameters } from '#shared/vocabulary/model.ts';
import type { BlobPort } from '#shared/vocabulary/ports.ts';
import type { ToolDefinition } from '#shared/vocabulary/tool.ts';
import type { Usage } from '#shared/vocabulary/usage.ts';
import { pathTo } from '#store/conversations/messages.ts';
import type { Store } from '#store/database/store.ts';
import { StoredMedia } from '../calls/stored-media.ts';
import type { BlockManager } from '../topic/block-manager.ts';
import type { LiveTopic } from '../topic/live-topic.ts';
import { type CompactionPlan, planCompaction, planWhole } from './compaction-plan.ts';
import { compact } from './compaction.ts';
import { type HistoryTarget, isCutForModel } from './history-media.ts';
import { joinLegally } from './history-roles.ts';
import { calibrate, estimateOverhead, type Measured, measuredIn } from './history-size.ts';
import { type HistoryEntry, historyEntries, isCompactCommand } from './history.ts';

interface TurnHistoryDeps {
  store: Store;
  blobs: BlobPort;
  limits: Limits;
  live: LiveTopic;
  answerId: string;
  request: { model: string; systemPrompt: string; parameters: ModelParameters };
  model: ModelAdapter;
  blocks: BlockManager;
  signal: AbortSignal;
  onUsage: (usage: Usage | undefined) => void;
  /** What comes before the answer, where that is known. */
  path?: Message[] | undefined;
}

/** The history of one running answer, from round to round, kept within the model's context. */
export class TurnHistory {
  readonly #deps: TurnHistoryDeps;
  readonly #target: HistoryTarget;
  readonly #media: StoredMedia;
  /** The branch up to the answer, which does not change while the answer is made. */
  #ancestors: Message[] | undefined;
  #measured: Measured | undefined;
  #overhead: { tools: ToolDefinition[]; tokens: number } | undefined;

  constructor(deps: TurnHistoryDeps) {
    const { capabilities } = deps.model;
    this.#deps = deps;
    this.#ancestors = deps.path;
    this.#media = new StoredMedia(deps, deps.live.owner);
    const { limits } = deps;
    this.#target = { model: deps.request.model, limits, ...(capabilities && { capabilities }) };
  }

  /** What to send now. What is too much for the model is compacted first. */
  async messages(tools: ToolDefinition[]): Promise<ModelMessage[]> {
    const entries = await this.#entries();
    const { contextTokens } = this.#deps.model.capabilities ?? {};
    const plan =
      contextTokens === undefined
        ? undefined
        : await this.#plan(entries, tools, contextTokens, false);
    if (!plan) return this.#toMessages(entries);
    await this.#compact(plan, true);
    return this.#toMessages(await this.#entries());
  }

  /** The same after the vendor said that it was too much; undefined if nothing can be left out. */
  async shorter(tools: ToolDefinition[]): Promise<ModelMessage[] | undefined> {
    const { contextTokens = Infinity } = this.#deps.model.capabilities ?? {};
    const plan = await this.#plan(await this.#entries(), tools, contextTokens, true);
    if (!plan) return undefined;
    await this.#compact(plan, true);
    return this.#toMessages(await this.#entries());
  }

  /** Whether the messages hold only a part of something that the model may want to read on in. */
  async hasMoreToRead(): Promise<boolean> {
    return (await this.path()).some(({ blocks }) =>
      blocks.some((block) => isCutForModel(block, this.#deps.limits)),
    );
  }

  /** What the vendor counted for the request of a round. */
  measure(round: number, inputTokens: number | undefined): void {
    if (inputTokens === undefined) return;
    this.#measured = { messageId: this.#deps.answerId, round, inputTokens };
  }

  /** The id of the question, if it is the command to compact. */
  async compactCommand(): Promise<string | undefined> {
    const question = (await this.path()).at(-2);
    return question && isCompactCommand(question) ? question.id : undefined;
  }

  /** Compacts everything before the command. Throws CeriseError if that fails or there is nothing. */
  async compactAll(commandId: string): Promise<void> {
    const before = (await this.path()).slice(0, -2);
    const plan = planWhole(historyEntries(before, this.#target), commandId);
    if (!plan)
      throw new CeriseError(
        'invalid_request',
        say('nothing-to-compact')`There's nothing to summarise yet.`,
      );
    await this.#compact(plan, false);
  }

  async #plan(
    entries: HistoryEntry[],
    tools: ToolDefinition[],
    contextTokens: number,
    always: boolean,
  ): Promise<CompactionPlan | undefined> {
    const { systemPrompt, parameters } = this.#deps.request;
    if (this.#overhead?.tools !== tools)
      this.#overhead = { tools, tokens: estimateOverhead(systemPrompt, tools) };
    const overhead = this.#overhead.tokens;
    const measured = this.#measured ?? measuredIn(await this.path(), this.#target.model);
    const { resultToModel } = this.#deps.limits;
    const ratio = calibrate(entries, { overhead, resultToModel }, measured);
    const outputTokens = parameters.maxOutputTokens ?? this.#deps.model.capabilities?.outputTokens;
    const room = { contextTokens, outputTokens, overhead, ratio, resultToModel };
    return planCompaction(entries, room, always);
  }

  async #compact(plan: CompactionPlan, orDrop: boolean): Promise<void> {
    const { request, onUsage } = this.#deps;
    const deps = { ...this.#deps, parameters: request.parameters };
    onUsage(await compact(deps, await this.path(), plan, orDrop));
  }

  async #toMessages(entries: HistoryEntry[]): Promise<ModelMessage[]> {
    return this.#media.load(joinLegally(entries.flatMap(({ messages }) => messages)));
  }

  async #entries(): Promise<HistoryEntry[]> {
    return historyEntries(await this.path(), this.#target);
  }

  /** The branch, up to the answer as it is now. */
  async path(): Promise<Message[]> {
    const { store, live, answerId } = this.#deps;
    this.#ancestors ??= (await pathTo(store.db, live.id, answerId))
      .slice(0, -1)
      .map((message) => live.message(message.id) ?? message);
    const answer = live.message(answerId);
    return answer ? [...this.#ancestors, answer] : this.#ancestors;
  }
}
