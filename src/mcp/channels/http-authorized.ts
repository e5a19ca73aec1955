import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import { ByteCollector } from '#shared/text/byte-collector.ts';
import { CallError } from '#shared/vocabulary/call-error.ts';
import type { CallReach } from '#shared/vocabulary/tool.ts';
import type { Authorizer, Challenge } from '../auth/authorizer.ts';
import type { Http } from '../http/http-client.ts';
import {
  headerOf,
  type OutgoingRequest,
  type ResponseHead,
  type ResponseSink,
  type Sending,
} from '../http/http-message.ts';

const maxAnswers = 3;
/** What is kept of the body of a refusal, and how long it may take; the head has said it all. */
const refusalBodyBytes = 64 * 1024;
const refusalTimeoutMs = 2_000;

/**
 * Sends a request with the credentials of its authorizer, and again when a refusal could be answered
 * (it was not carried out then). Without one it is sent as it is.
 */
export function sendAuthorized(
  http: Http,
  request: OutgoingRequest,
  sink: ResponseSink,
  authorizer: Authorizer | undefined,
): Sending {
  if (!authorizer) return http.send(request, sink);
  const sending = new AuthorizedSending(http, request, sink, authorizer);
  void sending.run();
  return sending;
}

class AuthorizedSending implements Sending {
  readonly #http: Http;
  readonly #request: OutgoingRequest;
  readonly #sink: ResponseSink;
  readonly #authorizer: Authorizer;
  #current: Sending | undefined;
  #aborted = false;

  constructor(http: Http, request: OutgoingRequest, sink: ResponseSink, authorizer: Authorizer) {
    this.#http = http;
    this.#request = request;
    this.#sink = sink;
    this.#authorizer = authorizer;
  }

  abort(): void {
    this.#aborted = true;
    this.#current?.abort();
  }

  /** Never rejects. */
  async run(): Promise<void> {
    let reach: CallReach = 'never-left';
    try {
      for (let answers = 0; ; answers += 1) {
        const refusal = await this.#attempt(answers < maxAnswers);
        if (!refusal || this.#aborted) return;
        reach = 'ended';
        const again = await this.#authorizer.answer(refusal.challenge);
        if (this.#aborted) return;
        if (!again) return refusal.passOn();
      }
    } catch (error) {
      if (!this.#aborted) this.#sink.onError(CallError.of(asCeriseError(error), reach));
    }
  }

  /**
   * The refusal, if the answer was one that can be answered; everything else goes to the sink. What
   * another origin asks for, after a redirect, is no business of our credentials.
   */
  async #attempt(catches: boolean): Promise<Refusal | undefined> {
    const { method, url } = this.#request;
    const given = await this.#authorizer.headers({ method, url });
    if (this.#aborted) return undefined;
    const ownHeaders = { ...this.#request.ownHeaders };
    for (const [name, value] of Object.entries(given)) ownHeaders[name.toLowerCase()] = value;
    const { promise, resolve } = Promise.withResolvers<Refusal | undefined>();
    const sent = ownHeaders['authorization'];
    const judge = (head: ResponseHead): Challenge | undefined =>
      catches && head.url.origin === url.origin ? challengeOf(head, sent) : undefined;
    const catcher = new RefusalCatcher(this.#sink, judge, resolve);
    const sending = this.#http.send({ ...this.#request, ownHeaders }, catcher);
    this.#current = sending;
    const refusal = await promise;
    // What is still to come of a refusal is not waited for.
    if (refusal) sending.abort();
    return refusal;
  }
}

interface Refusal {
  challenge: Challenge;
  /** Gives the sink the refusal after all. */
  passOn(): void;
}

/** Lets everything through to the sink except a refusal, which it keeps. */
class RefusalCatcher implements ResponseSink {
  readonly #sink: ResponseSink;
  readonly #judge: (head: ResponseHead) => Challenge | undefined;
  readonly #settle: (refusal: Refusal | undefined) => void;
  readonly #kept = new ByteCollector();
  #timer: NodeJS.Timeout | undefined;
  #refused: { head: ResponseHead; challenge: Challenge } | undefined;

  constructor(
    sink: ResponseSink,
    judge: (head: ResponseHead) => Challenge | undefined,
    settle: (refusal: Refusal | undefined) => void,
  ) {
    this.#sink = sink;
    this.#judge = judge;
    this.#settle = settle;
  }

  onHead(head: ResponseHead): void {
    const challenge = this.#judge(head);
    if (challenge) {
      this.#refused = { head, challenge };
      this.#timer = setTimeout(() => this.onEnd(), refusalTimeoutMs);
    } else {
      this.#settle(undefined);
      this.#sink.onHead(head);
    }
  }

  onData(chunk: Buffer): void {
    if (!this.#refused) return this.#sink.onData(chunk);
    this.#kept.append(chunk);
    if (this.#kept.size > refusalBodyBytes) this.onEnd();
  }

  onEnd(): void {
    if (this.#refused) this.#refuse(this.#refused);
    else this.#sink.onEnd();
  }

  onError(error: CallError): void {
    if (this.#refused) return this.#refuse(this.#refused);
    this.#settle(undefined);
    this.#sink.onError(error);
  }

  #refuse({ head, challenge }: { head: ResponseHead; challenge: Challenge }): void {
    clearTimeout(this.#timer);
    this.#settle({
      challenge,
      passOn: () => {
        this.#sink.onHead(head);
        this.#sink.onData(Buffer.from(this.#kept.bytes()));
        this.#sink.onEnd();
      },
    });
  }
}

function challengeOf(head: ResponseHead, sent: string | undefined): Challenge | undefined {
  const { status, headers } = head;
  const header = headerOf(headers, 'www-authenticate');
  const wantsMore = status === 403 && /insufficient_scope/i.test(header ?? '');
  if (status !== 401 && !wantsMore) return undefined;
  const dpopNonce = headerOf(headers, 'dpop-nonce');
  return {
    status,
    ...(header !== undefined && { header }),
    ...(sent !== undefined && { sent }),
    ...(dpopNonce !== undefined && { dpopNonce }),
  };
}

function asCeriseError(error: unknown): CeriseError {
  if (error instanceof CeriseError) return error;
  return new CeriseError('internal', say('credentials-failed')`Couldn't get the credentials.`, {
    cause: error,
  });
}
