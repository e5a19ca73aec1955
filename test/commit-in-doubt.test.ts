import { sql } from 'kysely';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import type { ToolBlock } from '#shared/vocabulary/block.ts';
import { CommitInDoubt } from '#store/database/commit-in-doubt.ts';
import { didCommit } from '#store/database/postgres-transaction.ts';
import { openStore } from '#store/open-store.ts';
import { temporaryDatabase } from './databases.ts';
import { calls, says, ScriptedModel } from './fakes/scripted-model.ts';
import { type CuttingProxy, startCuttingProxy } from './fixtures/cutting-proxy.ts';
import { ask, finished, openHost, owner, until, watch } from './host.ts';
import { illegalities } from './legal-conversation.ts';

const postgresUrl = inject('postgresUrl');
const model = 'test/scripted';
const silent = () => undefined;
/** That the database is away is expected here. */
const logger = { debug: silent, info: silent, warn: silent, error: silent };
const commit = 'commit\0';

async function cuttablePlace() {
  const cleanups: (() => Promise<unknown>)[] = [];
  const place = await temporaryDatabase(postgresUrl ?? '', cleanups);
  onTestFinished(async () => {
    for (const cleanup of cleanups.toReversed()) await cleanup();
  });
  const proxy = await startCuttingProxy(place.databaseUrl ?? '');
  return { proxy, place: { ...place, databaseUrl: proxy.url } };
}

describe.skipIf(postgresUrl === null)(
  'a transaction whose connection is lost in its commit',
  () => {
    async function openCounter() {
      const { proxy, place } = await cuttablePlace();
      const store = await openStore({ ...place, logger });
      onTestFinished(() => store.close());
      await sql`create table counter (n int)`.execute(store.db);
      const count = () =>
        store.transaction(async (tx) => {
          await sql`insert into counter values (1)`.execute(tx);
          return 'counted';
        });
      const counted = async () => (await sql`select n from counter`.execute(store.db)).rows.length;
      return { proxy, store, count, counted };
    }

    it('is reported as done if it happened', async () => {
      const { proxy, count, counted } = await openCounter();
      const cut = proxy.cut({ said: ['into counter', commit], when: 'answered' });
      expect(await count()).toBe('counted');
      await cut;
      expect(await counted()).toBe(1);
    });

    it('is reported as failed if it did not', async () => {
      const { proxy, count, counted } = await openCounter();
      const cut = proxy.cut({ said: ['into counter', commit], when: 'asked' });
      await expect(count()).rejects.toMatchObject({ code: 'storage_unavailable' });
      await cut;
      expect(await counted()).toBe(0);
    });

    it.each(['answered', 'asked'] as const)(
      'is in doubt while the database is away, and no longer than that (%s)',
      async (when) => {
        const { proxy, count, counted } = await openCounter();
        void proxy.cut({ said: ['into counter', commit], when, thenAway: true });
        const error = await count().catch((thrown: unknown) => thrown);
        expect(error).toBeInstanceOf(CommitInDoubt);
        const { happened, result } = error as CommitInDoubt;
        await expect(happened()).rejects.toMatchObject({ code: 'storage_unavailable' });
        proxy.letIn();
        expect([await happened(), await counted(), result]).toEqual(
          when === 'answered' ? [true, 1, 'counted'] : [false, 0, 'counted'],
        );
      },
    );

    it('did not happen for a database that never heard of it', async () => {
      const { store } = await openCounter();
      expect(await didCommit(store.db, '9000000000')).toBe(false);
    });
  },
);

describe.skipIf(postgresUrl === null)('a topic whose write is in doubt', () => {
  const read: ['mcp__filesystem__list_directory', { path: string }] = [
    'mcp__filesystem__list_directory',
    { path: '.' },
  ];

  async function openTopic(...rounds: ConstructorParameters<typeof ScriptedModel>) {
    const { proxy, place } = await cuttablePlace();
    const models = { [model]: new ScriptedModel(...rounds) };
    const host = await openHost(place, { models, logger });
    onTestFinished(() => host.close());
    const topic = await host.topics.create(owner, { model, title: 'In doubt' });
    const viewer = await watch(host, topic.id);
    onTestFinished(() => viewer.close());
    /** Everything agrees: rows, viewer and what the next answer needs. */
    const expectWorking = async () => {
      expect((await ask(host, topic.id, 'And now?')).status).toBe('success');
      const rows = await host.topics.snapshot(owner, topic.id);
      expect(illegalities(rows)).toEqual([]);
      await expect.poll(() => viewer.conversation()).toEqual(rows);
      return rows;
    };
    return { proxy, host, topic, expectWorking };
  }

  async function letInAfter(proxy: CuttingProxy, cut: Promise<void>, failed: Promise<unknown>) {
    await cut;
    await failed;
    proxy.letIn();
  }

  it('goes on with a message that was stored although its sender was told otherwise', async () => {
    const { proxy, host, topic, expectWorking } = await openTopic(says('Here I am.'));
    const cut = proxy.cut({
      said: ['insert into "messages"', commit],
      when: 'answered',
      thenAway: true,
    });
    const sent = host.messages.send(owner, topic.id, { text: 'Anybody?' });
    const refused = expect(sent).rejects.toMatchObject({ code: 'storage_unavailable' });
    await letInAfter(proxy, cut, refused);
    const rows = await expect
      .poll(() => host.topics.snapshot(owner, topic.id))
      .toMatchObject({ messages: [{ role: 'user' }, { role: 'assistant', status: 'success' }] })
      .then(() => expectWorking());
    expect(rows.messages).toHaveLength(4);
  });

  it('writes again what was not stored', async () => {
    const { proxy, host, topic, expectWorking } = await openTopic(says('Here I am.'));
    const cut = proxy.cut({
      said: ['insert into "messages"', commit],
      when: 'asked',
      thenAway: true,
    });
    const sent = host.messages.send(owner, topic.id, { text: 'Anybody?' });
    const refused = expect(sent).rejects.toMatchObject({ code: 'storage_unavailable' });
    await letInAfter(proxy, cut, refused);
    expect((await expectWorking()).messages).toHaveLength(2);
  });

  it.each(['answered', 'asked'] as const)(
    'ends its answer with the outcome that the row of a call has (%s)',
    async (when) => {
      const { proxy, host, topic, expectWorking } = await openTopic(calls(read), says('Read.'));
      const said = ['update "tool_calls"', 'succeeded', commit];
      const cut = proxy.cut({ said, when, thenAway: true });
      const { answerId } = await host.messages.send(owner, topic.id, { text: 'Read.' });
      await cut;
      // The turn has given up on the call by the time that the database is back.
      await expect
        .poll(() => host.topics.snapshot(owner, topic.id).catch(() => 'away'))
        .toBe('away');
      await new Promise((resolve) => void setTimeout(resolve, 2_500));
      proxy.letIn();
      const answer = await finished(host, topic.id, answerId);
      const block = answer.blocks.find((each): each is ToolBlock => each.type === 'tool');
      expect(answer.status).toBe('error');
      expect(block?.state).toBe(when === 'answered' ? 'succeeded' : 'outcome_unknown');
      const row = await host.approvals.get(owner, block?.toolCallId ?? '');
      expect(row.state).toBe(block?.state);
      await expectWorking();
    },
  );

  it.each(['answered', 'asked'] as const)(
    'loses and repeats no text when the journal is cut (%s)',
    async (when) => {
      const words = Array.from({ length: 30 }, (_, n) => `word ${n} `);
      const { proxy, host, topic, expectWorking } = await openTopic(async function* () {
        for (const text of words) {
          yield [{ type: 'text-delta', id: 't', text }];
          await new Promise((resolve) => void setTimeout(resolve, 10));
        }
        yield [{ type: 'response-complete', finishReason: 'stop' }];
      });
      const cut = proxy.cut({ said: ['insert into events', 'word 1'], when });
      const { answerId } = await host.messages.send(owner, topic.id, { text: 'Talk.' });
      await cut;
      const answer = await finished(host, topic.id, answerId);
      expect([answer.status, answer.blocks.map(({ content }) => content)]).toEqual([
        'success',
        [words.join('')],
      ]);
      await expectWorking();
    },
  );

  it('hears of a decision that was stored although it was reported as failed', async () => {
    const write: ['mcp__filesystem__write_file', { path: string; content: string }] = [
      'mcp__filesystem__write_file',
      { path: 'c.txt', content: 'x' },
    ];
    const { proxy, host, topic, expectWorking } = await openTopic(calls(write), says('Written.'));
    const { answerId } = await host.messages.send(owner, topic.id, { text: 'Write.' });
    const waiting = await until(host, topic.id, answerId, ({ status }) => status === 'waiting');
    const block = waiting.blocks.find((each): each is ToolBlock => each.type === 'tool');
    const { toolCallId = '', argsHash = '' } = block ?? {};
    const cut = proxy.cut({ said: ['approved', commit], when: 'answered', thenAway: true });
    const decision = { decision: 'approve', argsHash, scope: 'once' } as const;
    const decided = host.approvals.decide(owner, toolCallId, decision);
    const refused = expect(decided).rejects.toMatchObject({ code: 'storage_unavailable' });
    await letInAfter(proxy, cut, refused);
    const answer = await finished(host, topic.id, answerId);
    expect(answer.status).toBe('success');
    expect(answer.blocks.at(-1)?.content).toBe('Written.');
    await expectWorking();
  });
});
