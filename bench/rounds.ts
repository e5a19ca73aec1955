import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Bench, Case, Contestant, Measurements, Samples } from './bench.ts';
import { growthSamples, rotate } from './statistics.ts';

const run = promisify(execFile);
const processTime = 180_000;

/** Runs every contestant of every case once a round, in fresh processes, the order rotating. */
export async function runRounds(
  bench: Bench,
  count: number,
  onRound: (round: number) => void,
): Promise<Samples[]> {
  const samples = bench.cases.map(({ rows }) =>
    rows.map(({ what, unit, aims }): Samples => ({
      what,
      unit,
      rounds: [],
      ...(aims && { aims }),
    })),
  );
  for (let round = 0; round < count; round += 1) {
    onRound(round);
    for (const [index, one] of bench.cases.entries()) {
      if (round >= (one.mostRounds ?? count)) continue;
      const measured = await measureOnce(one, round);
      for (const [row, { metric }] of one.rows.entries()) {
        samples[index]?.[row]?.rounds.push(pick(measured, metric));
      }
    }
  }
  const all = samples.flat();
  return [...all, ...(bench.growth ?? []).map((growth) => growthSamples(growth, all))];
}

async function measureOnce({ contestants }: Case, round: number) {
  const measured: Record<string, Measurements> = {};
  for (const [name, contestant] of rotate(Object.entries(contestants), round)) {
    measured[name] = await measure(name, contestant);
  }
  return Object.fromEntries(Object.keys(contestants).map((name) => [name, measured[name] ?? {}]));
}

async function measure(name: string, { script, args = [] }: Contestant): Promise<Measurements> {
  const file = fileURLToPath(script);
  const { stdout } = await run(process.execPath, [file, ...args], {
    timeout: processTime,
    maxBuffer: 16 * 1024 * 1024,
  });
  const line = stdout.trim().split('\n').at(-1) ?? '';
  try {
    return JSON.parse(line) as Measurements;
  } catch (cause) {
    throw new Error(`${name} printed no measurements but: ${line}`, { cause });
  }
}

/** A contestant that does not have the measurement is left out of the row. */
function pick(measured: Record<string, Measurements>, metric: string): Record<string, number> {
  return Object.fromEntries(
    Object.entries(measured).flatMap(([name, values]) => {
      const value = values[metric];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
