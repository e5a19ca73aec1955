import type { CallWord } from '#chat/runs/decide-calls.ts';
import { resultText } from '#chat/runs/tool-activity.ts';
import { AnswerCursor, type Piece } from '#shared/answer/answer-cursor.ts';
import { type Ending, endingOf, failureOf } from '#shared/answer/answer-ending.ts';
import { type ErrorInfo, fullMessage } from '#shared/errors/errors.ts';
import { sseFrame } from '#shared/text/sse-frame.ts';
import { type Block, isBlockOpen, type ToolBlock } from '#shared/vocabulary/block.ts';
import { isMessageRunning, type Message } from '#shared/vocabulary/message.ts';

type Part = { type: string } & Record<string, unknown>;

/**
 * An answer as the AI SDK's UI message stream. It ends with the answer, or where nothing goes on before somebody
 * decides on a call. With `words`, it goes on from there: what came before is not told again.
 */
export class UiEncoder {
  readonly #words: ReadonlyMap<string, boolean>;
  #cursor = new AnswerCursor();
  readonly #ended = new Set<string>();
  #frames = '';
  #isBegun = false;
  #round: number | undefined;
  #waiting: string | undefined;

  constructor(words: readonly CallWord[] = []) {
    this.#words = new Map(words.map(({ toolCallId, approve }) => [toolCallId, approve]));
  }

  /** Whether it is over for this reader. */
  isOver(answer: Message): boolean {
    return !isMessageRunning(answer) || this.#asks(answer);
  }

  /** The frames of the stream for what the answer has become. */
  write(answer: Message): string {
    this.#frames = '';
    if (!this.#isBegun) this.#begin(answer);
    for (const piece of this.#cursor.advance(answer)) this.#tell(piece);
    this.#tellWaiting(answer);
    if (this.#asks(answer)) this.#ask(answer);
    return this.#frames;
  }

  /** What tells the page that the stream ends before the answer. */
  cut(error: ErrorInfo): string {
    this.#frames = '';
    this.#send({ type: 'error', errorText: fullMessage(error) });
    return this.#frames;
  }

  #begin(answer: Message): void {
    this.#isBegun = true;
    const begins = placeOf(answer, this.#words);
    this.#cursor = new AnswerCursor(begins?.at);
    this.#round = begins?.round;
    const { id, topicId, parentId, model } = answer;
    const messageMetadata = { topicId, userMessageId: parentId, model };
    this.#send({ type: 'start', messageId: id, messageMetadata });
  }

  #tell(piece: Piece): void {
    if (piece.type === 'finish') return this.#end(piece.message);
    const { block } = piece;
    if (piece.type !== 'outcome' && piece.type !== 'sources') this.#enter(block.round);
    switch (piece.type) {
      case 'text-start':
        return this.#send({ type: `${speech(block)}-start`, id: block.id });
      case 'text-delta':
        return this.#send({ type: `${speech(block)}-delta`, id: block.id, delta: piece.text });
      case 'text-end':
        return this.#send({ type: `${speech(block)}-end`, id: block.id });
      case 'medium':
        return this.#send(toFile(piece.block));
      case 'sources':
        for (const part of toSources(piece.block)) this.#send(part);
        return;
      case 'call-start':
        return this.#send({ type: 'tool-input-start', ...callFacts(piece.block) });
      case 'call-delta': {
        const { toolCallId } = piece.block;
        return this.#send({ type: 'tool-input-delta', toolCallId, inputTextDelta: piece.text });
      }
      case 'call-ready': {
        const input = piece.block.proposedArguments ?? piece.block.arguments;
        return this.#send({ type: 'tool-input-available', ...callFacts(piece.block), input });
      }
      case 'outcome':
        return this.#tellOutcome(piece.block);
    }
  }

  /** Each round is a step. */
  #enter(round: number): void {
    if (this.#round === round) return;
    if (this.#round !== undefined) this.#send({ type: 'finish-step' });
    this.#round = round;
    this.#send({ type: 'start-step' });
  }

  #tellOutcome(block: ToolBlock): void {
    const { toolCallId, state, result, error } = block;
    if (this.#ended.has(toolCallId)) return;
    this.#ended.add(toolCallId);
    if (state === 'succeeded') {
      const { content = [], structuredContent } = result ?? {};
      const output = { content, ...(structuredContent !== undefined && { structuredContent }) };
      return this.#send({ type: 'tool-output-available', ...callPlace(block), output });
    }
    if (state === 'denied' && this.#words.get(toolCallId) === false)
      return this.#send({ type: 'tool-output-denied', toolCallId });
    const errorText = error?.message ?? resultText(block) ?? state;
    this.#send({ type: 'tool-output-error', ...callPlace(block), errorText });
  }

  /** What a person has to do in Cerise itself; a page may show it, and it is no part of the message. */
  #tellWaiting({ waiting }: Message): void {
    const reason = waiting?.for === 'input' ? waiting.for : undefined;
    if (reason === this.#waiting) return;
    this.#waiting = reason;
    this.#send({ type: 'data-waiting', data: { for: reason ?? null }, transient: true });
  }

  /** Whether nothing goes on before somebody decides on a call that they have not decided on yet. */
  #asks({ status, blocks }: Message): boolean {
    if (!isMessageRunning({ status })) return false;
    const open = blocks.filter(isBlockOpen);
    return open.length > 0 && open.every((block) => this.#isAsked(block));
  }

  #isAsked(block: Block): block is ToolBlock {
    if (block.type !== 'tool' || block.approval === undefined) return false;
    return isBlockOpen(block) && !this.#words.has(block.toolCallId);
  }

  /** The page sends all decisions of a step at once, as soon as each of its calls has ended or is decided. */
  #ask(answer: Message): void {
    const calls = answer.blocks.filter((block) => block.type === 'tool');
    for (const block of calls)
      if (block.round === this.#round && !isBlockOpen(block) && !block.client)
        this.#tellOutcome(block);
    for (const block of calls)
      if (this.#isAsked(block)) {
        const { toolCallId } = block;
        this.#send({ type: 'tool-approval-request', approvalId: toolCallId, toolCallId });
      }
    this.#finish('tool-calls', answer);
  }

  #end(answer: Message): void {
    const failure = failureOf(answer);
    if (failure) this.#send({ type: 'error', errorText: fullMessage(failure) });
    const ending = endingOf(answer);
    if (ending === 'cancelled') this.#send({ type: 'abort' });
    this.#finish(finishReasons[ending], answer);
  }

  #finish(finishReason: string, { model, usage }: Message): void {
    if (this.#round !== undefined) this.#send({ type: 'finish-step' });
    const messageMetadata = { model, ...(usage && { usage }) };
    this.#send({ type: 'finish', finishReason, messageMetadata });
    this.#frames += 'data: [DONE]\n\n';
  }

  #send(part: Part): void {
    this.#frames += sseFrame(part);
  }
}

const finishReasons = {
  stop: 'stop',
  'tool-calls': 'tool-calls',
  length: 'length',
  'content-filter': 'content-filter',
  refusal: 'content-filter',
  cancelled: 'other',
  error: 'error',
} as const satisfies Record<Ending, string>;

/** Where an answer stood when these calls were asked about: just before the first of their outcomes. */
function placeOf(
  answer: Message,
  calls: ReadonlyMap<string, boolean>,
): { at: number; round: number } | undefined {
  const first = answer.blocks.find((block) => block.type === 'tool' && calls.has(block.toolCallId));
  if (!first) return undefined;
  const { round } = first;
  const cursor = new AnswerCursor();
  const next = cursor
    .advance(answer)
    .find(
      (piece) =>
        piece.type === 'finish' ||
        piece.block.round > round ||
        (piece.type === 'outcome' && piece.block.id === first.id),
    );
  return { at: next ? next.at - 1 : cursor.at, round };
}

function speech(block: Block): 'text' | 'reasoning' {
  return block.type === 'thinking' ? 'reasoning' : 'text';
}

/** What a call is from its beginning; its tools are the page's business only where the page is to run it. */
function callFacts(block: ToolBlock): Record<string, unknown> {
  const { toolName, title, serverId, serverName } = block;
  const toolMetadata = { serverId, serverName };
  return { ...callPlace(block), toolName, title: title ?? toolName, toolMetadata };
}

function callPlace({ toolCallId, client }: ToolBlock): Record<string, unknown> {
  return { toolCallId, dynamic: true, ...(!client && { providerExecuted: true }) };
}

function toFile({ data, stored, mimeType }: Extract<Piece, { type: 'medium' }>['block']): Part {
  const mediaType = mimeType ?? 'application/octet-stream';
  const url = stored ? `/api/blobs/${stored.id}` : `data:${mediaType};base64,${data ?? ''}`;
  return { type: 'file', url, mediaType };
}

function toSources({ citations, id }: Extract<Piece, { type: 'sources' }>['block']): Part[] {
  return citations.map(({ number, url, title }) => {
    const sourceId = `${id}.${number}`;
    if (url === undefined)
      return { type: 'source-document', sourceId, mediaType: 'text/plain', title: title ?? '' };
    return { type: 'source-url', sourceId, url, ...(title !== undefined && { title }) };
  });
}
