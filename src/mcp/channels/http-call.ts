import { type CeriseError, hintOf, messageOf } from '#shared/errors/errors.ts';
import { say, type Words } from '#shared/errors/sentence.ts';
import { ByteCollector } from '#shared/text/byte-collector.ts';
import { type SseEvent, SseParser } from '#shared/text/sse-parser.ts';
import { CallError } from '#shared/vocabulary/call-error.ts';
import type { Limits } from '#shared/vocabulary/limits.ts';
import type { OutgoingRequest, ResponseHead, ResponseSink, Sending } from '../http/http-message.ts';
import type { RequestId, RpcMessage } from '../protocol/messages.ts';
import { type EventStreamOptions, HttpEventStream, isEventStream } from './http-event-stream.ts';
import { asHeaderValue } from './http-headers.ts';
import { judgeRefusal } from './http-refusal.ts';
import { oversizedAnswer } from './oversized-answer.ts';
import { answers, asksForList, readMessages } from './read-messages.ts';

/** How long what nobody needs any more may still take to end by itself. */
const lingerMs = 5_000;
/** What is read of an answer that has no message in it. */
const refusalBodyBytes = 64 * 1024;
const maxResumeFailures = 4;

/** What a call needs of its channel. */
export interface CallOwner {
  send(request: OutgoingRequest, sink: ResponseSink): Sending;
  limits: Pick<Limits, 'mcpMessage' | 'mcpMessageParts'>;
  /** What the server says of a failure, without the secrets that it was sent. */
  redact(text: string): string;
  /** Asks for the rest of a stream, where a server may have one. */
  resume?: EventStreamOptions['open'];
  onHead?(call: HttpCall, head: ResponseHead): void;
  onMessage(message: RpcMessage, about?: RequestId): void;
  /** What becomes of the message is known; without an error it was answered, or taken. */
  onSettled(call: HttpCall, error?: CallError): void;
  /** Nothing more comes for it. */
  onDone(call: HttpCall): void;
  onSessionLost?(error: CallError): void;
  /** Whether an answer may also come on another stream. */
  hearsOtherwise(): boolean;
}

/** What kind of message a call carries. */
export interface CallKind {
  modern: boolean;
  inSession: boolean;
  repeatable: boolean;
  /** The answer comes on another stream. */
  answeredElsewhere?: boolean;
}

type Mode = 'waiting' | 'json' | 'events' | 'refused' | 'ignored';

/** One message on its way to the server, and what comes back for it. */
export class HttpCall implements ResponseSink {
  readonly message: RpcMessage;
  /** Set if the message is a request, which wants an answer. */
  readonly id: RequestId | undefined;
  readonly kind: CallKind;
  readonly #owner: CallOwner;
  readonly #body = new ByteCollector();
  #mode: Mode = 'waiting';
  #head: ResponseHead | undefined;
  #parser: SseParser | undefined;
  #sending: Sending | undefined;
  #stream: HttpEventStream | undefined;
  #linger: NodeJS.Timeout | undefined;
  #isReading = true;
  #settled = false;
  #aborted = false;

  constructor(message: RpcMessage, kind: CallKind, owner: CallOwner) {
    this.message = message;
    this.id = 'method' in message && 'id' in message ? message.id : undefined;
    this.kind = kind;
    this.#owner = owner;
  }

  start(request: OutgoingRequest): void {
    this.#sending = this.#owner.send(request, this);
  }

  /** Ends it without a word to the owner. */
  abort(): void {
    this.#aborted = true;
    this.#settled = true;
    clearTimeout(this.#linger);
    this.#stream?.close();
    this.#sending?.abort();
  }

  onHead(head: ResponseHead): void {
    this.#head = head;
    this.#owner.onHead?.(this, head);
    this.#mode = this.#modeOf(head);
    if (this.#mode === 'events') this.#parser = new SseParser(this.#owner.limits.mcpMessage);
    if (this.#mode === 'refused' || this.#mode === 'ignored') this.#lingers();
    if (this.#mode === 'ignored') this.#settle();
  }

  #modeOf(head: ResponseHead): Mode {
    if (head.status < 200 || head.status > 299) return 'refused';
    if (this.id === undefined || this.kind.answeredElsewhere) return 'ignored';
    return isEventStream(head) ? 'events' : 'json';
  }

  onData(chunk: Buffer): void {
    if (this.#mode === 'events') {
      for (const event of this.#parser?.push(chunk) ?? []) this.#hear(event);
      if (this.#parser?.isLosing && !this.#settled)
        throw oversizedAnswer(this.#owner.limits.mcpMessage);
    } else if (this.#mode === 'json') {
      if (this.#body.size + chunk.length > this.#owner.limits.mcpMessage)
        throw oversizedAnswer(this.#owner.limits.mcpMessage);
      this.#body.append(chunk);
    } else {
      this.#body.append(chunk);
      if (this.#body.size > refusalBodyBytes) this.#cutOff();
    }
  }

  onEnd(): void {
    this.#readAll();
    if (this.#settled) return this.#owner.onDone(this);
    if (this.#mode === 'events') this.#streamEnded();
    else if (this.#mode === 'json') this.#readJson(this.#body.text());
    else this.#judge();
  }

  onError(error: CallError): void {
    this.#readAll();
    if (this.#settled) return this.#owner.onDone(this);
    if (this.#mode === 'events' && error.code === 'connection_lost') this.#streamEnded(error);
    else if (this.#mode === 'refused') this.#judge();
    else this.#settle(error);
  }

  #readAll(): void {
    clearTimeout(this.#linger);
    this.#isReading = false;
  }

  #readJson(text: string): void {
    if (text.trim() === '') {
      if (!this.#owner.hearsOtherwise())
        this.#settle(noAnswer(say('without-answer')`but didn't answer it`));
      return;
    }
    try {
      for (const message of this.#read(text)) this.#deliver(message);
    } catch (error) {
      return this.#settle(this.#unread(error as CeriseError));
    }
    if (!this.#settled)
      this.#settle(noAnswer(say('answered-else')`but answered with something else`));
  }

  /** Throws CeriseError, which ends the stream. */
  #hear(event: SseEvent): void {
    if (event.event !== 'message' || this.#aborted) return;
    if ('tooLarge' in event) throw oversizedAnswer(this.#owner.limits.mcpMessage);
    if (event.data === '') return;
    for (const message of this.#read(event.data)) this.#deliver(message);
  }

  #read(text: string): RpcMessage[] {
    return readMessages(
      text,
      asksForList(this.message) ? undefined : this.#owner.limits.mcpMessageParts,
    );
  }

  #deliver(message: RpcMessage): void {
    const isOurs = this.id !== undefined && answers(message, this.id);
    if (isOurs) {
      this.#settle();
      if (this.#mode === 'events' && this.#isReading) this.#lingers();
    }
    this.#owner.onMessage(message, this.id);
  }

  /** What came cannot be read, so what became of the request is not known. */
  #unread(error: CeriseError): CallError {
    const { code, details, cause } = error;
    const { text } = (details ?? {}) as { text?: string };
    const reach = error instanceof CallError ? error.reach : 'left';
    if (text === undefined) return CallError.of(error, reach);
    return new CallError(reach, code, messageOf(error), {
      hint: hintOf(error),
      details: { text: this.#owner.redact(text) },
      cause,
    });
  }

  #streamEnded(error?: CallError): void {
    const { lastEventId = '', retry } = this.#parser ?? {};
    const { resume } = this.#owner;
    if (!resume || this.kind.modern || asHeaderValue(lastEventId) === undefined) {
      return this.#settle(error ?? streamEnded());
    }
    this.#stream = new HttpEventStream({
      open: resume,
      onEvent: (event) => this.#hearResumed(event),
      onGone: () => this.#settle(error ?? streamEnded()),
      mcpMessage: this.#owner.limits.mcpMessage,
      maxFailures: maxResumeFailures,
      lastEventId,
      retry,
    });
    this.#stream.start('later');
  }

  #hearResumed(event: SseEvent): void {
    try {
      this.#hear(event);
    } catch (error) {
      this.#settle(this.#unread(error as CeriseError));
    }
    if (this.#settled) this.#stream?.close();
  }

  #judge(): void {
    if (!this.#head) return;
    const { inSession, repeatable } = this.kind;
    const text = this.#owner.redact(this.#body.text());
    const verdict = judgeRefusal({ head: this.#head, text, id: this.id, inSession, repeatable });
    if (verdict.kind === 'answer') this.#deliver(verdict.answer);
    else {
      this.#settle(verdict.error);
      if (verdict.kind === 'session-lost') this.#owner.onSessionLost?.(verdict.error);
    }
  }

  #settle(error?: CallError): void {
    if (this.#settled) return;
    this.#settled = true;
    this.#owner.onSettled(this, error);
    if (!this.#isReading) this.#owner.onDone(this);
  }

  #lingers(): void {
    this.#linger = setTimeout(() => this.#cutOff(), lingerMs).unref();
  }

  #cutOff(): void {
    this.#sending?.abort();
    this.onEnd();
  }
}

function noAnswer(how: Words): CallError {
  const message = say('accepted-how')`The server accepted the request ${how}.`;
  return new CallError('left', 'unreadable_response', message, {
    hint: say('look-into-log')`Check its log.`,
  });
}

function streamEnded(): CallError {
  return new CallError(
    'left',
    'connection_lost',
    say('answer-cut')`The server's response is incomplete.`,
  );
}
