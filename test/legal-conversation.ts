import { isDeepStrictEqual } from 'node:util';
import type { ErrorInfo } from '#shared/errors/errors.ts';
import { isBlockOpen, toolBlockStatus } from '#shared/vocabulary/block.ts';
import { messageSchema } from '#shared/vocabulary/message-schema.ts';
import {
  type Conversation,
  isMessageOpen,
  isMessageRunning,
  type Message,
} from '#shared/vocabulary/message.ts';

/** The error that an answer ended with. */
export function errorIn(answer: Message | undefined): ErrorInfo | undefined {
  return answer?.blocks.findLast((block) => block.type === 'error')?.error;
}

/** Every way in which a conversation breaks the rules of the vocabulary; empty when it is legal. */
export function illegalities(conversation: Conversation): string[] {
  const found: string[] = [];
  const seen = new Set<string>();
  for (const message of conversation.messages) {
    if (seen.has(message.id)) found.push(`message ${message.id} twice`);
    const parentMissing = message.parentId !== null && !seen.has(message.parentId);
    if (parentMissing && !conversation.hasEarlier) found.push(`${message.id}: parent comes later`);
    seen.add(message.id);
    found.push(...messageIllegalities(message));
  }
  const { activeLeafId, isLoading } = conversation.topic;
  if (activeLeafId !== null && !seen.has(activeLeafId)) found.push('active leaf is not a message');
  if (isLoading !== conversation.messages.some(isMessageOpen)) found.push('isLoading is wrong');
  return found;
}

/** What a message has that its definition does not say. */
function undefinedIn(message: Message): string[] {
  const told = JSON.stringify(message);
  const { error, data } = messageSchema.safeParse(JSON.parse(told));
  if (error) return error.issues.map((issue) => `${message.id}: ${JSON.stringify(issue)}`);
  return isDeepStrictEqual(data, JSON.parse(told))
    ? []
    : [`${message.id}: unknown fields: ${told}`];
}

function messageIllegalities(message: Message): string[] {
  const found = undefinedIn(message);
  const running = isMessageRunning(message);
  let ordinal = -1;
  for (const block of message.blocks) {
    if (block.ordinal <= ordinal) found.push(`${block.id}: ordinal ${block.ordinal} not growing`);
    ordinal = block.ordinal;
    if (block.messageId !== message.id) found.push(`${block.id}: wrong message`);
    if (!isMessageOpen(message) && isBlockOpen(block))
      found.push(`${block.id}: open in an ended message`);
    if (!isBlockOpen(block) && block.endedAt === undefined) found.push(`${block.id}: no end time`);
    const interrupted = block.status === 'interrupted';
    if (block.type === 'tool' && !interrupted && block.status !== toolBlockStatus[block.state])
      found.push(`${block.id}: ${block.status} although ${block.state}`);
  }
  const isWhole = message.hasEarlierBlocks !== true;
  if (message.status === 'error' && isWhole && !errorIn(message))
    found.push(`${message.id}: an error that no block tells`);
  if (running === (message.endedAt !== undefined)) found.push(`${message.id}: running and ended`);
  if (!running && message.waiting) found.push(`${message.id}: waits although it ended`);
  const person = message.waiting?.for === 'approval' || message.waiting?.for === 'input';
  if ((message.status === 'waiting') !== person) found.push(`${message.id}: wrong waiting status`);
  return found;
}
