/**
 * Breaks real hosts at random fault points and checks after each time that nothing was lost, nothing ran
 * twice and the viewer saw what the log says.
 *
 *   npm run faults -- --n 5000 [--seed 1] [--database sqlite|postgres] [--case point:n:action]
 *
 * Case k of a seed is always the same; each failure is printed with what runs it again.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
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
    database: { type: 'string' },
    case: { type: 'string' },
  },
});
const count = Math.min(Math.max(Number(values.n) || 0, 1), 100_000);
const seed = Number(values.seed) || 0;

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
  return { point, n: timesOf(point, 1 + random(3)), action };
}

const given = values.case?.split(':');
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
let next = 0;

/** Takes the next case until there is none; a place is changed now and then, so that none grows. */
async function work(dialect: Dialect, lane: number): Promise<void> {
  const home = join(folder, `${dialect}-${lane}`);
  const place = new FaultPlace(world, {
    home,
    ...(dialect === 'postgres' && url !== undefined && { databaseUrl: url }),
  });
  try {
    for (let index = next++; index < count; index = next++) {
      const [point, n, action] = given ?? [];
      const chosen = given
        ? ({ point, n: Number(n), action } as FaultCase)
        : caseOf(index, dialect);
      const { found, died } = await place.run(chosen);
      tally.runs += 1;
      if (died) tally.died += 1;
      if (found.length > 0) tally.failed += 1;
      const spec = `${chosen.point}:${chosen.n}:${chosen.action}`;
      for (const sentence of found)
        process.stdout.write(
          `FAILED seed ${seed} case ${index} --database ${dialect} --case ${spec}: ${sentence}\n`,
        );
      if (tally.runs % 50 === 0) process.stdout.write(`${JSON.stringify(tally)}\n`);
    }
  } finally {
    await place.close();
  }
}

try {
  await Promise.all(dialects.map((dialect, lane) => work(dialect, lane)));
} finally {
  await world.close();
  if (postgres?.url !== undefined) await postgres.stop();
  await rm(folder, { recursive: true, force: true });
}
process.stdout.write(`Seed ${seed}: ${JSON.stringify(tally)}\n`);
process.exitCode = tally.failed > 0 ? 1 : 0;
