import { ServerResponse } from 'node:http';
import type { Viewer } from '#chat/topic/viewers.ts';
import type { Limits } from '#shared/vocabulary/limits.ts';

const encoder = new TextEncoder();
const viewers = new WeakMap<ReadableStream, StreamViewer>();
const comment = ': heartbeat\n\n';

type StreamLimits = Pick<Limits, 'viewerQueue' | 'heartbeat'>;

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
  limits: StreamLimits,
  attach: (viewer: ResponseViewer) => Promise<() => void>,
  heartbeat = comment,
): Promise<Response> {
  const viewer = new StreamViewer(limits, heartbeat);
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

/**
 * Where frames of a response are written to in the end. Once its head and all earlier frames are, later
 * ones go straight to it. What copies a body to a connection keeps a promise for every piece until the
 * body ends, and a stream of events may be open for days.
 */
export function writeStraightTo(outgoing: object, { body, headers }: Response): void {
  const viewer = body && viewers.get(body);
  if (!viewer || !(outgoing instanceof ServerResponse)) return;
  viewer.writeStraightTo(outgoing);
  // Else the first frame waits for a timer: the body might end, and its length be told.
  if (outgoing.useChunkedEncodingByDefault) headers.set('transfer-encoding', 'chunked');
  // What is there already leaves together with the head.
  const { socket } = outgoing;
  socket?.cork();
  process.nextTick(() => socket?.uncork());
}

/** Characters up to which a text is written as it is; a socket would reserve three bytes for each. */
const shortTextChars = 4096;

/**
 * A piece of a body as HTTP frames it, in one write. A response would make four of it, and wait for the
 * end of the tick: half of what a small frame costs.
 */
function toChunk(text: string): string | Buffer {
  const chunk = `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
  return text.length > shortTextChars ? Buffer.from(chunk) : chunk;
}

/** The HTTP server prints it; where it was made says nothing, so it has no stack. */
function tooSlow(): Error {
  const error = new Error('Disconnected a client that reads events too slowly; it can reconnect.');
  delete error.stack;
  return error;
}

class StreamViewer implements ResponseViewer {
  readonly body: ReadableStream<Uint8Array>;
  readonly #queue: number;
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  readonly #timer: NodeJS.Timeout;
  #detach: (() => void) | undefined;
  #ended = false;
  /** What a newcomer must catch up with does not count as being slow until it has. */
  #allowance = 0;
  #catchingUp = 0;
  #outgoing: ServerResponse | undefined;
  /** There once all that went through the body is written, so that nothing can be overtaken. */
  #socket: ServerResponse['socket'] = null;
  #switching: NodeJS.Immediate | undefined;

  constructor(limits: StreamLimits, heartbeat: string) {
    this.#queue = limits.viewerQueue;
    this.body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => void (this.#controller = controller),
        cancel: () => this.#finish(),
      },
      { highWaterMark: this.#queue, size: (chunk) => chunk?.byteLength ?? 0 },
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
      this.#allowance = Math.max(0, this.#queue - this.#room);
    }
  }

  /** The body does not hear of a reader that left before it was first read. */
  writeStraightTo(outgoing: ServerResponse): void {
    this.#outgoing = outgoing;
    if (outgoing.destroyed) this.end();
    else outgoing.once('close', () => this.end());
  }

  send(frames: string, durable: boolean): void {
    if (this.#ended || frames === '') return;
    const room = this.#room;
    if (room >= this.#queue) this.#allowance = 0;
    if (this.#catchingUp > 0 || room + this.#allowance > 0) this.#put(frames);
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

  #put(frames: string): void {
    if (this.#socket)
      return void this.#socket.write(this.#outgoing?.chunkedEncoding ? toChunk(frames) : frames);
    this.#controller?.enqueue(encoder.encode(frames));
    if (this.#outgoing?.headersSent) this.#switching ??= setImmediate(() => this.#goStraight());
  }

  /** Whatever was read from the body has been written by now: that takes microtasks only. */
  #goStraight(): void {
    this.#switching = undefined;
    if (this.#controller?.desiredSize === this.#queue)
      this.#socket = this.#outgoing?.socket ?? null;
  }

  get #room(): number {
    if (this.#socket) return this.#queue - this.#socket.writableLength;
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
