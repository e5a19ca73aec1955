import type { IncomingHttpHeaders } from 'node:http';
import type { Client, Dispatcher } from 'undici';
import { CeriseError } from '#shared/errors/errors.ts';
import { fault } from '#shared/errors/fault.ts';
import { say } from '#shared/errors/sentence.ts';
import { CallError } from '#shared/vocabulary/call-error.ts';
import { acceptEncoding, createDecoder, type Decoder } from './http-decoder.ts';
import { classifyNetworkError, type Stage } from './http-errors.ts';
import { headerOf, type OutgoingRequest, type ResponseSink, type Sending } from './http-message.ts';
import type { HttpPool } from './http-pool.ts';
import { judgeRedirect, type Redirect } from './http-redirect.ts';

const maxRedirects = 3;
/** Of the body of a redirect; its connection is kept if it ends within. */
const redirectBodyBytes = 64 * 1024;

type Controller = Dispatcher.DispatchController;

/**
 * One request and its answer, over redirects and at most one repetition on a fresh connection. It is
 * itself the handler that undici calls.
 */
export class HttpExchange implements Sending, Dispatcher.DispatchHandler {
  readonly #pool: HttpPool;
  readonly #request: OutgoingRequest;
  readonly #sink: ResponseSink;
  #url: URL;
  #ownHeaders: Record<string, string> | undefined;
  #client: Client | undefined;
  #controller: Controller | undefined;
  #reused = false;
  #stage: Stage = 'connecting';
  #byteSeen = false;
  #hops = 0;
  #redirect: { target: URL; left: number } | undefined;
  #encoding = '';
  #decoder: Decoder | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** We end an attempt ourselves: its error says nothing new. */
  #leaving = false;
  #done = false;

  constructor(pool: HttpPool, request: OutgoingRequest, sink: ResponseSink) {
    this.#pool = pool;
    this.#request = request;
    this.#sink = sink;
    this.#url = request.url;
    this.#ownHeaders = request.ownHeaders;
  }

  start(): void {
    const { firstByteTime } = this.#request;
    if (firstByteTime !== undefined) {
      this.#timer = setTimeout(() => this.#fail(this.#tooSlow(firstByteTime)), firstByteTime);
    }
    this.#dispatch('any');
  }

  abort(): void {
    if (this.#finish()) this.#dropLine();
  }

  #dispatch(age: 'any' | 'fresh'): void {
    if (this.#pool.isClosed) return queueMicrotask(() => this.#fail(closed()));
    const { method, body, repeatable } = this.#request;
    const line = this.#pool.take(this.#url.origin, age === 'any' && !repeatable ? 'recent' : age);
    this.#client = line.client;
    this.#reused = line.reused;
    this.#stage = 'connecting';
    this.#byteSeen = false;
    line.client.dispatch(
      {
        method,
        path: this.#url.pathname + this.#url.search,
        headers: this.#headers(),
        ...(body !== undefined && { body }),
      },
      this,
    );
  }

  #headers(): string[] {
    const flat: string[] = ['accept-encoding', acceptEncoding];
    const { headers } = this.#request;
    for (const name in headers) flat.push(name, headers[name] ?? '');
    const own = this.#ownHeaders;
    if (own) for (const name in own) if (!(name in headers)) flat.push(name, own[name] ?? '');
    return flat;
  }

  onRequestStart(controller: Controller): void {
    this.#stage = 'sent';
    if (!this.#request.repeatable) setImmediate(() => void fault('bytes-left-http'));
    this.#controller = controller;
  }

  onResponseStarted(): void {
    this.#byteSeen = true;
  }

  onResponseStart(_controller: Controller, status: number, headers: IncomingHttpHeaders): void {
    if (this.#done || status < 200) return;
    this.#stage = 'answering';
    const redirect = this.#judgeRedirect(status, headers);
    if (redirect instanceof CeriseError) return this.#fail(redirect);
    if (redirect) {
      this.#redirect = { target: redirect.target, left: redirectBodyBytes };
      return;
    }
    clearTimeout(this.#timer);
    this.#encoding = headerOf(headers, 'content-encoding') ?? '';
    this.#guarded(() => this.#sink.onHead({ status, headers, url: this.#url }));
  }

  onResponseData(controller: Controller, chunk: Buffer): void {
    if (this.#done) return;
    if (this.#redirect) {
      this.#redirect.left -= chunk.length;
      if (this.#redirect.left < 0) this.#followRedirect('drop');
    } else if (this.#encoding === '') {
      this.#guarded(() => this.#sink.onData(chunk));
    } else {
      this.#decode(controller, chunk);
    }
  }

  onResponseEnd(): void {
    if (this.#done) return;
    if (this.#redirect) return this.#followRedirect('keep');
    this.#giveBackLine();
    if (this.#decoder) this.#decoder.end();
    else if (this.#finish()) this.#sink.onEnd();
  }

  onResponseError(_controller: Controller | null, error: Error): void {
    if (this.#done || this.#leaving) return;
    if (this.#redirect) return this.#followRedirect('drop');
    this.#dropLine();
    if (this.#mayRepeat(error)) return this.#dispatch('fresh');
    // undici may fail a request inside `dispatch`: the caller has not got its handle yet.
    const failure = this.#judge(error);
    queueMicrotask(() => this.#fail(failure));
  }

  /**
   * Only after a used connection, so at most once. What was never sent may always go again, what was
   * sent only if it is repeatable.
   */
  #mayRepeat(error: Error): boolean {
    if (!this.#reused || this.#byteSeen || error instanceof CeriseError) return false;
    return this.#stage === 'connecting' || this.#request.repeatable;
  }

  #judgeRedirect(status: number, headers: IncomingHttpHeaders): Redirect {
    const { method, leavesOrigin } = this.#request;
    const location = headerOf(headers, 'location');
    const redirect = judgeRedirect({ status, location, method, url: this.#url, leavesOrigin });
    if (!redirect || redirect instanceof CeriseError) return redirect;
    if (this.#hops < maxRedirects) return redirect;
    const message = say(
      'redirects-many',
    )`${this.#request.url.host} redirected more than ${maxRedirects} times.`;
    return new CallError('ended', 'http_error', message, {
      hint: say('check-address')`Check this server's URL.`,
      details: { status },
    });
  }

  #followRedirect(line: 'keep' | 'drop'): void {
    const target = this.#redirect?.target ?? this.#url;
    this.#redirect = undefined;
    this.#hops += 1;
    if (line === 'keep') this.#giveBackLine();
    else this.#dropLine();
    if (target.origin !== this.#url.origin) this.#ownHeaders = undefined;
    this.#url = target;
    this.#dispatch('any');
  }

  #decode(controller: Controller, chunk: Buffer): void {
    try {
      this.#decoder ??= createDecoder(this.#encoding, {
        onData: (decoded) => {
          if (!this.#done) this.#guarded(() => this.#sink.onData(decoded));
        },
        onReady: () => controller.resume(),
        onEnd: () => {
          if (this.#finish()) this.#sink.onEnd();
        },
        onError: (error) => this.#fail(error),
      });
    } catch (error) {
      return this.#fail(error);
    }
    if (!this.#decoder) {
      this.#encoding = '';
      this.#guarded(() => this.#sink.onData(chunk));
    } else if (!this.#decoder.write(chunk)) controller.pause();
  }

  #guarded(call: () => void): void {
    try {
      call();
    } catch (error) {
      this.#fail(error);
    }
  }

  #fail(error: unknown): void {
    if (!this.#finish()) return;
    this.#dropLine();
    this.#sink.onError(this.#judge(error));
  }

  /** What was redirected has reached somebody, whatever became of it then. */
  #judge(error: unknown): CallError {
    if (error instanceof CallError) return error;
    const didNotLeave = this.#stage === 'connecting' && this.#hops === 0;
    const failure = classifyNetworkError(error, this.#url.host, this.#stage);
    return CallError.of(failure, didNotLeave ? 'never-left' : 'left');
  }

  /** False if it is over already. */
  #finish(): boolean {
    if (this.#done) return false;
    this.#done = true;
    clearTimeout(this.#timer);
    return true;
  }

  #giveBackLine(): void {
    if (this.#client) this.#pool.giveBack(this.#url.origin, this.#client);
    this.#controller = undefined;
    this.#client = undefined;
  }

  #dropLine(): void {
    this.#decoder?.destroy();
    this.#leaving = true;
    this.#controller?.abort(new Error('no longer wanted'));
    if (this.#client) this.#pool.drop(this.#client);
    this.#leaving = false;
    this.#controller = undefined;
    this.#client = undefined;
  }

  #tooSlow(time: number): CeriseError {
    const message = say(
      'no-answer-begun',
    )`${this.#url.host} didn't start to respond within ${time / 1000} s.`;
    return new CeriseError('timed_out', message, {
      hint: say('look-server-log')`Check the server's log.`,
    });
  }
}

function closed(): CeriseError {
  return new CeriseError(
    'connection_refused',
    say('connection-closed')`The connection to the server was closed.`,
  );
}
