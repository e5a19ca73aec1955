import { describe, expect, it } from 'vitest';
import type { Block } from '#shared/vocabulary/block.ts';
import type { EventBody } from '#shared/vocabulary/event.ts';
import type { Conversation, Message, Topic } from '#shared/vocabulary/message.ts';
import { reduce } from '#shared/vocabulary/reduce.ts';
import type { Db, Store } from '../database/store.ts';
import { describeEachDatabase } from '../../../test/databases.ts';
import { loadConversation } from './conversation.ts';
import { insertEvents, readEvents, trimEvents } from './events.ts';
import { finishMessage, insertMessage } from './messages.ts';
import { insertTopic, setTopicSeq } from './topics.ts';

async function dropEvents(tx: Db, ids: (number | undefined)[]): Promise<void> {
  const known = ids.filter((id) => id !== undefined);
  await tx.deleteFrom('events').where('id', 'in', known).execute();
}

const topic: Topic = {
  id: 't',
  title: 'T',
  titled: true,
  assistantId: 'default',
  activeLeafId: 'answer',
  isLoading: false,
  createdAt: 1,
  updatedAt: 2,
};
const question: Message = {
  id: 'question',
  topicId: 't',
  parentId: null,
  role: 'user',
  status: 'success',
  createdAt: 1,
  blocks: [],
};
const answer: Message = {
  id: 'answer',
  topicId: 't',
  parentId: 'question',
  role: 'assistant',
  status: 'pending',
  createdAt: 2,
  blocks: [],
};
const block: Block = {
  id: 'b',
  messageId: 'answer',
  ordinal: 0,
  type: 'main_text',
  status: 'streaming',
  content: '',
  round: 0,
  startedAt: 3,
};
const story: EventBody[] = [
  { type: 'message-start', messageId: 'question', message: question },
  { type: 'message-start', messageId: 'answer', message: answer },
  { type: 'block-start', messageId: 'answer', blockId: 'b', block },
  { type: 'block-delta', messageId: 'answer', blockId: 'b', offset: 0, text: 'Hello ' },
  { type: 'block-delta', messageId: 'answer', blockId: 'b', offset: 6, text: '世界' },
  { type: 'block-end', messageId: 'answer', blockId: 'b', status: 'success', length: 8, at: 4 },
  { type: 'message-end', messageId: 'answer', status: 'success', at: 5 },
];
const rows = (from: number, to: number) =>
  story
    .slice(from, to)
    .map((body, at) => ({ topicId: 't', seq: from + at + 1, body: JSON.stringify(body) }));

const empty: Conversation = {
  topic: { ...topic, activeLeafId: null },
  messages: [],
  hasEarlier: false,
  seq: 0,
};
const after = (count: number): Conversation =>
  story.slice(0, count).reduce((state, body, at) => reduce(state, { ...body, seq: at + 1 }), empty);

async function begin(store: Store): Promise<void> {
  await store.transaction(async (tx) => {
    await insertTopic(tx, 'local', topic);
    await insertMessage(tx, question);
    await insertMessage(tx, answer);
    await insertEvents(tx, rows(0, 2));
    await setTopicSeq(tx, 't', { nextSeq: 3, floorSeq: 0 });
  });
}

describe('a conversation from rows and journal', () => {
  describeEachDatabase((open) => {
    it('is, after every event, what the reducer makes of all events', async () => {
      const store = await open();
      await begin(store);
      for (let count = 2; count <= story.length; count++) {
        if (count > 2) await store.appendEvents(rows(count - 1, count));
        expect(await loadConversation(store, 'local', 't', { limit: 50 })).toEqual(after(count));
      }
    });

    it('is the same once the answer was folded and its events are gone', async () => {
      const store = await open();
      await begin(store);
      const ids = await store.appendEvents(rows(2, 7));
      const whole = after(7);
      await store.transaction(async (tx) => {
        await finishMessage(tx, whole.messages[1]!);
        await dropEvents(tx, ids);
        await setTopicSeq(tx, 't', { nextSeq: 8, floorSeq: 7 });
      });
      expect(await loadConversation(store, 'local', 't', { limit: 50 })).toEqual(whole);
    });

    it('does not mind events of ended answers that are still in the journal', async () => {
      const store = await open();
      await begin(store);
      await store.appendEvents(rows(2, 7));
      const whole = after(7);
      await store.transaction(async (tx) => {
        await finishMessage(tx, whole.messages[1]!);
        await setTopicSeq(tx, 't', { nextSeq: 8, floorSeq: 7 });
      });
      expect(await loadConversation(store, 'local', 't', { limit: 50 })).toEqual(whole);
    });

    it('shows older pages without what came later', async () => {
      const store = await open();
      await begin(store);
      await store.appendEvents(rows(2, 4));
      const last = await loadConversation(store, 'local', 't', { limit: 1 });
      expect(last?.messages.map(({ id }) => id)).toEqual(['answer']);
      expect(last?.hasEarlier).toBe(true);
      const older = await loadConversation(store, 'local', 't', { limit: 1, before: 'answer' });
      expect(older?.messages).toEqual([question]);
      expect(older?.topic.isLoading).toBe(true);
      expect(older?.seq).toBe(4);
    });

    it('is nothing for another owner or an unknown topic', async () => {
      const store = await open();
      await begin(store);
      expect(await loadConversation(store, 'other', 't', { limit: 5 })).toBeUndefined();
      expect(await loadConversation(store, 'local', 'u', { limit: 5 })).toBeUndefined();
    });
  });
});

describe('the journal', () => {
  describeEachDatabase((open) => {
    it('gives the events after a number, in order, whatever the order of writing', async () => {
      const store = await open();
      const [one, two, three] = rows(0, 3);
      await store.appendEvents([three!, one!]);
      await store.appendEvents([two!]);
      expect((await readEvents(store.db, 't')).map(({ seq }) => seq)).toEqual([1, 2, 3]);
      expect((await readEvents(store.db, 't', 2)).map(({ seq }) => seq)).toEqual([3]);
    });

    it('gives row ids in the order of the rows, over several statements', async () => {
      const store = await open();
      const many = Array.from({ length: 1203 }, (_, at) => ({
        topicId: 't',
        seq: at + 1,
        body: '{"type":"topic-delete"}',
      }));
      const ids = await store.transaction((tx) => insertEvents(tx, many));
      expect(ids).toHaveLength(1203);
      await store.transaction((tx) => dropEvents(tx, ids.slice(1)));
      expect((await readEvents(store.db, 't')).map(({ seq }) => seq)).toEqual([1]);
    });

    it('is trimmed from its oldest end', async () => {
      const store = await open();
      await store.appendEvents(rows(0, 3));
      const [fourth] = await store.appendEvents(rows(3, 4));
      await store.appendEvents(rows(4, 5));
      await trimEvents(store.db, fourth!);
      expect((await readEvents(store.db, 't')).map(({ seq }) => seq)).toEqual([4, 5]);
      await trimEvents(store.db, fourth! + 100);
      expect((await readEvents(store.db, 't')).map(({ seq }) => seq)).toEqual([5]);
    });
  });
});
