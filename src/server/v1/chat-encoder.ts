import { activityOf } from '#chat/runs/tool-activity.ts';
import { argumentsText, type Piece } from '#shared/answer/answer-cursor.ts';
import { type Ending, endingOf, failureOf } from '#shared/answer/answer-ending.ts';
import { answerText, clientCallId, clientCalls } from '#shared/answer/client-calls.ts';
import type { ErrorInfo } from '#shared/errors/errors.ts';
import { sseFrame } from '#shared/text/sse-frame.ts';
import type { Block, ToolBlock } from '#shared/vocabulary/block.ts';
import type { Message } from '#shared/vocabulary/message.ts';
import type { Usage } from '#shared/vocabulary/usage.ts';
import { customInput } from './client-tools.ts';
import { webSources } from './web-sources.ts';
import { errorBody } from './v1-errors.ts';

/** What every chunk of one completion repeats. */
interface ChatFacts {
  id: string;
  /** In seconds. */
  created: number;
  /** As requested. */
  model: string;
  includeUsage: boolean;
  /** The program's tools that take a text. */
  customTools: ReadonlySet<string>;
}

/** Answers as the chunks of chat completions. Pure: text of the stream for pieces of the answer. */
export class ChatEncoder {
  readonly #facts: ChatFacts;
  #isBegun = false;
  #hasText = false;
  #calls = 0;

  constructor(facts: ChatFacts) {
    this.#facts = facts;
  }

  write(pieces: readonly Piece[]): string {
    let frames = '';
    for (const piece of pieces) frames += this.#frame(piece);
    return frames;
  }

  #frame(piece: Piece): string {
    const text = this.#body(piece);
    if (text === '' || this.#isBegun) return text;
    this.#isBegun = true;
    const content = piece.type === 'call-start' ? null : '';
    return this.#chunk({ role: 'assistant', content }) + text;
  }

  #body(piece: Piece): string {
    switch (piece.type) {
      case 'text-start':
        return this.#startText(piece.block.type);
      case 'text-delta':
        return piece.block.type === 'thinking'
          ? this.#chunk({ reasoning_content: piece.text })
          : this.#chunk({ content: piece.text });
      case 'call-start':
        return piece.block.client ? this.#startCall(piece) : '';
      case 'call-delta':
        if (!piece.block.client || this.#isCustom(piece.block)) return '';
        return this.#chunk({
          tool_calls: [{ index: this.#calls - 1, function: { arguments: piece.text } }],
        });
      case 'call-ready':
      case 'outcome':
        if (piece.block.client) return this.#endCall(piece.block);
        return this.#chunk({}, null, { cerise: { tool: activityOf(piece.block) } });
      case 'medium': {
        const images = imagesOf([piece.block]);
        return images.length > 0 ? this.#chunk({ images }) : '';
      }
      case 'sources': {
        const annotations = annotationsOf([piece.block]);
        return annotations.length > 0 ? this.#chunk({ annotations }) : '';
      }
      case 'text-end':
        return '';
      case 'finish':
        return this.#end(piece.message);
    }
  }

  /** What a model says after its calls stands apart from what it said before. */
  #startText(type: string): string {
    if (type === 'thinking') return '';
    const isLater = this.#hasText;
    this.#hasText = true;
    return isLater ? this.#chunk({ content: '\n\n' }) : '';
  }

  #startCall({ block }: Extract<Piece, { type: 'call-start' }>): string {
    const index = this.#calls;
    this.#calls += 1;
    return this.#chunk({ tool_calls: [{ index, ...toToolCall(block, this.#facts, '') }] });
  }

  /** The text for a custom tool is told at once: while it is written it is part of an object. */
  #endCall(block: ToolBlock): string {
    if (!this.#isCustom(block)) return '';
    const custom = { input: customInput(argumentsText(block)) };
    return this.#chunk({ tool_calls: [{ index: this.#calls - 1, custom }] });
  }

  #isCustom({ modelToolName }: ToolBlock): boolean {
    return this.#facts.customTools.has(modelToolName);
  }

  #end(message: Message): string {
    const failure = failureOf(message);
    if (failure) return errorFrame(failure);
    const ending = endingOf(message);
    // Only now is it clear that the streamed text was a refusal.
    const refusal = ending === 'refusal' ? this.#chunk({ refusal: answerText(message) }) : '';
    const finished = refusal + this.#chunk({}, finishReason(ending));
    const { usage } = message;
    const counted = this.#facts.includeUsage
      ? sseFrame({ ...this.#head(), choices: [], usage: toChatUsage(usage) })
      : '';
    return `${finished}${counted}data: [DONE]\n\n`;
  }

  #chunk(delta: object, reason: string | null = null, more: object = {}): string {
    const usage = this.#facts.includeUsage && { usage: null };
    const choices = [{ index: 0, delta, logprobs: null, finish_reason: reason }];
    return sseFrame({ ...this.#head(), choices, ...usage, ...more });
  }

  #head(): object {
    const { id, created, model } = this.#facts;
    return { id, object: 'chat.completion.chunk', created, model, system_fingerprint: null };
  }
}

/** A whole answer as a chat completion. */
export function toChatCompletion(facts: Omit<ChatFacts, 'includeUsage'>, message: Message): object {
  const { id, created, model } = facts;
  const finish_reason = finishReason(endingOf(message));
  const tools = message.blocks.flatMap((block) =>
    block.type === 'tool' && !block.client && block.status !== 'interrupted'
      ? [activityOf(block)]
      : [],
  );
  return {
    id,
    object: 'chat.completion',
    created,
    model,
    system_fingerprint: null,
    choices: [{ index: 0, message: toChatMessage(message, facts), logprobs: null, finish_reason }],
    usage: toChatUsage(message.usage),
    ...(tools.length > 0 && { cerise: { tools } }),
  };
}

type CallFacts = Pick<ChatFacts, 'customTools'>;

function toToolCall(block: ToolBlock, { customTools }: CallFacts, args: string): object {
  const id = clientCallId(block);
  const { modelToolName: name } = block;
  return customTools.has(name)
    ? { id, type: 'custom', custom: { name, input: customInput(args) } }
    : { id, type: 'function', function: { name, arguments: args } };
}

function toChatMessage(message: Message, facts: CallFacts): object {
  const calls = clientCalls(message);
  const content = answerText(message);
  const thinking = message.blocks
    .filter(({ type, status }) => type === 'thinking' && status !== 'interrupted')
    .map((block) => block.content)
    .join('');
  const images = imagesOf(message.blocks);
  const isRefusal = endingOf(message) === 'refusal';
  const tool_calls = calls.map((block) => toToolCall(block, facts, argumentsText(block)));
  return {
    role: 'assistant',
    content: isRefusal || (content === '' && calls.length > 0) ? null : content,
    refusal: isRefusal ? content : null,
    annotations: annotationsOf(message.blocks),
    ...(images.length > 0 && { images }),
    ...(thinking !== '' && { reasoning_content: thinking }),
    ...(calls.length > 0 && { tool_calls }),
  };
}

/** Images that the model generated, in the field that gateways use: OpenAI has none for them. */
function imagesOf(blocks: readonly Block[]): object[] {
  return blocks.flatMap((block) => {
    if (block.type !== 'image' || block.data === undefined) return [];
    const url = `data:${block.mimeType ?? 'image/png'};base64,${block.data}`;
    return [{ type: 'image_url', image_url: { url } }];
  });
}

/** Sources on the web. */
function annotationsOf(blocks: readonly Block[]): object[] {
  return blocks.flatMap((block) =>
    block.type === 'citation'
      ? webSources(block).map((source) => ({ type: 'url_citation', url_citation: source }))
      : [],
  );
}

function finishReason(ending: Ending): string {
  if (ending === 'tool-calls') return 'tool_calls';
  if (ending === 'content-filter') return 'content_filter';
  return ending === 'length' ? 'length' : 'stop';
}

/** The tokens of all rounds together. */
function toChatUsage(usage: Usage = {}): object {
  const { inputTokens = 0, outputTokens = 0, reasoningTokens = 0, cachedInputTokens = 0 } = usage;
  return {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
    prompt_tokens_details: { cached_tokens: cachedInputTokens, audio_tokens: 0 },
    completion_tokens_details: {
      reasoning_tokens: reasoningTokens,
      audio_tokens: 0,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
  };
}

/** What tells a client that the stream ends before the answer. */
export function errorFrame(error: ErrorInfo): string {
  return sseFrame(errorBody(error, 'openai'));
}
