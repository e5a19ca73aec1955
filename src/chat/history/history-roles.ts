import type { ModelMessage, ModelPart } from '#shared/vocabulary/model.ts';

/**
 * One list of messages whose roles every vendor takes: the user begins, neighbours of one role are
 * one message, and between results and the user's next message the answer ends in words, unless a program said both
 * at once.
 */
export function joinLegally(messages: ModelMessage[]): ModelMessage[] {
  const joined: ModelMessage[] = [];
  // Of the last message, once it is a copy that further parts may be added to.
  let parts: ModelPart[] | undefined;
  for (const message of messages) {
    const last = joined.at(-1);
    if (!last && message.role !== 'user') joined.push(userText('[The assistant speaks first.]'));
    const isAfterResults = last?.role === 'tool' && message.role === 'user';
    if (isAfterResults && !last.fromProgram) joined.push(endedEarly);
    if (last && last.role !== 'tool' && last.role === message.role) {
      if (!parts) joined[joined.length - 1] = { ...last, parts: (parts = [...last.parts]) };
      for (const part of message.parts) parts.push(part);
    } else {
      joined.push(
        isAfterResults && last.fromProgram ? { ...message, afterResults: true } : message,
      );
      parts = undefined;
    }
  }
  return joined;
}

/** A message of the user that is one text. */
export function userText(text: string): ModelMessage {
  return { role: 'user', parts: [{ type: 'text', text }] };
}

const endedEarly: ModelMessage = {
  role: 'assistant',
  parts: [{ type: 'text', text: '[The answer ended here.]' }],
};
