import { createHash, randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openStore } from '../open-store.ts';
import { temporaryFolder } from '../../../test/databases.ts';
import { createBlobs } from './blobs.ts';

const facts = { owner: 'local', mimeType: 'text/plain' };

async function start() {
  const cleanups: (() => Promise<unknown>)[] = [];
  const place = await temporaryFolder(cleanups);
  const store = await openStore(place);
  onTestFinished(async () => {
    await store.close();
    for (const cleanup of cleanups) await cleanup();
  });
  const folder = join(place.home, 'blobs');
  const fileOf = (hash: string): string => join(folder, hash.slice(0, 2), hash);
  return { store, folder, fileOf, home: place.home, blobs: createBlobs(store, place.home) };
}

describe('the file of a blob', () => {
  it('is named by its hash and can be read by its user alone', async () => {
    const { blobs, folder, fileOf } = await start();
    const { hash } = await blobs.keep(Buffer.from('hello'), facts);
    const modes = await Promise.all(
      [folder, dirname(fileOf(hash)), join(folder, 'incoming'), fileOf(hash)].map(
        async (path) => (await stat(path)).mode & 0o777,
      ),
    );
    expect(modes).toEqual([0o700, 0o700, 0o700, 0o600]);
    expect(await readdir(join(folder, 'incoming'))).toEqual([]);
  });

  it('is not written again while it has the right size', async () => {
    const { blobs, fileOf } = await start();
    const bytes = randomBytes(3000);
    const { hash } = await blobs.keep(bytes, facts);
    const before = await stat(fileOf(hash));
    await blobs.keep(bytes, facts);
    expect((await stat(fileOf(hash))).ino).toBe(before.ino);
    await truncate(fileOf(hash), 10);
    const again = await blobs.keep(bytes, facts);
    expect((await blobs.read(again)).equals(bytes)).toBe(true);
  });

  it('that is gone or short is said to be so, and comes back with the same bytes', async () => {
    const { blobs, fileOf } = await start();
    const bytes = randomBytes(3000);
    const kept = await blobs.keep(bytes, facts);
    const unreadable = { code: 'data_unreadable', message: expect.stringContaining(kept.hash) };
    await truncate(fileOf(kept.hash), 10);
    await expect(blobs.stream(kept)).rejects.toMatchObject(unreadable);
    await rm(fileOf(kept.hash));
    await expect(blobs.read(kept)).rejects.toMatchObject(unreadable);
    await expect(blobs.stream(kept)).rejects.toMatchObject(unreadable);
    expect(await blobs.find('local', kept.id)).toEqual(kept);
    await blobs.keep(bytes, facts);
    expect((await blobs.read(kept)).equals(bytes)).toBe(true);
  });

  it('that shrinks while it is streamed ends the stream with an error', async () => {
    const { blobs, fileOf } = await start();
    const kept = await blobs.keep(randomBytes(3 * 1024 * 1024), facts);
    const reader = (await blobs.stream(kept)).getReader();
    expect((await reader.read()).value).toHaveLength(1024 * 1024);
    await truncate(fileOf(kept.hash), 1024 * 1024 + 5);
    await expect(reader.read()).rejects.toMatchObject({ code: 'data_unreadable' });
  });

  it('is never held open, not even by a reader that went away without a word', async () => {
    const { blobs } = await start();
    const kept = await blobs.keep(randomBytes(3 * 1024 * 1024), facts);
    const openFiles = async () =>
      process.platform === 'linux' ? (await readdir('/proc/self/fd')).length : 0;
    const before = await openFiles();
    const reader = (await blobs.stream(kept)).getReader();
    await reader.read();
    expect(await openFiles()).toBe(before);
  });
});

describe('after a crash', () => {
  it('the first collection removes what has no row, and temporary files', async () => {
    const { blobs, folder, fileOf, home, store } = await start();
    const kept = await blobs.keep(Buffer.from('kept'), facts);
    const orphan = fileOf('ab'.repeat(32));
    await mkdir(dirname(orphan), { recursive: true });
    await writeFile(orphan, 'no row');
    await writeFile(join(folder, 'incoming', 'half'), 'half');
    await writeFile(join(folder, 'README'), 'of a person');
    const next = createBlobs(store, home);
    expect(await next.collect()).toBe(1);
    expect(await readdir(dirname(orphan))).toEqual([]);
    expect(await readdir(join(folder, 'incoming'))).toEqual([]);
    expect(await readdir(folder)).toContain('README');
    expect((await next.read(kept)).toString()).toBe('kept');
  });

  it('a file without a row is used by whoever keeps the same bytes', async () => {
    const { blobs, fileOf, store } = await start();
    const bytes = Buffer.from('the same');
    const { hash } = await blobs.keep(bytes, facts);
    await store.db.deleteFrom('blob_refs').execute();
    await store.db.deleteFrom('blobs').execute();
    const { ino } = await stat(fileOf(hash));
    const again = await blobs.keep(bytes, facts);
    expect((await stat(fileOf(hash))).ino).toBe(ino);
    expect((await blobs.read(again)).equals(bytes)).toBe(true);
    expect(await blobs.collect()).toBe(0);
  });

  it('the collection does not take a file that is just coming in', async () => {
    const { blobs, folder } = await start();
    const pieces = Promise.withResolvers<Buffer>();
    async function* slowly() {
      yield Buffer.from('one ');
      yield await pieces.promise;
    }
    const keeping = blobs.keep(slowly(), facts);
    await expect.poll(() => readdir(join(folder, 'incoming')).catch(() => [])).toHaveLength(1);
    expect(await blobs.collect()).toBe(0);
    pieces.resolve(Buffer.from('two'));
    expect((await blobs.read(await keeping)).toString()).toBe('one two');
  });
});

describe('between the file and its row', () => {
  it('the collection waits, and does not take the file that was found there', async () => {
    const { store, home, folder } = await start();
    const arrived = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<void>();
    const slow: typeof store.transaction = async (work, durability) => {
      arrived.resolve();
      await gate.promise;
      return await store.transaction(work, durability);
    };
    const bytes = Buffer.from('the same');
    const blobs = createBlobs({ ...store, transaction: slow }, home);
    await createBlobs(store, home).keep(bytes, facts);
    await store.db.deleteFrom('blob_refs').execute();
    const keeping = blobs.keep(bytes, facts);
    await arrived.promise;
    const collecting = blobs.collect();
    // As many turns at the disk as the collection would need to take it.
    for (let n = 0; n < 50; n += 1) await readdir(folder);
    gate.resolve();
    expect((await blobs.read(await keeping)).equals(bytes)).toBe(true);
    expect(await collecting).toBe(0);
  });

  it('a crash leaves a file that is whole, or none', async () => {
    const { store, home, folder, fileOf } = await start();
    const crash = async () => Promise.reject(new Error('the process ended'));
    const crashing = createBlobs({ ...store, transaction: crash }, home);
    const bytes = randomBytes(200_000);
    await expect(crashing.keep(bytes, facts)).rejects.toThrow('the process ended');
    const hash = createHash('sha256').update(bytes).digest('hex');
    expect((await readFile(fileOf(hash))).equals(bytes)).toBe(true);
    expect(await readdir(join(folder, 'incoming'))).toEqual([]);
    expect(await createBlobs(store, home).collect()).toBe(1);
    expect(await readdir(dirname(fileOf(hash)))).toEqual([]);
  });
});

describe('a disk that refuses', () => {
  it('gives an error that says so, and leaves no row', async () => {
    const { blobs, folder, store } = await start();
    await writeFile(folder, 'not a folder');
    const failing = blobs.keep(Buffer.from('x'), facts);
    await expect(failing).rejects.toMatchObject({ code: 'storage_unavailable' });
    expect(await store.db.selectFrom('blobs').selectAll().execute()).toEqual([]);
    await rm(folder);
    await blobs.keep(Buffer.from('x'), facts);
  });
});
