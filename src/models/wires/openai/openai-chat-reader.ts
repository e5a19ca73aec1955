import type { FinishReason } from '#shared/vocabulary/chunk.ts';
import type { Usage } from '#shared/vocabulary/usage.ts';
import { EventReader } from '../event-reader.ts';
import { reported, unreadable } from '../wire-json.ts';
import { assertAnswered } from '../../answers/endings.ts';
import {
  countOf,
  fieldsOf,
  parseEventData,
  textOf,
  type Fields,
} from '../../answers/event-data.ts';
import { parseArguments } from '../../answers/tool-arguments.ts';
import { displayArguments, displayResult } from '../../answers/vendor-tools.ts';
import { OpenAiChatCalls } from './openai-chat-calls.ts';
import { chatImages, chatSources } from './openai-chat-media.ts';
import { ReasoningDetails } from './openai-chat-reasoning.ts';

/**
 * Reads one answer of chat completions, in the dialects of OpenAI, DeepSeek, Groq, xAI, Mistral,
 * OpenRouter, Perplexity, Gemini and local servers. Fields that it does not know are skipped.
 */
export class OpenAiChatReader extends EventReader {
  readonly #calls = new OpenAiChatCalls(this.answer);
  readonly #details = new ReasoningDetails();
  /** What is being written; thinking and text take turns. */
  #open: 'text' | 'thinking' | undefined;
  #parts = 0;
  #partId = '';
  #refused = false;
  #finishReason: FinishReason | undefined;
  #usage: Fields | undefined;

  protected get ended(): boolean {
    return this.#finishReason !== undefined;
  }

  protected step(data: string): void {
    const event = parseEventData(data);
    const { choices } = event;
    if (event['error'] || !choices) assertNoError(event);
    if (choices !== undefined && choices !== null && !Array.isArray(choices)) {
      throw unreadable("The choices aren't a list.");
    }
    const choice = fieldsOf(choices?.[0]);
    // What an answer in one piece calls a message has the fields of a delta.
    const delta = choice['delta'] ?? choice['message'];
    if (delta) this.#delta(fieldsOf(delta));
    if (choice['error']) assertNoError(choice);
    const usage = event['usage'] ?? choice['usage'] ?? fieldsOf(event['x_groq'])['usage'];
    if (usage) this.#usage = fieldsOf(usage);
    for (const source of chatSources(event)) this.answer.source(source);
    const reason = choice['finish_reason'];
    if (typeof reason === 'string' && reason !== '' && reason !== 'null') this.#stopped(reason);
    // There is nothing after an answer in one piece.
    if (choice['message']) this.goodbye();
  }

  #delta(delta: Fields): void {
    const thinking = textOf(delta['reasoning_content']) || textOf(delta['reasoning']);
    if (thinking !== '') this.#thinking(thinking);
    const details = delta['reasoning_details'];
    if (Array.isArray(details)) this.#thinkInDetail(details, thinking !== '');
    const { content } = delta;
    if (typeof content === 'string') this.#text(content);
    else if (Array.isArray(content)) this.#contentParts(content);
    if (typeof delta['refusal'] === 'string') this.#refusal(delta['refusal']);
    if (delta['tool_calls'] ?? delta['function_call']) this.#toolCalls(delta);
    if (delta['audio']) this.#spoken(fieldsOf(delta['audio']));
    if (delta['images']) for (const image of chatImages(delta['images'])) this.#image(image);
    if (Array.isArray(delta['executed_tools'])) this.#executed(delta['executed_tools']);
    if (delta['annotations'] ?? delta['executed_tools']) {
      for (const source of chatSources(delta)) this.answer.source(source);
    }
  }

  #text(text: string): void {
    if (text === '') return;
    if (this.#open !== 'text') this.#begin('text');
    this.answer.textDelta(this.#partId, text);
  }

  #thinking(text: string): void {
    if (this.#open !== 'thinking') this.#begin('thinking');
    this.answer.thinkingDelta(this.#partId, text);
  }

  #begin(kind: 'text' | 'thinking'): void {
    if (this.#open === 'text') this.answer.textEnd(this.#partId);
    if (this.#open === 'thinking') this.#endThinking();
    this.#open = kind;
    this.#partId = `${kind}-${this.#parts}`;
    this.#parts += 1;
  }

  #endThinking(): void {
    if (this.#open !== 'thinking') return;
    const signature = this.#details.take();
    if (signature !== undefined) this.answer.thinkingSign(this.#partId, signature);
    this.answer.thinkingEnd(this.#partId);
    this.#open = undefined;
  }

  /** The same thinking as in `reasoning`, with what the vendor wants back. */
  #thinkInDetail(details: unknown[], told: boolean): void {
    const text = this.#details.add(details, (more) => this.answer.keep(more));
    if (text !== '' && !told) this.#thinking(text);
    // Thinking that is only sealed, or is sealed after the text began, has a part of its own.
    else if (this.#open !== 'thinking' && this.#details.isSigned) this.#begin('thinking');
  }

  /** Mistral's content is a list when the model thinks, and so is what gateways make of Claude's. */
  #contentParts(parts: unknown[]): void {
    for (const part of parts) {
      const { type, text, thinking, summary = thinking } = fieldsOf(part);
      if (type === 'image_url') for (const image of chatImages([part])) this.#image(image);
      else if (type === 'thinking' || type === 'reasoning') this.#thinkInParts(summary);
      else this.#text(textOf(part) || textOf(text));
    }
  }

  #thinkInParts(thinking: unknown): void {
    const pieces = Array.isArray(thinking) ? thinking.map(fieldsOf) : [{ text: thinking }];
    const text = pieces.map((piece) => textOf(piece['text'])).join('');
    if (text !== '') this.#thinking(text);
  }

  #refusal(text: string): void {
    if (text === '') return;
    this.#refused = true;
    this.#text(text);
  }

  #toolCalls(delta: Fields): void {
    const calls = delta['tool_calls'] ?? { index: 0, function: delta['function_call'] };
    const list = Array.isArray(calls) ? calls : [calls];
    if (list.length === 0) return;
    this.#endThinking();
    for (const call of list) this.#calls.add(fieldsOf(call));
  }

  /** What is said is text, and the sound of it a file. */
  #spoken({ transcript, data }: Fields): void {
    this.#text(textOf(transcript));
    if (typeof data === 'string' && data !== '') this.answer.file(soundType(data), data);
  }

  /** Tools that Groq ran: told when they begin, and again with what came of them. */
  #executed(tools: unknown[]): void {
    for (const [at, tool] of tools.map(fieldsOf).entries()) {
      const { index = at, type, name = type, arguments: written, output } = tool;
      const id = `executed-${String(index)}`;
      const args = displayArguments(parseArguments(textOf(written)) ?? { arguments: written });
      this.answer.vendorStart(id, textOf(name) || 'tool', args);
      if (output !== undefined && output !== null)
        this.answer.vendorEnd(id, { toolName: textOf(name), result: displayResult(output) });
    }
  }

  #image(image: { mimeType: string; data: string } | { url: string }): void {
    if ('url' in image) this.#text(`![](${image.url})`);
    else this.answer.file(image.mimeType, image.data);
  }

  #stopped(said: string): void {
    const reason = reasons.get(said.toLowerCase()) ?? 'other';
    if (reason === 'error')
      throw reported({ code: said, message: 'The model stopped with an error.' });
    this.#calls.assertNamed();
    if (!this.answer.answered) assertAnswered(reason);
    this.#finishReason = reason;
  }

  /** A vendor that says goodbye without a reason has finished all the same, if it said anything. */
  protected override goodbye(): void {
    if (this.#finishReason === undefined && !this.begun) throw new Error('terminated');
    this.#calls.assertNamed();
    this.finish();
  }

  protected finish(): void {
    this.#closeParts();
    this.#calls.end();
    const reason = this.#finishReason ?? 'stop';
    const refused = reason === 'stop' && this.#refused;
    this.answer.finish(refused ? 'refusal' : reason, toUsage(this.#usage));
  }

  protected override cut(): void {
    this.#closeParts();
    super.cut();
  }

  #closeParts(): void {
    this.#endThinking();
    if (this.#open === 'text') this.answer.textEnd(this.#partId);
    this.#open = undefined;
  }
}

/** In a stream sound is bare; an answer in one piece may hold a file, which begins with its name. */
function soundType(data: string): string {
  if (data.startsWith('UklGR')) return 'audio/wav';
  return data.startsWith('SUQz') ? 'audio/mpeg' : 'audio/pcm;rate=24000';
}

/** Vendors and gateways report failures in the stream in several shapes. */
function assertNoError(event: Fields): void {
  const { error: own, errors, object, code, error_code = code } = event;
  const error = own ?? (Array.isArray(errors) ? errors[0] : undefined);
  const { msg, detail, error_msg, message = msg ?? detail ?? error_msg } = event;
  if (error)
    throw reported(typeof error === 'string' ? { message: error, code: error_code } : error);
  if (object === 'error' || (typeof message === 'string' && event['usage'] === undefined)) {
    throw reported({ message, code: error_code });
  }
  // MiniMax answers every request, with its own status inside.
  const { status_code: status = 0, status_msg: said } = fieldsOf(event['base_resp']);
  if (status !== 0) throw reported({ message: said, code: String(status) });
}

/** By words of small letters: gateways to Gemini shout theirs. */
const reasons: ReadonlyMap<string, FinishReason | 'error'> = new Map([
  ['stop', 'stop'],
  ['end_turn', 'stop'],
  ['eos', 'stop'],
  ['eos_token', 'stop'],
  ['stop_sequence', 'stop'],
  ['length', 'length'],
  ['max_tokens', 'length'],
  ['model_length', 'length'],
  ['content_filter', 'content-filter'],
  ['sensitive', 'content-filter'],
  ['refusal', 'content-filter'],
  ['safety', 'content-filter'],
  ['recitation', 'content-filter'],
  ['prohibited_content', 'content-filter'],
  ['blocklist', 'content-filter'],
  ['tool_calls', 'tool-calls'],
  ['function_call', 'tool-calls'],
  ['tool_use', 'tool-calls'],
  ['error', 'error'],
  ['network_error', 'error'],
  ['insufficient_system_resource', 'error'],
]);

function toUsage(usage: Fields | undefined): Usage | undefined {
  if (!usage) return undefined;
  const cached =
    fieldsOf(usage['prompt_tokens_details'])['cached_tokens'] ??
    usage['prompt_cache_hit_tokens'] ??
    usage['cached_tokens'];
  const reasoning = fieldsOf(usage['completion_tokens_details'])['reasoning_tokens'];
  return {
    inputTokens: countOf(usage['prompt_tokens']) ?? 0,
    outputTokens: countOf(usage['completion_tokens']) ?? 0,
    reasoningTokens: countOf(reasoning) ?? 0,
    cachedInputTokens: countOf(cached) ?? 0,
    ...costOf(usage),
  };
}

/** OpenRouter says what it asks for, in dollars; a `cost` without its details is somebody else's. */
function costOf(usage: Fields): { cost?: number } {
  const { cost, cost_details: details } = usage;
  return details && Number.isFinite(cost) && Number(cost) >= 0 ? { cost: Number(cost) } : {};
}
