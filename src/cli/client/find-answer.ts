import type { Client } from '#client/client.ts';
import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import { activePath, type Conversation, type Message } from '#shared/vocabulary/message.ts';

/** An answer with the chat it is in. */
export interface AnswerInChat {
  conversation: Conversation;
  answer: Message;
}

/** An answer of a chat: by its id, else the last one shown. Throws `answer_not_found`. */
export async function findAnswer(
  client: Pick<Client, 'topics'>,
  topicId: string,
  id?: string,
): Promise<AnswerInChat> {
  const conversation = await client.topics.whole(topicId);
  const answer =
    id === undefined
      ? activePath(conversation).findLast(({ role }) => role === 'assistant')
      : conversation.messages.find((message) => message.id === id && message.role === 'assistant');
  if (answer) return { conversation, answer };
  throw new CeriseError('answer_not_found', say('cli-no-answer')`This chat has no such answer.`);
}
