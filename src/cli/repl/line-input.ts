import { emitKeypressEvents } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { painterFor } from '../printing/painter.ts';
import { screenSize } from '../terminal/screen-size.ts';
import { terminalLine } from '../terminal/terminal-text.ts';
import { cutToWidth } from '../terminal/text-width.ts';
import { type Draft, edit, emptyDraft, insert, type Key, keyName, moveLine } from './draft.ts';
import { draftRows, visibleRows } from './draft-rows.ts';

/** Where a person enters lines. */
export interface Input {
  open(): void;
  close(): void;
  /** What is entered next; undefined at the end of the input. */
  read(): Promise<string | undefined>;
  /** What Ctrl-C does while nobody reads. */
  onInterrupt(act: (() => void) | undefined): void;
  /** Prints a line above what is being typed. */
  tell(line: string): void;
}

/** A terminal that keys are read from, one at a time. */
export type KeySource = Readable & { setRawMode?: (raw: boolean) => unknown };
export type Screen = Writable & { rows?: number; columns?: number };

/** What can stand at the cursor instead of the word before it. */
export interface Completion {
  /** Where the word begins. */
  from: number;
  values: string[];
}

export interface LineInputOptions {
  prompt: string;
  /** Earlier entries, the newest last. */
  history: readonly string[];
  complete: (draft: Draft) => Promise<Completion | undefined>;
  /** Shown when Ctrl-C is pressed on an empty line. */
  leaveHint: string;
  /** What Ctrl-Z does. */
  suspend?: (() => Promise<void>) | undefined;
}

const pasteOn = '\u001b[?2004h';
const pasteOff = '\u001b[?2004l';
const shownCompletions = 12;

/**
 * The line at the bottom where a person types. Keys pressed while nobody reads are kept in the draft, so that one can
 * type ahead; Ctrl-C then stops what runs.
 */
export class LineInput implements Input {
  readonly #keys: KeySource;
  readonly #screen: Screen;
  readonly #options: LineInputOptions;
  #draft: Draft = emptyDraft;
  /** The row of the prompt that the cursor is in, while one is drawn. */
  #row = 0;
  #historyAt: number;
  #kept = '';
  #note = '';
  /** What is pasted, until it is whole: to draw it letter by letter would take long. */
  #pasted: string[] | undefined;
  #ended = false;
  #done: ((text: string | undefined) => void) | undefined;
  #onInterrupt: (() => void) | undefined;
  #isInterrupted = false;
  /** Keys wait for a completion that is looked up. */
  #pressed: Promise<void> = Promise.resolve();
  readonly #onKey = (_: unknown, key: Key): void => {
    this.#pressed = this.#pressed.then(() => this.#press(key));
  };
  readonly #onEnd = (): void => this.#end();
  readonly #onResize = (): void => this.#draw();

  constructor(keys: KeySource, screen: Screen, options: LineInputOptions) {
    this.#keys = keys;
    this.#screen = screen;
    this.#options = options;
    this.#historyAt = options.history.length;
    emitKeypressEvents(keys);
  }

  /** Takes the keys of the terminal, until `close`. */
  open(): void {
    this.#keys.setRawMode?.(true);
    this.#screen.write(pasteOn);
    this.#keys.on('keypress', this.#onKey);
    this.#keys.on('end', this.#onEnd);
    this.#screen.on('resize', this.#onResize);
    this.#keys.resume();
    // It may have ended while somebody else had it.
    if (this.#keys.readableEnded) this.#end();
  }

  /** Leaves the terminal to somebody else, such as a question. */
  close(): void {
    this.#keys.off('keypress', this.#onKey);
    this.#keys.off('end', this.#onEnd);
    this.#screen.off('resize', this.#onResize);
    this.#screen.write(pasteOff);
    this.#keys.setRawMode?.(false);
    this.#keys.pause();
  }

  async read(): Promise<string | undefined> {
    if (this.#ended) return undefined;
    this.#historyAt = this.#options.history.length;
    this.#row = 0;
    this.#isInterrupted = false;
    const { promise, resolve } = Promise.withResolvers<string | undefined>();
    this.#done = resolve;
    this.#draw();
    return promise;
  }

  onInterrupt(act: (() => void) | undefined): void {
    this.#onInterrupt = act;
    if (act && this.#isInterrupted) act();
    this.#isInterrupted = false;
  }

  /** A key may come before it is said what it stops. */
  #interrupt(): void {
    if (this.#onInterrupt) this.#onInterrupt();
    else this.#isInterrupted = true;
  }

  tell(line: string): void {
    const up = this.#done && this.#row > 0 ? `\u001b[${this.#row}A` : '';
    this.#screen.write(`${this.#done ? `\r${up}\u001b[J` : ''}${line}\n`);
    this.#row = 0;
    this.#draw();
  }

  async #press(key: Key): Promise<void> {
    const name = keyName(key);
    if (name === 'paste-start') return void (this.#pasted = []);
    if (name === 'paste-end') return this.#paste();
    if (this.#pasted) return void this.#pasted.push(key.sequence ?? '');
    if (name === 'ctrl-z') return this.#suspend();
    const note = this.#note;
    this.#note = '';
    if (!this.#done) return this.#pressAhead(name, key);
    const act = this.#acts[name];
    if (name === 'ctrl-c') this.#leave(note);
    else if (act) await act();
    else {
      const changed = edit(this.#draft, key);
      if (changed) this.#show(changed);
    }
  }

  async #suspend(): Promise<void> {
    const { suspend } = this.#options;
    if (!suspend) return;
    this.#screen.write(pasteOff);
    this.#keys.setRawMode?.(false);
    await suspend();
    // A question may have taken the terminal meanwhile.
    if (!this.#keys.listeners('keypress').includes(this.#onKey)) return;
    this.#keys.setRawMode?.(true);
    this.#screen.write(pasteOn);
    this.#row = 0;
    this.#draw();
  }

  #paste(): void {
    const text = this.#pasted?.join('') ?? '';
    this.#pasted = undefined;
    this.#show(insert(this.#draft, text));
  }

  #pressAhead(name: string, key: Key): void {
    if (name === 'ctrl-c' || name === 'escape') this.#interrupt();
    else this.#draft = edit(this.#draft, key) ?? this.#draft;
  }

  readonly #acts: Record<string, () => void | Promise<void>> = {
    return: () => this.#enter(),
    enter: () => this.#enter(),
    up: () => this.#up(),
    'ctrl-p': () => this.#up(),
    down: () => this.#down(),
    'ctrl-n': () => this.#down(),
    tab: () => this.#complete(),
    'ctrl-l': () => {
      this.#screen.write('\u001b[2J\u001b[H');
      this.#row = 0;
      this.#draw();
    },
    'ctrl-d': () => {
      if (this.#draft.text === '') return this.#end();
      return this.#show(edit(this.#draft, { name: 'delete' }) ?? this.#draft);
    },
  };

  /** Clears the line; an empty one is left by a second press, as the first may have been meant for an answer. */
  #leave(note: string): void {
    const { leaveHint } = this.#options;
    if (this.#draft.text === '' && note === leaveHint) return this.#end();
    if (this.#draft.text === '') this.#note = leaveHint;
    this.#show(emptyDraft);
  }

  #enter(): void {
    const { text } = this.#draft;
    if (text.endsWith('\\'))
      return this.#show(insert({ text: text.slice(0, -1), cursor: text.length - 1 }, '\n'));
    this.#settle();
    this.#draft = emptyDraft;
    this.#done?.(text);
    this.#done = undefined;
  }

  #end(): void {
    this.#ended = true;
    if (!this.#done) return this.#interrupt();
    this.#settle();
    this.#done(undefined);
    this.#done = undefined;
  }

  /** Leaves what was typed above, with the cursor below it. */
  #settle(): void {
    this.#draft = { ...this.#draft, cursor: this.#draft.text.length };
    this.#note = '';
    this.#draw();
    this.#screen.write('\n');
  }

  #up(): void {
    const moved = moveLine(this.#draft, -1);
    if (moved) return this.#show(moved);
    const { history } = this.#options;
    if (this.#historyAt === 0) return;
    if (this.#historyAt === history.length) this.#kept = this.#draft.text;
    this.#historyAt -= 1;
    this.#show(insert(emptyDraft, history[this.#historyAt] ?? ''));
  }

  #down(): void {
    const moved = moveLine(this.#draft, 1);
    if (moved) return this.#show(moved);
    const { history } = this.#options;
    if (this.#historyAt === history.length) return;
    this.#historyAt += 1;
    this.#show(insert(emptyDraft, history[this.#historyAt] ?? this.#kept));
  }

  async #complete(): Promise<void> {
    const asked = this.#draft;
    const found = await this.#options.complete(asked);
    // Names of servers and files may hold what acts on a terminal; nobody could have typed it either.
    const values = found?.values.filter((value) => terminalLine(value) === value) ?? [];
    if (!found || values.length === 0 || this.#draft !== asked || !this.#done) return;
    const common = values.reduce(commonStart);
    const typed = asked.text.slice(found.from, asked.cursor);
    const word = values.length === 1 ? `${common}${common.endsWith('/') ? '' : ' '}` : common;
    const more = values.length - shownCompletions;
    if (values.length > 1)
      this.#note = `${values.slice(0, shownCompletions).join('  ')}${more > 0 ? `  +${more}` : ''}`;
    if (word.length < typed.length) return this.#draw();
    const rest = asked.text.slice(asked.cursor);
    this.#show({
      text: `${asked.text.slice(0, found.from)}${word}${rest}`,
      cursor: found.from + word.length,
    });
  }

  #show(draft: Draft): void {
    this.#draft = draft;
    if (this.#done) this.#draw();
  }

  #draw(): void {
    if (!this.#done) return;
    const { rows, columns } = screenSize(this.#screen);
    const paint = painterFor(this.#screen);
    const all = draftRows(this.#draft, this.#options.prompt, columns);
    const shown = visibleRows(all, rows);
    const note = this.#note === '' ? [] : [paint(cutToWidth(this.#note, columns - 1), ['dim'])];
    const lines = [...shown.rows, ...note];
    const up = lines.length - 1 - shown.row;
    this.#screen.write(
      `\r${this.#row > 0 ? `\u001b[${this.#row}A` : ''}\u001b[J${lines.join('\n')}` +
        `\r${up > 0 ? `\u001b[${up}A` : ''}${shown.column > 0 ? `\u001b[${shown.column}C` : ''}`,
    );
    this.#row = shown.row;
  }
}

function commonStart(one: string, other: string): string {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return one.slice(0, length);
}
