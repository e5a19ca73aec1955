import { createInterface, type Interface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import type { Io } from './io.ts';
import { asciiText, charsetOf } from './terminal-charset.ts';
import { screenRows, widthOf } from './text-width.ts';
import { say } from '#shared/errors/sentence.ts';
import { tell } from '../messages/tell.ts';

/** A dialogue that goes on: a question at a time. */
export interface Dialogue {
  write: (text: string) => void;
  /**
   * Shows all of a text, in pages where it does not fit on the screen. False if the person stopped
   * before its end: they have not seen it.
   */
  show: (text: string) => Promise<boolean>;
  /** What the person typed; undefined if they ended the input (Ctrl-C, Ctrl-D) or it is over. */
  question: (text: string) => Promise<string | undefined>;
  /** The same with a text that stands there to be changed, unless the terminal cannot show it. */
  edit: (text: string, preset: string) => Promise<string | undefined>;
  /** The same for a word on what was shown: at a terminal, what was typed before it was asked is dropped. */
  decision: (text: string) => Promise<string | undefined>;
}

interface TerminalOptions {
  /** What the terminal reads; one that is not UTF-8 takes other letters for commands. */
  charset?: 'utf-8' | 'ascii';
  /** What Ctrl-Z does in a dialogue; absent: what it does to any program. */
  suspend?: (() => Promise<void>) | undefined;
}

/** Where a person is asked. One dialogue at a time. */
export class Terminal {
  /** False if nobody is there to ask. */
  readonly interactive: boolean;
  /** What Ctrl-C does in a dialogue, which it ends; unless told, what it does to any program. */
  onInterrupt: () => void = () => process.kill(process.pid, 'SIGINT');
  readonly #input: Readable;
  readonly #output: Writable;
  readonly #write: (text: string) => string;
  readonly #suspend: TerminalOptions['suspend'];
  #last: Promise<unknown> = Promise.resolve();
  #dialogues = 0;
  readonly #around = new Set<{ before(): void; after?(): void }>();

  constructor(
    input: Readable,
    output: Writable,
    interactive: boolean,
    { charset = 'utf-8', suspend }: TerminalOptions = {},
  ) {
    this.#input = input;
    this.#output = output;
    this.interactive = interactive;
    this.#write = charset === 'ascii' ? asciiText : (text) => text;
    this.#suspend = suspend;
  }

  write(text: string): void {
    this.#output.write(this.#write(text));
  }

  /** Runs a dialogue when those before it are over. Aborting the signal ends its questions. */
  async dialogue<T>(work: (dialogue: Dialogue) => Promise<T>, signal?: AbortSignal): Promise<T> {
    this.#dialogues += 1;
    const result = this.#last
      .then(() => this.#run(work, signal))
      .finally(() => (this.#dialogues -= 1));
    this.#last = result.catch(() => undefined);
    return result;
  }

  /** What else uses the terminal steps aside before each dialogue, and comes back after it, until the result is called. */
  around(other: { before(): void; after?(): void }): () => void {
    this.#around.add(other);
    return () => void this.#around.delete(other);
  }

  /** Whether a dialogue is open or waits. */
  get isAsking(): boolean {
    return this.#dialogues > 0;
  }

  /** Resolves when no dialogue is open or waits. */
  async quiet(): Promise<void> {
    for (let last; last !== this.#last;) {
      last = this.#last;
      await last;
    }
  }

  async #run<T>(work: (dialogue: Dialogue) => Promise<T>, signal?: AbortSignal): Promise<T> {
    for (const other of this.#around) other.before();
    const lines = new Lines(this.#input, this.#output, () => this.onInterrupt());
    if (this.#suspend) lines.suspendBy(this.#suspend);
    const end = (): void => lines.close();
    signal?.addEventListener('abort', end);
    if (signal?.aborted) end();
    try {
      return await work({
        write: (text) => this.write(text),
        show: (text) => this.#show(text, lines),
        question: (text) => lines.ask(this.#write(text)),
        edit: (text, preset) =>
          lines.askAnew(this.#write(text), this.#write(preset) === preset ? preset : ''),
        decision: (text) => lines.askAnew(this.#write(text)),
      });
    } finally {
      signal?.removeEventListener('abort', end);
      end();
      for (const other of this.#around) other.after?.();
    }
  }

  async #show(given: string, lines: Lines): Promise<boolean> {
    const text = this.#write(given);
    const { rows, columns } = this.#output as Partial<Record<'rows' | 'columns', number>>;
    const all = rows && columns ? screenRows(text, columns) : [];
    if (!rows || all.length <= rows - kept) {
      this.write(`${text}\n`);
      return true;
    }
    let page = Math.max(fewestRows, rows - kept);
    for (let at = 0; ;) {
      this.write(`${all.slice(at, at + page).join('\n')}\n`);
      at += page;
      const left = all.length - at;
      if (left <= 0) return true;
      const next = await lines.askAnew(
        tell(say('cli-pager')`-- more lines: ${left}. [Enter] next page, [a]ll, [q]uit -- `),
      );
      const letter = next?.trim().toLowerCase()[0];
      if (next === undefined || letter === 'q' || letter === 'n') return false;
      if (letter === 'a') page = all.length;
    }
  }
}

/** Rows of the screen that stay free for what stands above a page and for the question below. */
const kept = 4;
const fewestRows = 4;

/** The terminal a command was started in; questions go to standard error, answers stay clean. */
export function openTerminal({ stdin, stderr, env, suspend }: Io): Terminal {
  return new Terminal(stdin, stderr, stdin.isTTY === true, { charset: charsetOf(env), suspend });
}

/** Whether somebody said yes, and nothing but that. */
export function isYes(answer: string | undefined): boolean {
  return /^\s*y(?:es)?\s*$/i.test(answer ?? '');
}

/** Lines of the input, also those that were typed (or pasted) before they were asked for. */
class Lines {
  readonly #input: Readable & { isTTY?: boolean; setRawMode?: (raw: boolean) => unknown };
  readonly #readline: Interface;
  readonly #waiting: string[] = [];
  #take: ((line: string | undefined) => void) | undefined;
  #closed = false;

  constructor(input: Readable, output: Writable, onInterrupt: () => void) {
    this.#input = input;
    this.#readline = createInterface({ input, output, prompt: '' });
    this.#readline.on('line', (line) => {
      const take = this.#take;
      this.#take = undefined;
      if (take) take(line);
      else this.#waiting.push(line);
    });
    const erase = () => eraseAtEnd(this.#readline, output);
    input.on('keypress', erase);
    this.#readline.on('close', () => {
      input.off('keypress', erase);
      this.#closed = true;
      this.#take?.(undefined);
    });
    this.#readline.on('SIGINT', () => {
      this.close();
      output.write('\n');
      onInterrupt();
    });
  }

  /** What Ctrl-Z does. */
  suspendBy(suspend: () => Promise<void>): void {
    const input = this.#input;
    const stopped = async (): Promise<void> => {
      input.setRawMode?.(false);
      await suspend();
      if (this.#closed) return;
      input.setRawMode?.(true);
      this.#readline.prompt(true);
    };
    this.#readline.on('SIGTSTP', () => void stopped());
  }

  async ask(text: string): Promise<string | undefined> {
    const early = this.#waiting.shift();
    if (early !== undefined || this.#closed) return early;
    const { promise, resolve } = Promise.withResolvers<string | undefined>();
    this.#take = resolve;
    this.#readline.setPrompt(text);
    this.#readline.prompt();
    return promise;
  }

  /** Nobody can have meant what they typed before they were asked; a script that writes ahead did. */
  async askAnew(text: string, preset = ''): Promise<string | undefined> {
    if (this.#input.isTTY) {
      // What lies ready at the terminal is read in the next round of the event loop.
      await setImmediate();
      await setImmediate();
      this.#waiting.length = 0;
      if (this.#readline.terminal && !this.#closed)
        this.#readline.write(null, { ctrl: true, name: 'u' });
    }
    const line = this.ask(text);
    if (this.#readline.terminal && !this.#closed) this.#readline.write(preset);
    return line;
  }

  close(): void {
    this.#readline.close();
  }
}

/** On a dumb terminal Node edits no line: a key that erases stands at its end as a character. */
function eraseAtEnd(readline: Interface, output: Writable): void {
  const key = readline.line.at(-1);
  const isWhole = key === '\u0015';
  if (!isWhole && key !== '\b' && key !== '\u007f') return;
  const before = readline.line.slice(0, -1);
  const line = isWhole ? '' : before.replace(/.$/su, '');
  output.write('\b \b'.repeat(widthOf(before) - widthOf(line)));
  Object.assign(readline, { line, cursor: line.length });
}
