import type { Io } from '../terminal/io.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { Input } from './line-input.ts';

const prompt = '> ';

/** Lines from a terminal that can only print: nothing is moved, colored or redrawn. */
export class PlainInput implements Input {
  readonly #io: Io;
  readonly #terminal: Terminal;
  #act: (() => void) | undefined;
  #isReading = false;
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
    this.#isReading = true;
    const line = await this.#terminal.dialogue((dialogue) => dialogue.question(prompt));
    this.#isReading = false;
    return line;
  }

  onInterrupt(act: (() => void) | undefined): void {
    this.#act = act;
  }

  tell(line: string): void {
    this.#io.stdout.write(this.#isReading ? `\n${line}\n${prompt}` : `${line}\n`);
  }
}
