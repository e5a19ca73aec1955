import type { IncomingHttpHeaders } from 'node:http';
import type { CallError } from '#shared/vocabulary/call-error.ts';

/** One request on its way out. Header names are in lower case. */
export interface OutgoingRequest {
  method: 'GET' | 'POST' | 'DELETE';
  url: URL;
  headers: Record<string, string>;
  /** For this origin only (credentials, what an admin configured): they follow no redirect out of it. */
  ownHeaders?: Record<string, string>;
  body?: string;
  /** It may be sent again if its connection turns out to be dead. */
  repeatable: boolean;
  /** Milliseconds until the head of the answer has to be there; absent: somebody else watches. */
  firstByteTime?: number;
  /** Whether a redirect may lead to another origin. */
  leavesOrigin: boolean;
}

/** The head of an answer. */
export interface ResponseHead {
  status: number;
  /** By names in lower case. */
  headers: IncomingHttpHeaders;
  /** Where redirects led. */
  url: URL;
}

/**
 * Gets what comes back: `onHead`, then `onData` (decoded), then `onEnd`; `onError` instead of what is
 * missing. What `onHead` or `onData` throw ends the exchange and comes back through `onError`.
 */
export interface ResponseSink {
  onHead(head: ResponseHead): void;
  onData(chunk: Buffer): void;
  onEnd(): void;
  onError(error: CallError): void;
}

/** A request under way. After `abort` its sink hears nothing more. */
export interface Sending {
  abort(): void;
}

/** One header of an answer; several of one name are joined. */
export function headerOf(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
}
