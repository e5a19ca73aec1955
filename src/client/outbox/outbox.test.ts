import { describe, expect, it } from 'vitest';
import type { Message } from '#shared/vocabulary/message.ts';
import { hasArrived, type OutgoingMessage } from './outbox.ts';

function question(id: string, content: string): Message {
  const base = { messageId: id, ordinal: 0, status: 'success' as const, round: 0, startedAt: 0 };
  return {
    id,
    topicId: 't',
    parentId: null,
    role: 'user',
    status: 'success',
    createdAt: 0,
    blocks: [{ ...base, id: `${id}-b`, type: 'main_text', content }],
  };
}

const outgoing: OutgoingMessage = {
  key: 'k',
  topicId: 't',
  text: 'again',
  after: 'm1',
  state: 'sending',
};

describe('hasArrived', () => {
  it('goes by the id once the host gave it', () => {
    const accepted = { ...outgoing, userMessageId: 'm2' };
    expect(hasArrived(accepted, [question('m1', 'again')])).toBe(false);
    expect(hasArrived(accepted, [question('m1', 'x'), question('m2', 'again')])).toBe(true);
  });

  it('goes by a newer message of the same text before that', () => {
    expect(hasArrived(outgoing, [question('m1', 'again')])).toBe(false);
    expect(hasArrived(outgoing, [question('m1', 'again'), question('m2', 'again')])).toBe(true);
  });

  it('counts what goes with it', () => {
    const [first] = question('m2', 'again').blocks;
    const media = { ...first, type: 'image', content: '' } as Message['blocks'][number];
    const arrived = { ...question('m2', 'again'), blocks: first ? [media, first] : [] };
    expect(hasArrived(outgoing, [question('m1', 'x'), arrived])).toBe(false);
    expect(hasArrived({ ...outgoing, files: ['f'] }, [question('m1', 'x'), arrived])).toBe(true);
  });

  it('counts every message of a new conversation', () => {
    expect(hasArrived({ ...outgoing, after: undefined }, [question('m1', 'again')])).toBe(true);
  });
});
