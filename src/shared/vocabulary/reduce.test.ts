import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { illegalities } from '../../../test/legal-conversation.ts';
import { emptyConversation, legalEvents } from '../../../test/legal-events.ts';
import type { Event } from './event.ts';
import { reduce } from './reduce.ts';

const fold = (events: Event[], from = emptyConversation) => events.reduce(reduce, from);

describe('reduce', () => {
  it('gives a legal conversation for any prefix of any legal sequence', () => {
    fc.assert(
      fc.property(legalEvents, (events) => {
        let conversation = emptyConversation;
        for (const event of events) {
          conversation = reduce(conversation, event);
          expect(illegalities(conversation)).toEqual([]);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('gives the same from a snapshot and its tail as from everything', () => {
    fc.assert(
      fc.property(legalEvents, fc.nat(), (events, cut) => {
        const at = cut % (events.length + 1);
        const snapshot = JSON.parse(JSON.stringify(fold(events.slice(0, at))));
        expect(fold(events.slice(at), snapshot)).toEqual(fold(events));
        const asEvent: Event = { type: 'snapshot', conversation: snapshot };
        expect(fold([asEvent, ...events], emptyConversation)).toEqual(fold(events));
      }),
    );
  });

  it('changes nothing on a repeated event', () => {
    fc.assert(
      fc.property(legalEvents, fc.nat(), (events, pick) => {
        const conversation = fold(events);
        const again = events[pick % events.length]!;
        expect(reduce(conversation, again)).toBe(conversation);
      }),
    );
  });

  it('changes nothing on an unknown event or an unknown id', () => {
    fc.assert(
      fc.property(legalEvents, (events) => {
        const conversation = fold(events);
        const unknown = { type: 'from-the-future', seq: conversation.seq + 1 } as unknown as Event;
        expect(reduce(conversation, unknown)).toBe(conversation);
        const stray: Event = {
          type: 'block-delta',
          messageId: 'nobody',
          blockId: 'b1',
          offset: 0,
          text: 'x',
        };
        expect(reduce(conversation, stray)).toBe(conversation);
      }),
    );
  });

  it('never changes the order of blocks once given', () => {
    fc.assert(
      fc.property(legalEvents, (events) => {
        const order = new Map<string, string[]>();
        let conversation = emptyConversation;
        for (const event of events) {
          conversation = reduce(conversation, event);
          for (const message of conversation.messages) {
            const ids = message.blocks.map(({ id }) => id);
            const before = order.get(message.id) ?? [];
            expect(ids.slice(0, before.length)).toEqual(before);
            order.set(message.id, ids);
          }
        }
      }),
    );
  });

  it('shows provisional text at once and ends with the same text as without it', () => {
    fc.assert(
      fc.property(legalEvents, fc.array(fc.nat(6), { minLength: 60 }), (events, cuts) => {
        let viewer = emptyConversation;
        for (const [index, event] of events.entries()) {
          if (event.type === 'block-delta') {
            const { seq: _, ...provisional } = event;
            const cut = cuts[index % cuts.length]!;
            viewer = reduce(viewer, { ...provisional, text: event.text.slice(0, cut) });
          }
          viewer = reduce(viewer, event);
        }
        expect(viewer).toEqual(fold(events));
      }),
    );
  });

  it('cuts a block to its final length, so that text which was never durable disappears', () => {
    const started = fold([
      message('m1', 1),
      block('m1', 'b1', 2),
      { type: 'block-delta', messageId: 'm1', blockId: 'b1', offset: 0, text: 'durable and lost' },
    ]);
    const ended = reduce(started, {
      type: 'block-end',
      seq: 3,
      messageId: 'm1',
      blockId: 'b1',
      status: 'success',
      length: 7,
      at: 5,
    });
    expect(ended.messages[0]?.blocks[0]?.content).toBe('durable');
  });

  it('keeps text that is ahead when a shorter durable delta follows', () => {
    const ahead = fold([
      message('m1', 1),
      block('m1', 'b1', 2),
      { type: 'block-delta', messageId: 'm1', blockId: 'b1', offset: 0, text: 'seen at once' },
    ]);
    const durable: Event = {
      type: 'block-delta',
      seq: 3,
      messageId: 'm1',
      blockId: 'b1',
      offset: 0,
      text: 'seen',
    };
    expect(reduce(ahead, durable).messages[0]?.blocks[0]?.content).toBe('seen at once');
    const gap: Event = { ...durable, seq: 4, offset: 50, text: 'far away' };
    expect(reduce(ahead, gap).messages[0]?.blocks[0]?.content).toBe('seen at once');
  });

  it('does not let a block in before one that began earlier', () => {
    const started = fold([message('m1', 1), block('m1', 'b1', 2)]);
    const late = reduce(started, block('m1', 'b0', 3));
    expect(late.messages[0]?.blocks.map(({ id }) => id)).toEqual(['b1']);
  });

  it('removes an override of the topic that is set to null, as its row does', () => {
    const set = reduce(emptyConversation, {
      type: 'topic-update',
      seq: 1,
      patch: { model: 'a/b' },
    });
    expect(set.topic.model).toBe('a/b');
    const cleared = reduce(set, { type: 'topic-update', seq: 2, patch: { model: null } });
    expect(cleared.topic).toEqual(emptyConversation.topic);
  });

  it('says what a running answer waits for', () => {
    const started = fold([message('m1', 1)]);
    expect(started.messages[0]).toMatchObject({ status: 'pending', waiting: { for: 'model' } });
    const streaming = reduce(started, block('m1', 'b1', 2));
    expect(streaming.messages[0]).toMatchObject({ status: 'processing' });
    expect(streaming.messages[0]?.waiting).toBeUndefined();
    expect(streaming.topic.isLoading).toBe(true);
  });

  it('lets a message that ended grow while it is translated, and keeps how it ended', () => {
    const end = { type: 'message-end', messageId: 'm1', status: 'stopped', at: 9 } as const;
    const ended = fold([message('m1', 1), { ...end, seq: 2 }]);
    expect(reduce(ended, block('m1', 'b1', 3)).messages).toEqual(ended.messages);
    const open = reduce(ended, { type: 'message-reopen', messageId: 'm1', seq: 3 });
    const growing = reduce(open, block('m1', 'b1', 4));
    expect(growing.topic.isLoading).toBe(true);
    expect(growing.messages[0]).toMatchObject({ status: 'stopped', translating: true });
    expect(growing.messages[0]?.waiting).toBeUndefined();
    expect(illegalities(growing)).toEqual([]);
    const closed = reduce(growing, { ...end, seq: 5 });
    const { blocks: _, ...same } = ended.messages[0]!;
    expect(closed.messages[0]).toMatchObject({ ...same, blocks: [{ status: 'interrupted' }] });
    expect(closed.topic.isLoading).toBe(false);
  });

  it('forgets messages that were deleted, and what comes of them later', () => {
    const gone: Event = { type: 'messages-delete', seq: 3, messageIds: ['m1'], activeLeafId: 'm2' };
    const left = fold([message('m1', 1), message('m2', 2), gone, block('m1', 'b1', 4)]);
    expect(left.messages.map(({ id }) => id)).toEqual(['m2']);
    expect(left.topic.activeLeafId).toBe('m2');
  });
});

function message(id: string, seq: number): Event {
  return {
    type: 'message-start',
    seq,
    messageId: id,
    message: {
      id,
      topicId: 'topic',
      parentId: null,
      role: 'assistant',
      status: 'pending',
      createdAt: 1,
      blocks: [],
    },
  };
}

function block(messageId: string, id: string, seq: number): Event {
  return {
    type: 'block-start',
    seq,
    messageId,
    blockId: id,
    block: {
      id,
      messageId,
      ordinal: 0,
      type: 'main_text',
      status: 'streaming',
      content: '',
      round: 0,
      startedAt: 2,
    },
  };
}
