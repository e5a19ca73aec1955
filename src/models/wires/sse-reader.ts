import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import { ByteCollector } from '#shared/text/byte-collector.ts';

const lf = 0x0a;
const cr = 0x0d;
const space = 0x20;
/** Nobody writes an event in more lines. */
const mostLines = 100_000;

/** Takes one event; true while more are wanted. */
type EventSink = (event: string, data: string) => boolean;

/**
 * Cuts the bytes of an answer into server-sent events, wherever the network cut them. Only whole
 * lines are decoded, all of one read at once. A line ends with LF, CRLF or, as nearly nobody does, CR.
 */
export class SseReader {
  readonly #sink: EventSink;
  readonly #most: number;
  readonly #rest = new ByteCollector();
  #event = '';
  #data: string | undefined;
  /** Of the data of the present event, but for the first. */
  #lines = 0;
  #wanted = true;
  /** The last byte was a CR: it has ended its line, and an LF that follows belongs to it. */
  #afterCr = false;

  /** `most`: the bytes of one event. */
  constructor(sink: EventSink, most: number) {
    this.#sink = sink;
    this.#most = most;
  }

  /** Throws what the sink throws, and CeriseError when an event is endless. */
  push(read: Buffer): void {
    if (read.length === 0) return;
    const bytes = this.#afterCr && read[0] === lf ? read.subarray(1) : read;
    const end = linesEnd(bytes);
    this.#afterCr = bytes[end - 1] === cr && end === bytes.length;
    if (end > 0) {
      this.#rest.append(bytes.subarray(0, end));
      const lines = this.#rest.text();
      this.#rest.clear();
      this.#readLines(lines);
    }
    this.#rest.append(bytes.subarray(end));
    if (this.#rest.size + (this.#data?.length ?? 0) > this.#most) throw endless();
  }

  /** The bytes are over: an event that only lacks its empty line still counts. */
  end(): void {
    this.#dispatch();
  }

  #readLines(text: string): void {
    let start = text.charCodeAt(0) === 0xfeff ? 1 : 0;
    let lfAt = indexOrEnd(text, '\n', start);
    let crAt = indexOrEnd(text, '\r', start);
    while (start < text.length && this.#wanted) {
      const end = Math.min(lfAt, crAt);
      if (end <= start) this.#dispatch();
      else this.#field(text, start, end);
      start = end + (crAt + 1 === lfAt ? 2 : 1);
      if (lfAt < start) lfAt = indexOrEnd(text, '\n', start);
      if (crAt < start) crAt = indexOrEnd(text, '\r', start);
    }
  }

  #field(text: string, start: number, end: number): void {
    if (text.startsWith('data:', start)) {
      const value = text.slice(valueStart(text, start + 5), end);
      if (this.#data === undefined) this.#data = value;
      else this.#addLine(value);
    } else if (text.startsWith('event:', start)) {
      this.#event = text.slice(valueStart(text, start + 6), end);
    }
  }

  #addLine(value: string): void {
    this.#lines += 1;
    if (this.#lines > mostLines) throw endless();
    this.#data += `\n${value}`;
  }

  #dispatch(): void {
    const data = this.#data;
    const event = this.#event;
    this.#lines = 0;
    this.#data = undefined;
    this.#event = '';
    // By the specification an event with empty data is none; servers keep a connection open with it.
    if (data && this.#wanted) this.#wanted = this.#sink(event, data);
  }
}

function endless(): CeriseError {
  return new CeriseError(
    'model_failed',
    say('event-without-end')`The model provider sent an event without end.`,
  );
}

/** Where the last whole line of these bytes ends. */
function linesEnd(bytes: Buffer): number {
  const end = bytes.lastIndexOf(lf) + 1;
  if (end === bytes.length || bytes.indexOf(cr, end) < 0) return end;
  return bytes.lastIndexOf(cr) + 1;
}

function indexOrEnd(text: string, letter: string, start: number): number {
  const index = text.indexOf(letter, start);
  return index < 0 ? text.length : index;
}

function valueStart(text: string, start: number): number {
  return text.charCodeAt(start) === space ? start + 1 : start;
}
