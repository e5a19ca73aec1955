import { randomUUIDv7 } from 'node:crypto';
import { CompiledQuery, sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { usageSchema } from '#shared/api/usage-api.ts';
import type { Message } from '#shared/vocabulary/message.ts';
import { answerInput, keepInput } from '#store/calls/inputs.ts';
import {
  insertToolCalls,
  type ToolCallRecord,
  transitionToolCall,
} from '#store/calls/tool-calls.ts';
import { deleteMessages } from '#store/conversations/delete-messages.ts';
import { finishMessage, insertMessage } from '#store/conversations/messages.ts';
import { insertTopic } from '#store/conversations/topics.ts';
import { waitOfCall } from '#store/conversations/waits.ts';
import type { Db, Store } from '#store/database/store.ts';
import { useByDay, useByOne } from '#store/usage/usage.ts';
import { describeEachDatabase } from '../../../test/databases.ts';
import { expectSums } from '../../../test/fixtures/recount-sums.ts';
import { recordDecision } from '../calls/call-decision.ts';
import { Usage } from './usage.ts';

const hour = 3600 * 1000;
/** Noon in Greenwich. */
const now = Date.UTC(2026, 10, 15, 12);

async function addAnswers(
  store: Store,
  owner: string,
  answers: Partial<Message>[],
): Promise<string> {
  const topicId = randomUUIDv7();
  const rest = { title: 'T', titled: true, assistantId: 'default', activeLeafId: null };
  await store.transaction(async (tx) => {
    await insertTopic(tx, owner, {
      id: topicId,
      ...rest,
      isLoading: false,
      createdAt: 1,
      updatedAt: 1,
    });
    for (const answer of answers)
      await insertMessage(tx, {
        id: randomUUIDv7(),
        topicId,
        parentId: null,
        role: 'assistant',
        status: 'success',
        model: 'demo/scripted',
        createdAt: now - 1000,
        endedAt: now,
        blocks: [],
        ...answer,
      });
  });
  return topicId;
}

const question = {
  kind: 'form',
  serverId: 's',
  serverName: 'Server',
  message: 'Well?',
  schema: { type: 'object', properties: {} },
} as const;

let index = 0;
const call = (fields: Partial<ToolCallRecord>): ToolCallRecord => ({
  id: randomUUIDv7(),
  owner: 'local',
  round: 0,
  index: index++,
  callId: 'call_0',
  serverId: 's',
  serverName: 'Server',
  toolName: 'time',
  arguments: {},
  argsHash: 'h',
  state: 'succeeded',
  createdAt: now,
  startedAt: now,
  endedAt: now + 10,
  ...fields,
});

/** How the database would run the statement that `work` sends. */
async function planOf(db: Db, work: (db: Db) => Promise<unknown>): Promise<string> {
  const executor = db.getExecutor();
  const run = executor.executeQuery.bind(executor);
  let plan = '';
  executor.executeQuery = async (query, ...rest) => {
    const explain = query.sql.includes('$1') ? 'explain ' : 'explain query plan ';
    const explained = CompiledQuery.raw(explain + query.sql, [...query.parameters]);
    plan = JSON.stringify((await run(explained)).rows);
    return await run(query, ...rest);
  };
  try {
    await work(db);
  } finally {
    executor.executeQuery = run;
  }
  return plan;
}

describe('usage', () => {
  describeEachDatabase((open, _, dialect) => {
    const read = (store: Store, query = { days: 7, offset: 0 }, owner = 'local') =>
      new Usage(store, () => now).read(owner, query);

    it('is nothing, day by day, where nothing was used', async () => {
      const usage = await read(await open());
      expect(usageSchema.parse(usage)).toEqual(usage);
      expect(usage.days.map(({ day }) => day)).toEqual(
        ['09', '10', '11', '12', '13', '14', '15'].map((day) => `2026-11-${day}`),
      );
      expect(usage).toMatchObject({ servers: [], tools: [], models: [] });
    });

    it('counts the calls of each server and tool, with how long they took', async () => {
      const store = await open();
      const lasting = (ms: number) => call({ endedAt: now + ms });
      await insertToolCalls(store.db, [
        ...Array.from({ length: 100 }, (_, at) => lasting(at + 1)),
        call({ toolName: 'date', state: 'failed' }),
        call({ toolName: 'date', state: 'denied' }),
        call({ toolName: 'date', state: 'proposed', startedAt: undefined, endedAt: undefined }),
        call({ serverId: 'x', serverName: 'Other', state: 'outcome_unknown' }),
        call({ owner: 'somebody' }),
      ]);
      const usage = usageSchema.parse(await read(store));
      expect(usage.tools).toMatchObject([
        { toolName: 'time', serverId: 's', calls: 100, failedCalls: 0, medianMs: 50, p95Ms: 95 },
        { toolName: 'date', calls: 2, failedCalls: 1 },
        { serverName: 'Other', calls: 1, failedCalls: 1, medianMs: 10, p95Ms: 10 },
      ]);
      expect(usage.servers).toMatchObject([
        { serverId: 's', calls: 102, failedCalls: 1 },
        { serverId: 'x', calls: 1, failedCalls: 1 },
      ]);
      expect(usage.days.at(-1)).toMatchObject({ calls: 103, failedCalls: 2 });
    });

    it('thinking time as latency: does not count how long a call waited for a person', async () => {
      const store = await open();
      const waiting = call({ state: 'proposed', startedAt: undefined, endedAt: undefined });
      const asking = call({ toolName: 'ask', state: 'parked', endedAt: undefined });
      await store.transaction(async (tx) => {
        await insertToolCalls(tx, [waiting, asking]);
        await recordDecision(tx, waiting, waiting, { decision: 'deny', at: now + hour });
        // Two questions at once, and one after them, in an hour and a half.
        for (const [from, to] of [
          [10, hour],
          [20, hour - 5],
          [hour + 100, hour + hour / 2],
        ] as const) {
          const view = { ...question, id: randomUUIDv7(), createdAt: now + from };
          await keepInput(tx, { owner: 'local', callId: asking.id, view });
          await answerInput(tx, 'local', view.id, { action: 'decline' }, now + to);
        }
        const endedAt = now + 2 * hour;
        const waitedMs = await waitOfCall(tx, asking.id, endedAt);
        const fields = { endedAt, waitedMs };
        await transitionToolCall(tx, asking.id, ['parked'], 'succeeded', fields);
      });
      const { tools } = usageSchema.parse(await read(store));
      const byName = (name: string) => tools.find(({ toolName }) => toolName === name);
      expect(byName('time')).toMatchObject({ calls: 1 });
      expect(byName('time')).not.toHaveProperty('medianMs');
      expect(byName('ask')?.medianMs).toBeGreaterThan((hour / 2) * 0.98);
      expect(byName('ask')?.medianMs).toBeLessThanOrEqual(hour / 2 + 110);
    });

    it('thinking time as latency: does not count how long an answer waited for a person', async () => {
      const store = await open();
      const id = randomUUIDv7();
      const answer = { id, status: 'processing', createdAt: now, endedAt: undefined } as const;
      const topicId = await addAnswers(store, 'local', [answer]);
      const asked = (fields: Partial<ToolCallRecord>) =>
        call({ answerId: id, topicId, createdAt: now + 100, endedAt: now + hour, ...fields });
      await store.transaction(async (tx) => {
        await insertToolCalls(tx, [
          asked({ decidedAt: now + hour - 100, startedAt: now + hour - 50 }),
          asked({ decidedAt: now + hour - 900, startedAt: now + hour - 800 }),
          asked({ state: 'cancelled', startedAt: undefined, endedAt: now + hour - 100 }),
          asked({ startedAt: now + 100, endedAt: now + 200 }),
        ]);
        const ended = { status: 'success', endedAt: now + hour, blocks: [] } as const;
        const rest = { topicId, parentId: null, role: 'assistant', model: 'm' } as const;
        await finishMessage(tx, { ...rest, ...answer, ...ended, blocks: [] });
      });
      const { models } = usageSchema.parse(await read(store));
      expect(models).toMatchObject([{ model: 'm', answers: 1, medianMs: 200 }]);
      await expectSums(store, ['local']);
      await store.transaction((tx) => deleteMessages(tx, topicId, [id], null));
      await expectSums(store, ['local']);
    });

    it('adds up the tokens of each model, of this owner alone', async () => {
      const store = await open();
      const tokens = {
        inputTokens: 4_000_000_000,
        cachedInputTokens: 7,
        outputTokens: 30,
        cost: 0.25,
      };
      await addAnswers(store, 'local', [
        { usage: tokens },
        { usage: { inputTokens: 5, reasoningTokens: 2, cost: 1.5 }, status: 'error' },
        { model: 'openai/gpt', usage: { outputTokens: 1 } },
        { role: 'user', model: undefined },
      ]);
      await addAnswers(store, 'somebody', [{ usage: tokens }]);
      const usage = usageSchema.parse(await read(store));
      expect(usage.models).toMatchObject([
        {
          model: 'demo/scripted',
          answers: 2,
          failedAnswers: 1,
          inputTokens: 4_000_000_005,
          cachedInputTokens: 7,
          outputTokens: 30,
          reasoningTokens: 2,
          cost: 1.75,
          medianMs: 1000,
        },
        { model: 'openai/gpt', answers: 1, outputTokens: 1, cost: 0 },
      ]);
      expect(usage.days.at(-1)).toMatchObject({ answers: 3, outputTokens: 31, cost: 1.75 });
    });

    it('is read although an imported answer claims more tokens than can be counted', async () => {
      const store = await open();
      await addAnswers(store, 'local', [
        { usage: { inputTokens: 1e300, cost: 1e308 } },
        { usage: { inputTokens: 1e300, cost: 1e308 } },
      ]);
      const usage = usageSchema.parse(await read(store));
      expect(usage.models).toMatchObject([{ answers: 2, inputTokens: 2e12, cost: 2e12 }]);
    });

    it('begins a day where the reader’s clock does', async () => {
      const store = await open();
      await addAnswers(store, 'local', [
        { endedAt: now + 11 * hour },
        { endedAt: now - 13 * hour },
      ]);
      const daysAt = async (offset: number) =>
        (await read(store, { days: 3, offset })).days.map(({ answers }) => answers);
      expect(await daysAt(0)).toEqual([0, 1, 1]);
      expect(await daysAt(8 * 60)).toEqual([0, 0, 1]);
      expect(await daysAt(-2 * 60)).toEqual([0, 1, 1]);
    });

    it('reads by an index, not every call and message there is', async () => {
      const store = await open();
      const span = { owner: 'local', from: 1, to: 2, shift: 0 };
      const plan = (work: (db: Db) => Promise<unknown>) =>
        store.transaction(async (tx) => {
          if (dialect === 'postgres') await sql`set local enable_seqscan = off`.execute(tx);
          return await planOf(tx, work);
        });
      for (const kind of ['call', 'answer'] as const)
        for (const use of [useByDay, useByOne])
          expect(await plan((db) => use(db, span, kind))).toMatch(
            /usage_sums_pkey|sqlite_autoindex_usage_sums/,
          );
    });
  });
});
