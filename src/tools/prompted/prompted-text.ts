import {
  type CallStart,
  type Fence,
  findFence,
  tagOverlap,
  lookAhead,
  lookAheadInFence,
  safeLength,
} from './look-ahead.ts';
import { guessName, parseCalls, tooLargeCall, type WrittenCall } from './parse-calls.ts';
import { tags } from './tags.ts';

/** What a model's text came to. `call-begun` is a call that a broken stream left unfinished. */
export type TextPiece =
  | { type: 'text'; text: string }
  | { type: 'thinking'; text: string }
  | { type: 'call-begun'; toolName: string }
  | WrittenCall;

type Mode = 'start' | 'thinking' | 'text' | 'code' | 'call' | 'after call' | 'ignored';

interface Scan {
  at: number;
  depth: number;
  inString: boolean;
}

const openThinking = '<think>';
const closeThinking = '</think>';
/** More characters never stand before it is clear what they are. */
const maxUndecidedChars = 4096;

/**
 * Reads the text of a model that was told to write its calls into it. What comes out does not depend on
 * how the text was cut. Calls in thinking, in code and in inline code are text.
 */
export class PromptedText {
  #mode: Mode = 'start';
  #rest = '';
  /** The fence that ends the code being read. */
  #marker = '';
  /** Fences around the call being read, the innermost last. */
  #closers: string[] = [];
  #midLine = false;
  #closed = false;
  #called = false;
  #scan: Scan = { at: 0, depth: 0, inString: false };
  #pieces: TextPiece[] = [];
  readonly #mostOfCall: number;

  constructor(mostOfCall: number = Infinity) {
    this.#mostOfCall = mostOfCall;
  }

  read(text: string): TextPiece[] {
    this.#rest += text;
    const pieces = this.#run(false);
    // Space without end, and the like: it would be looked at again with every further piece.
    if (this.#mode !== 'call' && this.#rest.length > maxUndecidedChars)
      pieces.push(...this.#run(true));
    return pieces;
  }

  /** Gives out what was held back. `cut`: the stream broke, so an unfinished call is none. */
  end(cut = false): TextPiece[] {
    const pieces = this.#run(true);
    while (this.#mode === 'call') pieces.push(...this.#breakCall(cut), ...this.#run(true));
    return pieces;
  }

  /** Ends a call that has no end, at its closing tag if a quote that is never closed hid it. */
  #breakCall(cut: boolean): TextPiece[] {
    const close = this.#rest.indexOf(tags.closeCall);
    const raw = close < 0 ? this.#rest : this.#rest.slice(0, close);
    this.#rest = this.#rest.slice(raw.length);
    this.#mode = 'after call';
    return cut && close < 0 ? partialCall(raw) : parseCalls(raw);
  }

  /** Goes on until nothing more can be decided. With `final` there is nothing more to wait for. */
  #run(final: boolean): TextPiece[] {
    while (this.#rest !== '' && this.#step(final));
    const pieces = this.#pieces;
    this.#pieces = [];
    return pieces;
  }

  /** False: more text is needed. */
  #step(final: boolean): boolean {
    switch (this.#mode) {
      case 'start':
        return this.#start(final);
      case 'thinking':
        return this.#thinking(final);
      case 'text':
        return this.#text(final);
      case 'code':
        return this.#code(final);
      case 'call':
        return this.#call();
      case 'after call':
        return this.#afterCall(final);
      case 'ignored':
        this.#rest = '';
        return false;
    }
  }

  /** Space before the answer is dropped; some models write their thinking into the text. */
  #start(final: boolean): boolean {
    this.#rest = this.#rest.trimStart();
    if (!final && openThinking.startsWith(this.#rest)) return false;
    const thinks = this.#rest.startsWith(openThinking);
    if (thinks) this.#rest = this.#rest.slice(openThinking.length);
    this.#mode = thinks ? 'thinking' : 'text';
    return true;
  }

  #thinking(final: boolean): boolean {
    const close = this.#rest.indexOf(closeThinking);
    const held = final ? 0 : tagOverlap(this.#rest, closeThinking);
    this.#put('thinking', close < 0 ? this.#rest.length - held : close);
    if (close < 0) return false;
    this.#rest = this.#rest.slice(closeThinking.length);
    this.#midLine = false;
    this.#mode = 'start';
    return true;
  }

  /** Text up to the next thing that may be more than text. */
  #text(final: boolean): boolean {
    const fence = findFence(this.#rest, this.#midLine);
    const tag = this.#rest.indexOf(tags.openCall);
    const result = this.#called ? this.#rest.indexOf(tags.openResult) : -1;
    const next = Math.min(...[tag, fence?.at ?? -1, result].filter((at) => at >= 0));
    if (next === tag) return this.#tag(tag, final);
    if (fence && next === fence.at) return this.#fence(fence, final);
    if (next === result) {
      // What follows a call cannot be its result: the model makes it up.
      this.#putBefore(result);
      this.#mode = 'ignored';
      return true;
    }
    this.#put('text', final ? this.#rest.length : safeLength(this.#rest));
    return false;
  }

  /** A tag is a call if JSON follows; otherwise, or in inline code, the text only mentions it. */
  #tag(at: number, final: boolean): boolean {
    const after = at + tags.openCall.length;
    const next = lookAhead(this.#rest.slice(after), final);
    if (next === 'mention' || this.#rest[at - 1] === '`') {
      this.#put('text', after);
      return true;
    }
    this.#putBefore(at);
    return next !== 'undecided' && this.#beginCall(next);
  }

  /** A fence around calls belongs to writing them; any other one begins code. */
  #fence({ at, after, marker, label, whole }: Fence, final: boolean): boolean {
    const body = this.#rest.slice(after).trimStart();
    const next = lookAheadInFence(label, body, final);
    if (!final && (!whole || next === 'undecided')) {
      this.#putBefore(at);
      return false;
    }
    if (next !== 'mention' && next !== 'undecided') {
      this.#putBefore(at);
      this.#closers.push(marker);
      return this.#beginCall(next);
    }
    this.#put('text', after);
    this.#marker = marker;
    this.#mode = 'code';
    return true;
  }

  #code(final: boolean): boolean {
    const end = this.#rest.indexOf('\n');
    const line = end < 0 ? this.#rest : this.#rest.slice(0, end);
    const whole = end >= 0 || final;
    const mayClose = !this.#midLine && /^ {0,3}[`~]*[ \t\r]*$/.test(line);
    if (mayClose && !whole) return false;
    const closes = mayClose && line.trim().startsWith(this.#marker);
    this.#put('text', closes || end < 0 ? line.length : end + 1);
    if (closes) this.#mode = 'text';
    return closes || end >= 0;
  }

  #beginCall({ json, fence }: CallStart): true {
    this.#rest = json;
    if (fence !== '') this.#closers.push(fence);
    this.#called = true;
    this.#closed = false;
    this.#scan = { at: 0, depth: 0, inString: false };
    this.#mode = 'call';
    return true;
  }

  /** Reads to the end of the JSON value, whatever its strings hold. */
  #call(): boolean {
    const scan = this.#scan;
    for (; scan.at < this.#rest.length; scan.at += 1) {
      const character = this.#rest[scan.at];
      if (scan.inString) {
        if (character === '\\') scan.at += 1;
        else if (character === '"') scan.inString = false;
      } else if (character === '"') scan.inString = true;
      else if (character === '{' || character === '[') scan.depth += 1;
      else if (character === '}' || character === ']') {
        scan.depth -= 1;
        if (scan.depth === 0) return this.#completeCall(scan.at + 1);
      } else if (character === '<') {
        const here = this.#rest.slice(scan.at, scan.at + tags.closeCall.length);
        if (here === tags.closeCall) return this.#completeCall(scan.at);
        if (tags.closeCall.startsWith(here)) return false;
      }
    }
    return this.#isTooLong();
  }

  /** What a call without end may be followed by is not looked for. */
  #isTooLong(): boolean {
    if (this.#rest.length <= this.#mostOfCall) return false;
    this.#pieces.push(tooLargeCall(this.#rest));
    this.#rest = '';
    this.#mode = 'ignored';
    return true;
  }

  #completeCall(end: number): boolean {
    this.#pieces.push(...parseCalls(this.#rest.slice(0, end)));
    this.#rest = this.#rest.slice(end);
    this.#mode = 'after call';
    return true;
  }

  /** What belongs to writing a call is no text: its end, fences, space before another call. */
  #afterCall(final: boolean): boolean {
    this.#rest = this.#rest.trimStart();
    const closer = this.#closers.at(-1) ?? tags.closeCall;
    if (this.#rest.startsWith(tags.closeCall)) {
      this.#closed = true;
      this.#rest = this.#rest.slice(tags.closeCall.length);
      return true;
    }
    if (this.#rest.startsWith(closer)) {
      this.#closers.pop();
      this.#rest = this.#rest.slice(closer.length);
      return true;
    }
    if (!this.#closed && /^[{[]/.test(this.#rest))
      return this.#beginCall({ json: this.#rest, fence: '' });
    if (this.#rest.startsWith(tags.openCall)) {
      const next = lookAhead(this.#rest.slice(tags.openCall.length), final);
      if (next === 'undecided') return false;
      if (next !== 'mention') return this.#beginCall(next);
    } else if (
      !final &&
      [tags.closeCall, tags.openCall, closer].some((each) => each.startsWith(this.#rest))
    )
      return false;
    this.#marker = this.#closers[0] ?? '';
    this.#closers = [];
    this.#midLine = false;
    this.#mode = this.#marker === '' ? 'text' : 'code';
    return true;
  }

  #putBefore(at: number): void {
    this.#put('text', this.#rest.slice(0, at).trimEnd().length);
  }

  #put(type: 'text' | 'thinking', length: number): void {
    if (length <= 0) return;
    const text = this.#rest.slice(0, length);
    this.#rest = this.#rest.slice(length);
    this.#midLine = !text.endsWith('\n');
    this.#pieces.push({ type, text });
  }
}

function partialCall(raw: string): TextPiece[] {
  const toolName = guessName(raw);
  return toolName === '' ? [] : [{ type: 'call-begun', toolName }];
}
