import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { describeEachDatabase } from '../../test/databases.ts';
import { type Migration, migrate } from './migrate.ts';
import { firstMigration } from './migrations/0001-first.ts';
import type { Store, StoreOptions } from './store.ts';

const statements = [
  'create table cellar (id text primary key)',
  `insert into cellar (id) values ('red')`,
  'alter table topics add column shelf text',
  'create index cellar_by_id on cellar (id)',
  `update topics set shelf = 'top'`,
];
const second = (list: string[]): Migration => ({ name: '0002-second', statements: () => list });

async function exists(store: Store, table: string): Promise<boolean> {
  return await sql`select 1 from ${sql.table(table)}`.execute(store.db).then(
    () => true,
    () => false,
  );
}

describe('a migration', () => {
  describeEachDatabase((open, fresh) => {
    it.each(statements.map((_, at) => at))(
      'that fails at statement %i leaves nothing and can be tried again',
      async (at) => {
        const store = await open();
        const broken = [...statements.slice(0, at), 'insert into nowhere values (1)'];
        await expect(migrate(store, [firstMigration, second(broken)])).rejects.toThrow();
        expect(await exists(store, 'cellar')).toBe(false);
        const marks = await store.db.selectFrom('migrations').select('name').execute();
        expect(marks).toEqual([{ name: '0001-first' }]);
        await migrate(store, [firstMigration, second(statements)]);
        await migrate(store, [firstMigration, second(statements)]);
        expect(await exists(store, 'cellar')).toBe(true);
      },
    );

    it('of a newer program is refused, and nothing is changed', async () => {
      const place = await fresh();
      const store = await open(place);
      await migrate(store, [firstMigration, second(statements)]);
      await store.close();
      const refused = open(place);
      await expect(refused).rejects.toMatchObject({
        code: 'data_unreadable',
        message: expect.stringContaining('0002-second'),
      });
    });

    it('is done once when several open the same place at once or one after the other', async () => {
      const place = await fresh();
      if (place.databaseUrl) await Promise.all([open(place), open(place), open(place)]);
      else await (await open(place)).close();
      const store = await open(place);
      expect(await store.db.selectFrom('users').select('id').execute()).toHaveLength(1);
    });

    it('that is killed in the middle is there wholly or not at all', async () => {
      for (const line of [1, 60, 150, 299]) {
        const place = await fresh();
        await (await open(place)).close();
        await killWhileMigrating(place, line);
        const store = await open(place).catch((error: { code?: string }) => error);
        // Wholly there, this program refuses it as newer; otherwise not a trace is left.
        if (!('db' in store)) expect(store.code).toBe('data_unreadable');
        else {
          const { rows } = await sql`select 1 from migrations where name = '0002-long'`.execute(
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

/** Runs 300 statements in another process and kills it when it has said it began number `line`. */
async function killWhileMigrating(place: StoreOptions, line: number): Promise<void> {
  const at = (file: string) => JSON.stringify(new URL(file, import.meta.url).href);
  const script = `
    import { writeSync } from 'node:fs';
    const { openStore } = await import(${at('./store.ts')});
    const { migrate } = await import(${at('./migrate.ts')});
    const { firstMigration } = await import(${at('./migrations/0001-first.ts')});
    const tell = function* () {
      for (let n = 0; n < 300; n++) {
        writeSync(1, n + '\\n');
        yield 'create table cellar_' + n + ' (id text primary key)';
      }
    };
    const store = await openStore(${JSON.stringify(place)});
    const long = { name: '0002-long', statements: () => ({ [Symbol.iterator]: tell }) };
    await migrate(store, [firstMigration, long]);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  for await (const said of createInterface(child.stdout)) {
    if (said === String(line)) child.kill('SIGKILL');
  }
  await ended;
}
