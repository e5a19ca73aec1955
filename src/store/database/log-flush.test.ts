import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { armFault } from '#shared/errors/fault.ts';
import { setSetting } from '../configuration/settings.ts';
import { openStore } from '../open-store.ts';
import { CommitInDoubt } from './commit-in-doubt.ts';
import { LogFlush } from './log-flush.ts';

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'cerise-test-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A log on a disk that takes so long (ms) and remembers how it was asked. */
function openLog(took: () => number) {
  const path = join(folder, 'log');
  writeFileSync(path, 'x');
  const asked: string[] = [];
  const inPlace = () => {
    asked.push('in place');
    for (const end = performance.now() + took(); performance.now() < end;);
  };
  const beside = async () => {
    asked.push('beside');
    await setTimeout(took());
  };
  return { log: new LogFlush(path, { inPlace, beside }), asked };
}

it('makes all wait for a flush that begins after them, which they share', async () => {
  const { log, asked } = openLog(() => 20);
  const ended: string[] = [];
  const flush = (name: string) => log.flush().then(() => void ended.push(name));
  const first = [flush('first'), flush('second')];
  while (asked.length === 0) await setImmediate();
  const later = [flush('third'), flush('fourth')];
  await Promise.all(first);
  expect(ended).toEqual(['first', 'second']);
  await Promise.all(later);
  expect(ended).toEqual(['first', 'second', 'third', 'fourth']);
  expect(asked).toEqual(['beside', 'beside']);
  await log.close();
});

it('flushes one commit in place while the disk is quick, and beside the loop when it is not', async () => {
  let took = 0;
  const { log, asked } = openLog(() => took);
  await log.flush();
  took = 10;
  await log.flush();
  await log.flush();
  expect(asked).toEqual(['in place', 'in place', 'beside']);
  await log.close();
});

it('goes back to the place once the disk is quick again', async () => {
  let took = 10;
  const { log, asked } = openLog(() => took);
  await log.flush();
  took = 0;
  await expect
    .poll(async () => {
      await log.flush();
      return asked.at(-1);
    })
    .toBe('in place');
  expect(asked[1]).toBe('beside');
  await log.close();
});

it('fails with what the disk says, and works again when it does', async () => {
  const path = join(folder, 'log');
  const log = new LogFlush(path);
  const both = await Promise.allSettled([log.flush(), log.flush()]);
  expect(both).toMatchObject([
    { status: 'rejected', reason: { code: 'storage_unavailable' } },
    { status: 'rejected', reason: { code: 'storage_unavailable' } },
  ]);
  writeFileSync(path, 'x');
  await log.flush();
  await log.close();
});

it('leaves a transaction in doubt that is committed and not on the disk', async () => {
  const store = await openStore({ home: folder });
  await sql`create table counter (n int)`.execute(store.db);
  const count = () =>
    store.transaction(async (tx) => {
      await sql`insert into counter values (1)`.execute(tx);
      return 'counted';
    });
  armFault('log-flushing:1:full', () => undefined);
  const error = await count().catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(CommitInDoubt);
  const { happened, result } = error as CommitInDoubt;
  expect([await happened(), result]).toEqual([true, 'counted']);
  expect((await sql`select n from counter`.execute(store.db)).rows).toHaveLength(1);
  armFault('log-flushing:1:throw', () => undefined);
  await expect(setSetting(store.db, 'local', 'a', 1)).rejects.toMatchObject({
    code: 'storage_unavailable',
  });
  await store.close();
});

it('is waited for by whoever closes the database', async () => {
  const store = await openStore({ home: folder });
  armFault('log-flushing:1:delay', () => undefined);
  const writing = setSetting(store.db, 'local', 'a', 1);
  // Past the statement, within its flush.
  while ((await sql`select key from settings`.execute(store.db)).rows.length === 0)
    await setImmediate();
  await store.close();
  await writing;
});

it('is asked for by whatever writes, and by nothing that only reads', async () => {
  const store = await openStore({ home: folder });
  armFault('log-flushing:1:throw', () => undefined);
  const rows = await store.db.selectFrom('settings').select('key').execute();
  await store.appendEvents([{ topicId: 'a', seq: 1, body: '{}' }]);
  await store.snapshot((tx) => tx.selectFrom('settings').select('key').execute());
  expect(rows).toEqual([]);
  const row = { owner: 'local', key: 'a', value: '1', updated_at: 1 };
  const writing = store.db.insertInto('settings').values(row).returning('key').execute();
  await expect(writing).rejects.toMatchObject({ code: 'storage_unavailable' });
  await store.close();
});
