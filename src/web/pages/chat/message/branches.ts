import type { Message } from '#shared/vocabulary/message.ts';

/** The versions of a message: all that reply to the same message in the same role, oldest first. */
export function versionsOf(message: Message, messages: Message[]): Message[] {
  return messages.filter(
    ({ parentId, role }) => parentId === message.parentId && role === message.role,
  );
}

/** The end of the branch that was written last below a message; the message itself if none. */
export function newestLeaf(message: Message, messages: Message[]): string {
  const byId = new Map(messages.map((one) => [one.id, one]));
  for (const candidate of messages.toReversed()) {
    if (isBelow(candidate, message, byId)) return candidate.id;
  }
  return message.id;
}

/** How many messages hang below a message, as far as they are loaded. */
export function countBelow(message: Message, messages: Message[]): number {
  const byId = new Map(messages.map((one) => [one.id, one]));
  return messages.filter((one) => one.id !== message.id && isBelow(one, message, byId)).length;
}

function isBelow(candidate: Message, root: Message, byId: Map<string, Message>): boolean {
  const seen = new Set<string>();
  let next: Message | undefined = candidate;
  while (next && !seen.has(next.id)) {
    if (next.id === root.id) return true;
    seen.add(next.id);
    next = next.parentId === null ? undefined : byId.get(next.parentId);
  }
  return false;
}
