import type { Host } from '#chat/host/host.ts';
import { notSignedIn, type Visitor } from '#chat/people/visitor.ts';
import type { FollowedAnswer, StartedRun } from '#chat/runs/runs.ts';
import { CeriseError, type ErrorInfo, toErrorInfo } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import { isMessageRunning, type Message } from '#shared/vocabulary/message.ts';
import { eventStream, type ResponseViewer } from '../http/event-stream.ts';
import { MadeImages } from './made-images.ts';

/** An answer to read; the answer to a run may end when its last reader leaves. */
type ReadAnswer = FollowedAnswer & Partial<StartedRun>;

/** How a reader wants an answer. */
interface ReadingOptions {
  /** The client's connection. */
  signal: AbortSignal;
  /** With the data of its images. */
  withImages?: boolean;
  /** The answer goes on although nobody reads it. */
  goesOn?: boolean;
  /** Whether it is over for this reader, although the answer goes on. */
  isOver?(answer: Message): boolean;
}

/** How an answer is written as a stream. */
interface StreamForm {
  /** What is new of the answer; called from its beginning. */
  write: (answer: Message) => string;
  /** Stores what must be durable before the end is sent; undefined: nothing. */
  settle?: (answer: Message) => Promise<void> | undefined;
  /** What tells the client that the stream ends before the answer. */
  cut: (error: ErrorInfo) => string;
  /** Sent while nothing else happens; absent: a comment. */
  heartbeat?: string;
}

/**
 * One client that reads an answer, whole or as a stream. If it leaves early, the answer of its run is stopped a moment
 * later, unless `goesOn` is set.
 */
export class Reading {
  answer: Message;
  readonly #host: Host;
  readonly #read: ReadAnswer;
  readonly #options: ReadingOptions;
  #images: MadeImages | undefined;
  readonly #begun = Promise.withResolvers<void>();
  readonly #ended = Promise.withResolvers<void>();
  #detach: (() => void) | undefined;
  #isClosed = false;
  /** Why it ended before the answer. */
  #failure: CeriseError | undefined;
  #onChange: () => void = () => undefined;
  #onCut: (error: unknown) => void = () => undefined;

  private constructor(host: Host, owner: string, read: ReadAnswer, options: ReadingOptions) {
    this.#host = host;
    this.#images = options.withImages ? new MadeImages(host, owner) : undefined;
    this.#read = read;
    this.#options = options;
    this.answer = read.answer;
    this.#begun.promise.catch(() => undefined);
    this.#ended.promise.catch(() => undefined);
  }

  /** Begins to read. It ends with the credential of the visitor, too. */
  static async open(
    host: Host,
    visitor: Visitor,
    read: ReadAnswer,
    options: ReadingOptions,
  ): Promise<Reading> {
    const reading = new Reading(host, visitor.owner, read, options);
    const leave = await host.streams.add(visitor, () => reading.#lose());
    const abort = () => reading.leave();
    options.signal.addEventListener('abort', abort);
    const detach = await host.runs
      .follow(visitor.owner, read, {
        show: (answer) => reading.#show(answer),
        end: () => reading.#cut(),
      })
      .catch((error: unknown) => {
        leave();
        throw error;
      });
    reading.#detach = () => {
      leave();
      options.signal.removeEventListener('abort', abort);
      detach();
    };
    if (options.signal.aborted) reading.leave();
    if (reading.#isClosed) reading.#close();
    return reading;
  }

  /** Resolves at the first content, or after `timeMs` without any. */
  async begun(timeMs: number): Promise<void> {
    const timer = setTimeout(() => this.#begun.resolve(), timeMs);
    await this.#begun.promise.finally(() => clearTimeout(timer));
  }

  /** The answer as far as it has come. */
  async now(): Promise<Message> {
    await this.#loadImages();
    return this.#images?.in(this.answer) ?? this.answer;
  }

  /** Resolves with the answer when it has ended. */
  async ended(): Promise<Message> {
    await this.#ended.promise;
    return this.now();
  }

  /** A stream of the answer as it grows. */
  async stream({ write, settle, cut, heartbeat }: StreamForm): Promise<Response> {
    const attach = async (viewer: ResponseViewer) => {
      this.#onCut = (error) => {
        viewer.send(cut(toErrorInfo(error)), false);
        viewer.end();
      };
      const images = this.#images;
      const tell = () => {
        viewer.send(write(images?.in(this.answer) ?? this.answer), true);
        if (this.#isOver) viewer.end();
      };
      let isSettled = settle === undefined;
      const prepare = async () => {
        await this.#loadImages();
        if (!this.#isOver) return;
        await settle?.(this.answer);
        isSettled = true;
      };
      let preparing: Promise<void> | undefined;
      this.#onChange = () => {
        const isReady = !images?.areMissing(this.answer) && (isSettled || !this.#isOver);
        if (!preparing && isReady) return tell();
        preparing ??= prepare()
          .then(async () => {
            preparing = undefined;
            await viewer.catchUp(async () => this.#onChange());
          })
          .catch((error: unknown) => this.#onCut(error));
      };
      if (this.#isOver) setImmediate(() => this.#onChange());
      else this.#onChange();
      if (this.#failure && !this.#isOver) this.#onCut(this.#failure);
      return () => this.leave();
    };
    return eventStream(this.#host.limits, attach, heartbeat);
  }

  async #loadImages(): Promise<void> {
    try {
      await this.#images?.load(this.answer);
    } catch (error) {
      const info = toErrorInfo(error);
      this.#host.logger.warn({ ...info }, 'Could not read a picture of an answer');
      this.#images = undefined;
    }
  }

  /** The client has left, or is done. */
  leave(): void {
    this.#end(new CeriseError('cancelled', say('client-left')`The client disconnected.`));
  }

  /** The client's credential is no longer valid. */
  #lose(): void {
    const error = notSignedIn();
    if (this.#end(error)) this.#onCut(error);
  }

  /** Ends the reading; the answer of a run is stopped a moment later. False if it had ended before. */
  #end(error: CeriseError): boolean {
    if (this.#isClosed) return false;
    this.#close();
    const { run, reader } = this.#read;
    const isLeft = !this.#isOver && !this.#options.goesOn;
    if (isLeft && run && reader !== undefined) this.#host.readers.left(run, reader);
    this.#fail(error);
    return true;
  }

  get #isOver(): boolean {
    return !isMessageRunning(this.answer) || this.#options.isOver?.(this.answer) === true;
  }

  #show(answer: Message): void {
    this.answer = answer;
    if (answer.blocks.length > 0 || this.#isOver) this.#begun.resolve();
    if (this.#isOver) {
      this.#ended.resolve();
      this.#close();
    }
    this.#onChange();
  }

  /** The host shuts down, or the answer was deleted; the client can come back. */
  #cut(): void {
    if (this.#isClosed) return;
    this.#close();
    const error = new CeriseError('shutting_down', say('shutting-down')`Cerise is shutting down.`);
    this.#fail(error);
    this.#onCut(error);
  }

  #fail(error: CeriseError): void {
    this.#failure = error;
    this.#begun.reject(error);
    this.#ended.reject(error);
  }

  #close(): void {
    this.#isClosed = true;
    this.#detach?.();
    this.#detach = undefined;
  }
}
