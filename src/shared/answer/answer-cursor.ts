import {
  type Block,
  type CitationBlock,
  isBlockOpen,
  isMediaBlock,
  isVendorRun,
  type MediaBlock,
  type TextBlock,
  type ThinkingBlock,
  type ToolBlock,
} from '../vocabulary/block.ts';
import { parseJson } from '../vocabulary/json.ts';
import { isMessageRunning, type Message } from '../vocabulary/message.ts';

/** A block whose text programs get as it grows. */
export type SpokenBlock = TextBlock | ThinkingBlock;

const spokenTypes: Record<SpokenBlock['type'], true> = { main_text: true, thinking: true };

/** Whether programs get the text of a block. */
export function isSpoken(block: Block): block is SpokenBlock {
  return Object.hasOwn(spokenTypes, block.type);
}

/**
 * What an answer says next. `at` is its place in the answer: one more for each of these, and for each character of a
 * text. It is the same whenever and in whatever pieces the answer is told.
 */
export type Piece = { at: number } & (
  | { type: 'text-start'; block: SpokenBlock }
  | { type: 'text-delta'; block: SpokenBlock; text: string }
  | { type: 'text-end'; block: SpokenBlock }
  | { type: 'medium'; block: MediaBlock }
  /** It takes no place of its own: it is told with what comes before it. */
  | { type: 'sources'; block: CitationBlock }
  /** A call is begun, written and whole. Only of calls that the program runs the text is told as it grows. */
  | { type: 'call-start'; block: ToolBlock }
  | { type: 'call-delta'; block: ToolBlock; text: string }
  | { type: 'call-ready'; block: ToolBlock }
  /** What became of a call that was made here, or by the vendor. */
  | { type: 'outcome'; block: ToolBlock }
  | { type: 'finish'; message: Message }
);

type NewPiece = Piece extends infer P ? (P extends Piece ? Omit<P, 'at'> : never) : never;

/** Places left free after what an end of the process cut: more of it may have been told than was kept. */
const lostPlaces = 1_000_000;

/**
 * Tells an answer from its beginning to its end, each thing once and always in the same order: the blocks of a round,
 * then the outcomes of its calls, then the next round. It is given the answer as it is by now.
 */
export class AnswerCursor {
  /** The place of what was told last. */
  at = 0;
  isFinished = false;
  readonly #begins: number;
  readonly #skipsCut: boolean;
  #next = 0;
  #isBegun = false;
  #isSkipped = false;
  #joins: boolean;
  /** What was being written at first, by a host that may have ended. */
  #inDoubt: Block | undefined;
  #told = 0;
  /** The calls of the present round whose outcome is to be told. */
  #calls: number[] = [];
  #pieces: Piece[] = [];

  /**
   * Tells only what comes after a place. With `skipsCut`, what an end of the process cut before it was told is left
   * out: the model said it again. With `joins`, what was being written at first waits until it is known to go on.
   */
  constructor(begins = 0, { skipsCut = false, joins = false } = {}) {
    this.#begins = begins;
    this.#skipsCut = skipsCut;
    this.#joins = joins;
  }

  advance(message: Message): Piece[] {
    this.#pieces = [];
    if (this.#joins) this.#inDoubt = message.blocks.find(isWritten);
    this.#joins = false;
    while (!this.isFinished && this.#step(message));
    return this.#pieces;
  }

  /** False where the answer has to go on first. */
  #step(message: Message): boolean {
    const block = message.blocks[this.#next];
    const [call] = this.#calls;
    const ofRound = call === undefined ? undefined : message.blocks[call];
    const isRoundOver = block === undefined || block.round !== ofRound?.round;
    if (ofRound?.type === 'tool' && isRoundOver) return this.#tellOutcome(ofRound, message);
    if (block) return this.#tellBlock(block, message);
    if (isMessageRunning(message)) return false;
    this.#tell({ type: 'finish', message });
    this.isFinished = true;
    return false;
  }

  #tellOutcome(block: ToolBlock, message: Message): boolean {
    if (isBlockOpen(block) && isMessageRunning(message)) return false;
    this.#calls.shift();
    if (!block.client && block.status !== 'interrupted') this.#tell({ type: 'outcome', block });
    return true;
  }

  #tellBlock(block: Block, message: Message): boolean {
    if (isAsBefore(block, this.#inDoubt) && isMessageRunning(message)) return false;
    if (!this.#isBegun) this.#isSkipped = this.#skipsCut && block.status === 'interrupted';
    if (isMediaBlock(block)) {
      if (isBlockOpen(block) && isMessageRunning(message)) return false;
      this.#tell({ type: 'medium', block });
      return this.#goOn(block);
    }
    if (isSpoken(block)) return this.#tellText(block, message);
    switch (block.type) {
      case 'tool':
        return this.#tellCall(block, message);
      case 'citation':
        if (isBlockOpen(block) && isMessageRunning(message)) return false;
        this.#tellSources(block);
        return this.#goOn(block);
      case 'translation':
      case 'code':
      case 'error':
      case 'compact':
      case 'unknown':
        return this.#goOn(block);
    }
  }

  #tellText(block: SpokenBlock, message: Message): boolean {
    if (!this.#isBegun) {
      this.#isBegun = true;
      this.#tell({ type: 'text-start', block });
    }
    this.#tellMore(block.content, (text) => ({ type: 'text-delta', block, text }));
    if (isBlockOpen(block) && isMessageRunning(message)) return false;
    this.#tell({ type: 'text-end', block });
    return this.#goOn(block);
  }

  #tellCall(block: ToolBlock, message: Message): boolean {
    if (!this.#isBegun) {
      this.#isBegun = true;
      this.#tell({ type: 'call-start', block });
    }
    const isWhole = isCallWhole(block, message, this.#next);
    const isClosed = isWhole && !(isVendorRun(block) && isBlockOpen(block));
    const written = block.client ? block.content : '';
    const text = isClosed ? argumentsText(block) : written;
    this.#tellMore(text, (more) => ({ type: 'call-delta', block, text: more }));
    if (!isWhole) return false;
    // What the vendor runs has its end before the answer goes on; what runs here begins when the round is over.
    if (isVendorRun(block)) return this.#tellVendorCall(block, message);
    this.#tell({ type: 'call-ready', block });
    this.#calls.push(this.#next);
    return this.#goOn(block);
  }

  #tellVendorCall(block: ToolBlock, message: Message): boolean {
    if (isBlockOpen(block) && isMessageRunning(message)) return false;
    this.#tell({ type: 'call-ready', block });
    this.#tell({ type: 'outcome', block });
    return this.#goOn(block);
  }

  #goOn({ status }: Block): true {
    if (status === 'interrupted') this.at += lostPlaces;
    this.#next += 1;
    this.#isBegun = false;
    this.#isSkipped = false;
    this.#told = 0;
    return true;
  }

  #tellMore(text: string, toPiece: (more: string) => NewPiece): void {
    const from = this.#told;
    if (text.length <= from) return;
    this.#told = text.length;
    const at = this.at;
    this.at += text.length - from;
    const skipped = Math.max(0, this.#begins - at);
    if (this.at > this.#begins) this.#push(toPiece(text.slice(from + skipped)));
  }

  #tellSources(block: CitationBlock): void {
    if (this.at > this.#begins || this.#begins === 0)
      this.#pieces.push({ type: 'sources', block, at: this.at });
  }

  #tell(piece: NewPiece): void {
    this.at += 1;
    if (this.at > this.#begins) this.#push(piece);
  }

  #push(piece: NewPiece): void {
    if (!this.#isSkipped) this.#pieces.push({ ...piece, at: this.at });
  }
}

/** Whether the model is writing it for the program. */
function isWritten(block: Block): boolean {
  const isForProgram = isSpoken(block) || (block.type === 'tool' && block.client === true);
  return isBlockOpen(block) && isForProgram;
}

function isAsBefore(block: Block, before: Block | undefined): boolean {
  return (
    block.id === before?.id &&
    block.status === before.status &&
    block.content.length === before.content.length
  );
}

/** The model has written all of it: it was looked at, or something came after it. Some write several at a time. */
function isCallWhole(block: ToolBlock, message: Message, place: number): boolean {
  return (
    block.state !== 'proposed' ||
    block.argsHash !== undefined ||
    block.status === 'interrupted' ||
    !isMessageRunning(message) ||
    isVendorRun(block) ||
    (place < message.blocks.length - 1 && (!block.client || parseJson(block.content) !== undefined))
  );
}

/** The arguments of a call as the model wrote them; those of ours as they were understood. */
export function argumentsText(block: ToolBlock): string {
  if (block.client && block.content !== '') return block.content;
  return JSON.stringify(block.proposedArguments ?? block.arguments);
}
