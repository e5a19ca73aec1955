import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createBlobs } from '../blobs/blobs.ts';
import { setSetting } from '../configuration/settings.ts';
import { openStore } from '../open-store.ts';
import { type Open, temporaryFolder } from '../../../test/databases.ts';
import { restoreSqlite } from './backup-restore.ts';
import { backUpSqlite } from './backup.ts';

const options = { withKey: true, version: '1.2.3' };
const open: Open = async (place) => {
  const store = await openStore(place ?? (await folder()));
  const close = (() => {
    let closed: Promise<void> | undefined;
    return () => (closed ??= store.close());
  })();
  onTestFinished(close);
  return { ...store, close };
};

async function folder() {
  const cleanups: (() => Promise<unknown>)[] = [];
  onTestFinished(async () => void (await cleanups[0]?.()));
  return temporaryFolder(cleanups);
}

/** An open store with one content, and where its backup goes. */
async function start() {
  const { home } = await folder();
  const { home: other } = await folder();
  const store = await open({ home });
  const blobs = createBlobs(store, home);
  await writeFile(join(home, 'secret.key'), 'the key\n', { mode: 0o600 });
  const bytes = randomBytes(3_000_000);
  const kept = await blobs.keep(bytes, { owner: 'local', mimeType: 'image/png' });
  return { home, other, store, blobs, bytes, kept, file: join(other, 'backup.cerise') };
}

const into = (other: string) => join(other, 'home');

describe('a backup of SQLite', () => {
  it('brings everything back, taken while the store is open and in use', async () => {
    const { other, home, store, kept, bytes, file } = await start();
    await setSetting(store.db, 'local', 'before', 'yes');
    const report = await backUpSqlite(home, file, options);
    expect(report).toEqual({ bytes: (await stat(file)).size, files: 1, hasKey: true, missing: [] });
    await setSetting(store.db, 'local', 'after', 'yes');

    const restored = await restoreSqlite(into(other), file, { replace: false });
    expect(restored).toMatchObject({ version: '1.2.3', files: 1, hasKey: true });
    expect(await readFile(join(into(other), 'secret.key'), 'utf8')).toBe('the key\n');
    const again = await open({ home: into(other) });
    const blobs = createBlobs(again, into(other));
    expect(bytes.equals(await blobs.read(kept))).toBe(true);
    expect(await blobs.find('local', kept.id)).toEqual(kept);
    const keys = await again.db.selectFrom('settings').select('key').execute();
    expect(keys.map(({ key }) => key)).toEqual(['before']);
    const rows = await again.db.selectFrom('blobs').select('bytes').execute();
    expect(rows).toEqual([{ bytes: null }]);
    const { rows: tables } = await sql<{ name: string }>`
      select name from sqlite_master where name = 'backup'`.execute(again.db);
    expect(tables).toEqual([]);
  });

  it('can be read by its owner alone, and so can what is made of it', async () => {
    const { other, home, file } = await start();
    await backUpSqlite(home, file, options);
    await restoreSqlite(into(other), file, { replace: false });
    const names = (await readdir(into(other), { recursive: true })).filter(
      (name) => name !== 'cerise.lock',
    );
    for (const path of [file, ...names.map((name) => join(into(other), name))])
      expect([path, (await stat(path)).mode & 0o077]).toEqual([path, 0]);
  });

  it('is of one moment, however much is written and deleted meanwhile', async () => {
    const { other, home, store, blobs, file } = await start();
    const ended = new AbortController();
    let pairs = 0;
    const writer = (async () => {
      for (; !ended.signal.aborted; pairs += 1) {
        const n = pairs;
        await store.transaction(async (tx) => {
          await setSetting(tx, 'local', 'left', n);
          await setSetting(tx, 'local', 'right', n);
        });
        const { id } = await blobs.keep(Buffer.from(`content ${n}`), {
          owner: 'local',
          mimeType: 'text/plain',
        });
        await store.db.deleteFrom('blob_refs').where('id', '=', id).execute();
        await blobs.collect();
      }
    })();
    for (let n = 0; n < 5; n += 1) {
      const report = await backUpSqlite(home, `${file}${n}`, options);
      expect(report.missing).toEqual([]);
      await restoreSqlite(join(other, `home${n}`), `${file}${n}`, { replace: false });
      const again = await open({ home: join(other, `home${n}`) });
      const settings = await again.db.selectFrom('settings').select(['key', 'value']).execute();
      const value = (name: string) => settings.find(({ key }) => key === name)?.value;
      expect(value('left')).toBe(value('right'));
      await again.close();
    }
    ended.abort();
    await writer;
    expect(pairs).toBeGreaterThan(5);
  });

  it('does not name contents that were deleted before their turn came', async () => {
    const { other, home, store, blobs, kept, file } = await start();
    for (let n = 0; n < 100; n += 1)
      await blobs.keep(randomBytes(20_000), { owner: 'local', mimeType: 'image/png' });
    await store.db.deleteFrom('blob_refs').where('id', '!=', kept.id).execute();
    const [report] = await Promise.all([backUpSqlite(home, file, options), blobs.collect()]);
    expect(report.missing).toEqual([]);
    await restoreSqlite(into(other), file, { replace: false });
    const again = await open({ home: into(other) });
    const rows = await again.db.selectFrom('blobs').select('hash').execute();
    expect(rows).toHaveLength(report.files);
  });

  it('without the key says so, and the key of the place stays in use', async () => {
    const { other, home, store, file } = await start();
    expect(await backUpSqlite(home, file, { ...options, withKey: false })).toMatchObject({
      hasKey: false,
    });
    expect((await readFile(file)).includes('the key')).toBe(false);
    await store.close();
    await restoreSqlite(home, file, { replace: true });
    expect(await readFile(join(home, 'secret.key'), 'utf8')).toBe('the key\n');
    expect(await restoreSqlite(into(other), file, { replace: false })).toMatchObject({
      hasKey: false,
    });
  });

  it('names contents that the data folder has lost, and holds all the rest', async () => {
    const { other, home, blobs, kept, file } = await start();
    const more = await blobs.keep(Buffer.from('more'), { owner: 'local', mimeType: 'text/plain' });
    await rm(join(home, 'blobs', kept.hash.slice(0, 2), kept.hash));
    expect(await backUpSqlite(home, file, options)).toMatchObject({
      files: 1,
      missing: [kept.hash],
    });
    await writeFile(join(home, 'blobs', more.hash.slice(0, 2), more.hash), 'else');
    const { missing } = await backUpSqlite(home, `${file}2`, options);
    expect(missing.toSorted()).toEqual([kept.hash, more.hash].toSorted());
    await restoreSqlite(into(other), file, { replace: false });
    const again = createBlobs(await open({ home: into(other) }), into(other));
    expect((await again.read(more)).toString()).toBe('more');
    await expect(again.read(kept)).rejects.toMatchObject({ code: 'data_unreadable' });
  });

  it('never overwrites a file, and leaves nothing behind when it fails', async () => {
    const { other, home, file } = await start();
    await writeFile(file, 'mine');
    await expect(backUpSqlite(home, file, options)).rejects.toMatchObject({ code: 'conflict' });
    expect(await readFile(file, 'utf8')).toBe('mine');
    const nowhere = join(other, 'nowhere/backup.cerise');
    await expect(backUpSqlite(home, nowhere, options)).rejects.toMatchObject({
      code: 'storage_unavailable',
    });
    await expect(backUpSqlite(join(other, 'none'), `${file}2`, options)).rejects.toMatchObject({
      code: 'data_unreadable',
    });
    expect(await readdir(other)).toEqual(['backup.cerise']);
  });
});

describe('a restore', () => {
  it('is refused while the data folder is in use', async () => {
    const { home, file } = await start();
    await backUpSqlite(home, file, options);
    await expect(restoreSqlite(home, file, { replace: true })).rejects.toMatchObject({
      code: 'data_in_use',
    });
  });

  it('replaces data only when told, and keeps them as a whole data folder', async () => {
    const { home, store, bytes, kept, file } = await start();
    await backUpSqlite(home, file, options);
    await setSetting(store.db, 'local', 'after', 'yes');
    await store.close();
    await expect(restoreSqlite(home, file, { replace: false })).rejects.toMatchObject({
      code: 'conflict',
    });
    const { keptIn = '' } = await restoreSqlite(home, file, { replace: true });
    for (const [place, settings] of [
      [home, 0],
      [keptIn, 1],
    ] as const) {
      const opened = await open({ home: place });
      expect(bytes.equals(await createBlobs(opened, place).read(kept))).toBe(true);
      expect(await opened.db.selectFrom('settings').select('key').execute()).toHaveLength(settings);
      expect(await readFile(join(place, 'secret.key'), 'utf8')).toBe('the key\n');
    }
  });

  it('can be done again after one that was cut in the middle', async () => {
    const { other, home, file } = await start();
    await backUpSqlite(home, file, options);
    await mkdir(join(into(other), 'restore.draft/blobs/ab'), { recursive: true });
    await writeFile(join(into(other), 'restore.draft/cerise.db'), 'half');
    await writeFile(join(into(other), 'secret.key'), 'of nothing');
    await restoreSqlite(into(other), file, { replace: false });
    expect(await readFile(join(into(other), 'secret.key'), 'utf8')).toBe('the key\n');
    expect(await readdir(into(other))).not.toContain('restore.draft');
  });

  const spoiled: [string, (file: string) => Promise<unknown>, RegExp][] = [
    ['no file at all', (file) => rm(file), /doesn't exist/],
    ['an empty file', (file) => writeFile(file, ''), /isn't a Cerise backup/],
    ['a text', (file) => writeFile(file, 'hello '.repeat(5000)), /isn't a Cerise backup/],
    [
      'a bare copy of a database',
      (file) => change(file, 'drop table backup'),
      /isn't a Cerise backup/,
    ],
    ['no facts', (file) => change(file, 'delete from backup'), /isn't a Cerise backup/],
    ['another database', (file) => change(file, 'drop table migrations'), /isn't a Cerise backup/],
    [
      'a content that was changed',
      (file) => change(file, `update blobs set bytes = x'00'`),
      /damaged/,
    ],
    [
      'a newer program’s',
      (file) => change(file, `insert into migrations values ('9999-x', 1)`),
      /newer/,
    ],
    [
      'the half of a file',
      async (file) => {
        const bytes = await readFile(file);
        await writeFile(file, bytes.subarray(0, bytes.length / 2));
      },
      /damaged|isn't a Cerise backup/,
    ],
    [
      'a page of noise',
      async (file) => {
        const bytes = await readFile(file);
        randomBytes(2048).copy(bytes, 2048 * 3);
        await writeFile(file, bytes);
      },
      /damaged|isn't a Cerise backup/,
    ],
  ];
  it.each(spoiled)('of %s is refused, and nothing is changed', async (_what, spoil, says) => {
    const { other, home, file } = await start();
    await backUpSqlite(home, file, options);
    await spoil(file);
    await mkdir(into(other));
    await expect(restoreSqlite(into(other), file, { replace: true })).rejects.toMatchObject({
      code: 'data_unreadable',
      message: expect.stringMatching(says),
    });
    const left = await readdir(into(other));
    expect(left.filter((name) => name !== 'cerise.lock')).toEqual([]);
  });

  it('into something that is no folder says so', async () => {
    const { other, home, file } = await start();
    await backUpSqlite(home, file, options);
    await writeFile(into(other), 'a file');
    await expect(restoreSqlite(into(other), file, { replace: false })).rejects.toMatchObject({
      name: 'CeriseError',
    });
    expect(await readFile(into(other), 'utf8')).toBe('a file');
  });
});

async function change(file: string, statement: string): Promise<void> {
  const database = new DatabaseSync(file);
  database.exec(statement);
  database.close();
}
