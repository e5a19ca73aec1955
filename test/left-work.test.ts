import { randomUUIDv7 } from 'node:crypto';
import { sql } from 'kysely';
import { afterEach, expect, it } from 'vitest';
import { settleImport, Staging } from '#chat/data/staged-import.ts';
import type { Host } from '#chat/host/host.ts';
import { deleteMessages } from '#store/conversations/delete-messages.ts';
import { insertImport, unfinishedImports } from '#store/conversations/imports.ts';
import { sweepTopic, sweepTopics } from '#store/conversations/sweep.ts';
import { deleteTopic, insertTopic } from '#store/conversations/topics.ts';
import type { Store } from '#store/database/store.ts';
import { addUpAll } from '#store/usage/sums.ts';
import { describeEachDatabase } from './databases.ts';
import { exportLines } from './fixtures/export-lines.ts';
import { bringIn, ownersOf, silent, topicOf } from './fixtures/import-lines.ts';
import { ask, openHost, owner } from './host.ts';

describeEachDatabase((open, fresh, dialect) => {
  /** Closed before the database goes, which they may still be working on. */
  const hosts: Host[] = [];
  afterEach(async () => {
    for (const host of hosts.splice(0)) await host.close();
  });

  async function start(
    options: Parameters<typeof openHost>[1] = {},
    place: Parameters<typeof openHost>[0] = fresh,
  ): Promise<Host> {
    const host = await openHost(place, options);
    hosts.push(host);
    return host;
  }

  it('T81: an import that was whole by then is not swept by who had found it unfinished', async () => {
    const store = await open();
    const staging = await Staging.begin(store, owner, Date.now);
    await staging.write((tx) => insertTopic(tx, staging.owner, { ...topicOf('kept') }));
    const [found] = await unfinishedImports(store.db, { owner });
    await staging.finish({ assistants: {}, servers: {} }, () => undefined).catch(() => undefined);
    await settleImport(store, found ?? nothing);
    expect(await ownersOf(store)).toEqual({ kept: owner });
  });

  it('T81: the same while it is whole and not shown yet', async () => {
    const store = await open();
    const staging = await Staging.begin(store, owner, Date.now);
    await staging.write((tx) => insertTopic(tx, staging.owner, topicOf('kept')));
    const [found] = await unfinishedImports(store.db, { owner });
    const names = JSON.stringify({ assistants: {}, servers: {} });
    await sql`update imports set state = 'whole', names = ${names}`.execute(store.db);
    await settleImport(store, found ?? nothing);
    expect(Object.values(await ownersOf(store))).not.toContain(`deleted/${owner}`);
    for (const left of await unfinishedImports(store.db, { owner }))
      await settleImport(store, left);
    expect(await ownersOf(store)).toEqual({ kept: owner });
  });

  it('T81: an import that is at work again is not ended by who had found it silent', async () => {
    const store = await open();
    let now = 1_000_000;
    const staging = await Staging.begin(store, owner, () => now);
    const [found] = await unfinishedImports(store.db, { since: now + 1 });
    now += 500_000;
    await staging.write((tx) => insertTopic(tx, staging.owner, topicOf('kept')));
    await settleImport(store, found ?? nothing);
    await staging.finish({ assistants: {}, servers: {} }, () => undefined);
    expect(await ownersOf(store)).toEqual({ kept: owner });
  });

  it.skipIf(dialect !== 'postgres')(
    'T81: what was deleted as soon as it was shown stays deleted, though two hosts show it',
    async () => {
      const place = await fresh();
      const store = await open(place);
      const other = await open(place);
      const staging = await Staging.begin(store, owner, Date.now);
      await staging.write((tx) => insertTopic(tx, staging.owner, topicOf('gone')));
      const names = JSON.stringify({ assistants: {}, servers: {} });
      await sql`update imports set state = 'whole', names = ${names}`.execute(store.db);
      const [left] = await unfinishedImports(store.db, { owner });
      if (!left) throw new Error('there is no import');
      // The other host has seen what is hidden; before it goes on, it is shown and deleted.
      let isFirst = true;
      const interrupt = async () => {
        isFirst = false;
        await settleImport(store, left);
        await store.transaction((tx) => deleteTopic(tx, owner, 'gone'));
      };
      const slow: Store = {
        ...other,
        transaction: (work, durability) =>
          other.transaction(async (tx) => {
            const executor = tx.getExecutor();
            const run = executor.executeQuery.bind(executor);
            executor.executeQuery = async (query, ...rest) => {
              if (isFirst && query.sql.startsWith('update "topics"')) await interrupt();
              return await run(query, ...rest);
            };
            return await work(tx);
          }, durability),
      };
      await settleImport(slow, left);
      expect(isFirst).toBe(false);
      expect(await ownersOf(store)).toEqual({ gone: `deleted/${owner}` });
    },
  );

  it('T81: a record of an import that cannot be read keeps nobody else waiting', async () => {
    const place = await fresh();
    const store = await open(place);
    await insertImport(store.db, { id: randomUUIDv7(), owner: 'somebody' }, 1);
    await sql`update imports set state = 'whole', names = '{"assist'`.execute(store.db);
    await store.transaction((tx) => insertTopic(tx, owner, topicOf('gone')));
    await store.transaction((tx) => deleteTopic(tx, owner, 'gone'));
    await store.close();
    const host = await start({ logger: silent }, place);
    await expect.poll(() => ownersOf(host.store)).toEqual({});
  });

  it('T81: a deleted topic that cannot be swept keeps no other from going, nor an import', async () => {
    const place = await fresh();
    const store = await open(place);
    await store.transaction(async (tx) => {
      await insertTopic(tx, owner, topicOf('a'));
      await insertTopic(tx, owner, topicOf('b'));
    });
    await sql`insert into messages (id, topic_id, role, status, running, created_at)
      values ('m', 'a', 'user', 'success', 0, 1)`.execute(store.db);
    await refuseDeletion(store, 'm');
    for (const id of ['a', 'b']) await store.transaction((tx) => deleteTopic(tx, owner, id));
    await store.close();
    const host = await start({ logger: silent }, place);
    await expect.poll(() => ownersOf(host.store)).toEqual({ a: `deleted/${owner}` });
    expect(await bringIn(host, exportLines(1, 2))).toMatchObject({ topics: 1 });
  });

  it('T92: damaged records keep nothing beside them from being found, deleted and swept', async () => {
    const host = await start({ logger: silent });
    const { store } = host;
    const topic = await host.topics.create(owner, { title: 'T' });
    const sent: string[] = [];
    for (const text of ['damson one', 'damson two']) {
      const { id } = await host.blobs.keep(Buffer.from(text), { owner, mimeType: 'text/plain' });
      await ask(host, topic.id, { text, files: [id] });
    }
    const { messages } = await host.topics.snapshot(owner, topic.id);
    for (const { blocks } of messages)
      for (const block of blocks) if (block.type === 'file') sent.push(block.stored?.id ?? '');
    await sql`update blocks set data = substr(data, 1, length(data) - 3)
      where type = 'file' or content = 'damson one'`.execute(store.db);
    await sql`update messages set usage = '{"inp' where role = 'assistant'`.execute(store.db);
    expect(await host.topics.search(owner, 'damson')).toMatchObject([
      { snippet: expect.stringContaining('two') },
    ]);
    const last = messages.slice(2).map(({ id }) => id);
    await store.transaction((tx) => deleteMessages(tx, topic.id, last, null));
    await sweepTopics(store, {});
    expect(await host.blobs.find(owner, sent[0] ?? '')).toBeDefined();
    expect(await host.blobs.find(owner, sent[1] ?? '')).toBeUndefined();
    await host.topics.delete(owner, topic.id);
    await expect.poll(() => host.data.storage(owner)).toMatchObject({ messages: 0 });
  });

  it('T81: somebody who is removed while they import leaves nothing', async () => {
    const host = await start();
    const { id } = await host.users.create(owner, { name: 'Ana', role: 'user' });
    const staging = await Staging.begin(host.store, id, Date.now);
    const topic = topicOf('staged');
    await staging.write((tx) => insertTopic(tx, staging.owner, topic));
    await sql`insert into messages (id, topic_id, role, model, status, running, created_at, ended_at)
      values ('m', 'staged', 'assistant', 'demo/scripted', 'success', 0, 1, 2)`.execute(
      host.store.db,
    );
    await host.users.delete(owner, id);
    await expect(staging.write(async () => 1)).rejects.toMatchObject({ code: 'conflict' });
    await staging.abandon();
    for (const left of await unfinishedImports(host.store.db, { owner: id }))
      await settleImport(host.store, left);
    await expect.poll(() => ownersOf(host.store)).toEqual({});
    await addUpAll(host.store);
    for (const table of ['imports', 'storage_sums', 'usage_sums', 'usage_versions'] as const)
      expect(
        (await host.store.db.selectFrom(table).select('owner').where('owner', '=', id).execute())
          .length,
        table,
      ).toBe(0);
  });

  it('T81: a host that ends does not wait until somebody is removed', async () => {
    const host = await start();
    const { id } = await host.users.create(owner, { name: 'Ana', role: 'user' });
    await bringIn(host, exportLines(2, 120), {}, id);
    await sql`update users set removed_at = 1, disabled = 1 where id = ${id}`.execute(
      host.store.db,
    );
    const ending = AbortSignal.abort();
    await host.users.finishRemovals(ending);
    expect(await host.store.db.selectFrom('users').select('id').execute()).toHaveLength(2);
    await host.users.finishRemovals(new AbortController().signal);
    expect(await host.store.db.selectFrom('users').select('id').execute()).toHaveLength(1);
    expect(await ownersOf(host.store)).toEqual({});
  });

  it('T81: an export while its topics are deleted and swept can be brought in', async () => {
    const host = await start();
    const { store } = host;
    await bringIn(host, exportLines(2, 250));
    const lines: string[] = [];
    const cutting = new AbortController();
    const transaction: Store['transaction'] = async (work, durability) => {
      cutting.abort();
      return await store.transaction(work, durability);
    };
    for await (const each of host.data.export(owner)) {
      lines.push(each);
      const { topic } = JSON.parse(each) as { topic?: { id: string } };
      if (!topic || lines.length > 4) continue;
      // The export is at its beginning, and the sweep one slice ahead of it.
      await store.transaction((tx) => deleteTopic(tx, owner, topic.id));
      await sweepTopic({ ...store, transaction }, topic.id, cutting.signal);
    }
    const messages = lines.filter((each) => each.includes('"message"'));
    expect(messages).toHaveLength(250);
    expect(await bringIn(host, lines, { existing: 'copy' })).toMatchObject({ topics: 2 });
  });
});

const nothing = { id: '', owner, state: 'staging' as const };

/** As a page does that cannot be read. */
async function refuseDeletion({ db, dialect }: Store, messageId: string): Promise<void> {
  if (dialect === 'sqlite')
    return void (await sql
      .raw(
        `create trigger broken before delete on messages when old.id = '${messageId}' begin select raise(abort, 'broken'); end`,
      )
      .execute(db));
  await sql
    .raw(`create function broken() returns trigger language plpgsql as
      $$ begin raise exception 'broken'; end $$`)
    .execute(db);
  await sql
    .raw(
      `create trigger broken before delete on messages for each row when (old.id = '${messageId}')
        execute function broken()`,
    )
    .execute(db);
}
