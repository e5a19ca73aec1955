import { createInterface, type Interface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import type { Io } from './io.ts';
import { asciiText, charsetOf } from './terminal-charset.ts';
import { screenRows } from './text-width.ts';
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
  /** The same for a word on what was shown: at a terminal, what was typed before it was asked is dropped. */
  decision: (text: string) => Promise<string | undefined>;
}

/** Where a person is asked. One dialogue at a time. */
export class Terminal {
  /** False if nobody is there to ask. */
  readonly interactive: boolean;
  readonly #input: Readable;
  readonly #output: Writable;
  readonly #write: (text: string) => string;
  #last: Promise<unknown> = Promise.resolve();
  #around: { before(): void; after(): void } | undefined;

  /** `charset` is what the terminal reads; one that is not UTF-8 takes other letters for commands. */
  constructor(
    input: Readable,
    output: Writable,
    interactive: boolean,
    charset: 'utf-8' | 'ascii' = 'utf-8',
  ) {
    this.#input = input;
    this.#output = output;
    this.interactive = interactive;
    this.#write = charset === 'ascii' ? asciiText : (text) => text;
  }

  write(text: string): void {
    this.#output.write(this.#write(text));
  }

  /** Runs a dialogue when those before it are over. Aborting the signal ends its questions. */
  async dialogue<T>(work: (dialogue: Dialogue) => Promise<T>, signal?: AbortSignal): Promise<T> {
    const result = this.#last.then(() => this.#run(work, signal));
    this.#last = result.catch(() => undefined);
    return result;
  }

  /** What else reads the keys of the terminal steps aside before each dialogue, and comes back after it. */
  around(other: { before(): void; after(): void }): void {
    this.#around = other;
  }

  async #run<T>(work: (dialogue: Dialogue) => Promise<T>, signal?: AbortSignal): Promise<T> {
    this.#around?.before();
    const lines = new Lines(this.#input, this.#output);
    const end = (): void => lines.close();
    signal?.addEventListener('abort', end);
    if (signal?.aborted) end();
    try {
      return await work({
        write: (text) => this.write(text),
        show: (text) => this.#show(text, lines),
        question: (text) => lines.ask(this.#write(text)),
        decision: (text) => lines.askAnew(this.#write(text)),
      });
    } finally {
      signal?.removeEventListener('abort', end);
      end();
      this.#around?.after();
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
export function openTerminal({ stdin, stderr, env }: Io): Terminal {
  return new Terminal(stdin, stderr, stdin.isTTY === true, charsetOf(env));
}

/** Whether somebody said yes, and nothing but that. */
export function isYes(answer: string | undefined): boolean {
  return /^\s*y(?:es)?\s*$/i.test(answer ?? '');
}

/** Lines of the input, also those that were typed (or pasted) before they were asked for. */
class Lines {
  readonly #isTerminal: boolean;
  readonly #readline: Interface;
  readonly #waiting: string[] = [];
  #take: ((line: string | undefined) => void) | undefined;
  #closed = false;

  constructor(input: Readable, output: Writable) {
    this.#isTerminal = (input as { isTTY?: boolean }).isTTY === true;
    this.#readline = createInterface({ input, output, prompt: '' });
    this.#readline.on('line', (line) => {
      const take = this.#take;
      this.#take = undefined;
      if (take) take(line);
      else this.#waiting.push(line);
    });
    this.#readline.on('close', () => {
      this.#closed = true;
      this.#take?.(undefined);
    });
    this.#readline.on('SIGINT', () => {
      this.close();
      output.write('\n');
      process.kill(process.pid, 'SIGINT');
    });
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
  async askAnew(text: string): Promise<string | undefined> {
    if (this.#isTerminal) {
      // What lies ready at the terminal is read in the next round of the event loop.
      await setImmediate();
      await setImmediate();
      this.#waiting.length = 0;
      if (this.#readline.terminal && !this.#closed)
        this.#readline.write(null, { ctrl: true, name: 'u' });
    }
    return this.ask(text);
  }

  close(): void {
    this.#readline.close();
  }
}
