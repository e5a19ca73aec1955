import { startPostgres } from '../../test/postgres.ts';
import { describeSetting } from '../report.ts';
import { formatIdle, formatSteps, type IdleMemory, type Step } from './load-report.ts';
import { type Measured, type Setting, Stage } from './stage.ts';
import { deltaLength } from './stamp.ts';

/** Live turns at once, until the delay of one delta in a hundred is above the limit. */
const usualSteps = [100, 300, 500, 700, 1000, 1300];
const longestDelay = 250;
/** Milliseconds that a step runs before it is measured, and that it is measured. */
const warmUp = 2000;
const measured = 5000;
/** Milliseconds after which no further step is begun. */
const climbTime = 60_000;
const idleTopics = 1000;

type Database = 'sqlite' | 'postgres';

/** The kinds of run; each can be chosen by its name. */
const kinds: Record<string, { database: Database; instances: number; across?: boolean }> = {
  sqlite: { database: 'sqlite', instances: 1 },
  postgres: { database: 'postgres', instances: 1 },
  'postgres-2': { database: 'postgres', instances: 2 },
  'postgres-across': { database: 'postgres', instances: 2, across: true },
};

/**
 * How many live turns are held, and what each costs: a benchmark without contestants. Numbers among the
 * names are the steps to take instead of the usual ones, all of them whatever the delay.
 */
export async function run({ only, json }: { only: string[]; json: boolean }): Promise<number> {
  const asked = only.filter((word) => /^\d+$/.test(word)).map(Number);
  const names = only.filter((word) => !/^\d+$/.test(word));
  const unknown = names.filter((name) => !(name in kinds));
  if (unknown.length > 0) {
    console.error(`The benchmark "load" has no case ${unknown.join(', ')}.`);
    return 1;
  }
  if (!json) console.log(`${describeSetting({ cases: [] })}\n`);
  const all: Record<string, { steps: Step[]; idle?: IdleMemory }> = {};
  for (const [name, { database, ...rest }] of Object.entries(kinds)) {
    if (names.length > 0 && !names.includes(name)) continue;
    const steps = await onDatabase(database, (place) => climb({ ...place, ...rest }, asked));
    if (!steps) continue;
    if (!json) console.log(`${name}\n\n${formatSteps(steps)}`);
    const isWhole = rest.instances === 1 && asked.length === 0;
    const idle = isWhole
      ? await onDatabase(database, (place) => measureIdle({ ...place, ...rest }))
      : undefined;
    if (idle && !json) console.log(`${formatIdle(idle)}\n`);
    all[name] = { steps, ...(idle && { idle }) };
  }
  if (json) console.log(JSON.stringify({ bench: 'load', node: process.version, kinds: all }));
  return 0;
}

/** Every measurement gets a database of its own; undefined where there is none to be had. */
async function onDatabase<T>(
  database: Database,
  work: (place: { databaseUrl?: string }) => Promise<T>,
): Promise<T | undefined> {
  if (database === 'sqlite') return await work({});
  const started = await startPostgres();
  if (started.url === undefined) {
    process.stderr.write(`Without PostgreSQL: ${started.missing}.\n`);
    return undefined;
  }
  try {
    return await work({ databaseUrl: started.url });
  } finally {
    await started.stop();
  }
}

/** More and more turns, which all go on until the last step; then every viewer must have seen all. */
async function climb(setting: Setting, asked: number[]): Promise<Step[]> {
  await using stage = await Stage.open(setting);
  const before = await stage.memory();
  const found: Step[] = [];
  const deadline = performance.now() + climbTime;
  for (const turns of asked.length > 0 ? asked : usualSteps) {
    await stage.raiseTo(turns);
    await stage.measure(warmUp);
    const seen = await measureStep(stage);
    const { used, resident } = await stage.memory();
    found.push({
      ...seen,
      usedPerTurn: (used - before.used) / turns,
      residentPerTurn: (resident - before.resident) / turns,
    });
    process.stderr.write(`${turns} turns: p99 ${seen.p99} ms, host ${seen.host.toFixed(0)} %\n`);
    const goOn = seen.held && performance.now() < deadline;
    if (!goOn && asked.length === 0) break;
  }
  await stage.end(deltaLength);
  return found;
}

/** A step that fails gets a second try: the machine may have had something else to do. */
async function measureStep(stage: Stage): Promise<Measured & { held: boolean }> {
  const first = await stage.measure(measured);
  if (first.p99 <= longestDelay) return { ...first, held: true };
  const second = await stage.measure(measured);
  return { ...second, held: second.p99 <= longestDelay };
}

/** What topics cost in which nothing runs, before and after somebody watches them. */
async function measureIdle(setting: Setting): Promise<IdleMemory> {
  await using stage = await Stage.open(setting);
  const [first = ''] = await stage.addTopics(1);
  await stage.watch([first]);
  const empty = await stage.memory();
  const topics = await stage.addTopics(idleTopics);
  const unwatched = await stage.memory();
  await stage.watch(topics);
  const watched = await stage.memory();
  const perTopic = (after: typeof empty, before: typeof empty) => ({
    used: (after.used - before.used) / idleTopics,
    resident: (after.resident - before.resident) / idleTopics,
  });
  return { unwatched: perTopic(unwatched, empty), viewer: perTopic(watched, unwatched) };
}
