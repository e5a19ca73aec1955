import type { Chunk } from '#shared/vocabulary/chunk.ts';

type Emit = (chunk: Chunk) => void;

/**
 * Turns what a model writes between thinking tags at the very beginning of its text into thinking.
 * Tags further on stay text. With `startsInside` the text may begin in the middle of thinking: its
 * opening tag was a part of the prompt.
 */
export function splitThinkTags(emit: Emit, startsInside = false): Emit {
  const splitter = new Splitter(emit, startsInside);
  return (chunk) => {
    if (splitter.done) emit(chunk);
    else splitter.step(chunk);
  };
}

/** Whether a model's template opens the thinking in the prompt, as far as its name tells. */
export function opensInPrompt(model: string): boolean {
  return /deepseek-r1|(^|[^a-z])qwq|qwen-?3.*thinking|glm-z1|exaone-deep/i.test(model);
}

interface Tag {
  open: string;
  close: string;
}

/** What models were taught to think in. */
const tags: readonly Tag[] = [
  ...['think', 'thinking', 'reasoning', 'thought', 'seed:think'].map((name) => ({
    open: `<${name}>`,
    close: `</${name}>`,
  })),
  { open: '[THINK]', close: '[/THINK]' },
  { open: '◁think▷', close: '◁/think▷' },
];
const usualClose = '</think>';
/** A text that begins with more white space than this is not looked at any further. */
const maxSpaceChars = 1000;

type Verdict = { kind: 'thinking'; close: string; rest: string } | { kind: 'text' | 'undecided' };

/** What a text is that begins like this. Depends on the whole beginning alone, however it was cut. */
function judge(text: string): Verdict {
  const start = text.search(/\S/);
  const space = start < 0 ? text.length : start;
  if (space > maxSpaceChars) return { kind: 'text' };
  if (start < 0) return { kind: 'undecided' };
  for (const { open, close } of tags) {
    if (text.startsWith(open, start)) {
      return { kind: 'thinking', close, rest: text.slice(start + open.length) };
    }
    // A closing tag alone ends thinking in which nothing was thought.
    if (text.startsWith(close, start)) return { kind: 'thinking', close, rest: text.slice(start) };
  }
  const begun = text.slice(start);
  const mayBecomeTag = tags.some(({ open, close }) =>
    [open, close].some((tag) => tag.startsWith(begun)),
  );
  return { kind: mayBecomeTag ? 'undecided' : 'text' };
}

/** Reads one answer until nothing more can be taken for thinking. */
class Splitter {
  /** From here on every chunk is what it is. */
  done = false;
  readonly #emit: Emit;
  readonly #startsInside: boolean;
  #mode: 'start' | 'thinking' | 'after' | 'over' = 'start';
  #textId = '';
  /** What is not decided on: white space, or what may become a tag. */
  #held = '';
  #close = usualClose;
  #thinks = false;
  /** What was taken for thinking although no tag said so: it may turn out to be the answer. */
  #suspected: string[] | undefined;

  constructor(emit: Emit, startsInside: boolean) {
    this.#emit = emit;
    this.#startsInside = startsInside;
  }

  step(chunk: Chunk): void {
    if (this.#mode === 'over') return this.#wait(chunk);
    switch (chunk.type) {
      case 'text-start':
        this.#textId = chunk.id;
        return undefined;
      case 'text-delta':
        this.#held += chunk.text;
        return this.#read();
      case 'text-complete':
        return this.#end(chunk);
      case 'response-created':
        return this.#emit(chunk);
      default:
        this.#interrupt();
        return this.#emit(chunk);
    }
  }

  #read(): void {
    if (this.#mode === 'start') this.#start();
    if (this.#mode === 'thinking') this.#think();
    if (this.#mode === 'after') this.#answer();
  }

  #start(): void {
    const verdict = judge(this.#held);
    if (verdict.kind === 'undecided') return;
    if (verdict.kind === 'text' && !this.#startsInside) return this.#say();
    this.#mode = 'thinking';
    if (verdict.kind === 'thinking') {
      this.#close = verdict.close;
      this.#held = verdict.rest;
    } else this.#suspected = [];
  }

  #think(): void {
    const end = this.#held.indexOf(this.#close);
    if (end < 0) return this.#tell(this.#held.length - partialLength(this.#held, this.#close));
    this.#tell(end);
    this.#held = this.#held.slice(this.#close.length);
    this.#suspected = undefined;
    this.#endThinking();
  }

  /** Gives that much of what is held as thinking; white space at its beginning means nothing. */
  #tell(length: number): void {
    const whole = this.#held.slice(0, length);
    this.#held = this.#held.slice(length);
    const text = this.#thinks ? whole : whole.trimStart();
    this.#suspected?.push(whole);
    if (text === '') return;
    if (!this.#thinks) this.#emit({ type: 'thinking-start', id: this.#thinkingId });
    this.#thinks = true;
    this.#emit({ type: 'thinking-delta', id: this.#thinkingId, text });
  }

  #endThinking(): void {
    this.#mode = 'after';
    if (this.#thinks) this.#emit({ type: 'thinking-complete', id: this.#thinkingId });
  }

  #answer(): void {
    this.#held = this.#held.trimStart();
    if (this.#held !== '') this.#say();
  }

  /** What is held is text, and so is all that follows. */
  #say(): void {
    this.done = true;
    this.#emit({ type: 'text-start', id: this.#textId });
    this.#emit({ type: 'text-delta', id: this.#textId, text: this.#held });
  }

  /** The text is over. Thinking that was not closed stays thinking. */
  #end(chunk: Extract<Chunk, { type: 'text-complete' }>): void {
    this.#interrupt();
    if (this.done) this.#emit(chunk);
    this.#mode = 'over';
    this.done = this.#suspected === undefined;
  }

  /** Something else follows, so nothing more can be waited for. */
  #interrupt(): void {
    if (this.#mode === 'start') {
      if (this.#held !== '') this.#say();
      else this.done = this.#textId === '';
    }
    if (this.#mode !== 'thinking') return;
    this.#tell(this.#held.length);
    this.#endThinking();
  }

  /** A whole answer that would be nothing but suspected thinking is given once more, as text. */
  #wait(chunk: Chunk): void {
    if (chunk.type === 'response-complete' || chunk.type === 'text-delta') this.done = true;
    if (chunk.type === 'response-complete' && chunk.finishReason === 'stop') {
      this.#held = (this.#suspected ?? []).join('').trimStart();
      if (this.#held !== '') {
        this.#say();
        this.#emit({ type: 'text-complete', id: this.#textId });
      }
    }
    this.#emit(chunk);
  }

  get #thinkingId(): string {
    return `${this.#textId}-thinking`;
  }
}

/** How many characters at the end of a text may be the beginning of the tag. */
function partialLength(text: string, tag: string): number {
  for (let length = Math.min(tag.length - 1, text.length); length > 0; length -= 1) {
    if (text.endsWith(tag.slice(0, length))) return length;
  }
  return 0;
}
