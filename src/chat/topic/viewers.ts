import type { EventBody } from '#shared/vocabulary/event.ts';

/** Somebody who watches a topic: gets text of the event stream, whole frames at a time. */
export interface Viewer {
  /** `durable` frames must arrive or the viewer is cut; provisional ones may be left out. */
  send(frames: string, durable: boolean): void;
  /** The stream ends for good: the topic or the host is gone. */
  end(): void;
}

type DeltaEvent = Extract<EventBody, { type: 'block-delta' }>;

/** A durable event as a frame of the stream. `body` is the event's JSON without its number. */
export function durableFrame({ seq, body }: { seq: number; body: string }): string {
  return `id: ${seq}\ndata: {"seq":${seq},${body.slice(1)}\n\n`;
}

/** One timer for all topics: what is shown to viewers goes out together, at most every frame. */
export class FrameClock {
  readonly #due = new Set<Viewers>();
  readonly #period: number;
  #timer: NodeJS.Timeout | undefined;

  constructor(period: number) {
    this.#period = period;
  }

  request(viewers: Viewers): void {
    this.#due.add(viewers);
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      const due = [...this.#due];
      this.#due.clear();
      for (const each of due) each.sendFrame();
    }, this.#period);
  }

  close(): void {
    clearTimeout(this.#timer);
  }
}

/** The viewers of one topic, and the text they are to see before it is durable. */
export class Viewers {
  readonly #clock: FrameClock;
  readonly #viewers = new Set<Viewer>();
  readonly #provisional = new Map<string, DeltaEvent>();
  /** Blocks whose start is durable, so that text of them can be placed. */
  readonly #openBlocks = new Set<string>();

  constructor(clock: FrameClock) {
    this.#clock = clock;
  }

  get size(): number {
    return this.#viewers.size;
  }

  add(viewer: Viewer): void {
    this.#viewers.add(viewer);
  }

  delete(viewer: Viewer): void {
    this.#viewers.delete(viewer);
  }

  endAll(): void {
    for (const viewer of this.#viewers) viewer.end();
    this.#viewers.clear();
  }

  /** Text that is not durable yet: shown with the next frame. */
  showText(messageId: string, blockId: string, offset: number, text: string): void {
    if (this.#viewers.size === 0) return;
    const waiting = this.#provisional.get(blockId);
    if (waiting) waiting.text += text;
    else {
      this.#provisional.set(blockId, { type: 'block-delta', messageId, blockId, offset, text });
      this.#clock.request(this);
    }
  }

  /** Events that are durable now: shown at once. */
  showEvents(events: { seq: number; body: string; event: EventBody }[]): void {
    let frames = '';
    for (const numbered of events) {
      this.#settle(numbered.event);
      if (this.#viewers.size > 0) frames += durableFrame(numbered);
    }
    if (frames) this.#broadcast(frames, true);
  }

  sendFrame(): void {
    let frames = '';
    for (const [blockId, delta] of this.#provisional) {
      if (!this.#openBlocks.has(blockId)) continue;
      this.#provisional.delete(blockId);
      frames += `data: ${JSON.stringify(delta)}\n\n`;
    }
    if (this.#provisional.size > 0) this.#clock.request(this);
    if (frames) this.#broadcast(frames, false);
  }

  /** Frames that are made already, such as a snapshot. */
  showFrames(frames: string): void {
    this.#openBlocks.clear();
    this.#provisional.clear();
    this.#broadcast(frames, true);
  }

  /** Text that will never be durable: another host goes on from what is. */
  forgetProvisional(): void {
    this.#provisional.clear();
  }

  #broadcast(frames: string, durable: boolean): void {
    for (const viewer of this.#viewers) viewer.send(frames, durable);
  }

  /** Provisional text that a durable event covers need not be shown any more. */
  #settle(event: EventBody): void {
    if (event.type === 'block-start') this.#openBlocks.add(event.blockId);
    else if (event.type === 'block-delta') this.#trimProvisional(event);
    else if (event.type === 'block-end') {
      this.#openBlocks.delete(event.blockId);
      this.#provisional.delete(event.blockId);
    } else if (event.type === 'message-end') this.#forget(event.messageId);
  }

  /** Another message of the topic may be growing at the same time. */
  #forget(messageId: string): void {
    for (const blockId of this.#openBlocks)
      if (blockId.startsWith(`${messageId}.`)) this.#openBlocks.delete(blockId);
    for (const [blockId, delta] of this.#provisional)
      if (delta.messageId === messageId) this.#provisional.delete(blockId);
  }

  #trimProvisional(durable: DeltaEvent): void {
    const waiting = this.#provisional.get(durable.blockId);
    if (!waiting) return;
    const covered = durable.offset + durable.text.length - waiting.offset;
    if (covered >= waiting.text.length) this.#provisional.delete(durable.blockId);
    else if (covered > 0) {
      waiting.text = waiting.text.slice(covered);
      waiting.offset += covered;
    }
  }
}
