import { CeriseError } from '#shared/errors.ts';

const lf = 0x0a;
const cr = 0x0d;
const space = 0x20;
/** One event may carry a whole image. */
const maxEvent = 64 * 1024 * 1024;

/** Takes one event; true while more are wanted. */
type EventSink = (event: string, data: string) => boolean;

/**
 * Cuts the bytes of an answer into server-sent events, wherever the network cut them. Only whole
 * lines are decoded, all of one read at once. Vendors end lines with LF or CRLF.
 */
export class SseReader {
  readonly #sink: EventSink;
  #rest: Buffer[] = [];
  #restSize = 0;
  #event = '';
  #data: string | undefined;
  #wanted = true;

  constructor(sink: EventSink) {
    this.#sink = sink;
  }

  /** Throws what the sink throws, and CeriseError when an event is endless. */
  push(bytes: Buffer): void {
    const end = bytes.lastIndexOf(lf) + 1;
    if (end > 0) {
      const lines = bytes.subarray(0, end);
      const whole = this.#rest.length > 0 ? Buffer.concat([...this.#rest, lines]) : lines;
      this.#rest = [];
      this.#restSize = 0;
      this.#readLines(whole.toString('utf8'));
    }
    if (end < bytes.length) {
      this.#rest.push(bytes.subarray(end));
      this.#restSize += bytes.length - end;
    }
    if (this.#restSize + (this.#data?.length ?? 0) > maxEvent) {
      throw new CeriseError('model_failed', 'The model provider sent an event without end.');
    }
  }

  /** The bytes are over: an event that only lacks its empty line still counts. */
  end(): void {
    this.#dispatch();
  }

  #readLines(text: string): void {
    let start = text.charCodeAt(0) === 0xfeff ? 1 : 0;
    while (start < text.length && this.#wanted) {
      const lineEnd = text.indexOf('\n', start);
      const end = text.charCodeAt(lineEnd - 1) === cr ? lineEnd - 1 : lineEnd;
      if (end <= start) this.#dispatch();
      else this.#field(text, start, end);
      start = lineEnd + 1;
    }
  }

  #field(text: string, start: number, end: number): void {
    if (text.startsWith('data:', start)) {
      const value = text.slice(valueStart(text, start + 5), end);
      this.#data = this.#data === undefined ? value : `${this.#data}\n${value}`;
    } else if (text.startsWith('event:', start)) {
      this.#event = text.slice(valueStart(text, start + 6), end);
    }
  }

  #dispatch(): void {
    const data = this.#data;
    const event = this.#event;
    this.#data = undefined;
    this.#event = '';
    if (data !== undefined && this.#wanted) this.#wanted = this.#sink(event, data);
  }
}

function valueStart(text: string, start: number): number {
  return text.charCodeAt(start) === space ? start + 1 : start;
}
