import type { Viewer } from '#chat/viewers.ts';
import { limits } from '#shared/limits.ts';

const encoder = new TextEncoder();
const viewers = new WeakMap<ReadableStream, StreamViewer>();
const heartbeat = encoder.encode(': heartbeat\n\n');

/** The viewer behind one response. */
export interface ResponseViewer extends Viewer {
  /**
   * What is sent while `work` runs does not count as being slow: the reader has to catch up with it.
   * A reader that is behind already is cut instead.
   */
  catchUp(work: () => Promise<void>): Promise<void>;
}

/**
 * A response that streams frames to one reader. `attach` gets the viewer and resolves to what
 * detaches it. A reader that lets more than the queue limit pile up is cut; it can come back with
 * the id of the last frame it got.
 */
export async function eventStream(
  attach: (viewer: ResponseViewer) => Promise<() => void>,
): Promise<Response> {
  const viewer = new StreamViewer();
  await viewer.attach(attach);
  viewers.set(viewer.body, viewer);
  return new Response(viewer.body, {
    headers: {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    },
  });
}

/** A connection as far as frames are written to it. */
interface Outgoing {
  readonly headersSent: boolean;
  readonly writableLength: number;
  write(bytes: Uint8Array): boolean;
}

/**
 * Where frames of a response are written to in the end. Once its head and all earlier frames are, later
 * ones go straight to it. What copies a body to a connection keeps a promise for every piece until the
 * body ends, and a stream of events may be open for days.
 */
export function writeStraightTo(outgoing: Outgoing, { body }: Response): void {
  if (body) viewers.get(body)?.writeStraightTo(outgoing);
}

/** An event of the whole host as a frame. */
export function hostFrame(event: object): Uint8Array {
  return encoder.encode(`data: ${JSON.stringify(event)}\n\n`);
}

/** The HTTP server prints it; where it was made says nothing, so it has no stack. */
function tooSlow(): Error {
  const error = new Error('A reader of events was too slow and was cut; it can come back.');
  error.stack = undefined;
  return error;
}

class StreamViewer implements ResponseViewer {
  readonly body: ReadableStream<Uint8Array>;
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  readonly #timer: NodeJS.Timeout;
  #detach: (() => void) | undefined;
  #ended = false;
  /** What a newcomer must catch up with does not count as being slow until it has. */
  #allowance = 0;
  #catchingUp = 0;
  #outgoing: Outgoing | undefined;
  /** True once all that went through the body is written, so that nothing can be overtaken. */
  #straight = false;
  #switching: NodeJS.Immediate | undefined;

  constructor() {
    this.body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => void (this.#controller = controller),
        cancel: () => this.#finish(),
      },
      { highWaterMark: limits.viewerQueue, size: (chunk) => chunk?.byteLength ?? 0 },
    );
    this.#timer = setInterval(() => this.send(heartbeat, false), limits.heartbeat).unref();
  }

  async attach(attach: (viewer: ResponseViewer) => Promise<() => void>): Promise<void> {
    try {
      await this.catchUp(async () => void (this.#detach = await attach(this)));
    } catch (error) {
      this.#finish();
      throw error;
    }
    if (this.#ended) this.#detach?.();
  }

  async catchUp(work: () => Promise<void>): Promise<void> {
    if (this.#room <= 0) return this.#cut();
    this.#catchingUp += 1;
    try {
      await work();
    } finally {
      this.#catchingUp -= 1;
      this.#allowance = Math.max(0, limits.viewerQueue - this.#room);
    }
  }

  writeStraightTo(outgoing: Outgoing): void {
    this.#outgoing = outgoing;
  }

  send(bytes: Uint8Array, durable: boolean): void {
    if (this.#ended) return;
    const room = this.#room;
    if (room >= limits.viewerQueue) this.#allowance = 0;
    if (this.#catchingUp > 0 || room + this.#allowance > 0) this.#put(bytes);
    else if (durable) this.#cut();
  }

  end(): void {
    if (this.#ended) return;
    this.#finish();
    this.#controller?.close();
  }

  #cut(): void {
    if (this.#ended) return;
    this.#finish();
    this.#controller?.error(tooSlow());
  }

  #put(bytes: Uint8Array): void {
    if (this.#straight) return void this.#outgoing?.write(bytes);
    this.#controller?.enqueue(bytes);
    if (this.#outgoing?.headersSent) this.#switching ??= setImmediate(() => this.#goStraight());
  }

  /** Whatever was read from the body has been written by now: that takes microtasks only. */
  #goStraight(): void {
    this.#switching = undefined;
    this.#straight = this.#controller?.desiredSize === limits.viewerQueue;
  }

  get #room(): number {
    if (this.#straight) return limits.viewerQueue - (this.#outgoing?.writableLength ?? 0);
    return this.#controller?.desiredSize ?? 0;
  }

  #finish(): void {
    this.#ended = true;
    clearInterval(this.#timer);
    clearImmediate(this.#switching);
    this.#detach?.();
    this.#detach = undefined;
  }
}
