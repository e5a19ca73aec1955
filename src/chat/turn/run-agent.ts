import { randomUUIDv7 } from 'node:crypto';
import { untilAborted } from '#shared/async/until-aborted.ts';
import { CeriseError, type ErrorInfo, toErrorInfo } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import type { Block } from '#shared/vocabulary/block.ts';
import type { EventBody } from '#shared/vocabulary/event.ts';
import { type Limits, usualLimits } from '#shared/vocabulary/limits.ts';
import type { ModelAdapter, ModelMessage, ModelParameters } from '#shared/vocabulary/model.ts';
import type { Usage } from '#shared/vocabulary/usage.ts';
import { withPromptedTools } from '#tools/prompted/prompted-tools.ts';
import { type AnyTool, ToolRegistry } from '#tools/registry/registry.ts';
import { cutErrors, cutPatch } from '../calls/cut-calls.ts';
import { historyEntries } from '../history/history.ts';
import { joinLegally, userText } from '../history/history-roles.ts';
import { BlockManager } from '../topic/block-manager.ts';
import { MemoryBlocks } from '../topic/memory-blocks.ts';
import { addUsage, withCost } from './add-usage.ts';
import { type AgentCall, runAgentCalls } from './agent-calls.ts';
import { type Ending, type RoundSteps, runRounds } from './rounds.ts';
import { type RoundResult, StreamProcessor } from './stream-processor.ts';
import { isStuck } from './stuck-calls.ts';
import { makeOffer, type Offer, withoutTools } from './tool-offer.ts';

/** What a bare agent is made from. Only the model and the messages are required. */
export interface AgentOptions {
  model: ModelAdapter;
  /** A question, or a conversation that ends with one. */
  messages: string | readonly ModelMessage[];
  /** Functions of your program, adapters, and tools as they were loaded. */
  tools?: readonly AnyTool[];
  system?: string;
  parameters?: ModelParameters;
  /** Asked before each call; what it refuses is told to the model. Absent: every call runs. */
  approve?: (call: AgentCall) => boolean | Promise<boolean>;
  /** Hears of each event as it happens, for `reduce` or a display. What it throws harms nobody. */
  onEvent?: (event: EventBody) => void;
  /** Stops the answer: the model's request and the running calls. */
  signal?: AbortSignal;
  /** Limits other than those that ship, such as `roundsPerTurn`. */
  limits?: Partial<Limits>;
}

/** What an agent came to. It never throws what a model or a tool failed with. */
export interface AgentResult {
  status: 'success' | 'error' | 'stopped';
  /** Everything the model said to the reader. */
  text: string;
  blocks: readonly Block[];
  /** The conversation with this answer, for the next question. */
  messages: ModelMessage[];
  usage: Usage | undefined;
  error: ErrorInfo | undefined;
}

/**
 * Answers with a model and tools, and keeps nothing: the loop of the host, with memory in the place of a topic.
 * Calls of one round run in parallel, and each runs at most once.
 */
export async function runAgent(options: AgentOptions): Promise<AgentResult> {
  if (typeof (options.model as Partial<ModelAdapter> | undefined)?.stream !== 'function')
    throw noAdapter();
  const agent = new Agent(options);
  const ending = await agent.run();
  return agent.result(ending);
}

class Agent {
  readonly #options: AgentOptions;
  readonly #limits: Limits;
  readonly #signal: AbortSignal;
  readonly #model: ModelAdapter;
  readonly #store: MemoryBlocks;
  readonly #blocks: BlockManager;
  readonly #earlier: { modelToolName: string; argsHash: string }[] = [];
  #usage: Usage | undefined;

  constructor(options: AgentOptions) {
    this.#options = options;
    this.#limits = { ...usualLimits, ...options.limits };
    this.#signal = options.signal ?? new AbortController().signal;
    const { model, onEvent } = options;
    const isPlain = model.capabilities?.tools === false;
    this.#model = isPlain ? withPromptedTools(model, this.#limits) : model;
    this.#store = new MemoryBlocks(randomUUIDv7(), onEvent && withoutHarm(onEvent));
    this.#blocks = new BlockManager(this.#store, this.#store.message);
  }

  async run(): Promise<Ending> {
    const registry = new ToolRegistry();
    for (const tool of this.#options.tools ?? []) registry.register(tool);
    const { capabilities, dialect } = this.#model;
    const { contextTokens } = capabilities ?? {};
    const size = contextTokens === undefined ? {} : { contextTokens };
    const offer = makeOffer(registry.tools(), { ...size, mode: 'auto', dialect });
    const { roundsPerTurn } = this.#limits;
    const steps: RoundSteps = {
      signal: this.#signal,
      answer: () => this.#store.blocks,
      blocks: this.#blocks,
      isLast: () =>
        this.#blocks.round >= roundsPerTurn || isStuck(this.#store.blocks, this.#limits),
      askModel: (isLast) => this.#askModel(isLast ? withoutTools(offer) : offer),
      runTools: (calls) =>
        runAgentCalls(calls, {
          blocks: this.#blocks,
          signal: this.#signal,
          limits: this.#limits,
          earlier: this.#earlier,
          approve: this.#options.approve,
        }),
      mustYield: () => false,
      stopped: () => ({ status: 'stopped' }),
    };
    try {
      return await runRounds(steps);
    } catch (error) {
      return this.#signal.aborted
        ? { status: 'stopped' }
        : { status: 'error', error: toErrorInfo(error) };
    }
  }

  /** Ends what is open and says what it came to. */
  result(ending: Ending): AgentResult {
    const { status, error } =
      ending === 'left open' ? { status: 'stopped' as const } : { error: undefined, ...ending };
    const text = { success: 'success', error: 'error', stopped: 'paused' } as const;
    this.#blocks.endAll(text[status], 'cancelled', cutPatch('proposed', cutErrors(status)));
    if (error) this.#blocks.add({ type: 'error', status: 'error', error });
    const { blocks } = this.#store;
    const said = blocks.filter(({ type }) => type === 'main_text').map(({ content }) => content);
    const messages = this.#messages();
    return { status, text: said.join('\n\n'), blocks, messages, usage: this.#usage, error };
  }

  async #askModel(offer: Offer): Promise<RoundResult> {
    const { system = '', parameters = {} } = this.#options;
    const { vendor = '' } = this.#model;
    const processor = new StreamProcessor(this.#blocks, (call) => offer.resolve(call), vendor);
    const request = {
      purpose: 'answer' as const,
      system: [system, offer.note].filter(Boolean).join('\n\n'),
      messages: offer.toHistory(this.#messages()),
      tools: offer.definitions,
      parameters,
    };
    const signal = this.#signal;
    for await (const batch of untilAborted(this.#model.stream(request, signal), signal))
      processor.process(batch);
    const result = processor.finish(signal.aborted);
    this.#usage = addUsage(this.#usage, withCost(result.usage, this.#model.price));
    return result;
  }

  /** The question, and what of the answer the model is to see again. */
  #messages(): ModelMessage[] {
    const { messages } = this.#options;
    const asked = typeof messages === 'string' ? [userText(messages)] : messages;
    const { capabilities } = this.#model;
    const answer = historyEntries([{ ...this.#store.message, model: 'agent' }], {
      model: 'agent',
      ...(capabilities && { capabilities }),
      limits: this.#limits,
      withoutReadMore: true,
    });
    return joinLegally([...asked, ...answer.flatMap((entry) => entry.messages)]);
  }
}

function withoutHarm(onEvent: (event: EventBody) => void): (event: EventBody) => void {
  return (event) => {
    try {
      onEvent(event);
    } catch {
      // A listener that fails has no say in the answer.
    }
  };
}

function noAdapter(): CeriseError {
  return new CeriseError(
    'invalid_request',
    say('agent-model')`The model must have a “stream” function.`,
    {
      hint: say(
        'agent-model-hint',
      )`Use fromWire, or wrap a model of the AI SDK with fromLanguageModel.`,
    },
  );
}
