interface TailEvent {
  seq: number;
  body: string;
}

/** The last durable events of a topic, for viewers that come back. */
export class EventTail {
  #events: TailEvent[] = [];
  /** A cursor below this cannot be served. */
  #floor: number;
  #last: number;

  /** Begins after the event `seq`. */
  constructor(seq: number) {
    this.#floor = seq;
    this.#last = seq;
  }

  push({ seq, body }: TailEvent): void {
    this.#events.push({ seq, body });
    this.#last = seq;
  }

  /** What came after `seq`; undefined if that reaches further back than kept, or is yet to come. */
  after(seq: number): TailEvent[] | undefined {
    if (seq < this.#floor || seq > this.#last) return undefined;
    return this.#events.slice(this.#events.length - (this.#last - seq));
  }

  /** What came before the answer that begins is in rows; a viewer that far back gets a snapshot. */
  trim(): void {
    if (this.#events.length < 64) return;
    this.#events = this.#events.slice(-2);
    this.#floor = (this.#events[0]?.seq ?? this.#last + 1) - 1;
  }
}
