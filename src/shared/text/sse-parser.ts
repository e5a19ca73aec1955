import { ByteCollector } from './byte-collector.ts';

const lf = 0x0a;
const cr = 0x0d;
const colon = 0x3a;
const byteOrderMark = 0xfeff;
/** Longer ids are not kept: they would have to fit into a header. */
const maxIdChars = 4096;
/** What is left of each end of an event that was too large. */
const endBytes = 512;

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
const dataField = encoder.encode('data:');

/** One event, `message` where it has no name. Of one that was too large only its two ends are left. */
export type SseEvent =
  | { event: string; data: string; id?: string | undefined }
  | { event: string; tooLarge: { head: string; tail: string } };

/**
 * Turns the bytes of an event stream into events, by the rules of the HTML standard, wherever the
 * bytes are cut. Whole lines are decoded, all of one read at once. Between two reads it keeps at most
 * `maxBytes` of an event, and nothing of a comment.
 */
export class SseParser {
  readonly #maxBytes: number;
  /** The line that has not ended yet; of a comment only its colon. */
  readonly #rest = new ByteCollector();
  /** The data that earlier reads brought of the present event, each line with its end. */
  readonly #kept = new ByteCollector();
  /** The data that this read brought of it. */
  #data: string | undefined;
  #event = '';
  #id: string | undefined;
  #lastEventId: string;
  #retry: number | undefined;
  #atStart = true;
  /** The last byte was a CR: it has ended its line, and an LF that follows belongs to it. */
  #afterCr = false;
  #lost: { head: string; tail: string } | undefined;

  constructor(maxBytes: number, lastEventId = '') {
    this.#maxBytes = maxBytes;
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

  push(chunk: Uint8Array): SseEvent[] {
    const events: SseEvent[] = [];
    if (chunk.length === 0) return events;
    const bytes = this.#afterCr && chunk[0] === lf ? chunk.subarray(1) : chunk;
    const end = linesEnd(bytes);
    this.#afterCr = end === bytes.length && bytes[end - 1] === cr;
    if (end === bytes.length) this.#readLines(this.#decode(bytes), events);
    else {
      if (end > 0) this.#readLines(this.#decode(bytes.subarray(0, end)), events);
      this.#keepRest(bytes.subarray(end));
    }
    if (this.#data !== undefined) this.#keepData(this.#data);
    return events;
  }

  /** The stream is over: an event that only lacks its empty line. */
  end(): SseEvent[] {
    const events: SseEvent[] = [];
    this.#endEvent(events);
    return events;
  }

  #decode(lines: Uint8Array): string {
    if (this.#rest.size === 0) return decoder.decode(lines);
    this.#rest.append(lines);
    const text = this.#rest.text();
    this.#rest.clear();
    return text;
  }

  #readLines(text: string, events: SseEvent[]): void {
    let start = this.#atStart && text.charCodeAt(0) === byteOrderMark ? 1 : 0;
    this.#atStart = false;
    let lfAt = indexOrEnd(text, '\n', start);
    let crAt = indexOrEnd(text, '\r', start);
    while (start < text.length) {
      const end = Math.min(lfAt, crAt);
      if (end === start) this.#endEvent(events);
      else this.#readLine(text, start, end);
      start = end + (crAt + 1 === lfAt ? 2 : 1);
      if (lfAt < start) lfAt = indexOrEnd(text, '\n', start);
      if (crAt < start) crAt = indexOrEnd(text, '\r', start);
    }
  }

  #readLine(text: string, start: number, end: number): void {
    if (text.startsWith('data:', start)) this.#addData(valueAt(text, start + 5, end));
    else if (text.startsWith('event:', start)) this.#event = valueAt(text, start + 6, end);
    else this.#readField(text.slice(start, end));
  }

  #readField(line: string): void {
    const [name = ''] = line.split(':', 1);
    const value = valueAt(line, name.length + 1, line.length);
    if (name === 'data') this.#addData(value);
    else if (name === 'event') this.#event = value;
    else if (name === 'id' && !value.includes('\0')) this.#id = ownId(value);
    else if (name === 'retry' && /^\d{1,10}$/.test(value)) this.#retry = Number(value);
  }

  #addData(value: string): void {
    if (this.#lost) this.#lost.tail = `${this.#lost.tail}${value}`.slice(-endBytes);
    else this.#data = this.#data === undefined ? value : `${this.#data}\n${value}`;
  }

  #endEvent(events: SseEvent[]): void {
    const event = this.#event === '' ? 'message' : this.#event;
    const id = this.#id;
    const data = this.#kept.size === 0 ? this.#data : this.#allData();
    if (id !== undefined) this.#lastEventId = id;
    if (this.#lost) events.push({ event, tooLarge: this.#lost });
    else if (data !== undefined && this.#isTooLarge(data)) {
      const tooLarge = { head: data.slice(0, endBytes), tail: data.slice(-endBytes) };
      events.push({ event, tooLarge });
    } else if (data !== undefined) events.push({ event, data, id });
    this.#kept.clear();
    this.#data = undefined;
    this.#event = '';
    this.#id = undefined;
    this.#lost = undefined;
  }

  #allData(): string {
    const text = this.#kept.text();
    return this.#data === undefined ? text.slice(0, -1) : text + this.#data;
  }

  #isTooLarge(data: string): boolean {
    return data.length * 3 > this.#maxBytes && encoder.encode(data).length > this.#maxBytes;
  }

  #keepRest(part: Uint8Array): void {
    const isComment = (this.#rest.size === 0 ? part : this.#rest.bytes())[0] === colon;
    if (!isComment) this.#rest.append(part);
    else if (this.#rest.size === 0) this.#rest.append(part.slice(0, 1));
    this.#bound();
  }

  /** As bytes of its own: a piece of a text would hold all of the read that it is a piece of. */
  #keepData(data: string): void {
    this.#kept.append(encoder.encode(`${data}\n`));
    this.#data = undefined;
    this.#bound();
  }

  /** Gives up an event that is too large: from here on only its end is looked at. */
  #bound(): void {
    const most = this.#lost ? 2 * endBytes : this.#maxBytes;
    if (this.#rest.size + this.#kept.size <= most) return;
    const [kept, rest] = [this.#kept.bytes(), this.#rest.bytes()];
    const value = decoder.decode(rest.subarray(rest.indexOf(colon) + 1).subarray(0, endBytes));
    const head = decoder.decode(kept.subarray(0, endBytes)) + value.replace(/^ /, '');
    this.#lost ??= {
      head: head.slice(0, endBytes),
      tail: decoder.decode(kept.subarray(-endBytes)),
    };
    const tail = rest.slice(-endBytes);
    this.#kept.clear();
    this.#rest.clear();
    if (tail.length === 0) return;
    this.#rest.append(dataField);
    this.#rest.append(tail);
  }
}

/** One event of our own stream. */
export interface SseMessage {
  id?: string | undefined;
  event?: string | undefined;
  data: string;
}

/** A parser for one stream of a server that is trusted: bytes in as they arrive, whole events out. */
export function createSseParser(): (bytes: Uint8Array) => SseMessage[] {
  const parser = new SseParser(Infinity);
  return (bytes) => parser.push(bytes).filter((event) => 'data' in event);
}

/** Where the last whole line of these bytes ends. */
function linesEnd(bytes: Uint8Array): number {
  const end = bytes.lastIndexOf(lf) + 1;
  if (end === bytes.length || bytes.indexOf(cr, end) < 0) return end;
  return bytes.lastIndexOf(cr) + 1;
}

function indexOrEnd(text: string, letter: string, start: number): number {
  const index = text.indexOf(letter, start);
  return index < 0 ? text.length : index;
}

/** What stands between two places, without the one space that may stand before it. */
function valueAt(text: string, start: number, end: number): string {
  return text.slice(text[start] === ' ' ? start + 1 : start, end);
}

/** An id is kept for long: a copy, so that it does not hold the read that brought it. */
function ownId(value: string): string {
  return value.length > maxIdChars ? '' : decoder.decode(encoder.encode(value));
}
