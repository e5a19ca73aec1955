import { isBlockOpen, toolBlockStatus } from '#shared/vocabulary/block.ts';
import {
  type Conversation,
  isMessageOpen,
  isMessageRunning,
  type Message,
} from '#shared/vocabulary/message.ts';

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

function messageIllegalities(message: Message): string[] {
  const found: string[] = [];
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
  if (running === (message.endedAt !== undefined)) found.push(`${message.id}: running and ended`);
  if (!running && message.waiting) found.push(`${message.id}: waits although it ended`);
  const person = message.waiting?.for === 'approval' || message.waiting?.for === 'input';
  if ((message.status === 'waiting') !== person) found.push(`${message.id}: wrong waiting status`);
  return found;
}
