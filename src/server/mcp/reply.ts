import { rpcCode } from '#shared/errors/rpc-code.ts';
import { sseFrame } from '#shared/text/sse-frame.ts';
import type { JsonObject } from '#shared/vocabulary/json.ts';
import type { Limits } from '#shared/vocabulary/limits.ts';
import { eventStream, type ResponseViewer } from '../http/event-stream.ts';
import { safeJson } from '../http/safe-headers.ts';
import { errorOf, RpcFailure, type RpcId } from './rpc.ts';

/** Milliseconds after which a pending answer becomes a stream, which heartbeats keep alive. */
const quietMs = 3_000;
/** Characters that all replies of a session keep together, for a reader that comes back. */
export const maxResumableChars = 512 * 1024;
const retryMs = 1_000;

type StreamLimits = Pick<Limits, 'viewerQueue' | 'heartbeat'>;

/** How a reply is sent. */
export interface ReplyOptions {
  limits: StreamLimits;
  /** What the client accepts; JSON if it names neither. */
  accept: string | undefined;
  /** The number of the stream among those of its session, under which it can be read again. */
  resumable?: { number: number; primes: boolean };
  /** The reader went away before the end. */
  onLeft?: (() => void) | undefined;
}

/** The answer to one request: JSON, or a stream if notifications come first or it takes a while. */
export class Reply {
  readonly response: Promise<Response>;
  readonly #options: ReplyOptions;
  readonly #resolve: (response: Response | Promise<Response>) => void;
  readonly #takesJson: boolean;
  /** Whether notifications can be sent before the answer. */
  readonly canStream: boolean;
  #timer: NodeJS.Timeout | undefined;
  #viewer: ResponseViewer | undefined;
  #isStream = false;
  #isOver = false;
  #seq = 0;
  #kept: { seq: number; frame: string }[] = [];
  #keptChars = 0;
  /** The answer, if it was too long to be kept. */
  #unkept: JsonObject | undefined;

  constructor(options: ReplyOptions) {
    const { accept = '*/*' } = options;
    this.#options = options;
    this.canStream = /\btext\/event-stream\b|\*\/\*/i.test(accept);
    this.#takesJson = /\bapplication\/json\b|\*\/\*/i.test(accept) || !this.canStream;
    const { promise, resolve } = Promise.withResolvers<Response>();
    this.response = promise;
    this.#resolve = resolve;
    if (this.canStream) this.#timer = setTimeout(() => this.#stream(), quietMs).unref();
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Whether it can still be read again: an answer in JSON is not kept. */
  get isKept(): boolean {
    return !this.#isOver || this.#isStream;
  }

  /** Characters that are kept of it. */
  get keptChars(): number {
    return this.#keptChars;
  }

  /** Sends a message before the answer; dropped if the client accepts no streams. */
  say(message: JsonObject): void {
    if (this.#isOver || !this.canStream) return;
    this.#stream();
    this.#send(message);
  }

  /** The answer. */
  end(message: JsonObject, status = 200): void {
    if (this.#isOver) return;
    clearTimeout(this.#timer);
    if (this.#isStream || (!this.#takesJson && status === 200)) {
      this.#stream();
      this.#send(message);
      this.#isOver = true;
      this.#viewer?.end();
      return;
    }
    this.#isOver = true;
    this.#resolve(safeJson(message, status));
  }

  /** Ends without an answer: the host ends. */
  cut(): void {
    clearTimeout(this.#timer);
    this.#isOver = true;
    this.#viewer?.end();
  }

  /** Sends a reader that comes back everything after its last event. */
  async resume(seq: number): Promise<Response> {
    return eventStream(this.#options.limits, async (viewer) => {
      for (const { seq: each, frame } of this.#kept) if (each > seq) viewer.send(frame, true);
      if (this.#unkept) viewer.send(frameOf(tooLong(this.#unkept)), true);
      if (this.#isOver) queueMicrotask(() => viewer.end());
      else this.#viewer = viewer;
      return () => this.#left(viewer);
    });
  }

  #stream(): void {
    if (this.#isStream || this.#isOver) return;
    clearTimeout(this.#timer);
    this.#isStream = true;
    const { limits, resumable } = this.#options;
    this.#resolve(
      eventStream(limits, async (viewer) => {
        this.#viewer = viewer;
        if (resumable?.primes)
          viewer.send(`id: ${resumable.number}_0\nretry: ${retryMs}\ndata: \n\n`, true);
        return () => this.#left(viewer);
      }),
    );
  }

  #left(viewer: ResponseViewer): void {
    if (this.#viewer !== viewer) return;
    this.#viewer = undefined;
    if (!this.#isOver) this.#options.onLeft?.();
  }

  #send(message: JsonObject): void {
    const { resumable } = this.#options;
    this.#seq += 1;
    const id = resumable && `${resumable.number}_${this.#seq}`;
    const frame = sseFrame(message, 'message', id);
    if (resumable) this.#keep(frame, message);
    this.#viewer?.send(frame, true);
  }

  #keep(frame: string, message: JsonObject): void {
    if (frame.length > maxResumableChars) {
      if ('result' in message) this.#unkept = { id: message.id ?? null };
      return;
    }
    this.#kept.push({ seq: this.#seq, frame });
    this.#keptChars += frame.length;
    while (this.#keptChars > maxResumableChars)
      this.#keptChars -= this.#kept.shift()?.frame.length ?? 0;
  }
}

function frameOf(message: JsonObject): string {
  return `event: message\ndata: ${JSON.stringify(message)}\n\n`;
}

/** What a reader that comes back gets instead of an answer that was too long to keep. */
function tooLong({ id }: JsonObject): JsonObject {
  const message = 'The result is too long to send again. You can see it in Cerise.';
  return errorOf(id as RpcId, new RpcFailure(rpcCode.internalError, message));
}
