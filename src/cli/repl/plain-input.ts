import type { Io } from '../terminal/io.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { Input } from './line-input.ts';

/** Lines from a terminal that can only print: nothing is moved, colored or redrawn. */
export class PlainInput implements Input {
  readonly #io: Io;
  readonly #terminal: Terminal;
  #act: (() => void) | undefined;
  #unlisten: (() => void) | undefined;

  constructor(io: Io, terminal: Terminal) {
    this.#io = io;
    this.#terminal = terminal;
  }

  open(): void {
    this.#unlisten ??= this.#io.onSignal('SIGINT', () => this.#act?.());
  }

  close(): void {
    this.#unlisten?.();
    this.#unlisten = undefined;
  }

  async read(): Promise<string | undefined> {
    return this.#terminal.dialogue((dialogue) => dialogue.question('> '));
  }

  onInterrupt(act: (() => void) | undefined): void {
    this.#act = act;
  }

  tell(line: string): void {
    this.#io.stdout.write(`${line}\n`);
  }
}
