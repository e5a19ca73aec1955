import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { FaultPoint } from '#shared/errors/fault.ts';
import { temporaryFolder, temporaryDatabase } from '../databases.ts';
import { actionsAt, type FaultCase, FaultPlace, pointsOn, timesOf } from './fault-case.ts';
import { type FaultWorld, startWorld } from './fault-world.ts';

type Dialect = 'sqlite' | 'postgres';

/** Points that a turn passes once, or that take long to be passed again. */
const once = new Set<FaultPoint>([
  'calls-recorded',
  'blob-written',
  'parked-committed',
  'input-answered',
  'bytes-left-http',
  'lease-claimed',
  'lease-renewed',
  'take-over',
]);

/**
 * What can happen at a point on a database: a host is killed the first and the second time that the point is
 * passed, or, where it is passed once, with another thing after it; on one of the databases something else
 * happens there too.
 */
function casesAt(point: FaultPoint, index: number, dialect: Dialect): FaultCase[] {
  const first = { point, n: timesOf(point, 1), action: 'kill' } as const;
  const others = actionsAt(point, dialect).filter((action) => action !== 'kill');
  const other = others[index % others.length] ?? 'delay';
  return [
    first,
    once.has(point) ? { ...first, after: 'again' as const } : { ...first, n: timesOf(point, 2) },
    ...((index % 2 === 0) === (dialect === 'sqlite') ? [{ ...first, action: other }] : []),
  ];
}

/**
 * `all`, or the number by which one case is chosen for each point, on one of the databases: every point is reached in
 * every run, every case on each database within twelve of them.
 */
const wanted = process.env['CERISE_CRASH_POINTS'] ?? String(Math.trunc(Date.now() / 1000) % 12);

function casesOn(dialect: Dialect, isAlone: boolean): FaultCase[] {
  const here = new Set(pointsOn('sqlite'));
  const both = pointsOn('postgres').filter((point) => here.has(point));
  return pointsOn(dialect).flatMap((point, index) => {
    const cases = casesAt(point, index, dialect);
    if (wanted === 'all') return cases;
    const turn = Math.trunc(Number(wanted) / 6) + both.indexOf(point);
    const isElsewhere = both.includes(point) && (turn % 2 === 0) !== (dialect === 'sqlite');
    if (isElsewhere && !isAlone) return [];
    return cases.slice((Number(wanted) + index) % cases.length).slice(0, 1);
  });
}

/** Places beside each other: on PostgreSQL most of the time is a wait for the lease of the dead. */
const lanes: Record<Dialect, number> = { sqlite: 2, postgres: 4 };

describe('a turn at every fault point (T60)', () => {
  let world: FaultWorld;
  let folder: string;
  const cleanups: (() => Promise<unknown>)[] = [];
  const url = inject('postgresUrl');

  beforeAll(async () => {
    process.stderr.write(`The cases at each fault point: CERISE_CRASH_POINTS=${wanted}\n`);
    folder = await mkdtemp(join(tmpdir(), 'cerise-faults-'));
    world = await startWorld(join(folder, 'effects'));
  });

  afterAll(async () => {
    for (const cleanup of cleanups.toReversed()) await cleanup();
    await world.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** Takes the next case until there is none. */
  async function runLane(dialect: Dialect, cases: FaultCase[]): Promise<string[]> {
    const place = await (dialect === 'sqlite'
      ? temporaryFolder(cleanups)
      : temporaryDatabase(url ?? '', cleanups));
    const hosts = new FaultPlace(world, place);
    cleanups.push(() => hosts.close());
    const failures: string[] = [];
    for (let each = cases.shift(); each; each = cases.shift()) {
      const { found, died } = await hosts.run(each);
      const name = `${dialect} ${each.point}:${each.n}:${each.action} ${each.after ?? ''}`.trim();
      if (each.action === 'kill' && !died) failures.push(`${name}: nothing was killed`);
      failures.push(...found.map((sentence) => `${name}: ${sentence}`));
    }
    return failures;
  }

  const dialects: Dialect[] = url === null ? ['sqlite'] : ['sqlite', 'postgres'];
  it.concurrent.each(dialects)(
    'loses nothing, runs nothing twice and shows every viewer the same on %s',
    { timeout: 1_200_000 },
    async (dialect) => {
      const cases = casesOn(dialect, dialects.length === 1);
      expect(cases.length).toBeGreaterThan(0);
      const found = await Promise.all(
        Array.from({ length: lanes[dialect] }, () => runLane(dialect, cases)),
      );
      expect(cases).toEqual([]);
      expect(found.flat()).toEqual([]);
    },
  );
});
