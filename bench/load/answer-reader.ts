/** What the reader of one answer hears of. */
export interface AnswerListener {
  /** Text that was not seen before, whether it is durable yet or not. */
  onText(text: string): void;
  onEnd(status: string, length: number): void;
}

interface StreamEvent {
  type: string;
  blockId?: string;
  block?: { type: string };
  offset?: number;
  text?: string;
  status?: string;
}

/**
 * Reads the stream of events of one topic as cheaply as it can: straight from the socket, whose lines of
 * HTTP are skipped like every other line that holds no event. A frame is never split over HTTP chunks.
 */
export class AnswerReader {
  readonly #listener: AnswerListener;
  #rest = '';
  #textId: string | undefined;
  #length = 0;

  constructor(listener: AnswerListener) {
    this.#listener = listener;
  }

  push(piece: string): void {
    const text = this.#rest + piece;
    let start = 0;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
      if (text.startsWith('data: ', start)) {
        this.#read(JSON.parse(text.slice(start + 6, end)) as StreamEvent);
      }
      start = end + 1;
    }
    this.#rest = text.slice(start);
  }

  #read(event: StreamEvent): void {
    if (event.type === 'block-delta') this.#readText(event);
    else if (event.type === 'block-start' && event.block?.type === 'main_text') {
      this.#textId = event.blockId;
      this.#length = 0;
    } else if (event.type === 'message-end') {
      this.#listener.onEnd(event.status ?? '', this.#length);
    }
  }

  /** Text is told twice, before it is durable and then once more. */
  #readText({ blockId, offset = 0, text = '' }: StreamEvent): void {
    if (blockId !== this.#textId) return;
    const known = this.#length - offset;
    if (known < 0) throw new Error(`Text is missing before ${offset}.`);
    if (known >= text.length) return;
    this.#length = offset + text.length;
    this.#listener.onText(text.slice(known));
  }
}
