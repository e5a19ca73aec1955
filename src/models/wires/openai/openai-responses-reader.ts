import { randomUUID } from 'node:crypto';
import type { FinishReason } from '#shared/vocabulary/chunk.ts';
import type { Usage } from '#shared/vocabulary/usage.ts';
import { EventReader } from '../event-reader.ts';
import { reported, unreadable } from '../wire-json.ts';
import { refuseCrowd, shortName } from '../../answers/answer-bounds.ts';
import { assertAnswered } from '../../answers/endings.ts';
import {
  countOf,
  fieldsOf,
  parseEventData,
  textOf,
  type Fields,
} from '../../answers/event-data.ts';
import { chatImages, chatSources } from './openai-chat-media.ts';
import { ResponsesReasoning } from './openai-responses-reasoning.ts';
import { endVendorItem, startVendorItem } from './openai-responses-tools.ts';

interface Message {
  id: string;
  told: boolean;
}

/**
 * Reads one answer of OpenAI's responses API. Items that it does not know are shown as what the vendor
 * ran; events that it does not know only tell of items.
 */
export class OpenAiResponsesReader extends EventReader {
  readonly #reasoning = new ResponsesReasoning(this.answer);
  /** By `output_index`: ids of items change on the way with some gateways. */
  readonly #messages = new Map<number, Message>();
  readonly #calls = new Map<number, string>();
  #called = false;
  /** Whether the stream told of anything that the vendor ran. */
  #ranHere = false;
  #refused = false;
  #end: { reason: FinishReason; usage: Usage | undefined } | undefined;

  protected get ended(): boolean {
    return this.#end !== undefined;
  }

  protected finish(): void {
    this.answer.finish(this.#end?.reason ?? 'other', this.#end?.usage);
  }

  protected step(data: string): void {
    const event = parseEventData(data);
    switch (event['type']) {
      case 'response.output_text.delta':
        return this.#text(event);
      case 'response.refusal.delta':
        this.#refused = true;
        return this.#text(event);
      case 'response.reasoning_summary_text.delta':
        return this.#thinking(event, 'summary');
      case 'response.reasoning_text.delta':
        return this.#thinking(event, 'text');
      case 'response.function_call_arguments.delta':
        return this.#argumentsDelta(event);
      case 'response.function_call_arguments.done':
        return this.#argumentsDone(event);
      case 'response.output_item.added':
        return this.#itemAdded(indexOf(event), fieldsOf(event['item']));
      case 'response.output_item.done':
        return this.#itemDone(indexOf(event), fieldsOf(event['item']));
      case 'response.output_text.annotation.added':
        return this.#annotations([event['annotation']]);
      case 'response.completed':
      case 'response.incomplete':
        return this.#stopped(fieldsOf(event['response']), event['type']);
      case 'response.failed':
        throw toError(fieldsOf(fieldsOf(event['response'])['error']));
      case 'error':
        throw toError(isFilled(event['error']) ? fieldsOf(event['error']) : event);
      default:
        return this.#other(event);
    }
  }

  #text(event: Fields): void {
    const message = this.#message(indexOf(event));
    message.told = true;
    this.answer.textDelta(message.id, textOf(event['delta']));
  }

  #message(outputIndex: number): Message {
    const known = this.#messages.get(outputIndex);
    if (known) return known;
    this.#messageStart(outputIndex, '');
    return this.#message(outputIndex);
  }

  /** Its id has no meaning beyond this answer: one that is too long is another. */
  #messageStart(outputIndex: number, vendorId: string): void {
    refuseCrowd(this.#messages);
    const isUsable = vendorId !== '' && vendorId === shortName(vendorId);
    const id = isUsable ? vendorId : `message-${outputIndex}`;
    this.#messages.set(outputIndex, { id, told: false });
  }

  #thinking(event: Fields, kind: 'summary' | 'text'): void {
    const part = countOf(event[kind === 'summary' ? 'summary_index' : 'content_index']) ?? 0;
    this.#reasoning.delta(indexOf(event), `${kind}-${part}`, textOf(event['delta']));
  }

  #argumentsDelta(event: Fields): void {
    const callId = this.#calls.get(indexOf(event));
    if (callId !== undefined) this.answer.callDelta(callId, textOf(event['delta']));
  }

  /** Gateways may say no more than this of a call. */
  #argumentsDone(event: Fields): void {
    const callId = this.#calls.get(indexOf(event));
    const input = inputOf(event['arguments']);
    if (callId === undefined || input === '') return;
    this.#called = true;
    this.answer.callEnd(callId, input);
  }

  #itemAdded(outputIndex: number, item: Fields): void {
    switch (item['type']) {
      case 'message':
        return this.#messageStart(outputIndex, textOf(item['id']));
      case 'reasoning':
        return this.#reasoning.start(outputIndex, item);
      case 'function_call':
        return this.#callStart(outputIndex, item);
      default:
        this.#ranHere = true;
        return startVendorItem(this.answer, item);
    }
  }

  #callStart(outputIndex: number, item: Fields): void {
    const id = textOf(item['call_id']) || textOf(item['id']) || `call_${randomUUID()}`;
    this.#calls.set(outputIndex, this.answer.callStart(id, textOf(item['name'])));
  }

  #itemDone(outputIndex: number, item: Fields): void {
    switch (item['type']) {
      case 'message':
        return this.#messageDone(outputIndex, item);
      case 'reasoning':
        return this.#reasoning.end(outputIndex, item);
      case 'function_call':
        return this.#callDone(outputIndex, item);
      default:
        this.#ranHere = true;
        endVendorItem(this.answer, item);
        return this.#made(item);
    }
  }

  /** Gateways that do not stream text or its sources send them with the item. */
  #messageDone(outputIndex: number, item: Fields): void {
    const { id, told } = this.#message(outputIndex);
    this.#messages.delete(outputIndex);
    const parts = Array.isArray(item['content']) ? item['content'].map(fieldsOf) : [];
    for (const { text, refusal, annotations } of parts) {
      if (!told) this.answer.textDelta(id, textOf(text) || textOf(refusal));
      if (textOf(refusal) !== '') this.#refused = true;
      if (Array.isArray(annotations)) this.#annotations(annotations);
    }
    this.answer.textEnd(id);
  }

  #callDone(outputIndex: number, item: Fields): void {
    if (!this.#calls.has(outputIndex)) this.#callStart(outputIndex, item);
    const callId = this.#calls.get(outputIndex);
    this.#calls.delete(outputIndex);
    this.#called = true;
    if (callId !== undefined) this.answer.callEnd(callId, inputOf(item['arguments']));
  }

  /** Pictures that a tool of the vendor made or drew. */
  #made(item: Fields): void {
    const { type, result, output_format: format, outputs } = item;
    if (type === 'image_generation_call' && typeof result === 'string' && result !== '')
      this.answer.file(`image/${textOf(format) || 'png'}`, result);
    for (const output of Array.isArray(outputs) ? outputs : []) {
      const { type: kind, url } = fieldsOf(output);
      if (kind === 'image') this.#picture(url, textOf(item['id']));
    }
  }

  /** What a program drew comes inline, or lies at the vendor. */
  #picture(url: unknown, id: string): void {
    for (const image of chatImages([{ image_url: url }])) {
      if (!('url' in image)) this.answer.file(image.mimeType, image.data);
      else this.answer.textDelta(`${id}-pictures`, `![](${image.url})\n`);
    }
    this.answer.textEnd(`${id}-pictures`);
  }

  #annotations(annotations: unknown[]): void {
    for (const source of chatSources({ annotations })) this.answer.source(source);
    for (const { type, filename } of annotations.map(fieldsOf)) {
      if (type !== 'file_citation' && type !== 'container_file_citation') continue;
      if (typeof filename === 'string') this.answer.source({ title: filename });
    }
  }

  #stopped(response: Fields, event: string): void {
    this.#output(response);
    const said = fieldsOf(response['incomplete_details'])['reason'] ?? undefined;
    const because = event === 'response.incomplete' ? (said ?? 'unknown') : said;
    const reason = toFinishReason(because, this.#called, this.#refused);
    if (!this.answer.answered) assertAnswered(reason);
    this.#end = { reason, usage: toUsage(response['usage']) };
  }

  protected override goodbye(): void {
    if (!this.#end) throw new Error('terminated');
    this.finish();
  }

  /** Whole answers, errors without a type, and the events of another API are told from news. */
  #other(event: Fields): void {
    if (event['object'] === 'response') return this.#whole(event);
    if (isFilled(event['error'])) throw toError(fieldsOf(event['error']));
    if (typeof event['type'] !== 'string') throw unreadable("This isn't a Responses API.");
  }

  /** Some servers answer in one piece although a stream was asked for. */
  #whole(response: Fields): void {
    if (isFilled(response['error'])) throw toError(fieldsOf(response['error']));
    this.#stopped(response, `response.${textOf(response['status'])}`);
    this.finish();
  }

  /** What an answer holds of which nothing was streamed; of one that was, what the vendor ran. */
  #output(response: Fields): void {
    const output = Array.isArray(response['output']) ? response['output'].map(fieldsOf) : [];
    const wasTold = this.begun;
    if (wasTold && this.#ranHere) return;
    for (const [index, item] of output.entries()) {
      const isOwn = ownItems.has(item['type']);
      if (wasTold && isOwn) continue;
      if (item['type'] === 'message' || item['type'] === 'reasoning') this.#itemAdded(index, item);
      this.#itemDone(index, item);
    }
  }
}

/** What the model says, thinks and asks us for. */
const ownItems: ReadonlySet<unknown> = new Set(['message', 'reasoning', 'function_call']);

/** Gateways may send arguments as an object instead of as text. */
function inputOf(value: unknown): string {
  return isFilled(value) ? JSON.stringify(value) : textOf(value);
}

function indexOf({ output_index: index }: Fields): number {
  return typeof index === 'number' ? index : 0;
}

function isFilled(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

/** In the form errors are judged by; a failure of the server passes, as its status would say. */
function toError({ code, message, type, param }: Fields): Error {
  const failed = code === 'server_error' || type === 'server_error';
  const own = type === 'error' ? undefined : type;
  return reported({ code, type: own, param, message, ...(failed && { statusCode: 500 }) });
}

function toFinishReason(reason: unknown, called: boolean, refused: boolean): FinishReason {
  if (reason === 'max_output_tokens') return 'length';
  if (reason === 'content_filter') return 'content-filter';
  if (called) return 'tool-calls';
  if (reason !== undefined && reason !== null) return 'other';
  return refused ? 'refusal' : 'stop';
}

function toUsage(value: unknown): Usage | undefined {
  if (!isFilled(value)) return undefined;
  const usage = fieldsOf(value);
  return {
    inputTokens: countOf(usage['input_tokens']) ?? 0,
    outputTokens: countOf(usage['output_tokens']) ?? 0,
    reasoningTokens: countOf(fieldsOf(usage['output_tokens_details'])['reasoning_tokens']) ?? 0,
    cachedInputTokens: countOf(fieldsOf(usage['input_tokens_details'])['cached_tokens']) ?? 0,
  };
}
