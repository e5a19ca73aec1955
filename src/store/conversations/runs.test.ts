import { expect, it } from 'vitest';
import type { Run } from '#shared/api/v1-api.ts';
import type { Message } from '#shared/vocabulary/message.ts';
import { describeEachDatabase } from '../../../test/databases.ts';
import { usualSlice } from '../database/slices.ts';
import type { Store } from '../database/store.ts';
import { insertMessage } from './messages.ts';
import { dropOldRuns, expiredTopics, getRun, insertRun } from './runs.ts';
import { insertTopic } from './topics.ts';

const before = { kept: 1000, stored: 100 };

interface Made {
  id: string;
  isChat?: boolean;
  /** When its answer ended; absent: it runs. */
  endedAt?: number;
  run?: Pick<Run, 'stored' | 'createdAt'>;
}

async function make({ db }: Store, { id, isChat, endedAt, run }: Made): Promise<void> {
  await insertTopic(db, 'local', {
    id,
    title: '',
    titled: true,
    assistantId: 'default',
    ...(!isChat && { unlisted: true }),
    activeLeafId: null,
    isLoading: false,
    createdAt: 1,
    updatedAt: 1,
  });
  const answer: Message = {
    id: `${id}-answer`,
    topicId: id,
    parentId: null,
    role: 'assistant',
    status: endedAt === undefined ? 'pending' : 'success',
    createdAt: 1,
    ...(endedAt !== undefined && { endedAt }),
    blocks: [],
  };
  await insertMessage(db, answer);
  const known = { owner: 'local', credential: 'key 1', kind: 'response', bodyHash: id } as const;
  const facts = { topicId: id, answerId: answer.id, asked: {}, chain: id, begins: 0 };
  if (run) await insertRun(db, { id: `${id}-run`, ...known, ...facts, ...run }, null);
}

describeEachDatabase((open) => {
  it('answers of programs expire after their end, those that are stored after their beginning', async () => {
    const store = await open();
    const old = { stored: false, createdAt: 1 };
    await make(store, { id: 'a-running', run: old });
    await make(store, { id: 'b-ended', endedAt: 999, run: old });
    await make(store, { id: 'c-recent', endedAt: 1000, run: old });
    await make(store, { id: 'd-stored', endedAt: 1, run: { stored: true, createdAt: 100 } });
    await make(store, { id: 'e-stored-long', endedAt: 1, run: { stored: true, createdAt: 99 } });
    await make(store, { id: 'f-left-by-a-crash', endedAt: 1 });
    await make(store, { id: 'g-chat', isChat: true, endedAt: 1, run: old });
    const { expired, last } = await expiredTopics(store.db, before, '');
    const ids = expired.map(({ id }) => id);
    expect(ids).toEqual(['b-ended', 'e-stored-long', 'f-left-by-a-crash']);
    expect(last).toBeUndefined();
    expect(await dropOldRuns(store.db, before.stored)).toBe(1);
    expect(await getRun(store.db, 'local', 'g-chat-run')).toBeUndefined();
    expect(await getRun(store.db, 'local', 'a-running-run')).toBeDefined();
  });

  it('however many are stored, they are looked at in slices', async () => {
    const store = await open();
    const run = { stored: true, createdAt: 100 };
    const names = Array.from({ length: usualSlice.rows + 1 }, (_, n) => String(1000 + n));
    await store.transaction(async (db) => {
      for (const id of names) await make({ ...store, db }, { id, endedAt: 1, run });
    });
    const first = await expiredTopics(store.db, before, '');
    expect(first).toEqual({ expired: [], last: names.at(-2) });
    expect(await expiredTopics(store.db, before, first.last ?? '')).toEqual({
      expired: [],
      last: undefined,
    });
  });
});
