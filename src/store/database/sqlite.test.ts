import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { getSetting, setSetting } from '../configuration/settings.ts';
import { openStore } from '../open-store.ts';
import { openMemory } from './sqlite.ts';

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'cerise-test-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const mode = (file: string) => statSync(file).mode & 0o777;

describe('a SQLite data folder', () => {
  it('is made for its owner only', async () => {
    const home = join(folder, 'deep', 'home');
    const store = await openStore({ home });
    await setSetting(store.db, 'local', 'a', 1);
    expect(mode(home)).toBe(0o700);
    for (const file of ['cerise.db', 'cerise.db-wal', 'cerise.pid']) {
      expect(mode(join(home, file))).toBe(0o600);
    }
    await store.close();
  });

  it('refuses the handle of a transaction that has ended', async () => {
    const store = await openStore({ home: folder });
    const tx = await store.transaction(async (handle) => ({ handle }));
    await expect(setSetting(tx.handle, 'local', 'a', 1)).rejects.toThrow('has ended');
    const late = Promise.withResolvers<void>();
    const { write } = await store.transaction(async (handle) => ({
      write: late.promise.then(() => setSetting(handle, 'local', 'a', 1)),
    }));
    late.resolve();
    await expect(write).rejects.toThrow('has ended');
    expect(await getSetting(store.db, 'local', 'a')).toBeUndefined();
    await store.close();
  });

  it('is refused to a second opener in the same process, and free once closed', async () => {
    const first = await openStore({ home: folder });
    await expect(openStore({ home: folder })).rejects.toMatchObject({
      code: 'data_in_use',
      details: { pid: process.pid },
    });
    expect(await getSetting(first.db, 'local', 'a')).toBeUndefined();
    await first.close();
    await (await openStore({ home: folder })).close();
  });

  it('is refused while another process has it, by its pid, and free after kill -9', async () => {
    const store = JSON.stringify(new URL('../open-store.ts', import.meta.url).href);
    const settings = JSON.stringify(new URL('../configuration/settings.ts', import.meta.url).href);
    const script = `
      const { openStore } = await import(${store});
      const { setSetting } = await import(${settings});
      const { db } = await openStore({ home: ${JSON.stringify(folder)} });
      await setSetting(db, 'local', 'said', 'before the end');
      process.stdout.write('open');
      setInterval(() => {}, 1000);`;
    const holder = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = once(holder, 'exit');
    await once(holder.stdout, 'data');
    await expect(openStore({ home: folder })).rejects.toMatchObject({
      code: 'data_in_use',
      message: `The data folder ${folder} is in use by process ${holder.pid}.`,
      hint: expect.stringContaining('CERISE_HOME'),
    });
    holder.kill('SIGKILL');
    await ended;
    const next = await openStore({ home: folder });
    expect(await getSetting(next.db, 'local', 'said')).toBe('before the end');
    await next.close();
  });

  it('that is a file, or that cannot be made, is named in the error', async () => {
    const file = join(folder, 'file');
    writeFileSync(file, 'not a folder');
    for (const home of [file, join(file, 'below'), '/proc/nowhere/cerise']) {
      await expect(openStore({ home })).rejects.toMatchObject({
        code: 'data_unreadable',
        message: expect.stringContaining(home),
      });
    }
    expect(readFileSync(file, 'utf8')).toBe('not a folder');
  });

  const isRoot = process.getuid?.() === 0;
  if (isRoot) process.stderr.write('Not tried: a folder that may not be written. Root may.\n');
  it.skipIf(isRoot)('that may not be written is named in the error', async () => {
    chmodSync(folder, 0o500);
    await expect(openStore({ home: folder })).rejects.toMatchObject({ code: 'data_unreadable' });
    chmodSync(folder, 0o700);
  });

  it('with a file that is no database is refused, untouched, and the lock is given back', async () => {
    const file = join(folder, 'cerise.db');
    for (const bytes of ['garbage '.repeat(1000), 'SQLite format 3\0' + 'x'.repeat(4096)]) {
      writeFileSync(file, bytes);
      for (let tries = 0; tries < 2; tries++) {
        await expect(openStore({ home: folder })).rejects.toMatchObject({
          code: 'data_unreadable',
        });
      }
      expect(readFileSync(file, 'utf8')).toBe(bytes);
    }
  });

  it('with a damaged database says so', async () => {
    const store = await openStore({ home: folder });
    await store.close();
    const file = join(folder, 'cerise.db');
    const bytes = readFileSync(file);
    bytes.fill(0xee, 1024, 40_000);
    writeFileSync(file, bytes);
    await expect(openStore({ home: folder })).rejects.toMatchObject({ code: 'data_unreadable' });
  });
});

describe('durability', () => {
  it('gives a clear error when the disk is full, and goes on afterwards', async () => {
    const store = await openStore({ home: folder });
    const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(store.db);
    await sql.raw(`pragma max_page_count = ${rows[0]?.page_count ?? 0}`).execute(store.db);
    const large = 'x'.repeat(100_000);
    const refused = { code: 'disk_full', message: expect.stringContaining('full') };
    const event = { topicId: 't', seq: 1, body: JSON.stringify({ large }) };
    await expect(setSetting(store.db, 'local', 'a', large)).rejects.toMatchObject(refused);
    await expect(store.appendEvents([event])).rejects.toMatchObject(refused);
    await expect(
      store.transaction((tx) => setSetting(tx, 'local', 'a', large)),
    ).rejects.toMatchObject(refused);
    await sql.raw(`pragma max_page_count = 1000000`).execute(store.db);
    expect(await store.appendEvents([event])).toHaveLength(1);
    await store.close();
  });
});

describe('databases in memory', () => {
  it('have the same tables and steps, rows of their own, and room for more', async () => {
    const first = await openMemory();
    await setSetting(first.db, 'local', 'a', 1);
    const second = await openMemory();
    const schema = sql`select name, sql from sqlite_schema order by name`;
    const steps = sql`select name from migrations order by name`;
    for (const query of [schema, steps]) {
      const { rows } = await query.execute(first.db);
      expect(rows.length).toBeGreaterThan(0);
      expect((await query.execute(second.db)).rows).toEqual(rows);
    }
    expect(await getSetting(second.db, 'local', 'a')).toBeUndefined();
    const large = 'x'.repeat(5_000_000);
    await setSetting(second.db, 'local', 'a', large);
    expect(await getSetting(second.db, 'local', 'a')).toBe(large);
    expect(await getSetting(first.db, 'local', 'a')).toBe(1);
    const homeless = sql`
      insert into sign_ins (token_hash, user_id, created_at, expires_at) values ('a', 'nobody', 1, 2)
    `;
    for (const { db } of [first, second])
      await expect(homeless.execute(db)).rejects.toMatchObject({ code: 'conflict' });
    await Promise.all([first.close(), second.close()]);
  });
});
