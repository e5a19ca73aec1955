import type { CeriseError } from '#shared/errors/errors.ts';
import { CallError } from '#shared/vocabulary/call-error.ts';
import type { ServerConfig } from '#shared/vocabulary/server.ts';
import type { RequestId, RpcMessage } from './messages.ts';

/** The protocol a connection speaks: `legacy` shakes hands, `modern` (2026-07-28) is stateless. */
export type Era = 'legacy' | 'modern';

/** The server has forgotten us. What may be asked twice is asked once more, in a new session. */
export class SessionLost extends CallError {}

/** What was agreed with the server. */
export interface Agreement {
  era: Era;
  version: string;
}

/** What a channel tells its owner, in the order of arrival. None of these may throw. */
export interface ChannelEvents {
  /** `about`: the request of ours that it came for, where the transport tells. */
  onMessage(message: RpcMessage, about?: RequestId): void;
  /** A request gets no answer any more. */
  onRequestFailed(id: RequestId, error: CallError): void;
  /** The channel ended, on either side. Called once, after `open` was called. */
  onClose(error?: CeriseError): void;
}

/** How one message is sent. */
export interface SendOptions {
  /** Parameters of a tool that its schema mirrors into headers (HTTP, modern). */
  headers?: Record<string, string> | undefined;
  /** The request may be sent again if its connection turns out to be dead. Never for `tools/call`. */
  repeatable?: boolean;
}

/** A way to one server: carries messages, knows nothing of their meaning beyond the transport's rules. */
export interface Channel {
  readonly kind: ServerConfig['type'];
  /** The name under which the tracker knows its process (stdio). */
  readonly processId?: string | undefined;
  /** Resolves when messages can be sent. Throws CeriseError. */
  open(events: ChannelEvents): Promise<void>;
  /** Never throws and never waits: a failure is reported through the events. */
  send(message: RpcMessage, options?: SendOptions): void;
  /** Drops what still comes for a request. True if that alone tells the server to stop (HTTP, modern). */
  cancel(id: RequestId): boolean;
  /** Tells the channel what was agreed: headers, sessions and streams differ between the eras. */
  agree(agreement: Agreement): void;
  /** Ends the channel and, for stdio, the process. Never throws. */
  close(): Promise<void>;
}
