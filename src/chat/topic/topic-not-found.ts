import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';

/** The same for a topic that never was, is deleted, or is somebody else's. */
export function topicNotFound(): CeriseError {
  return new CeriseError('topic_not_found', say('topic-gone')`This chat doesn't exist.`, {
    hint: say('topic-gone-hint')`It may have been deleted. Check your list of chats.`,
  });
}

/** The same for a message. */
export function messageNotFound(): CeriseError {
  return new CeriseError('message_not_found', say('message-gone')`This message doesn't exist.`);
}
