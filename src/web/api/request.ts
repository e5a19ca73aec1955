import { CeriseError, type ErrorCode, type ErrorInfo } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';

interface RequestOptions {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  body?: unknown;
  /** Sent as `Idempotency-Key`: a repeat with the same key is answered like the first. */
  key?: string;
  signal?: AbortSignal | undefined;
}

let onUnauthenticated = () => {};

/** Says what happens when the host does not know (any more) who asks. */
export function whenUnauthenticated(act: () => void): void {
  onUnauthenticated = act;
}

/** Calls the host's API and gives the parsed answer. Every failure is a CeriseError. */
export async function request<T>(path: string, options: RequestOptions = {}): Promise<T> {
  const response = await send(path, options);
  if (response.status === 204) return undefined as T;
  const body = await readJson(response);
  if (response.ok) return body as T;
  throw failureOf(response.status, body);
}

/** Reads something of the host as the text it is. Every failure is a CeriseError. */
export function requestText(path: string, signal: AbortSignal): Promise<string> {
  return read(path, { signal }, (response) => response.text());
}

/** Reads something of the host as the bytes it is. Every failure is a CeriseError. */
export function requestBlob(path: string): Promise<Blob> {
  return read(path, {}, (response) => response.blob());
}

async function read<T>(
  path: string,
  options: RequestOptions,
  body: (response: Response) => Promise<T>,
): Promise<T> {
  const response = await send(path, options);
  if (!response.ok) throw failureOf(response.status, await readJson(response));
  try {
    return await body(response);
  } catch (cause) {
    throw new CeriseError('connection_lost', say('host-broke-off')`The host broke off.`, { cause });
  }
}

/** Whether the request got no answer at all; a host that names its own lost connection did answer. */
export function isUnreachable(error: unknown): boolean {
  return error instanceof CeriseError && error.code === 'connection_lost' && 'cause' in error;
}

/** The error a failed response stands for; a 401 is told to `whenUnauthenticated` too. */
export function failureOf(status: number, body: unknown): CeriseError {
  if (status === 401) onUnauthenticated();
  const info = (body as { error?: ErrorInfo } | null)?.error;
  const code: ErrorCode = info?.code ?? (status === 401 ? 'unauthenticated' : 'http_error');
  if (info) return new CeriseError(code, info.message, info);
  return new CeriseError(code, say('host-status')`The host answered with status ${status}.`);
}

async function send(path: string, options: RequestOptions): Promise<Response> {
  const headers = new Headers({ accept: 'application/json' });
  const body = options.body ?? (options.method === 'POST' ? {} : undefined);
  if (body !== undefined) headers.set('content-type', 'application/json');
  if (options.key !== undefined) headers.set('idempotency-key', options.key);
  try {
    return await fetch(path, {
      method: options.method ?? 'GET',
      headers,
      body: body === undefined ? null : JSON.stringify(body),
      signal: options.signal ?? null,
      credentials: 'same-origin',
    });
  } catch (cause) {
    if (options.signal?.aborted)
      throw new CeriseError('cancelled', say('request-cancelled')`The request was cancelled.`, {
        cause,
      });
    throw new CeriseError('connection_lost', say('host-unreachable')`The host cannot be reached.`, {
      cause,
    });
  }
}

async function readJson(response: Response): Promise<unknown> {
  const text = await response.text();
  if (text === '') return null;
  try {
    return JSON.parse(text);
  } catch (cause) {
    if (!response.ok) return null;
    throw new CeriseError(
      'unreadable_response',
      say('host-unreadable')`The host sent something unreadable.`,
      { cause },
    );
  }
}
