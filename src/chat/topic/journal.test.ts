import { sql } from 'kysely';
import { expect, it, onTestFinished, vi } from 'vitest';
import { CeriseError } from '#shared/errors/errors.ts';
import type { Logger } from '#shared/vocabulary/ports.ts';
import type { Store } from '#store/database/store.ts';
import { describeEachDatabase } from '../../../test/databases.ts';
import { Journal, type JournalSource } from './journal.ts';

/** Nothing is written by the clock. */
const never = { journalTick: 2 ** 30, journalTickPostgres: 2 ** 30 };

const away = new CeriseError('storage_unavailable', 'The database is away.');

/** A logger that keeps what it is told: level, message, and how many writes had failed. */
function listening(): { said: string[]; logger: Logger } {
  const said: string[] = [];
  const hear = (level: string) => (fields: object, message: string) => {
    const failures = 'failures' in fields ? ` (${String(fields.failures)})` : '';
    said.push(`${level}: ${message}${failures}`);
  };
  const logger = {
    debug: hear('debug'),
    info: hear('info'),
    warn: hear('warn'),
    error: hear('error'),
  };
  return { said, logger };
}

/** A topic that always has one row to write, and counts what became of it. */
function busyTopic() {
  const counts = { written: 0, failed: 0 };
  const state = { isBehind: false };
  const source: JournalSource = {
    get isBehind() {
      return state.isBehind;
    },
    take: () => ({
      rows: [{ topicId: 'topic', seq: counts.written + 1, body: '{}' }],
      written: () => (counts.written += 1),
      failed: () => (counts.failed += 1),
    }),
  };
  return Object.assign(state, { counts, source });
}

describeEachDatabase((open) => {
  /** A journal that never ticks by itself, on a store that can be away. */
  async function start() {
    const { said, logger } = listening();
    const store = await open();
    const state = { away: false };
    const leaving: Store = {
      ...store,
      appendEvents: (rows) =>
        state.away ? Promise.reject(away) : Promise.resolve(rows.map((_, index) => index + 1)),
    };
    const journal = new Journal(leaving, logger, never);
    const { counts, source } = busyTopic();
    const tick = async (times: number) => {
      for (let i = 0; i < times; i += 1) {
        journal.later(source);
        await journal.flush();
      }
    };
    return { said, state, counts, journal, tick };
  }

  it('tries at every tick while the database is away, and says so ever more seldom', async () => {
    const { said, state, counts, journal, tick } = await start();
    await tick(2);
    expect(said).toEqual([]);
    state.away = true;
    await tick(20);
    expect(counts).toEqual({ written: 2, failed: 20 });
    const line = 'error: Could not write the journal; retrying';
    expect(said).toEqual([1, 2, 4, 8, 16].map((failures) => `${line} (${failures})`));
    await tick(5000);
    expect(said.length).toBeLessThan(20);
    await journal.close();
  });

  it('says once that it is back, and begins anew when the database leaves again', async () => {
    const { said, state, counts, journal, tick } = await start();
    state.away = true;
    await tick(3);
    state.away = false;
    await tick(3);
    state.away = true;
    await tick(1);
    expect(counts).toEqual({ written: 3, failed: 4 });
    expect(said.slice(2)).toEqual([
      'info: The journal can be written again (3)',
      'error: Could not write the journal; retrying (1)',
    ]);
    await journal.close();
  });

  it('tells for how long the oldest event has waited, and of none that another write took along', async () => {
    const { state, journal } = await start();
    const clock = vi.spyOn(performance, 'now').mockReturnValue(1000);
    onTestFinished(() => clock.mockRestore());
    const topic = busyTopic();
    topic.isBehind = true;
    state.away = true;
    journal.later(topic.source);
    for (const now of [2000, 6000]) {
      clock.mockReturnValue(now);
      await journal.flush();
      journal.later(topic.source);
    }
    expect(journal.lagMs).toBe(5000);
    state.away = false;
    await journal.flush();
    expect(journal.lagMs).toBe(0);
    clock.mockReturnValue(9000);
    expect(journal.lagMs).toBe(3000);
    const settled: JournalSource = { take: () => undefined, isBehind: false };
    topic.isBehind = false;
    journal.later(settled);
    await journal.flush();
    clock.mockReturnValue(20_000);
    expect(journal.lagMs).toBe(0);
    await journal.close();
  });

  it('writes what still waits when it closes', async () => {
    const { counts, journal } = await start();
    const [soon, later] = [busyTopic(), busyTopic()];
    journal.soon(soon.source);
    journal.later(later.source);
    await journal.close();
    expect([soon.counts.written, later.counts.written]).toEqual([1, 1]);
    expect(counts).toEqual({ written: 0, failed: 0 });
  });

  it('goes on where old events cannot be trimmed, and says so', async () => {
    const { said, logger } = listening();
    const store = await open();
    const journal = new Journal(store, logger, never);
    const ids = Array.from({ length: 2000 }, (_, index) => index + 1);
    journal.wrote('answer', ids);
    journal.folded('answer');
    await sql`drop table events`.execute(store.db);
    await journal.flush();
    expect(said).toEqual(['warn: Could not trim old events']);
    await journal.close();
  });
});
