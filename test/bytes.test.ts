import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, describe, expect, inject, it } from 'vitest';
import type { StoreOptions } from '#store/open-store.ts';
import { temporaryFolder, temporarySchema } from './databases.ts';
import { startPostgres } from './postgres.ts';

const script = join(import.meta.dirname, 'fixtures/stream-bytes.ts');
const canCount = existsSync('/proc/self/io');
if (!canCount) process.stderr.write('Bytes on SQLite are not counted: there is no /proc here.\n');

async function stream(place: StoreOptions, turns: number, kilobytes: number) {
  const args = [script, place.home, place.databaseUrl ?? '-', String(turns), String(kilobytes)];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return JSON.parse(stdout) as { bytes: number; payload: number; ratio: number };
}

describe('bytes written for a streamed answer', () => {
  const cleanups: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
  });
  const folder = () => temporaryFolder(cleanups);

  it.skipIf(!canCount)('stay under 30 times the payload on SQLite, and grow with it', async () => {
    const small = await stream(await folder(), 1, 100);
    const large = await stream(await folder(), 1, 400);
    expect(small.ratio).toBeLessThanOrEqual(30);
    expect(large.ratio).toBeLessThanOrEqual(30);
    expect(large.bytes / small.bytes).toBeLessThanOrEqual(4.4);
  });

  it.skipIf(!canCount)(
    'stay under 6 times the payload with 500 live turns',
    async () => {
      const { ratio } = await stream(await folder(), 500, 100);
      expect(ratio).toBeLessThanOrEqual(6);
    },
    120_000,
  );

  it.skipIf(inject('postgresUrl') === null)(
    'stay under 10 times the payload of write-ahead log on PostgreSQL, and grow with it',
    async () => {
      // The log counts what everybody writes, so this needs a server without the other tests.
      const postgres = await startPostgres();
      if (postgres.url === undefined) throw new Error(postgres.missing);
      cleanups.push(() => postgres.stop());
      const small = await stream(await temporarySchema(postgres.url, cleanups), 1, 100);
      const large = await stream(await temporarySchema(postgres.url, cleanups), 1, 400);
      expect(small.ratio).toBeLessThanOrEqual(10);
      expect(large.ratio).toBeLessThanOrEqual(10);
      expect(large.bytes / small.bytes).toBeLessThanOrEqual(4.4);
    },
    60_000,
  );
});
