import { type Conversation, isMessageRunning, type Message } from '#shared/vocabulary/message.ts';

interface Page {
  messages: Message[];
  hasEarlier: boolean;
}

/** Where the page before the shown ones ends: before a message, or before a block of it. */
export function placeBefore({
  messages,
}: Conversation): { before: string; ordinal?: number } | null {
  const [oldest] = messages;
  if (!oldest) return null;
  const ordinal = oldest.blocks[0]?.ordinal;
  const isPart = oldest.hasEarlierBlocks === true && ordinal !== undefined;
  return { before: oldest.id, ...(isPart && { ordinal }) };
}

/** Puts an earlier page in front. Its last message may be the part before of the oldest shown one. */
export function joinEarlier(conversation: Conversation, page: Page): Conversation {
  const [oldest, ...rest] = conversation.messages;
  const last = page.messages.at(-1);
  const { hasEarlier } = page;
  if (!oldest || last?.id !== oldest.id)
    return { ...conversation, messages: [...page.messages, ...conversation.messages], hasEarlier };
  const whole = withBlocksBefore(oldest, last);
  return { ...conversation, messages: [...page.messages.slice(0, -1), whole, ...rest], hasEarlier };
}

/**
 * Shows a snapshot without losing the earlier pages that were read before, as far as they still join
 * it. What was running in them may have ended unseen: then the snapshot stands alone.
 */
export function joinSnapshot(shown: Conversation, snapshot: Conversation): Conversation {
  const [first, ...rest] = snapshot.messages;
  const index = shown.messages.findIndex(({ id }) => id === first?.id);
  const known = shown.messages[index];
  if (!first || !known) return snapshot;
  const earlier = shown.messages.slice(0, index);
  if (earlier.some(isMessageRunning)) return snapshot;
  const oldest = joinParts(known, first);
  if (!oldest) return snapshot;
  const messages = [...earlier, oldest, ...rest];
  const isBegin = earlier.length === 0 && !first.hasEarlierBlocks;
  return { ...snapshot, messages, hasEarlier: isBegin ? snapshot.hasEarlier : shown.hasEarlier };
}

/** A message of which the snapshot may have only the end; null if something is missing in between. */
function joinParts(known: Message, fresh: Message): Message | null {
  const start = fresh.blocks[0]?.ordinal;
  if (!fresh.hasEarlierBlocks || start === undefined) return fresh;
  const before = known.blocks.filter(({ ordinal }) => ordinal < start);
  const reaches = known.blocks.some(({ ordinal }) => ordinal >= start);
  return reaches ? withBlocksBefore(fresh, { ...known, blocks: before }) : null;
}

function withBlocksBefore(message: Message, part: Message): Message {
  const { hasEarlierBlocks: _, ...rest } = message;
  const blocks = [...part.blocks, ...message.blocks];
  return { ...rest, blocks, ...(part.hasEarlierBlocks && { hasEarlierBlocks: true }) };
}
