import type { Writable } from 'node:stream';
import { screenSize } from '../terminal/screen-size.ts';
import { cutToWidth } from '../terminal/text-width.ts';
import { painterFor } from './painter.ts';

/** How often the line changes at most; what it says is only of the moment. */
const pauseMs = 100;

/** One line below what was printed that tells what goes on, and goes when something is printed. */
export class StatusLine {
  readonly #out: Writable & { columns?: number };
  readonly #isOn: boolean;
  #shown = '';
  #drawnAt = 0;

  constructor(out: Writable & { columns?: number }, isOn: boolean) {
    this.#out = out;
    this.#isOn = isOn;
  }

  show(text: string): void {
    const now = performance.now();
    if (!this.#isOn || text === this.#shown) return;
    if (this.#shown !== '' && now - this.#drawnAt < pauseMs) return;
    this.#drawnAt = now;
    this.#shown = text;
    const line = cutToWidth(text, screenSize(this.#out).columns - 1);
    this.#out.write(`\r\u001b[K${painterFor(this.#out)(line, ['dim'])}`);
  }

  clear(): void {
    if (this.#shown === '') return;
    this.#shown = '';
    this.#out.write('\r\u001b[K');
  }
}
