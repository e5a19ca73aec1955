import { randomUUIDv7 } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Block } from '#shared/vocabulary/block.ts';
import type { Message } from '#shared/vocabulary/message.ts';
import type { Db, Store } from '../database/store.ts';
import { describeEachDatabase } from '../../../test/databases.ts';
import { loadConversation } from './conversation.ts';
import { cutToBlocks, readPage } from './message-page.ts';
import { insertMessage, listMessages } from './messages.ts';
import { searchText } from './search.ts';
import { listTopics } from './topic-list.ts';
import { insertTopic } from './topics.ts';

const owner = 'local';

/** A topic with one message for each count, of that many blocks. */
async function addTopic(store: Store, counts: number[]): Promise<string> {
  const topicId = randomUUIDv7();
  await store.transaction(async (tx) => {
    const rest = { title: 'Topic', titled: true, assistantId: 'default', activeLeafId: null };
    const topic = { id: topicId, ...rest, isLoading: false, createdAt: 1, updatedAt: 1 };
    await insertTopic(tx, owner, topic);
    for (const count of counts) await insertMessage(tx, message(topicId, count));
  });
  return topicId;
}

function message(topicId: string, count: number): Message {
  const id = randomUUIDv7();
  const blocks = Array.from({ length: count }, (_, ordinal) => block(id, ordinal));
  const rest = { role: 'assistant' as const, status: 'success' as const };
  return { id, topicId, parentId: null, ...rest, createdAt: 1, endedAt: 2, blocks };
}

const block = (messageId: string, ordinal: number): Block =>
  ({
    id: randomUUIDv7(),
    messageId,
    ordinal,
    type: 'main_text',
    status: 'success',
    content: `block ${ordinal}`,
    startedAt: 1,
    endedAt: 2,
  }) as Block;

/** The handle, and the statements that go through it. */
function counted(db: Db): { db: Db; statements: string[] } {
  const statements: string[] = [];
  const executor = db.getExecutor();
  const run = executor.executeQuery.bind(executor);
  executor.executeQuery = (query, ...rest) => {
    statements.push(query.sql);
    return run(query, ...rest);
  };
  return { db, statements };
}

describe('a page of blocks', () => {
  describeEachDatabase((open) => {
    const walk = async (db: Db, topicId: string, blocks: number) => {
      const seen: Message[] = [];
      let cursor: { before?: string; ordinal?: number } = {};
      for (let pages = 0; pages < 200; pages += 1) {
        const page = await readPage(db, topicId, { limit: 1, blocks, ...cursor });
        const size = page.messages.reduce((sum, each) => sum + Math.max(1, each.blocks.length), 0);
        expect(size).toBeLessThanOrEqual(blocks);
        seen.unshift(...page.messages);
        const [first] = page.messages;
        if (!first || !page.hasEarlier) return joined(seen);
        const ordinal = first.hasEarlierBlocks ? first.blocks[0]?.ordinal : undefined;
        cursor = { before: first.id, ...(ordinal !== undefined && { ordinal }) };
      }
      throw new Error('the pages do not end');
    };

    it('leads back to the first block, each block once and in order, whatever the sizes', async () => {
      const store = await open();
      const counts = fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 8 });
      await fc.assert(
        fc.asyncProperty(counts, fc.integer({ min: 1, max: 12 }), async (sizes, blocks) => {
          const topicId = await addTopic(store, sizes);
          const whole = await listMessages(store.db, topicId, { limit: 100 });
          expect(await walk(store.db, topicId, blocks)).toEqual(whole.messages);
          const newest = await readPage(store.db, topicId, { limit: 1, blocks });
          expect(newest).toEqual(cutToBlocks(whole, blocks));
        }),
        { numRuns: 40 },
      );
    });

    it('of one huge answer brings its end alone', async () => {
      const store = await open();
      const topicId = await addTopic(store, [1, 3000]);
      const found = await loadConversation(store, owner, topicId, { limit: 200, blocks: 50 });
      expect(found?.messages).toHaveLength(1);
      expect(found?.messages[0]).toMatchObject({ hasEarlierBlocks: true });
      const ordinals = found?.messages[0]?.blocks.map(({ ordinal }) => ordinal);
      expect(ordinals).toEqual(Array.from({ length: 50 }, (_, n) => 2950 + n));
    });

    it('before something that is not in the topic is empty', async () => {
      const store = await open();
      const [mine, other] = [await addTopic(store, [2]), await addTopic(store, [2])];
      const foreign = (await listMessages(store.db, other, { limit: 1 })).messages[0]?.id;
      for (const before of [foreign, 'nothing', "'; drop table messages; --", ''])
        expect(
          await readPage(store.db, mine, { limit: 1, blocks: 5, ...(before && { before }) }),
        ).toMatchObject(before ? { messages: [], hasEarlier: false } : { hasEarlier: false });
    });

    it('takes one statement, as a list of topics and a search do, however large they are', async () => {
      const store = await open();
      const topicId = await addTopic(
        store,
        Array.from({ length: 300 }, () => 3),
      );
      for (let n = 0; n < 60; n += 1) await addTopic(store, [1]);
      const { db, statements } = counted(store.db);
      const taken = async (work: () => Promise<unknown>) => {
        statements.length = 0;
        await work();
        return statements;
      };
      expect(await taken(() => readPage(db, topicId, { limit: 1, blocks: 50 }))).toHaveLength(1);
      expect(await taken(() => listTopics(db, owner, { limit: 50 }))).toHaveLength(1);
      expect(await taken(() => searchText(db, owner, 'block', 50))).toHaveLength(1);
    });
  });
});

/** Parts of one message, put together again. */
function joined(parts: Message[]): Message[] {
  const whole: Message[] = [];
  for (const { hasEarlierBlocks: _, ...part } of parts) {
    const last = whole.at(-1);
    if (last?.id === part.id) last.blocks = [...last.blocks, ...part.blocks];
    else whole.push(part);
  }
  return whole;
}
