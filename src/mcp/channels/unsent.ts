import { type Words } from '#shared/sentence.ts';
import { CeriseError } from '#shared/errors.ts';
import { type ChannelEvents, notSent } from '../protocol/channel.ts';
import type { RpcMessage } from '../protocol/messages.ts';

/** Reports a message that did not leave; only a request of ours is missed by anybody. */
export function failUnsent(
  events: ChannelEvents | undefined,
  message: RpcMessage,
  reason: Words,
): void {
  if (!('method' in message && 'id' in message)) return;
  const error = new CeriseError('connection_lost', reason, { details: notSent });
  events?.onRequestFailed(message.id, error);
}
