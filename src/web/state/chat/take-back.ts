import { giveBack } from './drafts.ts';
import { outbox, type OutgoingMessage } from './outbox.ts';

/** Takes a message out of the outbox that has not arrived, and gives its words back to the writer. */
export function takeBack({ key, topicId, text, ...sent }: OutgoingMessage): void {
  const { attachments = [], quotes = [] } = sent;
  outbox.drop(key);
  giveBack(topicId, { text, attachments, quotes });
}
