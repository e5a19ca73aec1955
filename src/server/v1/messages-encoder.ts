import { z } from 'zod';
import { activityOf } from '#chat/runs/tool-activity.ts';
import {
  argumentsText,
  isSpoken,
  type Piece,
  type SpokenBlock,
} from '#shared/answer/answer-cursor.ts';
import { endingOf, failureOf } from '#shared/answer/answer-ending.ts';
import { clientCallId, clientCalls } from '#shared/answer/client-calls.ts';
import type { ErrorInfo } from '#shared/errors/errors.ts';
import { sseFrame } from '#shared/text/sse-frame.ts';
import type { Block, ToolBlock } from '#shared/vocabulary/block.ts';
import { parseJson } from '#shared/vocabulary/json.ts';
import type { Message } from '#shared/vocabulary/message.ts';
import type { Usage } from '#shared/vocabulary/usage.ts';
import { errorBody } from './v1-errors.ts';

/** Facts about an answer that are known before it begins. */
interface MessageFacts {
  id: string;
  /** As requested. */
  model: string;
  /** The client requested thinking. */
  showsThinking: boolean;
  /** How much it seems to take; some clients count nothing else of a stream. */
  inputTokens: number;
}

/** Answers as the events of Anthropic's messages. Pure: text of the stream for pieces of the answer. */
export class MessagesEncoder {
  readonly #facts: MessageFacts;
  #isBegun = false;
  #index = -1;
  #isThinking = false;

  constructor(facts: MessageFacts) {
    this.#facts = facts;
  }

  write(pieces: readonly Piece[]): string {
    let frames = this.#begin();
    for (const piece of pieces) frames += this.#frame(piece);
    return frames;
  }

  #begin(): string {
    if (this.#isBegun) return '';
    this.#isBegun = true;
    const { id, model, inputTokens } = this.#facts;
    const usage = toUsage({ inputTokens });
    const message = { ...messageHead(id, model), content: [], usage };
    return frame('message_start', {
      message: { ...message, stop_reason: null, stop_sequence: null },
    });
  }

  #frame(piece: Piece): string {
    if (piece.type === 'finish') return this.#end(piece.message);
    if ('block' in piece && this.#isHidden(piece.block)) return this.#activity(piece);
    switch (piece.type) {
      case 'text-start':
        this.#isThinking = false;
        // Whether it is sealed turns out with its first word, or its end.
        return piece.block.type === 'thinking' ? '' : this.#start({ type: 'text', text: '' });
      case 'text-delta':
        if (piece.block.type !== 'thinking')
          return this.#delta({ type: 'text_delta', text: piece.text });
        return this.#think() + this.#delta({ type: 'thinking_delta', thinking: piece.text });
      case 'call-start': {
        const { block } = piece;
        const id = clientCallId(block);
        return this.#start({ type: 'tool_use', id, name: block.modelToolName, input: {} });
      }
      case 'call-delta':
        return this.#delta({ type: 'input_json_delta', partial_json: piece.text });
      case 'text-end':
        return this.#endText(piece.block);
      case 'call-ready':
        return frame('content_block_stop', { index: this.#index });
      case 'medium':
      case 'sources':
      case 'outcome':
        return '';
    }
  }

  #endText(block: SpokenBlock): string {
    const { signature, redactedData: data } = signatureOf(block);
    const stop = () => frame('content_block_stop', { index: this.#index });
    if (data !== undefined) return this.#start({ type: 'redacted_thinking', data }) + stop();
    const begun = block.type === 'thinking' ? this.#think() : '';
    const signed = signature ? this.#delta({ type: 'signature_delta', signature }) : '';
    return begun + signed + stop();
  }

  /** Begins a block of thinking, once. */
  #think(): string {
    if (this.#isThinking) return '';
    this.#isThinking = true;
    return this.#start({ type: 'thinking', thinking: '', signature: '' });
  }

  /** Blocks that clients do not expect: calls that Cerise makes, and thinking that they did not request. */
  #isHidden(block: Block): boolean {
    if (block.type === 'thinking') return !this.#facts.showsThinking;
    return block.type === 'tool' && !block.client;
  }

  /** In an event that every client skips. */
  #activity(piece: Piece): string {
    if (piece.type !== 'call-ready' && piece.type !== 'outcome') return '';
    return frame('ping', { cerise: { tool: activityOf(piece.block) } });
  }

  #start(block: object): string {
    this.#index += 1;
    return frame('content_block_start', { index: this.#index, content_block: block });
  }

  #delta(delta: object): string {
    return frame('content_block_delta', { index: this.#index, delta });
  }

  #end(message: Message): string {
    const failure = failureOf(message);
    if (failure) return errorFrame(failure);
    const delta = { stop_reason: stopReason(message), stop_sequence: null };
    return (
      frame('message_delta', { delta, usage: toUsage(message.usage) }) + frame('message_stop', {})
    );
  }
}

/** What that API sends while nothing else happens. */
export const pingFrame = frame('ping', {});

/** A whole answer as a message of Anthropic's. */
export function toAnthropicMessage(
  facts: Omit<MessageFacts, 'inputTokens'>,
  message: Message,
): object {
  const blocks = message.blocks.filter(({ status }) => status !== 'interrupted');
  const activity = blocks.filter(
    (block): block is ToolBlock => block.type === 'tool' && !block.client,
  );
  return {
    ...messageHead(facts.id, facts.model),
    content: blocks.flatMap((block) => toContent(block, facts)),
    stop_reason: stopReason(message),
    stop_sequence: null,
    usage: toUsage(message.usage),
    ...(activity.length > 0 && { cerise: { tools: activity.map(activityOf) } }),
  };
}

function messageHead(id: string, model: string): object {
  return { id, type: 'message', role: 'assistant', model };
}

function toContent(block: Block, { showsThinking }: Pick<MessageFacts, 'showsThinking'>): object[] {
  if (block.type === 'thinking') {
    if (!showsThinking) return [];
    const { signature = '', redactedData: data } = signatureOf(block);
    if (data !== undefined) return [{ type: 'redacted_thinking', data }];
    return [{ type: 'thinking', thinking: block.content, signature }];
  }
  if (isSpoken(block)) return [{ type: 'text', text: block.content }];
  if (block.type !== 'tool' || !block.client) return [];
  const input = parseJson(argumentsText(block)) ?? block.arguments;
  return [{ type: 'tool_use', id: clientCallId(block), name: block.modelToolName, input }];
}

const anthropicSignatureSchema = z.object({
  anthropic: z.object({ signature: z.string().optional(), redactedData: z.string().optional() }),
});

/** What Anthropic attached to thinking, where it was Anthropic's. */
function signatureOf(block: Block): {
  signature?: string | undefined;
  redactedData?: string | undefined;
} {
  if (block.type !== 'thinking' || block.signature === undefined) return {};
  const read = anthropicSignatureSchema.safeParse(parseJson(block.signature));
  return read.success ? read.data.anthropic : {};
}

function stopReason(message: Message): string {
  const ending = endingOf(message);
  if (ending === 'length') return 'max_tokens';
  if (ending === 'content-filter' || ending === 'refusal') return 'refusal';
  return clientCalls(message).length > 0 ? 'tool_use' : 'end_turn';
}

/** The tokens of all rounds together; what was cached is no part of `input_tokens` there. */
function toUsage(usage: Usage = {}): object {
  const { inputTokens = 0, outputTokens = 0, cachedInputTokens = 0, cacheWriteTokens = 0 } = usage;
  return {
    input_tokens: Math.max(0, inputTokens - cachedInputTokens - cacheWriteTokens),
    output_tokens: outputTokens,
    cache_read_input_tokens: cachedInputTokens,
    cache_creation_input_tokens: cacheWriteTokens,
  };
}

/** What tells a client that the stream ends before the answer. */
export function errorFrame(error: ErrorInfo): string {
  return frame('error', errorBody(error, 'anthropic'));
}

function frame(type: string, fields: object): string {
  return sseFrame({ type, ...fields }, type);
}
