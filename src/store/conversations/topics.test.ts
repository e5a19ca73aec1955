import { randomUUIDv7 } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { ErrorInfo } from '#shared/errors/errors.ts';
import type { Block } from '#shared/vocabulary/block.ts';
import type { Message, Topic } from '#shared/vocabulary/message.ts';
import { describeEachDatabase } from '../../../test/databases.ts';
import { readEvents } from './events.ts';
import { readPage } from './message-page.ts';
import {
  finishMessage,
  getMessage,
  getRequest,
  insertMessage,
  listMessages,
  listRunning,
  pathTo,
} from './messages.ts';
import { searchText } from './search.ts';
import { sweepTopic } from './sweep.ts';
import { listTopics } from './topic-list.ts';
import {
  deleteTopic,
  getTopic,
  getTopicSeq,
  insertTopic,
  listTopicSeqs,
  setTopicSeq,
  topicOwner,
  updateTopic,
} from './topics.ts';

function topic(fields: Partial<Topic> = {}): Topic {
  return {
    id: randomUUIDv7(),
    title: 'New topic',
    titled: false,
    assistantId: 'default',
    activeLeafId: null,
    isLoading: false,
    createdAt: 1,
    updatedAt: 1,
    ...fields,
  };
}

function message(topicId: string, fields: Partial<Message> = {}): Message {
  return {
    id: randomUUIDv7(),
    topicId,
    parentId: null,
    role: 'user',
    status: 'success',
    createdAt: 1,
    blocks: [],
    ...fields,
  };
}

function text(messageId: string, ordinal: number, content: string): Block {
  return {
    id: randomUUIDv7(),
    messageId,
    ordinal,
    type: 'main_text',
    status: 'success',
    content,
    round: 0,
    startedAt: 1,
    endedAt: 2,
  };
}

function userMessage(topicId: string, content: string, fields: Partial<Message> = {}): Message {
  const bare = message(topicId, fields);
  return { ...bare, blocks: [text(bare.id, 0, content)] };
}

describe('topics and messages', () => {
  describeEachDatabase((open) => {
    it('is not there under an id that no database could keep', async () => {
      const store = await open();
      const { id } = topic();
      await insertTopic(store.db, 'local', topic({ id }));
      for (const wrong of ['\0', `${id}\0`, '\0'.repeat(100)]) {
        expect(await getTopic(store.db, 'local', wrong)).toBeUndefined();
        expect(await deleteTopic(store.db, 'local', wrong)).toBe(false);
        expect(await listTopicSeqs(store.db, [id, wrong])).toEqual(new Map([[id, 0]]));
      }
    });

    it('gives a topic back as it was stored, overrides included', async () => {
      const { db } = await open();
      const full = topic({
        model: 'demo/scripted',
        systemPrompt: 'Be brief.',
        parameters: { temperature: 0.5 },
        mcp: { enabled: true, mode: 'manual', selectedServers: ['a'] },
        activeLeafId: 'm',
      });
      await insertTopic(db, 'local', full);
      expect(await getTopic(db, 'local', full.id)).toEqual(full);
    });

    it('hides topics of others', async () => {
      const { db } = await open();
      const mine = topic();
      await insertTopic(db, 'local', mine);
      expect(await getTopic(db, 'other', mine.id)).toBeUndefined();
      expect(await listTopics(db, 'other', { limit: 10 })).toEqual([]);
      expect(await updateTopic(db, 'other', mine.id, { title: 'x' })).toBe(false);
      expect(await updateTopic(db, 'other', mine.id, {})).toBe(false);
      expect(await deleteTopic(db, 'other', mine.id)).toBe(false);
      expect(await topicOwner(db, mine.id)).toBe('local');
      expect(await getTopic(db, 'local', mine.id)).toEqual(mine);
    });

    it('changes only what a patch names and clears what it sets to null', async () => {
      const { db } = await open();
      const one = topic({ model: 'a/b', systemPrompt: 'x', parameters: { topP: 1 } });
      await insertTopic(db, 'local', one);
      await updateTopic(db, 'local', one.id, {
        title: 'Named\0',
        titled: true,
        model: null,
        parameters: null,
        systemPrompt: undefined,
        updatedAt: 9,
      });
      const { model: _, parameters: __, ...rest } = one;
      expect(await getTopic(db, 'local', one.id)).toEqual({
        ...rest,
        title: 'Named\ufffd',
        titled: true,
        updatedAt: 9,
      });
    });

    it('lists the newest change first, page by page', async () => {
      const { db } = await open();
      const all = [4, 1, 2, 3].map((updatedAt) => topic({ updatedAt }));
      for (const one of all) await insertTopic(db, 'local', one);
      const ids = async (page: { limit: number; before?: string }) =>
        (await listTopics(db, 'local', page)).map(({ id }) => id);
      const order = [all[0]!.id, all[3]!.id, all[2]!.id, all[1]!.id];
      expect(await ids({ limit: 10 })).toEqual(order);
      expect(await ids({ limit: 2 })).toEqual(order.slice(0, 2));
      expect(await ids({ limit: 2, before: order[1]! })).toEqual(order.slice(2));
      expect(await ids({ limit: 2, before: 'nobody' })).toEqual([]);
    });

    it('marks a topic as loading while an answer of it runs', async () => {
      const store = await open();
      const { db } = store;
      const one = topic();
      await insertTopic(db, 'local', one);
      const answer = message(one.id, { role: 'assistant', status: 'pending' });
      await insertMessage(db, answer, { tools: ['x'] });
      expect((await getTopic(db, 'local', one.id))?.isLoading).toBe(true);
      expect((await listTopics(db, 'local', { limit: 1 }))[0]?.isLoading).toBe(true);
      expect(await listRunning(db)).toEqual([
        { owner: 'local', message: answer, request: { tools: ['x'] }, isParked: false },
      ]);
      expect(await getRequest(db, answer.id)).toEqual({ tools: ['x'] });
      const ended: Message = { ...answer, status: 'stopped', endedAt: 5 };
      expect(await store.transaction((tx) => finishMessage(tx, ended))).toBe(true);
      expect((await getTopic(db, 'local', one.id))?.isLoading).toBe(false);
      expect(await listRunning(db)).toEqual([]);
    });

    it('tells an error by its block, also where an earlier version wrote it into the row too', async () => {
      const store = await open();
      const one = topic();
      await insertTopic(store.db, 'local', one);
      const answer = message(one.id, { role: 'assistant', status: 'error', endedAt: 7 });
      const error: ErrorInfo = { code: 'model_failed', message: 'The vendor hung up.' };
      const block = { ...text(answer.id, 0, ''), type: 'error', status: 'error', error } as Block;
      const ended = { ...answer, blocks: [block] };
      await insertMessage(store.db, ended);
      const row = store.db.selectFrom('messages').select('error').where('id', '=', answer.id);
      expect(await row.executeTakeFirst()).toEqual({ error: null });
      await store.db
        .updateTable('messages')
        .set({ error: JSON.stringify(error) })
        .where('id', '=', answer.id)
        .execute();
      expect(await getMessage(store.db, 'local', answer.id)).toEqual(ended);
      expect((await readPage(store.db, one.id, { limit: 9, blocks: 9 })).messages).toEqual([ended]);
    });

    it('finishes an answer once, with its blocks in order', async () => {
      const store = await open();
      const one = topic();
      await insertTopic(store.db, 'local', one);
      const answer = message(one.id, { role: 'assistant', status: 'pending', model: 'a/b' });
      await insertMessage(store.db, answer);
      const tool: Block = {
        id: randomUUIDv7(),
        messageId: answer.id,
        ordinal: 2,
        type: 'tool',
        status: 'success',
        content: '',
        round: 0,
        startedAt: 1,
        toolCallId: 't',
        callId: 'call_0',
        serverId: 's',
        serverName: 'S',
        toolName: 'time',
        modelToolName: 's__time',
        arguments: { zone: 'Asia/Tokyo' },
        state: 'succeeded',
        result: { content: [{ type: 'text', text: 'noon' }] },
      };
      const ended: Message = {
        ...answer,
        status: 'success',
        endedAt: 7,
        usage: { inputTokens: 1 },
        blocks: [text(answer.id, 0, 'a'), tool, text(answer.id, 5, 'b')],
      };
      expect(await store.transaction((tx) => finishMessage(tx, ended))).toBe(true);
      expect(await store.transaction((tx) => finishMessage(tx, ended))).toBe(false);
      expect(await getMessage(store.db, 'local', answer.id)).toEqual(ended);
      expect(await getMessage(store.db, 'other', answer.id)).toBeUndefined();
    });

    it('shows a block type of a newer version as unknown', async () => {
      const { db } = await open();
      const one = topic();
      await insertTopic(db, 'local', one);
      const sent = userMessage(one.id, 'hello');
      await insertMessage(db, sent);
      await db.updateTable('blocks').set({ type: 'hologram' }).execute();
      const [block] = (await getMessage(db, 'local', sent.id))!.blocks;
      expect(block).toMatchObject({ type: 'unknown', content: 'hello' });
    });

    it('pages through messages from the newest back, each page in order of creation, even within a millisecond', async () => {
      const { db } = await open();
      const one = topic();
      await insertTopic(db, 'local', one);
      const sent = Array.from({ length: 4 }, (_, at) => userMessage(one.id, `number ${at}`));
      for (const each of sent) await insertMessage(db, each);
      const last = await listMessages(db, one.id, { limit: 2 });
      expect(last).toEqual({ messages: sent.slice(2), hasEarlier: true });
      const first = await listMessages(db, one.id, { limit: 2, before: sent[2]!.id });
      expect(first).toEqual({ messages: sent.slice(0, 2), hasEarlier: false });
      expect((await listMessages(db, one.id, { limit: 2, before: 'nobody' })).messages).toEqual([]);
    });

    it('gives the branch that ends in a message, and nothing of another topic', async () => {
      const { db } = await open();
      const [one, two] = [topic(), topic()];
      await insertTopic(db, 'local', one);
      await insertTopic(db, 'local', two);
      const root = userMessage(one.id, 'root');
      const left = userMessage(one.id, 'left', { parentId: root.id });
      const right = userMessage(one.id, 'right', { parentId: root.id });
      const leaf = userMessage(one.id, 'leaf', { parentId: right.id });
      for (const each of [root, left, right, leaf]) await insertMessage(db, each);
      expect(await pathTo(db, one.id, leaf.id)).toEqual([root, right, leaf]);
      expect(await pathTo(db, one.id, left.id)).toEqual([root, left]);
      expect(await pathTo(db, two.id, leaf.id)).toEqual([]);
    });

    it('deletes a topic with everything of it', async () => {
      const store = await open();
      const { db } = store;
      const [gone, kept] = [topic({ title: 'cherry one' }), topic({ title: 'cherry two' })];
      for (const one of [gone, kept]) {
        await insertTopic(db, 'local', one);
        await insertMessage(db, userMessage(one.id, 'a ripe cherry'));
        await store.appendEvents([{ topicId: one.id, seq: 1, body: '{"type":"topic-delete"}' }]);
      }
      expect(await store.transaction((tx) => deleteTopic(tx, 'local', gone.id))).toBe(true);
      await sweepTopic(store, gone.id);
      const left = await searchText(db, 'local', 'cherry', 10);
      expect(left.map(({ topicId }) => topicId)).toEqual([kept.id, kept.id]);
      expect(await readEvents(db, gone.id)).toEqual([]);
      expect(await readEvents(db, kept.id)).toHaveLength(1);
      expect(await db.selectFrom('messages').select('topic_id').execute()).toEqual([
        { topic_id: kept.id },
      ]);
      expect(await db.selectFrom('blocks').select('id').execute()).toHaveLength(1);
      expect(await db.selectFrom('search').select('id').execute()).toHaveLength(2);
    });

    it('keeps the numbering of events', async () => {
      const { db } = await open();
      const one = topic();
      await insertTopic(db, 'local', one);
      expect(await getTopicSeq(db, one.id)).toEqual({ nextSeq: 1, floorSeq: 0 });
      await setTopicSeq(db, one.id, { nextSeq: 2 ** 40, floorSeq: 7 });
      expect(await getTopicSeq(db, one.id)).toEqual({ nextSeq: 2 ** 40, floorSeq: 7 });
    });
  });
});
