import { giveBack } from './drafts.ts';
import { dropOutgoing, type OutgoingMessage } from './outbox.ts';

/** Takes a message out of the outbox that has not arrived, and gives its words back to the writer. */
export function takeBack({ key, topicId, text, ...sent }: OutgoingMessage): void {
  const { attachments = [], quotes = [] } = sent;
  dropOutgoing(key);
  giveBack(topicId, { text, attachments, quotes });
}
