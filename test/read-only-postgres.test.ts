import { Client } from 'pg';
import { expect, inject, it, onTestFinished } from 'vitest';
import { temporaryDatabase } from './databases.ts';
import { errorOf, openApi } from './fixtures/http.ts';

const url = inject('postgresUrl');

/** As a standby is after a change of roles, and as hosts of databases make one whose disk is full. */
it.skipIf(url === null)(
  'T92: a PostgreSQL that only reads makes the host not ready, until it writes again',
  async () => {
    const cleanups: (() => Promise<unknown>)[] = [];
    onTestFinished(async () => {
      for (const cleanup of cleanups.toReversed()) await cleanup();
    });
    const place = await temporaryDatabase(url ?? '', cleanups);
    const api = await openApi({ place });
    const name = new URL(place.databaseUrl ?? '').pathname.slice(1);
    const admin = new Client({ connectionString: url ?? '' });
    await admin.connect();
    cleanups.push(() => admin.end());
    const restart = async (setting: string) => {
      await admin.query(`alter database ${name} ${setting}`);
      await admin.query(
        'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1',
        [name],
      );
    };
    const ready = async () => (await api.raw('GET', '/readyz')).status;
    await restart('set default_transaction_read_only = on');
    await expect.poll(ready, { timeout: 10_000 }).toBe(503);
    expect(await (await api.raw('GET', '/readyz')).json()).toMatchObject({
      problems: [{ part: 'database' }],
    });
    // A connection that was ended a moment ago is noticed by whoever uses it next.
    await expect
      .poll(async () => (await api.send('GET', '/api/topics')).status, { timeout: 10_000 })
      .toBe(200);
    expect(await errorOf(await api.send('POST', '/api/topics', {}))).toMatchObject({
      status: 503,
      code: 'storage_unavailable',
    });
    await restart('reset default_transaction_read_only');
    await expect.poll(ready, { timeout: 10_000 }).toBe(200);
    await expect
      .poll(async () => (await api.send('POST', '/api/topics', {})).status, { timeout: 10_000 })
      .toBe(201);
  },
);
