import { sql } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import { ImportFile } from '#chat/data/import-file.ts';
import { stageTopic } from '#chat/data/import-topic.ts';
import { Quota } from '#chat/data/quota.ts';
import { Staging } from '#chat/data/staged-import.ts';
import { Usage } from '#chat/data/usage.ts';
import type { Host } from '#chat/host/host.ts';
import { usualLimits } from '#shared/vocabulary/limits.ts';
import { createBlobs } from '#store/blobs/blobs.ts';
import { forgetAnswers } from '#store/calls/direct-calls.ts';
import { insertToolCalls, type ToolCallRecord } from '#store/calls/tool-calls.ts';
import { insertMessage, pathTo } from '#store/conversations/messages.ts';
import { sweepTopic } from '#store/conversations/sweep.ts';
import { listTopics } from '#store/conversations/topic-list.ts';
import { deleteTopic } from '#store/conversations/topics.ts';
import { usualSlice } from '#store/database/slices.ts';
import type { Db, Store } from '#store/database/store.ts';
import type { StoreOptions } from '#store/open-store.ts';
import { addUpAll } from '#store/usage/sums.ts';
import { describeEachDatabase } from './databases.ts';
import { exportLines } from './fixtures/export-lines.ts';
import { openHost, owner } from './host.ts';

async function* bytesOf(lines: string[]): AsyncGenerator<Uint8Array> {
  yield Buffer.from(lines.join(''));
}

const bringIn = (host: Host, lines: string[]) =>
  host.data.import(owner, bytesOf(lines), { dryRun: '0', existing: 'skip' });

type Line = { message: { id: string } };

/** Rows and bytes of all that is kept of conversations. */
async function kept(db: Db): Promise<{ rows: number; bytes: number }> {
  const { rows } = await sql<{ rows: number; bytes: number }>`
    select (select count(*) from messages) + (select count(*) from blocks) as rows,
      (select cast(coalesce(sum(octet_length(content)), 0) as bigint) from blocks) as bytes`.execute(
    db,
  );
  return rows[0] ?? { rows: NaN, bytes: NaN };
}

/** Runs work that is made of transactions; what each of them changed. */
function countingSlices(store: Store): { store: Store; slices: { rows: number; bytes: number }[] } {
  const slices: { rows: number; bytes: number }[] = [];
  const transaction: Store['transaction'] = async (work, durability) => {
    const before = await kept(store.db);
    const result = await store.transaction(work, durability);
    const after = await kept(store.db);
    slices.push({
      rows: Math.abs(after.rows - before.rows),
      bytes: Math.abs(after.bytes - before.bytes),
    });
    return result;
  };
  return { store: { ...store, transaction }, slices };
}

/** Stages the first topic of a file, and stops before slice `cut`, as a host that is killed does. */
async function stage(store: Store, place: StoreOptions, lines: string[], cut = Infinity) {
  const file = await ImportFile.receive(place.home, bytesOf(lines), usualLimits);
  onTestFinished(() => file.close());
  const staging = await Staging.begin(store, owner, Date.now);
  const write = staging.write.bind(staging);
  let left = cut;
  staging.write = async (work) => {
    if (left-- <= 0) throw new Error('killed');
    return await write(work);
  };
  const read = file.read();
  await read.take();
  const topic = await read.takeIf('topic');
  if (!topic) throw new Error('the file has no topic');
  const blobs = createBlobs(store, place.home);
  const staged = stageTopic({ staging, blobs, owner }, read, topic);
  await staged.catch((error: unknown) => {
    if (!(error instanceof Error) || error.message !== 'killed') throw error;
  });
  return staging;
}

describeEachDatabase((open, fresh, dialect) => {
  const fits = ({ rows, bytes }: { rows: number; bytes: number }, largest: number) =>
    rows <= usualSlice.rows && bytes <= usualSlice.bytes + largest;

  it('T81: writes an import in slices of few rows and few bytes', async () => {
    for (const characters of [40, 20_000]) {
      const place = await fresh();
      const { store, slices } = countingSlices(await open(place));
      await stage(store, place, exportLines(1, 160, characters));
      expect(await kept(store.db)).toMatchObject({ rows: 320 });
      expect(slices.filter((slice) => !fits(slice, characters))).toEqual([]);
      expect(await listTopics(store.db, owner, { limit: 10 })).toEqual([]);
    }
  });

  it('T81: sweeps a deleted topic in slices of few rows and few bytes', async () => {
    const place = await fresh();
    const { store, slices } = countingSlices(await open(place));
    const staging = await stage(store, place, exportLines(1, 160, 20_000));
    await staging.finish({ assistants: {}, servers: {} }, () => undefined);
    const [topic] = await listTopics(store.db, owner, { limit: 10 });
    slices.length = 0;
    await store.transaction((tx) => deleteTopic(tx, owner, topic?.id ?? ''));
    expect(slices).toEqual([{ rows: 0, bytes: 0 }]);
    expect(await listTopics(store.db, owner, { limit: 10 })).toEqual([]);
    await sweepTopic(store, topic?.id ?? '');
    expect(await kept(store.db)).toEqual({ rows: 0, bytes: 0 });
    // A message with its block: two rows of the hundred that are looked at.
    expect(slices.filter((slice) => !fits({ ...slice, rows: slice.rows / 2 }, 20_000))).toEqual([]);
  });

  /** A host that starts when the one before has been silent for long. */
  async function restart(place: StoreOptions): Promise<Host> {
    const host = await openHost(place, { now: () => Date.now() + 600_000 });
    onTestFinished(() => host.close());
    return host;
  }

  const empty = { topics: 0, messages: 0, conversationBytes: 0, files: 0, fileBytes: 0 };

  it('T81: an import that was cut at any slice leaves nothing, and can be brought in again', async () => {
    const lines = exportLines(1, 120);
    for (let cut = 0; cut <= 4; cut += 1) {
      const place = await fresh();
      const store = await open(place);
      await stage(store, place, lines, cut);
      await store.close();
      const host = await restart(place);
      expect(await host.topics.list(owner, { limit: 10 })).toEqual([]);
      expect(await host.topics.search(owner, 'cherry')).toEqual([]);
      await expect.poll(() => kept(host.store.db)).toEqual({ rows: 0, bytes: 0 });
      await expect.poll(() => host.data.storage(owner)).toMatchObject(empty);
      expect(await bringIn(host, lines)).toMatchObject({ topics: 1, messages: 120 });
      const [topic] = await host.topics.list(owner, { limit: 10 });
      expect(lines[1]).toContain(topic?.id);
      expect(await bringIn(host, lines)).toMatchObject({ topics: 0, skippedTopics: 1 });
      await host.close();
    }
  });

  it('T81: an import that happened is shown by the next host, whole', async () => {
    const place = await fresh();
    const store = await open(place);
    const staging = await stage(store, place, exportLines(1, 60));
    const names = { assistants: {}, servers: {} };
    const told = staging.finish(names, () => {
      throw new Error('killed');
    });
    await expect(told).rejects.toThrow('killed');
    await store.close();
    const host = await restart(place);
    await expect.poll(async () => (await host.topics.list(owner, { limit: 10 })).length).toBe(1);
    await expect.poll(() => host.data.storage(owner)).toMatchObject({ topics: 1, messages: 60 });
    await expect.poll(() => host.store.db.selectFrom('imports').selectAll().execute()).toEqual([]);
  });

  it('T81: a deletion that was cut at any slice is gone at once and goes on', async () => {
    for (let cut = 0; cut <= 3; cut += 1) {
      const place = await fresh();
      const store = await open(place);
      const staging = await stage(store, place, exportLines(1, 120));
      await staging.finish({ assistants: {}, servers: {} }, () => undefined);
      const [topic] = await listTopics(store.db, owner, { limit: 10 });
      await store.transaction((tx) => deleteTopic(tx, owner, topic?.id ?? ''));
      const cutting = new AbortController();
      let left = cut;
      const transaction: Store['transaction'] = async (work, durability) => {
        if (--left <= 0) cutting.abort();
        return await store.transaction(work, durability);
      };
      await sweepTopic({ ...store, transaction }, topic?.id ?? '', cutting.signal);
      await store.close();
      const host = await restart(place);
      expect(await host.topics.list(owner, { limit: 10 })).toEqual([]);
      expect(await host.topics.search(owner, 'cherry')).toEqual([]);
      await expect.poll(() => host.data.storage(owner)).toMatchObject(empty);
      expect(await kept(host.store.db)).toEqual({ rows: 0, bytes: 0 });
      await host.close();
    }
  });

  it('T81: a message of very many blocks goes out and comes in again in short lines', async () => {
    const { host, topicId } = await withLongMessage(await fresh());
    const lines = await Array.fromAsync(host.data.exportTopic(owner, topicId));
    const kinds = lines.map((line) => (JSON.parse(line) as { kind: string }).kind);
    expect(kinds.filter((kind) => kind === 'blocks')).toHaveLength(11);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(usualSlice.bytes);
    const before = await host.topics.snapshot(owner, topicId);
    await host.topics.delete(owner, topicId);
    expect(await bringIn(host, lines)).toMatchObject({ topics: 1, messages: 1 });
    const after = await host.topics.snapshot(owner, topicId);
    expect(after.messages).toEqual(before.messages);
    expect(after.messages[0]?.blocks).toHaveLength(1200);
  });

  it('T81: a long branch is read in slices, and whole', async () => {
    const host = await openHost(fresh);
    onTestFinished(() => host.close());
    const lines = exportLines(1, 230);
    await bringIn(host, lines);
    const [topic] = await host.topics.list(owner, { limit: 1 });
    const path = await pathTo(host.store.db, topic?.id ?? '', topic?.activeLeafId ?? '');
    const ids = lines.slice(2, -1).map((line) => (JSON.parse(line) as Line).message.id);
    expect(path.map(({ id }) => id)).toEqual(ids);
    expect(path.every(({ blocks }) => blocks.length === 1)).toBe(true);
    const [first] = ids;
    await host.topics.deleteMessage(owner, first ?? '');
    expect((await host.topics.snapshot(owner, topic?.id ?? '')).messages).toEqual([]);
    expect(await host.topics.search(owner, 'cherry')).toEqual([]);
    await expect
      .poll(() => host.data.storage(owner))
      .toMatchObject({ topics: 1, messages: 0, conversationBytes: 512 + 'topic 0'.length });
  });

  /** A host with a topic of one message, which has 1,200 blocks. */
  async function withLongMessage(place: StoreOptions) {
    const host = await openHost(place);
    onTestFinished(() => host.close());
    const { id: topicId } = await host.topics.create(owner, { title: 'Long' });
    const common = { type: 'main_text' as const, status: 'success' as const, round: 0 };
    const blocks = Array.from({ length: 1200 }, (_, ordinal) => ({
      ...common,
      id: `${topicId}.${ordinal}`,
      messageId: `${topicId}-m`,
      ordinal,
      content: `block ${ordinal}`,
      startedAt: 1,
    }));
    const facts = { id: `${topicId}-m`, topicId, parentId: null, createdAt: 1, endedAt: 2 };
    const message = { ...facts, role: 'user' as const, status: 'success' as const, blocks };
    await host.store.transaction((tx) => insertMessage(tx, message));
    return { host, topicId };
  }

  it('T81: keeps count of what is stored, whatever is added and deleted', async () => {
    const host = await openHost(fresh);
    onTestFinished(() => host.close());
    const lines = exportLines(3, 10, 100);
    await bringIn(host, lines);
    const file = Buffer.alloc(5000, 1);
    const facts = { owner, mimeType: 'text/plain' };
    await host.blobs.keep(file, facts);
    await host.blobs.keep(file, facts);
    const stored = await host.data.storage(owner);
    expect(stored).toMatchObject({ topics: 3, messages: 30, files: 1, fileBytes: 5000 });
    const { rows } = await sql<{ bytes: number }>`
      select cast(sum(octet_length(content) + octet_length(data)) as bigint) as bytes
      from blocks`.execute(host.store.db);
    expect(stored.conversationBytes).toBe(3 * (512 + 'topic 0'.length) + (rows[0]?.bytes ?? NaN));
    await host.data.deleteTopics(owner);
    const left = { topics: 0, messages: 0, conversationBytes: 0, files: 1, fileBytes: 5000 };
    await expect.poll(() => host.data.storage(owner)).toMatchObject(left);
  });

  it('T81: refuses what is more than one person may keep, and leaves nothing of it', async () => {
    const store = await open();
    const quota = new Quota(store, { storedPerPerson: 1000, unsentFiles: 2, uploadsAtOnce: 1 });
    await quota.requireRoom(owner, 1000);
    await expect(quota.requireRoom(owner, 1001)).rejects.toMatchObject({ code: 'quota_exceeded' });
    const gate = Promise.withResolvers<void>();
    const first = quota.upload(owner, 10, () => gate.promise);
    await expect(quota.upload(owner, 10, async () => 1)).rejects.toMatchObject({
      code: 'too_many_requests',
    });
    gate.resolve();
    await first;
    const blobs = createBlobs(store, (await fresh()).home);
    for (const text of ['one', 'two'])
      await blobs.keep(Buffer.from(text), { owner, mimeType: 'text/plain' });
    await expect(quota.upload(owner, 10, async () => 1)).rejects.toMatchObject({
      code: 'quota_exceeded',
    });
    expect(await quota.upload('another', 10, async () => 1)).toBe(1);
  });

  /** Counts the statements that work sends. */
  async function statementsOf(db: Db, work: () => Promise<unknown>): Promise<number> {
    const executor = db.getExecutor();
    const run = executor.executeQuery.bind(executor);
    let count = 0;
    executor.executeQuery = async (query, ...rest) => {
      count += 1;
      return await run(query, ...rest);
    };
    await work().finally(() => (executor.executeQuery = run));
    return count;
  }

  const call = (n: number): ToolCallRecord => ({
    id: `call-${n}`,
    owner,
    round: 0,
    index: n,
    callId: 'call',
    serverId: `s${n % 3}`,
    serverName: 'Server',
    toolName: `tool${n % 10}`,
    arguments: {},
    argsHash: 'h',
    state: 'succeeded',
    createdAt: Date.UTC(2026, 10, 15, 12) - n * 1000,
    startedAt: Date.UTC(2026, 10, 15, 12) - n * 1000,
    endedAt: Date.UTC(2026, 10, 15, 12) - n * 1000 + n,
  });

  it('T82: reads usage by as many statements for many calls as for few', async () => {
    const counts: number[] = [];
    for (const calls of [30, 3000]) {
      const store = await open();
      await store.transaction((tx) =>
        insertToolCalls(
          tx,
          Array.from({ length: calls }, (_, n) => call(n)),
        ),
      );
      await addUpAll(store);
      const usage = new Usage(store, () => Date.UTC(2026, 10, 15, 13));
      const query = { days: 30, offset: 0 };
      counts.push(await statementsOf(store.db, () => usage.read(owner, query)));
      expect((await usage.read(owner, query)).days.at(-1)?.calls).toBe(calls);
      // Read again while nothing was used: what is waiting, and whether anything changed.
      expect(await statementsOf(store.db, () => usage.read(owner, query))).toBe(2);
    }
    expect(counts[0]).toBeLessThanOrEqual(16);
    expect(counts[1]).toBe(counts[0]);
  });

  it('T81: looks through stored answers by as many statements for many deleted calls as for one', async () => {
    const store = await open();
    const answers = Array.from({ length: 250 }, (_, n) => ({
      owner,
      key: `k${n}`,
      request_hash: 'h',
      status: 200,
      body: JSON.stringify({ content: [], toolCallId: `call-${n}` }),
      instance: 'i',
      created_at: 1,
    }));
    const theirs = answers.map((answer) => ({ ...answer, owner: 'other' }));
    await store.db
      .insertInto('idempotency')
      .values([...answers, ...theirs])
      .execute();
    const none = new Set(Array.from({ length: 5000 }, (_, n) => `other-${n}`));
    for (const ids of [new Set(['other']), none])
      expect(await statementsOf(store.db, () => forgetAnswers(store, owner, ids))).toBe(3);
    await forgetAnswers(store, owner, new Set(['call-1', 'call-249']));
    const left = await store.db.selectFrom('idempotency').select('owner').execute();
    expect(left.filter((row) => row.owner === owner)).toHaveLength(248);
    expect(left).toHaveLength(248 + 250);
  });

  it('T82: counts each call once, though hosts add up at the same time, and none that is gone', async () => {
    const place = await fresh();
    const store = await open(place);
    const hosts = dialect === 'postgres' ? [store, await open(place)] : [store];
    await store.transaction((tx) =>
      insertToolCalls(
        tx,
        Array.from({ length: 900 }, (_, n) => call(n)),
      ),
    );
    const now = () => Date.UTC(2026, 10, 15, 13);
    const views = await Promise.all(
      hosts.flatMap((one) =>
        [1, 2, 3].map(() => new Usage(one, now).read(owner, { days: 2, offset: 0 })),
      ),
    );
    for (const view of views) expect(view.days.at(-1)?.calls).toBe(900);
    await store.db.deleteFrom('tool_calls').where('tool_name', '=', 'tool1').execute();
    const after = await new Usage(store, now).read(owner, { days: 2, offset: 0 });
    expect(after.days.at(-1)?.calls).toBe(810);
    expect(after.tools.map(({ toolName }) => toolName)).not.toContain('tool1');
  });
});
