/**
 * Breaks real hosts at random fault points and checks after each time that nothing was lost, nothing ran
 * twice and the viewer saw what the log says.
 *
 *   npm run faults -- --n 5000 [--seed 1] [--lanes 1] [--database sqlite|postgres]
 *     [--case point:n:action[:again]]
 *
 * Case k of a seed is always the same; each failure is printed with what runs it again, and all of them
 * once more in the last line.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Client } from 'pg';
import {
  actionsAt,
  type FaultCase,
  FaultPlace,
  pointsOn,
  timesOf,
} from '../test/faults/fault-case.ts';
import { startWorld } from '../test/faults/fault-world.ts';
import { startPostgres } from '../test/postgres.ts';

type Dialect = 'sqlite' | 'postgres';

const { values } = parseArgs({
  options: {
    n: { type: 'string', default: '200' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    lanes: { type: 'string', default: '1' },
    database: { type: 'string' },
    case: { type: 'string' },
  },
});
const count = Math.min(Math.max(Number(values.n) || 0, 1), 100_000);
const seed = Number(values.seed) || 0;
/** Cases beside each other on each database. */
const lanes = Math.min(Math.max(Number(values.lanes) || 0, 1), 16);

/** Numbers from 0 to below `below`, the same for the same seed and case (mulberry32). */
function randomOf(index: number): (below: number) => number {
  let state = (seed * 2_654_435_761 + index * 40_503) >>> 0;
  return (below) => {
    state = (state + 0x6d_2b_79_f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

function caseOf(index: number, dialect: Dialect): FaultCase {
  const random = randomOf(index);
  const points = pointsOn(dialect);
  const point = points[random(points.length)] ?? 'model-asked';
  const actions = actionsAt(point, dialect);
  const action = actions[random(actions.length)] ?? 'kill';
  const n = timesOf(point, 1 + random(3));
  return { point, n, action, after: random(4) === 0 ? 'again' : 'next' };
}

function parseCase(spec: string): FaultCase {
  const [point, n, action, after = 'next'] = spec.split(':');
  return { point, n: Number(n), action, after } as FaultCase;
}

function describeCase({ point, n, action, after }: FaultCase): string {
  return `${point}:${n}:${action}${after === 'again' ? ':again' : ''}`;
}

const given = values.case === undefined ? undefined : parseCase(values.case);
const folder = await mkdtemp(join(tmpdir(), 'cerise-faults-'));
const world = await startWorld(join(folder, 'effects'));
const postgres = values.database === 'sqlite' ? undefined : await startPostgres();
const url = postgres?.url;
const dialects = (['sqlite', 'postgres'] as const).filter(
  (dialect) =>
    (values.database ?? dialect) === dialect && (dialect === 'sqlite' || url !== undefined),
);
if (!dialects.includes('postgres') && values.database !== 'sqlite')
  process.stdout.write(`Without PostgreSQL: ${postgres?.missing}.\n`);
// Ends the hosts as well: they are killed when this process exits.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));
const tally = { runs: 0, died: 0, failed: 0 };
const byAction: Partial<Record<FaultCase['action'], number>> = {};
const failures: string[] = [];
let next = 0;

/** Hosts of different lanes must not be neighbours of each other. */
async function ownSchema(databaseUrl: string, lane: number): Promise<string> {
  const client = new Client(databaseUrl);
  await client.connect();
  await client.query(`create schema lane_${lane}`);
  await client.end();
  const own = new URL(databaseUrl);
  own.searchParams.set('options', `-csearch_path=lane_${lane}`);
  return own.href;
}

/** Takes the next case until there is none; a place is changed now and then, so that none grows. */
async function work(dialect: Dialect, lane: number): Promise<void> {
  const home = join(folder, `${dialect}-${lane}`);
  const place = new FaultPlace(world, {
    home,
    ...(dialect === 'postgres' && url !== undefined && { databaseUrl: await ownSchema(url, lane) }),
  });
  try {
    for (let index = next++; index < count; index = next++) {
      const chosen = given ?? caseOf(index, dialect);
      const { found, died } = await place.run(chosen);
      tally.runs += 1;
      byAction[chosen.action] = (byAction[chosen.action] ?? 0) + 1;
      if (died) tally.died += 1;
      if (found.length > 0) tally.failed += 1;
      const again = `--database ${dialect} --case ${describeCase(chosen)}`;
      if (found.length > 0) failures.push(again);
      for (const sentence of found)
        process.stdout.write(`FAILED seed ${seed} case ${index} ${again}: ${sentence}\n`);
      if (tally.runs % 50 === 0) process.stdout.write(`${JSON.stringify(tally)}\n`);
    }
  } finally {
    await place.close();
  }
}

try {
  const all = Array.from({ length: lanes }, (_, lane) => dialects.map((each) => work(each, lane)));
  await Promise.all(all.flat());
} finally {
  await world.close();
  if (postgres?.url !== undefined) await postgres.stop();
  await rm(folder, { recursive: true, force: true });
}
const { runs, died, failed } = tally;
const actions = Object.entries(byAction).map(([action, count]) => `${count} ${action}`);
process.stdout.write(
  `Seed ${seed}: ${runs} cases (${actions.join(', ')}), ${died} hosts died, ${failed} failed` +
    `${failures.length > 0 ? `: ${failures.join('; ')}` : '.'}\n`,
);
process.exitCode = tally.failed > 0 ? 1 : 0;
