import { ByteCollector } from '#shared/text/byte-collector.ts';

/** What a reader found: a whole line, or the two ends of one that was too long to keep. */
export type Line = { text: string } | { head: string; tail: string; bytes: number };

const endBytes = 512;
const newline = 10;

/**
 * Splits bytes into lines and never keeps more than `maxBytes` of one. A longer line is dropped while
 * it arrives; of it only both ends are reported, once it has ended.
 */
export class LineReader {
  readonly #maxBytes: number;
  readonly #kept = new ByteCollector();
  #bytes = 0;
  #head: string | undefined;
  #tail: Buffer = Buffer.alloc(0);

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Bytes of the line that has not ended yet, kept or dropped. */
  get pendingBytes(): number {
    return this.#bytes;
  }

  push(chunk: Buffer): Line[] {
    const lines: Line[] = [];
    let start = 0;
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, start)) {
      this.#append(chunk.subarray(start, end));
      lines.push(this.#take());
      start = end + 1;
    }
    if (start < chunk.length) this.#append(chunk.subarray(start));
    return lines;
  }

  /** What is left when the stream ends without a newline. */
  flush(): Line[] {
    return this.#bytes === 0 ? [] : [this.#take()];
  }

  #append(bytes: Buffer): void {
    this.#bytes += bytes.length;
    if (this.#head === undefined) {
      this.#kept.append(bytes);
      if (this.#bytes <= this.#maxBytes) return;
      const kept = this.#kept.bytes();
      this.#head = new TextDecoder().decode(kept.subarray(0, endBytes));
      this.#tail = Buffer.from(kept.subarray(-endBytes));
      this.#kept.clear();
      return;
    }
    this.#tail = Buffer.from(
      Buffer.concat([this.#tail, bytes.subarray(-endBytes)]).subarray(-endBytes),
    );
  }

  #take(): Line {
    const line: Line =
      this.#head === undefined
        ? { text: this.#kept.text().replace(/\r$/, '') }
        : { head: this.#head, tail: this.#tail.toString('utf8'), bytes: this.#bytes };
    this.#kept.clear();
    this.#bytes = 0;
    this.#head = undefined;
    this.#tail = Buffer.alloc(0);
    return line;
  }
}
