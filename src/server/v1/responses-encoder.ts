import {
  AnswerCursor,
  argumentsText,
  isSpoken,
  type Piece,
  type SpokenBlock,
} from '#shared/answer/answer-cursor.ts';
import { endingOf, failureOf } from '#shared/answer/answer-ending.ts';
import type { Run } from '#shared/api/v1-api.ts';
import { type ErrorInfo, fullMessage } from '#shared/errors/errors.ts';
import { sseFrame } from '#shared/text/sse-frame.ts';
import { type Block, isBlockOpen, type ToolBlock } from '#shared/vocabulary/block.ts';
import { isMessageRunning, type Message } from '#shared/vocabulary/message.ts';
import type { Usage } from '#shared/vocabulary/usage.ts';
import { type ClientTool, customInput } from './client-tools.ts';
import { responseId } from './responses-ids.ts';
import {
  approvalItem,
  callItem,
  imageItem,
  type OutputItem,
  ownCallItem,
  spokenItem,
  textPart,
} from './responses-items.ts';
import type { ResponseFacts } from './responses-request.ts';
import { ownTools } from './responses-tools.ts';
import { webSources } from './web-sources.ts';
import { codeOf } from './v1-errors.ts';

/** Events that one piece of an answer may become; each piece has so many numbers. */
const eventsPerPiece = 10;

type Event = { type: string } & Record<string, unknown>;

/**
 * A run as a response: its object, and its events. The number of an event follows from its place in the answer alone, so
 * that a reader that comes back after any of them gets exactly the rest, from any host and at any time.
 */
export class ResponsesEncoder {
  readonly #run: Run;
  readonly #asked: ResponseFacts;
  readonly #after: number;
  readonly #cursor: AnswerCursor;
  readonly #output: OutputItem[] = [];
  readonly #annotations: object[] = [];
  readonly #places = new Map<string, number>();
  #tools: ReadonlyMap<string, ClientTool> | undefined;
  #answer: Message;
  /** The number of the event that was told last. */
  #last: number;
  #frames = '';
  #isBegun = false;
  #isEnded = false;

  /** Events up to the number `after` are left out. With `joins`, the answer may have been begun by a host that ended. */
  constructor(run: Run, answer: Message, { after = -1, joins = false } = {}) {
    this.#run = run;
    this.#asked = run.asked as ResponseFacts;
    this.#after = after;
    this.#last = after;
    this.#answer = answer;
    this.#cursor = new AnswerCursor(run.begins, { skipsCut: after < 0, joins });
  }

  /** Where the run ends while its answer goes on, and which calls the program is asked about. */
  endsHere(answer: Message): Run['ends'] {
    if (this.#run.ends !== undefined || !isMessageRunning(answer)) return undefined;
    const calls = approvalsIn(answer, this.#run).map(({ toolCallId }) => toolCallId);
    return { at: this.#cursor.at, calls };
  }

  /** Whether the response is over: its answer is, or the program has to decide first. */
  isOver(answer: Message): boolean {
    return isOver(this.#run, answer);
  }

  /** The frames of the stream for what the answer has become. */
  write(answer: Message): string {
    this.#answer = answer;
    this.#frames = '';
    if (!this.#isBegun) {
      this.#isBegun = true;
      this.#send(0, { type: 'response.created', response: this.#object('in_progress') });
      this.#send(1, { type: 'response.in_progress', response: this.#object('in_progress') });
    }
    const pieces = this.#cursor.advance(answer);
    for (const piece of pieces) if (this.#isIn(piece)) this.#tell(piece);
    if (this.isOver(answer) && !this.#isEnded) this.#end();
    return this.#frames;
  }

  /** What tells a client that the stream ends before the response. It goes on after the last event before. */
  cut(error: ErrorInfo): string {
    const data = { type: 'error', code: codeOf(error), message: fullMessage(error), param: null };
    return frame(data, Math.max(this.#last, 0));
  }

  /** The response as it is by now. */
  toResponse(answer: Message): object {
    this.write(answer);
    for (const block of answer.blocks)
      if (isSpoken(block) && isBlockOpen(block))
        this.#set(block, spokenItem(block, block.content, 'in_progress'));
    return this.#object(this.#status);
  }

  #isIn({ at }: Piece): boolean {
    return this.#run.ends === undefined || at <= this.#run.ends.at;
  }

  get #status(): string {
    if (this.#isAsking) return 'completed';
    if (isMessageRunning(this.#answer)) return 'in_progress';
    const ending = endingOf(this.#answer);
    if (ending === 'error') return 'failed';
    if (ending === 'cancelled') return 'cancelled';
    return ending === 'length' || ending === 'content-filter' ? 'incomplete' : 'completed';
  }

  get #isAsking(): boolean {
    return this.#run.ends !== undefined || (this.#asked.asks && isAsking(this.#answer));
  }

  #end(): void {
    this.#isEnded = true;
    const at = this.#run.ends?.at ?? this.#cursor.at;
    const base = at * eventsPerPiece + eventsPerPiece;
    let extra = 0;
    for (const block of this.#isAsking ? approvalsIn(this.#answer, this.#run) : []) {
      const index = this.#output.push(approvalItem(block)) - 1;
      const item = this.#output[index];
      this.#send(base + extra, { type: 'response.output_item.added', output_index: index, item });
      this.#send(base + extra + 1, {
        type: 'response.output_item.done',
        output_index: index,
        item,
      });
      extra += 2;
    }
    const status = this.#status;
    // There is no event for a cancelled response: clients get that of an incomplete one.
    const type = status === 'cancelled' ? 'incomplete' : status;
    this.#send(base + extra, { type: `response.${type}`, response: this.#object(status) });
  }

  #tell(piece: Piece): void {
    switch (piece.type) {
      case 'text-start':
        return this.#startText(piece.block, piece.at);
      case 'text-delta':
        return this.#delta(piece, piece.block);
      case 'text-end':
        return this.#endText(piece.block, piece.at);
      case 'call-start':
        return this.#startCall(piece.block, piece.at);
      case 'call-delta':
        return this.#delta(piece, piece.block);
      case 'call-ready':
        return this.#endCall(piece.block, piece.at);
      case 'outcome':
        return this.#outcome(piece.block, piece.at);
      case 'medium':
        if (piece.block.type !== 'image') return;
        this.#add(piece.block, imageItem(piece.block), piece.at);
        return this.#done(piece.block, imageItem(piece.block), piece.at, 1);
      case 'sources':
        for (const source of webSources(piece.block))
          this.#annotations.push({ type: 'url_citation', ...source });
        return;
      case 'finish':
    }
  }

  #startText(block: SpokenBlock, at: number): void {
    this.#add(block, spokenItem(block, '', 'in_progress'), at);
    if (block.type === 'thinking')
      this.#about(block, at, 1, 'response.reasoning_summary_part.added', {
        summary_index: 0,
        part: { type: 'summary_text', text: '' },
      });
    else
      this.#about(block, at, 1, 'response.content_part.added', {
        content_index: 0,
        part: textPart(''),
      });
  }

  /** A reader that was cut in the middle of a text gets the rest of it. */
  #delta(piece: Extract<Piece, { text: string }>, block: Block): void {
    const { at, text } = piece;
    const known = Math.floor(this.#after / eventsPerPiece) - (at - text.length);
    const delta = known > 0 ? text.slice(known) : text;
    if (delta === '') return;
    if (piece.type === 'call-delta') {
      const { client } = piece.block;
      // Its text is told at the end: until then it is part of an object.
      if (client && this.#toolOf(piece.block).isCustom) return;
      const name = client ? 'function_call' : 'mcp_call';
      return this.#about(block, at, 0, `response.${name}_arguments.delta`, { delta });
    }
    if (block.type === 'thinking')
      this.#about(block, at, 0, 'response.reasoning_summary_text.delta', {
        summary_index: 0,
        delta,
      });
    else
      this.#about(block, at, 0, 'response.output_text.delta', {
        content_index: 0,
        delta,
        logprobs: [],
      });
  }

  #endText(block: SpokenBlock, at: number): void {
    const { content: text } = block;
    const status = block.status === 'success' ? 'completed' : 'incomplete';
    if (block.type === 'thinking') {
      this.#about(block, at, 0, 'response.reasoning_summary_text.done', { summary_index: 0, text });
      this.#about(block, at, 1, 'response.reasoning_summary_part.done', {
        summary_index: 0,
        part: { type: 'summary_text', text },
      });
    } else {
      const place = { content_index: 0 };
      this.#about(block, at, 0, 'response.output_text.done', { ...place, text, logprobs: [] });
      this.#about(block, at, 1, 'response.content_part.done', { ...place, part: textPart(text) });
    }
    this.#done(block, spokenItem(block, text, status), at, 2);
  }

  #startCall(block: ToolBlock, at: number): void {
    if (block.client) return this.#add(block, ownCallItem(block, this.#toolOf(block), false), at);
    this.#add(block, callItem(block, false, false), at);
    this.#about(block, at, 1, 'response.mcp_call.in_progress');
  }

  #endCall(block: ToolBlock, at: number): void {
    const args = argumentsText(block);
    if (!block.client) {
      this.#about(block, at, 0, 'response.mcp_call_arguments.done', { arguments: args });
      return this.#set(block, callItem(block, true, false));
    }
    const tool = this.#toolOf(block);
    if (tool.isCustom) {
      const input = customInput(args);
      this.#about(block, at, 0, 'response.custom_tool_call_input.delta', { delta: input });
      this.#about(block, at, 1, 'response.custom_tool_call_input.done', { input });
    } else
      this.#about(block, at, 0, 'response.function_call_arguments.done', {
        arguments: args,
        name: tool.name,
      });
    this.#done(block, ownCallItem(block, tool, true), at, tool.isCustom ? 2 : 1);
  }

  /** The tool of the program that a call is for. */
  #toolOf({ modelToolName }: ToolBlock): ClientTool {
    this.#tools ??= ownTools(this.#asked.tools);
    return this.#tools.get(modelToolName) ?? { name: modelToolName };
  }

  #outcome(block: ToolBlock, at: number): void {
    const item = callItem(block, true, true);
    const verdict = item['status'] === 'completed' ? 'completed' : 'failed';
    // A run that begins here has not sent the call yet.
    if (!this.#places.has(block.id)) this.#add(block, item, at);
    this.#about(block, at, 1, `response.mcp_call.${verdict}`);
    this.#done(block, item, at, 2);
  }

  /**
   * The output so far, without blocks that a restart cut off: the model wrote them again. Sources belong to the last
   * message, which may have turned out to be a refusal.
   */
  #finished(): OutputItem[] {
    const cut = this.#answer.blocks.filter(({ status }) => status === 'interrupted');
    const places = new Set(cut.map(({ id }) => this.#places.get(id)));
    const output = this.#output.filter((_, place) => !places.has(place));
    const place = output.findLastIndex(({ type }) => type === 'message');
    const message = output[place];
    if (!message) return output;
    const annotations = this.#annotations;
    const isRefusal = !isMessageRunning(this.#answer) && endingOf(this.#answer) === 'refusal';
    const content = (message['content'] as { text: string }[]).map((part) =>
      isRefusal ? { type: 'refusal', refusal: part.text } : { ...part, annotations },
    );
    return output.with(place, { ...message, content });
  }

  #add(block: Block, item: OutputItem, at: number): void {
    this.#places.set(block.id, this.#output.push(item) - 1);
    this.#send(at * eventsPerPiece, {
      type: 'response.output_item.added',
      output_index: this.#places.get(block.id),
      item,
    });
  }

  #done(block: Block, item: OutputItem, at: number, nth: number): void {
    this.#set(block, item);
    this.#send(at * eventsPerPiece + nth, {
      type: 'response.output_item.done',
      output_index: this.#places.get(block.id),
      item,
    });
  }

  #set(block: Block, item: OutputItem): void {
    const place = this.#places.get(block.id);
    if (place !== undefined) this.#output[place] = item;
  }

  #about(block: Block, at: number, nth: number, type: string, fields: object = {}): void {
    const index = this.#places.get(block.id);
    const item = index === undefined ? undefined : this.#output[index];
    this.#send(at * eventsPerPiece + nth, {
      type,
      item_id: item?.id,
      output_index: index,
      ...fields,
    });
  }

  #send(number: number, event: Event): void {
    if (number <= this.#after) return;
    this.#last = number;
    this.#frames += frame(event, number);
  }

  #object(status: string): object {
    const { asks: _, ...asked } = this.#asked;
    const failure = failureOf(this.#answer);
    const isDone = status !== 'in_progress';
    return {
      id: responseId(this.#run.id),
      object: 'response',
      created_at: Math.floor(this.#run.createdAt / 1000),
      status,
      error:
        status === 'failed' && failure
          ? { code: codeOf(failure), message: fullMessage(failure) }
          : null,
      incomplete_details: status === 'incomplete' ? { reason: this.#reason } : null,
      ...asked,
      output: this.#finished(),
      service_tier: 'default',
      truncation: 'disabled',
      usage: isDone ? toResponsesUsage(this.#answer.usage) : null,
    };
  }

  get #reason(): string {
    return endingOf(this.#answer) === 'length' ? 'max_output_tokens' : 'content_filter';
  }
}

function frame(event: Event, number: number): string {
  return sseFrame({ ...event, sequence_number: number }, event.type);
}

/** Whether a run is over for its program. */
function isOver(run: Run, answer: Message): boolean {
  if (run.ends !== undefined || !isMessageRunning(answer)) return true;
  return (run.asked as ResponseFacts).asks && isAsking(answer);
}

/** Whether the answer only waits for decisions. */
function isAsking({ blocks }: Message): boolean {
  const open = blocks.filter((block) => block.type === 'tool' && isBlockOpen(block));
  return open.length > 0 && open.every((block) => block.type === 'tool' && block.approval);
}

/** The calls that the program is asked about: those that wait now, or that waited when the run ended. */
function approvalsIn({ blocks }: Message, run: Run): ToolBlock[] {
  const calls = blocks.filter((block): block is ToolBlock => block.type === 'tool');
  if (run.ends === undefined) return calls.filter(({ approval }) => approval);
  const { calls: ids } = run.ends;
  return calls.filter(({ toolCallId }) => ids.includes(toolCallId));
}

function toResponsesUsage(usage: Usage = {}): object {
  const { inputTokens = 0, outputTokens = 0, reasoningTokens = 0, cachedInputTokens = 0 } = usage;
  return {
    input_tokens: inputTokens,
    input_tokens_details: { cached_tokens: cachedInputTokens },
    output_tokens: outputTokens,
    output_tokens_details: { reasoning_tokens: reasoningTokens },
    total_tokens: inputTokens + outputTokens,
  };
}
