import { describe, expect, it } from 'vitest';
import type { TreeMessage } from '#store/conversations/delete-messages.ts';
import { leafWithout, subtree } from './message-tree.ts';

/** Each word is `id<parent`; a question has a lower-case id, an answer a capital. */
function tree(words: string): TreeMessage[] {
  return words.split(' ').map((word) => {
    const [id = '', parent = ''] = word.split('<');
    const role = id === id.toUpperCase() ? 'assistant' : 'user';
    return { id, parentId: parent || null, role, isOpen: false };
  });
}

const branches = tree('q A<q B<q r<A C<r s<B D<s');

describe('subtree', () => {
  it('is the message and all that hangs below it', () => {
    expect(subtree(branches, 'A').map(({ id }) => id)).toEqual(['A', 'r', 'C']);
    expect(subtree(branches, 'D').map(({ id }) => id)).toEqual(['D']);
    expect(subtree(branches, 'nobody')).toEqual([]);
  });
});

describe('leafWithout', () => {
  it('keeps the shown branch if it does not go', () => {
    expect(leafWithout(branches, 'A', 'D')).toBe('D');
  });

  it('goes to the end of the version before, or else of the one after', () => {
    expect(leafWithout(branches, 'B', 'D')).toBe('C');
    expect(leafWithout(branches, 'A', 'C')).toBe('D');
  });

  it('goes to what the message replied to where it is the only version', () => {
    expect(leafWithout(branches, 'D', 'D')).toBe('s');
    expect(leafWithout(branches, 'q', 'D')).toBeNull();
    expect(leafWithout([], 'q', null)).toBeNull();
  });
});
