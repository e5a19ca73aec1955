import type { FinishReason } from '#shared/vocabulary/chunk.ts';
import { EventReader } from '../event-reader.ts';
import { refuseCrowd, shortName } from '../../answers/answer-bounds.ts';
import { cutSilent, emptyAnswerError } from '../../answers/endings.ts';
import {
  fieldsOf,
  parseEventData,
  refusal,
  reportedError,
  textOf,
  type Fields,
} from '../../answers/event-data.ts';
import { findCitations } from '../../answers/provider-search.ts';
import { parseArguments } from '../../answers/tool-arguments.ts';
import { displayArguments, displayResult } from '../../answers/vendor-tools.ts';
import { AnthropicUsage } from './anthropic-usage.ts';

/**
 * Reads one answer of Anthropic's messages API. Blocks of a kind that it does not know are shown as what
 * the vendor ran.
 */
export class AnthropicReader extends EventReader {
  readonly #blocks = new Map<number, OpenBlock>();
  readonly #usage = new AnthropicUsage();
  #stopReason: string | undefined;

  protected get ended(): boolean {
    return this.#stopReason !== undefined;
  }

  protected step(data: string): void {
    const event = parseEventData(data);
    switch (event['type']) {
      case 'content_block_delta':
        return this.#delta(indexOf(event), fieldsOf(event['delta']));
      case 'content_block_start':
        return this.#blockStart(indexOf(event), fieldsOf(event['content_block']));
      case 'content_block_stop':
        return this.#blockStop(indexOf(event));
      case 'message_start':
        return this.#usage.add(fieldsOf(event['message'])['usage']);
      case 'message_delta':
        return this.#messageDelta(event);
      case 'message_stop':
        return this.finish();
      case 'message':
        return this.#wholeMessage(event);
      case 'error':
        throw toError(event);
      default:
        // Gateways report failures in the form of another API.
        if (event['error']) throw toError(event);
    }
  }

  protected finish(): void {
    for (const index of this.#blocks.keys()) this.#blockStop(index);
    const reason = finishReasons.get(this.#stopReason ?? '') ?? 'other';
    this.answer.finish(reason, this.#usage.total());
  }

  /** The answer of a server that does not stream. */
  #wholeMessage(message: Fields): void {
    const { content, stop_reason, stop_details, usage } = message;
    for (const [index, block] of (Array.isArray(content) ? content : []).entries()) {
      this.#blockStart(index, fieldsOf(block));
      this.#blockStop(index);
    }
    this.#messageDelta({ delta: { stop_reason, stop_details }, usage });
    this.finish();
  }

  #delta(index: number, delta: Fields): void {
    switch (delta['type']) {
      case 'text_delta':
        return this.answer.textDelta(String(index), textOf(delta['text']));
      case 'thinking_delta':
        return this.answer.thinkingDelta(String(index), textOf(delta['thinking']));
      case 'signature_delta':
        return this.#sign(index, { signature: delta['signature'] });
      case 'input_json_delta':
        return this.#inputDelta(index, textOf(delta['partial_json']));
      case 'citations_delta':
        return this.#citation(fieldsOf(delta['citation']));
      default:
        return this.#otherDelta(index, delta);
    }
  }

  /** Text grows; everything else is what was said last. */
  #otherDelta(index: number, { type: _, ...delta }: Fields): void {
    const block = this.#blocks.get(index);
    if (block?.kind !== 'other') return;
    this.answer.keep(JSON.stringify(delta).length);
    for (const [name, value] of Object.entries(delta)) {
      const known = block.fields[name];
      const grows = typeof known === 'string' && typeof value === 'string';
      block.fields[name] = grows ? known + value : value;
    }
  }

  #blockStart(index: number, block: Fields): void {
    const type = textOf(block['type']);
    if (type === 'text') return this.#textStart(index, block);
    if (type === 'thinking') {
      this.answer.thinkingDelta(String(index), textOf(block['thinking']));
      return this.#sign(index, { signature: block['signature'] });
    }
    if (type === 'redacted_thinking') return this.#sign(index, { redactedData: block['data'] });
    if (type === 'tool_use') return this.#callStart(index, block);
    if (typeof block['tool_use_id'] === 'string') return this.#serverResult(type, block);
    this.#otherStart(index, type, block);
  }

  /** A tool that the vendor runs, on its own machine or by an MCP server, or something else of its own. */
  #otherStart(index: number, type: string, block: Fields): void {
    const { id, name, input, server_name: server } = block;
    if (type.endsWith('tool_use')) {
      const given = initialInput(input);
      this.answer.keep(given.length);
      this.#open(index, {
        kind: 'server-tool',
        id: shortName(textOf(id) || `tool-${index}`),
        name: shortName(textOf(name) || type),
        input: given,
        server: shortName(textOf(server)),
      });
    } else if (type !== '') this.#unknownStart(index, type, block);
  }

  /** Nothing is known of it, so no more is kept of how it begins than can be shown. */
  #unknownStart(index: number, type: string, block: Fields): void {
    const fields: Fields = displayArguments(block, ['type', 'id']);
    this.answer.keep(JSON.stringify(fields).length);
    const id = shortName(textOf(block['id']) || `block-${index}`);
    this.#open(index, { kind: 'other', type: shortName(type), id, fields });
  }

  #open(index: number, block: OpenBlock): void {
    refuseCrowd(this.#blocks);
    this.#blocks.set(index, block);
  }

  #textStart(index: number, { text, citations }: Fields): void {
    this.answer.textDelta(String(index), textOf(text));
    if (Array.isArray(citations)) for (const it of citations) this.#citation(fieldsOf(it));
  }

  #callStart(index: number, { id, name, input, caller }: Fields): void {
    const vendorId = textOf(id) || `call-${index}`;
    const callId = this.answer.callStart(vendorId, textOf(name));
    const indirect = fieldsOf(caller);
    const signature =
      indirect['type'] === undefined || indirect['type'] === 'direct'
        ? undefined
        : JSON.stringify({ anthropic: { caller: indirect } });
    this.answer.callGiven(callId, initialInput(input));
    this.answer.keep((signature ?? '').length);
    this.#open(index, { kind: 'call', callId, signature });
  }

  #inputDelta(index: number, text: string): void {
    const block = this.#blocks.get(index);
    if (block?.kind === 'call') this.answer.callDelta(block.callId, text);
    if (block?.kind !== 'server-tool') return;
    this.answer.keep(text.length);
    block.input += text;
  }

  /** Kept in the words of the AI SDK, so that it can be given back by either way to the vendor. */
  #sign(index: number, signed: { signature?: unknown; redactedData?: unknown }): void {
    const [value] = Object.values(signed);
    if (typeof value !== 'string' || value === '') return;
    this.answer.thinkingSign(String(index), JSON.stringify({ anthropic: signed }));
  }

  #blockStop(index: number): void {
    const id = String(index);
    this.answer.textEnd(id);
    this.answer.thinkingEnd(id);
    const block = this.#blocks.get(index);
    this.#blocks.delete(index);
    if (block?.kind === 'call') {
      this.answer.callEnd(block.callId, '{}', block.signature);
    }
    if (block?.kind === 'server-tool') this.#serverCall(block);
    if (block?.kind === 'other') this.#other(block);
  }

  #serverCall({ id, name, input, server }: ServerTool): void {
    this.answer.vendorStart(id, name, displayArguments(parseArguments(input) ?? { input }), server);
  }

  #serverResult(type: string, { tool_use_id: id, content, is_error: failed }: Fields): void {
    const toolName = type.replace(/_tool_result$/, '');
    const isSearch = type === 'web_search_tool_result' && Array.isArray(content);
    const page = fieldsOf(fieldsOf(content)['content']);
    const fetched = { url: fieldsOf(content)['url'], title: page['title'] };
    this.answer.vendorEnd(textOf(id), {
      toolName,
      citations: findCitations(type === 'web_fetch_tool_result' ? fetched : isSearch && content),
      ...(!isSearch && { result: displayResult(content, failed === true || undefined) }),
    });
  }

  #other({ type: toolName, id, fields }: OtherBlock): void {
    this.answer.vendorEnd(id, { toolName, arguments: displayArguments(fields, ['id']) });
  }

  #citation(citation: Fields): void {
    const url = textOf(citation['url']) || textOf(citation['source']);
    const title = textOf(citation['title']) || textOf(citation['document_title']);
    const snippet = textOf(citation['cited_text']);
    this.answer.source({
      ...(/^https?:\/\//.test(url) && { url }),
      ...(title !== '' && { title }),
      ...(snippet !== '' && { snippet }),
    });
  }

  #messageDelta(event: Fields): void {
    this.#usage.add(event['usage']);
    const { stop_reason: reason, stop_details: details } = fieldsOf(event['delta']);
    if (typeof reason !== 'string') return;
    if (!this.answer.answered) {
      if (reason === 'refusal') throw refusal(reason, textOf(fieldsOf(details)['explanation']));
      assertAnswered(reason);
    }
    this.#stopReason = reason;
  }
}

type OpenBlock =
  | { kind: 'call'; callId: string; signature: string | undefined }
  | OtherBlock
  | ServerTool;

interface OtherBlock {
  kind: 'other';
  type: string;
  id: string;
  fields: Fields;
}

interface ServerTool {
  kind: 'server-tool';
  id: string;
  name: string;
  input: string;
  server: string;
}

const finishReasons: ReadonlyMap<string, FinishReason> = new Map([
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop'],
  // The vendor's own loop reached its limit; told to go on, the model goes on.
  ['pause_turn', 'length'],
  ['tool_use', 'tool-calls'],
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['refusal', 'content-filter'],
]);

/** Throws for an answer that ended without a word, with what can be done about it. */
function assertAnswered(reason: string): void {
  if (reason === 'model_context_window_exceeded') {
    throw reportedError({ message: 'The context window is full.', type: reason });
  }
  if (reason === 'max_tokens') throw cutSilent();
  if (reason !== 'pause_turn') throw emptyAnswerError();
}

/** The status that the vendor would have answered with, had it known before the stream began. */
const errorStatuses: ReadonlyMap<string, number> = new Map([
  ['invalid_request_error', 400],
  ['authentication_error', 401],
  ['billing_error', 402],
  ['permission_error', 403],
  ['not_found_error', 404],
  ['request_too_large', 413],
  ['rate_limit_error', 429],
  ['api_error', 500],
  ['timeout_error', 504],
  ['overloaded_error', 529],
]);

/** Of gateways the error may be a text, or the words of it may stand beside it. */
function toError({ error, message: beside }: Fields): Error {
  const { type, message = beside } = fieldsOf(error);
  const name = textOf(type);
  const text = textOf(error) || textOf(message);
  return reportedError({ type: name, message: text, status: errorStatuses.get(name) });
}

function indexOf({ index }: Fields): number {
  return typeof index === 'number' ? index : 0;
}

/** A call may carry its whole input at once; an empty object only says that it will follow. */
function initialInput(input: unknown): string {
  return Object.keys(fieldsOf(input)).length > 0 ? JSON.stringify(input) : '';
}
