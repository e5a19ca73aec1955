import type { ModelMessage } from '#shared/vocabulary/model.ts';

/**
 * One list of messages whose roles every vendor takes: the user begins, neighbours of one role are
 * one message, and between results and the user's next message the answer ends in words.
 */
export function joinLegally(messages: ModelMessage[]): ModelMessage[] {
  const joined: ModelMessage[] = [];
  for (const message of messages) {
    const last = joined.at(-1);
    if (!last && message.role !== 'user') joined.push(userText('[The assistant speaks first.]'));
    if (last?.role === 'tool' && message.role === 'user') joined.push(endedEarly);
    if (last && last.role !== 'tool' && last.role === message.role)
      joined[joined.length - 1] = { ...last, parts: [...last.parts, ...message.parts] };
    else joined.push(message);
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
