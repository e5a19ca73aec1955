import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { listPins, pinnedDefinitions } from '../calls/tool-pins.ts';
import { createSecretBox } from '../configuration/secrets.ts';
import { listServers } from '../configuration/servers.ts';
import { firstMigration } from '../migrations/0001-first.ts';
import { type Migration } from '../migrations/migration.ts';
import type { StoreOptions } from '../open-store.ts';
import { storageOf } from '../usage/storage.ts';
import { usageVersion, useByOne } from '../usage/usage.ts';
import { describeEachDatabase } from '../../../test/databases.ts';
import { migrate, migrations } from './migrate.ts';
import type { Db, Store } from './store.ts';

const statements = [
  'create table cellar (id text primary key)',
  `insert into cellar (id) values ('red')`,
  'alter table topics add column shelf text',
  'create index cellar_by_id on cellar (id)',
  `update topics set shelf = 'top'`,
];
const next = (list: string[]): Migration => ({ name: '9999-next', statements: () => list });

async function exists(store: Store, table: string): Promise<boolean> {
  return await sql`select 1 from ${sql.table(table)}`.execute(store.db).then(
    () => true,
    () => false,
  );
}

/** Resolves when a statement waits for somebody else's table. */
async function waitsForLock({ db }: Store): Promise<void> {
  const waiting = sql`select 1 from pg_locks join pg_class on pg_class.oid = relation
    where not granted and relname = 'topics' and relnamespace = current_schema()::regnamespace`;
  await expect.poll(async () => (await waiting.execute(db)).rows.length).toBeGreaterThan(0);
}

describe('a migration', () => {
  describeEachDatabase((open, fresh, dialect, bare) => {
    it.each(statements.map((_, at) => at))(
      'that fails at statement %i leaves nothing and can be tried again',
      async (at) => {
        const store = await open();
        const broken = [...statements.slice(0, at), 'insert into nowhere values (1)'];
        await expect(migrate(store, [...migrations, next(broken)])).rejects.toThrow();
        expect(await exists(store, 'cellar')).toBe(false);
        const marks = await store.db.selectFrom('migrations').select('name').execute();
        expect(marks).toEqual(migrations.map(({ name }) => ({ name })));
        await migrate(store, [...migrations, next(statements)]);
        await migrate(store, [...migrations, next(statements)]);
        expect(await exists(store, 'cellar')).toBe(true);
      },
    );

    it('keeps the servers of the first release, which go on without an attachment', async () => {
      const place = await fresh();
      const store = await open(place);
      await backToFirst(store);
      const old = sql`insert into servers (id, owner, name, config, created_at, updated_at)
        values ('s', 'local', 'Web', ${'{"type":"sse","name":"Web","baseUrl":"http://a"}'}, 1, 1)`;
      await old.execute(store.db);
      await store.close();
      const { db } = await open(place);
      const [server] = await listServers(db, createSecretBox(randomBytes(32)), 'local');
      expect(server).toMatchObject({ id: 's', config: { name: 'Web' } });
      expect(server).not.toHaveProperty('attachedTo');
      // A program of the first release that still runs writes what it knows.
      await sql`delete from servers`.execute(db);
      await old.execute(db);
    });

    it('T93: keeps the pins of the version before, which that version can go on with', async () => {
      const place = await fresh();
      const store = await open(place);
      await sql`alter table tool_pins drop column full_hash`.execute(store.db);
      await sql`delete from migrations where name = '0013-full-pins'`.execute(store.db);
      await sql`insert into servers (id, owner, name, config, created_at, updated_at)
        values ('s', 'local', 'Web', ${'{"type":"sse","name":"Web","baseUrl":"http://a"}'}, 1, 1)`.execute(
        store.db,
      );
      const old = (name: string) => sql`insert into tool_pins
        (owner, server_id, tool_name, definition_hash, definition, approved_at)
        values ('local', 's', ${name}, 'f1', ${'{"name":"pay"}'}, 1)`;
      await old('pay').execute(store.db);
      await store.close();
      const { db } = await open(place);
      await old('late').execute(db);
      expect(await listPins(db, 'local')).toEqual([
        { serverId: 's', toolName: 'pay', definitionHash: 'f1' },
        { serverId: 's', toolName: 'late', definitionHash: 'f1' },
      ]);
      expect((await pinnedDefinitions(db, 'local', 's')).get('pay')).toEqual({ name: 'pay' });
    });

    it('T82: counts what was used and stored before, and what a program of before writes after', async () => {
      const place = await fresh();
      const store = await open(place);
      await backToFirst(store);
      await insertAsBefore(store.db, 'old');
      await store.close();
      const again = await open(place);
      await insertAsBefore(again.db, 'new');
      const span = { owner: 'local', from: 0, to: 24 * 3_600_000, shift: 0 };
      const stored = async () => {
        await usageVersion(again, 'local');
        return {
          storage: await storageOf(again, 'local'),
          tools: await useByOne(again.db, span, 'call'),
          models: await useByOne(again.db, span, 'answer'),
        };
      };
      const bytes = 512 + Buffer.byteLength('Tcherry{}');
      expect(await stored()).toMatchObject({
        storage: { topics: 2, messages: 2, conversationBytes: 2 * bytes, files: 1, fileBytes: 7 },
        tools: [{ subject: 's', tool: 'time', count: 2, failed: 0 }],
        models: [{ subject: 'demo/scripted', count: 2, inputTokens: 10 }],
      });
      // It deletes a topic by its row alone, and the database all that hangs on it.
      await sql`delete from topics where id = 'old'`.execute(again.db);
      expect(await stored()).toMatchObject({
        storage: { topics: 1, messages: 1, conversationBytes: bytes, files: 1, fileBytes: 7 },
        tools: [{ count: 1 }],
        models: [{ count: 1, inputTokens: 5 }],
      });
    });

    it('T81: counts calls outside of answers that were there before', async () => {
      const place = await fresh();
      const store = await open(place);
      await backToFirst(store);
      const insert = (db: Db, id: string, topic: string | null) =>
        sql`insert into tool_calls (id, owner, topic_id, answer_id, round, idx, call_id, server_id,
            server_name, tool_name, arguments, args_hash, state, result, created_at, ended_at)
          values (${id}, 'local', ${topic}, ${topic && `${topic}-m`}, 0, 1, 'c', 's', 'S', 'time',
            '{"n":1}', 'h', 'succeeded', '"ü"', 1, 2)`.execute(db);
      await insertAsBefore(store.db, 'topic');
      await insert(store.db, 'direct', null);
      await insert(store.db, 'in an answer', 'topic');
      await store.close();
      const again = await open(place);
      const bytes = 512 + Buffer.byteLength('Tcherry{}');
      const kept = () => storageOf(again, 'local');
      expect(await kept()).toMatchObject({ messages: 1, conversationBytes: bytes + 512 + 11 });
      await insert(again.db, 'after', null);
      expect(await kept()).toMatchObject({
        messages: 1,
        conversationBytes: bytes + 2 * (512 + 11),
      });
      await sql`update tool_calls set result = null where answer_id is null`.execute(again.db);
      expect(await kept()).toMatchObject({ conversationBytes: bytes + 2 * (512 + 7) });
      await sql`delete from tool_calls where id = 'direct'`.execute(again.db);
      expect(await kept()).toMatchObject({ conversationBytes: bytes + 512 + 7 });
    });

    it('T92: takes answers along whose use cannot be read, and lets them be deleted', async () => {
      const place = await fresh();
      const store = await open(place);
      await backToFirst(store);
      for (const id of ['whole', 'broken', 'odd']) await insertAsBefore(store.db, id);
      const uses = { broken: '{"inputTok', odd: '{"inputTokens":"many","cost":[]}' };
      for (const [id, text] of Object.entries(uses))
        await sql`update messages set usage = ${text} where topic_id = ${id}`.execute(store.db);
      await store.close();
      const again = await open(place);
      const span = { owner: 'local', from: 0, to: 24 * 3_600_000, shift: 0 };
      const models = async () => {
        await usageVersion(again, 'local');
        return useByOne(again.db, span, 'answer');
      };
      expect(await models()).toMatchObject([{ count: 3, inputTokens: 5 }]);
      await sql`update messages set status = 'error' where topic_id <> 'whole'`.execute(again.db);
      expect(await models()).toMatchObject([{ count: 3, failed: 2, inputTokens: 5 }]);
      await sql`delete from topics where id <> 'whole'`.execute(again.db);
      expect(await models()).toMatchObject([{ count: 1, failed: 0, inputTokens: 5 }]);
    });

    it('of a newer program is refused, and nothing is changed', async () => {
      const place = await fresh();
      const store = await open(place);
      await migrate(store, [...migrations, next(statements)]);
      await store.close();
      const refused = open(place);
      await expect(refused).rejects.toMatchObject({
        code: 'data_unreadable',
        message: expect.stringContaining('9999-next'),
      });
    });

    it('is done once when several open the same place at once or one after the other', async () => {
      const place = await bare();
      if (place.databaseUrl) await Promise.all([open(place), open(place), open(place)]);
      else await (await open(place)).close();
      const store = await open(place);
      expect(await store.db.selectFrom('users').select('id').execute()).toHaveLength(1);
    });

    it.skipIf(dialect === 'sqlite')(
      'gives way to whoever writes in the meantime in another order, and comes later',
      async () => {
        const place = await fresh();
        const [store, writer] = [await open(place), await open(place)];
        const lock = (table: string) => `lock table ${table} in share row exclusive mode`;
        const ordered = next([lock('servers'), lock('topics'), ...statements]);
        const [hasWritten, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
        const writing = writer.transaction(async (tx) => {
          await sql`update topics set title = 'new'`.execute(tx);
          hasWritten.resolve();
          await goOn.promise;
          await sql`update servers set name = 'new'`.execute(tx);
        });
        await hasWritten.promise;
        const migrating = migrate(store, [...migrations, ordered]);
        await Promise.race([waitsForLock(writer), migrating]);
        goOn.resolve();
        await Promise.all([writing, migrating]);
        expect(await exists(store, 'cellar')).toBe(true);
      },
    );

    it('that is killed in the middle is there wholly or not at all', async () => {
      for (const line of [1, 60, 150, 299]) {
        const place = await fresh();
        await (await open(place)).close();
        expect(await killWhileMigrating(place, line)).toBe(true);
        const store = await open(place).catch((error: { code?: string }) => error);
        // Wholly there, this program refuses it as newer; otherwise not a trace is left.
        if (!('db' in store)) expect(store.code).toBe('data_unreadable');
        else {
          const { rows } = await sql`select 1 from migrations where name = '9999-long'`.execute(
            store.db,
          );
          expect(rows).toEqual([]);
          expect(await exists(store, 'cellar_0')).toBe(false);
          await store.close();
        }
      }
    });
  });
});

/** The tables of servers as the first release made them. */
async function backToFirst(store: Store): Promise<void> {
  await store.transaction(async (tx) => {
    for (const table of await listTables(tx, store.dialect))
      await sql`drop table if exists ${sql.table(table)} ${sql.raw(store.dialect === 'postgres' ? 'cascade' : '')}`.execute(
        tx,
      );
    for (const statement of firstMigration.statements(store.dialect))
      await sql.raw(statement).execute(tx);
    await sql`create table migrations (name text primary key, applied_at bigint not null)`.execute(
      tx,
    );
    await tx
      .insertInto('migrations')
      .values({ name: firstMigration.name, applied_at: 1 })
      .execute();
  });
}

/** Those that others refer to come last; the index of the search takes its own tables with it. */
async function listTables(tx: Db, dialect: Store['dialect']): Promise<string[]> {
  if (dialect === 'postgres') {
    const { rows } = await sql<{ name: string }>`
      select tablename as name from pg_tables where schemaname = current_schema()`.execute(tx);
    return rows.map(({ name }) => name);
  }
  const { rows } = await sql<{ name: string }>`
    select name from sqlite_master where type = 'table' and name not like 'search_index_%'
    order by rowid desc`.execute(tx);
  return rows.map(({ name }) => name);
}

/** Runs 300 statements in another process and kills it when it has said it began number `line`: whether it did. */
async function killWhileMigrating(place: StoreOptions, line: number): Promise<boolean> {
  const at = (file: string) => JSON.stringify(new URL(file, import.meta.url).href);
  const script = `
    import { writeSync } from 'node:fs';
    const { openStore } = await import(${at('../open-store.ts')});
    const { migrate, migrations } = await import(${at('./migrate.ts')});
    const tell = function* () {
      for (let n = 0; n < 300; n++) {
        writeSync(1, n + '\\n');
        yield 'create table cellar_' + n + ' (id text primary key)';
      }
    };
    const store = await openStore(${JSON.stringify(place)});
    const long = { name: '9999-long', statements: () => ({ [Symbol.iterator]: tell }) };
    await migrate(store, [...migrations, long]);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  let isThere = false;
  for await (const said of createInterface(child.stdout)) {
    if (said !== String(line)) continue;
    isThere = true;
    child.kill('SIGKILL');
  }
  await ended;
  return isThere;
}

/** A topic with an answer, a block, a call and a file, by the columns of the first release. */
async function insertAsBefore(db: Db, id: string): Promise<void> {
  const statements = [
    sql`insert into topics (id, owner, title, titled, assistant_id, created_at, updated_at)
      values (${id}, 'local', 'T', 1, 'default', 1, 1)`,
    sql`insert into messages (id, topic_id, role, status, running, model, usage, created_at, ended_at)
      values (${`${id}-m`}, ${id}, 'assistant', 'success', 0, 'demo/scripted',
        ${'{"inputTokens":5}'}, 1, 2)`,
    sql`insert into blocks (id, message_id, ordinal, type, status, content, data)
      values (${`${id}-b`}, ${`${id}-m`}, 0, 'main_text', 'success', 'cherry', '{}')`,
    sql`insert into tool_calls (id, owner, topic_id, answer_id, round, idx, call_id, server_id,
        server_name, tool_name, arguments, args_hash, state, created_at, ended_at)
      values (${`${id}-c`}, 'local', ${id}, ${`${id}-m`}, 0, 0, 'c', 's', 'S', 'time', '{}', 'h',
        'succeeded', 1, 2)`,
    sql`insert into blobs (hash, size, mime_type, created_at) values ('hash', 7, 'text/plain', 1)
      on conflict do nothing`,
    sql`insert into blob_refs (id, owner, hash, topic_id, created_at)
      values (${`${id}-f`}, 'local', 'hash', ${id}, 1)`,
  ];
  for (const statement of statements) await statement.execute(db);
}
