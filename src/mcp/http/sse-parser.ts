import { ByteCollector } from '#shared/text/byte-collector.ts';

const lf = 0x0a;
const cr = 0x0d;
const colon = 0x3a;
const space = 0x20;
const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);
const newline = Buffer.from('\n');
const nothing = Buffer.alloc(0);
/** Longer ids are not kept: they would have to fit into a header. */
const longestId = 4096;
const endBytes = 512;

/** One event. Of one that was too large only its two ends are left. */
export type SseEvent =
  | { type: string; data: string }
  | { type: string; tooLarge: { head: string; tail: string } };

/**
 * Turns the bytes of an event stream into events, by the rules of the HTML standard, wherever the
 * bytes are cut. It never keeps more than `maxEvent` bytes of an event, and nothing of a comment.
 */
export class SseParser {
  readonly #maxEvent: number;
  readonly #line = new ByteCollector();
  readonly #data = new ByteCollector();
  #hasData = false;
  #type = '';
  #idBuffer: string;
  #lastEventId: string;
  #retry: number | undefined;
  #atStart = true;
  #afterCr = false;
  /** The rest of this line is dropped, as a comment or as part of what was lost. */
  #skipped: 'comment' | 'lost' | undefined;
  #lost: { head: string; tail: Buffer } | undefined;

  constructor(maxEvent: number, lastEventId = '') {
    this.#maxEvent = maxEvent;
    this.#idBuffer = lastEventId;
    this.#lastEventId = lastEventId;
  }

  /** The id of the last event that was whole; empty if there was none. */
  get lastEventId(): string {
    return this.#lastEventId;
  }

  /** The milliseconds to wait before connecting again, where the server said so. */
  get retry(): number | undefined {
    return this.#retry;
  }

  /** The event that is coming in is too large already. */
  get isLosing(): boolean {
    return this.#lost !== undefined;
  }

  push(chunk: Buffer): SseEvent[] {
    const events: SseEvent[] = [];
    if (chunk.length === 0) return events;
    let start = this.#afterCr && chunk[0] === lf ? 1 : 0;
    this.#afterCr = false;
    let nextCr = chunk.indexOf(cr, start);
    let nextLf = chunk.indexOf(lf, start);
    while (nextCr >= 0 || nextLf >= 0) {
      const endsWithCr = nextCr >= 0 && (nextLf < 0 || nextCr < nextLf);
      const end = endsWithCr ? nextCr : nextLf;
      this.#endLine(chunk.subarray(start, end), events);
      start = end + 1;
      if (endsWithCr && start === chunk.length) this.#afterCr = true;
      if (endsWithCr && chunk[start] === lf) start += 1;
      if (nextCr >= 0 && nextCr < start) nextCr = chunk.indexOf(cr, start);
      if (nextLf >= 0 && nextLf < start) nextLf = chunk.indexOf(lf, start);
    }
    if (start < chunk.length) this.#keep(chunk.subarray(start));
    return events;
  }

  /** Bytes of a line that has not ended yet. */
  #keep(part: Buffer): void {
    if (this.#skipped) this.#skip(part);
    else if (this.#line.size === 0 && part[0] === colon) this.#skipped = 'comment';
    else if (this.#line.size + this.#data.size + part.length <= this.#maxEvent) {
      this.#line.append(part);
    } else {
      this.#lose(part);
      this.#skipped = 'lost';
    }
  }

  #skip(part: Buffer): void {
    if (this.#skipped === 'lost') this.#noteTail(part);
  }

  #endLine(rest: Buffer, events: SseEvent[]): void {
    if (this.#skipped) {
      this.#skip(rest);
      this.#skipped = undefined;
      this.#atStart = false;
      return;
    }
    let line = rest;
    if (this.#line.size > 0) {
      this.#line.append(rest);
      line = this.#line.bytes();
    }
    if (this.#atStart) line = withoutMark(line);
    this.#atStart = false;
    if (line.length === 0) this.#endEvent(events);
    else if (line[0] !== colon) this.#field(line);
    this.#line.clear();
  }

  #field(line: Buffer): void {
    const end = line.indexOf(colon);
    const name = line.toString('latin1', 0, Math.min(end < 0 ? line.length : end, 6));
    const start = end < 0 ? line.length : line[end + 1] === space ? end + 2 : end + 1;
    if (name === 'data') this.#addData(line.subarray(start));
    else if (name === 'event') this.#type = line.toString('utf8', start, start + longestId);
    else if (name === 'id') this.#setId(line.subarray(start));
    else if (name === 'retry') this.#setRetry(line.toString('latin1', start, start + 16));
  }

  #addData(value: Buffer): void {
    if (this.#lost) return this.#noteTail(value);
    if (this.#data.size + value.length >= this.#maxEvent) return this.#lose(value);
    if (this.#hasData) this.#data.append(newline);
    this.#data.append(value);
    this.#hasData = true;
  }

  #setId(value: Buffer): void {
    if (!value.includes(0)) this.#idBuffer = value.length > longestId ? '' : value.toString();
  }

  #setRetry(value: string): void {
    if (/^\d{1,10}$/.test(value)) this.#retry = Number(value);
  }

  /** Gives the event up: from here on only its end is looked at. */
  #lose(part: Buffer): void {
    if (!this.#lost) {
      const kept = this.#data.size > 0 ? this.#data.bytes() : afterField(this.#line.bytes());
      const head = Buffer.concat([kept.subarray(0, endBytes), part.subarray(0, endBytes)]);
      this.#lost = { head: head.toString('utf8', 0, endBytes), tail: nothing };
    }
    this.#noteTail(part);
    this.#line.clear();
    this.#data.clear();
  }

  #noteTail(part: Buffer): void {
    if (!this.#lost) return;
    const tail = Buffer.concat([this.#lost.tail, part.subarray(-endBytes)]);
    this.#lost.tail = Buffer.from(tail.subarray(-endBytes));
  }

  #endEvent(events: SseEvent[]): void {
    this.#lastEventId = this.#idBuffer;
    const type = this.#type === '' ? 'message' : this.#type;
    if (this.#lost) {
      const { head, tail } = this.#lost;
      events.push({ type, tooLarge: { head, tail: tail.toString() } });
    } else if (this.#hasData) events.push({ type, data: this.#data.text() });
    this.#data.clear();
    this.#hasData = false;
    this.#type = '';
    this.#lost = undefined;
  }
}

function withoutMark(line: Buffer): Buffer {
  return line.subarray(0, 3).equals(byteOrderMark) ? line.subarray(3) : line;
}

/** The value of a line that has not ended yet. */
function afterField(line: Buffer): Buffer {
  const start = line.indexOf(colon) + 1;
  return line.subarray(line[start] === space ? start + 1 : start);
}
