import { say, type Words } from '#shared/errors/sentence.ts';
import { CallError } from '#shared/vocabulary/call-error.ts';
import type { ChannelEvents } from '../protocol/channel.ts';
import type { RpcMessage } from '../protocol/messages.ts';

/** Reports a message that did not leave; only a request of ours is missed by anybody. */
export function failUnsent(
  events: ChannelEvents | undefined,
  message: RpcMessage,
  reason: Words = say('server-connection-closed')`The connection to the server is closed.`,
): void {
  if (!('method' in message && 'id' in message)) return;
  events?.onRequestFailed(message.id, new CallError('never-left', 'connection_lost', reason));
}
