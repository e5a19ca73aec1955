import { describe, expect, it } from 'vitest';
import type { Block } from '#shared/vocabulary/block.ts';
import type { Conversation, Message, Topic } from '#shared/vocabulary/message.ts';
import { joinEarlier, joinSnapshot, placeBefore } from './message-pages.ts';

function message(id: string, ordinals: number[], more: Partial<Message> = {}): Message {
  const blocks = ordinals.map((ordinal) => ({ id: `${id}-${ordinal}`, ordinal }) as Block);
  const rest = { topicId: 't', parentId: null, role: 'assistant', status: 'success' } as const;
  return { id, ...rest, createdAt: 1, blocks, ...more };
}

function conversation(messages: Message[], hasEarlier = true, seq = 1): Conversation {
  return { topic: { id: 't' } as Topic, messages, hasEarlier, seq };
}

const part = { hasEarlierBlocks: true };
const shape = ({ messages, hasEarlier }: Conversation) => ({
  messages: messages.map(({ id, blocks, hasEarlierBlocks }) => [
    id,
    blocks.map(({ ordinal }) => ordinal).join(' '),
    hasEarlierBlocks ?? false,
  ]),
  hasEarlier,
});

describe('pages of a long topic', () => {
  it('are asked for before the oldest message, or before the block of it that is there', () => {
    expect(placeBefore(conversation([message('b', [0, 1])]))).toEqual({ before: 'b' });
    expect(placeBefore(conversation([message('b', [7, 8], part)]))).toEqual({
      before: 'b',
      ordinal: 7,
    });
    expect(placeBefore(conversation([]))).toBeNull();
  });

  it('are put in front', () => {
    const joined = joinEarlier(conversation([message('c', [0])]), {
      messages: [message('a', [0]), message('b', [0])],
      hasEarlier: false,
    });
    expect(shape(joined)).toEqual({
      messages: [
        ['a', '0', false],
        ['b', '0', false],
        ['c', '0', false],
      ],
      hasEarlier: false,
    });
  });

  it('make one message of the parts of one', () => {
    const shown = conversation([message('b', [4, 5], part), message('c', [0])]);
    const middle = joinEarlier(shown, { messages: [message('b', [2, 3], part)], hasEarlier: true });
    expect(shape(middle)).toEqual({
      messages: [
        ['b', '2 3 4 5', true],
        ['c', '0', false],
      ],
      hasEarlier: true,
    });
    const whole = joinEarlier(middle, {
      messages: [message('a', [0]), message('b', [0, 1])],
      hasEarlier: false,
    });
    expect(shape(whole).messages).toEqual([
      ['a', '0', false],
      ['b', '0 1 2 3 4 5', false],
      ['c', '0', false],
    ]);
  });

  it('stay when a snapshot comes that they still join', () => {
    const shown = conversation([message('a', [3, 4], part), message('b', [0, 1])]);
    const snapshot = conversation([message('b', [1, 2], part), message('c', [0])], true, 9);
    expect(shape(joinSnapshot(shown, snapshot))).toEqual({
      messages: [
        ['a', '3 4', true],
        ['b', '0 1 2', false],
        ['c', '0', false],
      ],
      hasEarlier: true,
    });
    expect(joinSnapshot(shown, snapshot).seq).toBe(9);
  });

  it('give way to a snapshot that reaches further back', () => {
    const shown = conversation([message('a', [3, 4], part)]);
    const snapshot = conversation([message('a', [0, 1, 2, 3, 4])], false);
    expect(shape(joinSnapshot(shown, snapshot))).toEqual(shape(snapshot));
  });

  it.each([
    ['nothing of it is known', [message('a', [0])], [message('x', [0])]],
    ['blocks are missing in between', [message('a', [0, 1])], [message('a', [5, 6], part)]],
    [
      'something ran in them',
      [message('a', [0], { status: 'processing' }), message('b', [0])],
      [message('b', [0])],
    ],
  ])('are given up when %s', (_, shown, fresh) => {
    const snapshot = conversation(fresh);
    expect(joinSnapshot(conversation(shown), snapshot)).toBe(snapshot);
  });
});
