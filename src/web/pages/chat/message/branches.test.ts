import { describe, expect, it } from 'vitest';
import type { Message } from '#shared/vocabulary/message.ts';
import { countBelow, newestLeaf, versionsOf } from './branches.ts';

let clock = 0;
function message(id: string, parentId: string | null, role: Message['role']): Message {
  return { id, parentId, role, topicId: 't', status: 'success', createdAt: clock++, blocks: [] };
}

const question = message('q1', null, 'user');
const first = message('a1', 'q1', 'assistant');
const follow = message('q2', 'a1', 'user');
const second = message('a2', 'q1', 'assistant');
const edited = message('q1b', null, 'user');
const late = message('a3', 'q2', 'assistant');
const all = [question, first, follow, second, edited, late];

describe('versionsOf', () => {
  it('finds other answers to one question and other wordings of it', () => {
    expect(versionsOf(first, all).map(({ id }) => id)).toEqual(['a1', 'a2']);
    expect(versionsOf(question, all).map(({ id }) => id)).toEqual(['q1', 'q1b']);
    expect(versionsOf(follow, all)).toEqual([follow]);
  });
});

describe('countBelow', () => {
  it('counts every branch, but not the message itself', () => {
    expect(countBelow(question, all)).toBe(4);
    expect(countBelow(follow, all)).toBe(1);
    expect(countBelow(late, all)).toBe(0);
  });
});

describe('newestLeaf', () => {
  it('goes to the end of what was written last below a message', () => {
    expect(newestLeaf(question, all)).toBe('a3');
    expect(newestLeaf(second, all)).toBe('a2');
  });

  it('ends on messages that are each other’s parents', () => {
    const loop = [message('x', 'y', 'user'), message('y', 'x', 'assistant')];
    expect(newestLeaf(message('z', null, 'user'), loop)).toBe('z');
  });
});
