import type { IncomingHttpHeaders } from 'node:http';
import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import { ByteCollector } from '#shared/text/byte-collector.ts';
import type { Http } from './http-client.ts';
import { headerOf, type ResponseHead } from './http-message.ts';

const defaultBytes = 1024 * 1024;
const defaultTimeoutMs = 30_000;

/** A small request whose whole answer is wanted. Header names are in lower case. */
export interface HttpRequest {
  method: 'GET' | 'POST';
  url: URL;
  headers?: Record<string, string>;
  body?: string;
  /** Most bytes of the decoded answer; 1 MiB unless told. */
  maxBytes?: number;
  /** Milliseconds for the whole of it; 30 s unless told. */
  time?: number;
  signal?: AbortSignal;
}

/** An answer of whatever status. */
export interface HttpAnswer {
  status: number;
  /** By names in lower case; several of one name are joined. */
  headers: Record<string, string>;
  text: string;
  /** Where redirects led. */
  url: URL;
}

/**
 * Sends a request and reads its answer, within bounds. Redirects are followed (a POST never to another
 * origin, credentials never). Throws CeriseError; a status is an answer, not an error.
 */
export function requestText(http: Http, request: HttpRequest): Promise<HttpAnswer> {
  const { maxBytes = defaultBytes, time = defaultTimeoutMs, signal } = request;
  const { promise, resolve, reject } = Promise.withResolvers<HttpAnswer>();
  if (signal?.aborted) return Promise.reject(cancelled());
  const body = new ByteCollector();
  let head: ResponseHead | undefined;
  const sending = http.send(
    {
      method: request.method,
      url: request.url,
      headers: { accept: request.headers?.['accept'] ?? 'application/json' },
      ownHeaders: request.headers ?? {},
      ...(request.body !== undefined && { body: request.body }),
      repeatable: request.method === 'GET',
      leavesOrigin: request.method === 'GET',
    },
    {
      onHead: (given) => void (head = given),
      onData(chunk) {
        if (body.size + chunk.length > maxBytes) throw tooLarge(request.url, maxBytes);
        body.append(chunk);
      },
      onEnd() {
        if (!head) return;
        const { status, headers, url } = head;
        resolve({ status, headers: flat(headers), text: body.text(), url });
      },
      onError: reject,
    },
  );
  const stop = (error: CeriseError): void => {
    sending.abort();
    reject(error);
  };
  const timer = setTimeout(() => stop(tooSlow(request.url, time)), time);
  const onAbort = (): void => stop(cancelled());
  signal?.addEventListener('abort', onAbort, { once: true });
  return promise.finally(() => {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
  });
}

function flat(headers: IncomingHttpHeaders): Record<string, string> {
  const names = Object.keys(headers);
  return Object.fromEntries(names.map((name) => [name, headerOf(headers, name) ?? '']));
}

function cancelled(): CeriseError {
  return new CeriseError('cancelled', say('request-cancelled')`The request was cancelled.`);
}

function tooLarge(url: URL, maxBytes: number): CeriseError {
  const message = say(
    'answer-over',
  )`The response from ${url.host} is larger than ${maxBytes} bytes.`;
  return new CeriseError('result_too_large', message);
}

function tooSlow(url: URL, time: number): CeriseError {
  return new CeriseError(
    'timed_out',
    say('no-answer-in-time')`${url.host} didn't respond within ${time / 1000} s.`,
  );
}
