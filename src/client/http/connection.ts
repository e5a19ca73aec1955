import { CeriseError, type ErrorInfo } from '#shared/errors/errors.ts';
import { say, type Sentence } from '#shared/errors/sentence.ts';
import { parseJson } from '#shared/vocabulary/json.ts';

/** How to reach a host. */
export interface ConnectionOptions {
  /** The prefix of each path; empty for the host's own page. */
  baseUrl?: string;
  /** Default: the global one. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /** Sent with each request, such as `authorization`. */
  headers?: Record<string, string>;
  /** Called when the host rejects the credentials. */
  onUnauthenticated?: () => void;
}

export interface RequestOptions {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Sent as JSON, or as it is if it is a blob. */
  body?: unknown;
  /** Sent as `Idempotency-Key`: a repeat with the same key is answered like the first. */
  key?: string;
  signal?: AbortSignal | undefined;
}

interface SendOptions extends RequestInit {
  headers?: Record<string, string>;
}

/** A way to one host. Every failure is a CeriseError. */
export interface Connection {
  /** Calls the API: JSON in, JSON out; undefined for a response without a body. */
  request: <T>(path: string, options?: RequestOptions) => Promise<T>;
  /** Sends anything and returns any response; only an unreachable host is an error. */
  raw: (path: string, options?: SendOptions) => Promise<Response>;
  /** Sends anything; the body of the response is only read if it is a failure. */
  send: (path: string, options?: SendOptions) => Promise<Response>;
  /** The error of a failed response; a 401 also calls `onUnauthenticated`. */
  failureOf: (status: number, text: string) => CeriseError;
}

/** A connection to a host; sends nothing yet. */
export function createConnection(options: ConnectionOptions = {}): Connection {
  const { baseUrl = '', onUnauthenticated } = options;
  const ask = options.fetch ?? ((url, init) => fetch(url, init));
  const failureOf = (status: number, text: string): CeriseError => {
    if (status === 401) onUnauthenticated?.();
    return refusal(status, parseJson(text));
  };
  const raw = async (path: string, init: SendOptions = {}): Promise<Response> => {
    const headers = { accept: 'application/json', ...options.headers, ...init.headers };
    const request = { credentials: 'same-origin', ...init, headers } as const;
    try {
      return await ask(`${baseUrl}${path}`, request);
    } catch (cause) {
      throw lost(cause, say('host-unreachable')`Can't reach the host.`, init.signal);
    }
  };
  const send = async (path: string, init: SendOptions = {}): Promise<Response> => {
    const response = await raw(path, init);
    if (response.ok) return response;
    throw failureOf(response.status, await readText(response, init.signal));
  };
  const request = async <T>(path: string, asked: RequestOptions = {}): Promise<T> => {
    const response = await send(path, toInit(asked));
    const text = await readText(response, asked.signal);
    const value = text === '' ? null : parseJson(text);
    if (value === undefined)
      throw new CeriseError(
        'unreadable_response',
        say('host-unreadable')`The host's response couldn't be read.`,
      );
    return (response.status === 204 ? undefined : value) as T;
  };
  return { request, raw, send, failureOf };
}

/** Reads the whole text of a response. */
export function readText(response: Response, signal?: AbortSignal | null): Promise<string> {
  return response.text().catch((cause: unknown) => Promise.reject(brokeOff(cause, signal)));
}

/** The error for a response that was cut off. */
export function brokeOff(cause: unknown, signal?: AbortSignal | null): CeriseError {
  return lost(cause, say('host-broke-off')`The connection to the host was interrupted.`, signal);
}

/** Whether a request got no complete response; a host that reports its own lost connection did respond. */
export function isUnreachable(error: unknown): boolean {
  return error instanceof CeriseError && error.code === 'connection_lost' && 'cause' in error;
}

function toInit({ method = 'GET', body, key, signal }: RequestOptions): SendOptions {
  const sent = body ?? (method === 'POST' ? {} : undefined);
  const isBlob = sent instanceof Blob;
  const type = isBlob ? sent.type : 'application/json';
  return {
    method,
    headers: {
      ...(sent !== undefined && { 'content-type': type }),
      ...(key !== undefined && { 'idempotency-key': key }),
    },
    body: isBlob ? sent : JSON.stringify(sent),
    signal: signal ?? null,
  };
}

function lost(cause: unknown, words: Sentence, signal?: AbortSignal | null): CeriseError {
  if (!signal?.aborted) return new CeriseError('connection_lost', words, { cause });
  const isLate = (signal.reason as Error | undefined)?.name === 'TimeoutError';
  return isLate
    ? new CeriseError('timed_out', say('host-silent')`The host didn't respond in time.`, { cause })
    : new CeriseError('cancelled', say('request-cancelled')`The request was cancelled.`, { cause });
}

/** The error in a response; a proxy in front of the host may respond with anything else. */
function refusal(status: number, body: unknown): CeriseError {
  const info = (body as { error?: Partial<ErrorInfo> } | null | undefined)?.error;
  const code = info?.code ?? (status === 401 ? 'unauthenticated' : 'http_error');
  const words = say('host-status')`The host responded with status ${status}.`;
  return new CeriseError(code, info?.message ?? words, info);
}
