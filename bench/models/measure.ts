import type { Measurements } from '../bench.ts';
import { cpuOf, memoryOf, peakMemoryOf, resetPeakMemory } from '../processes.ts';
import {
  longAnswer,
  pacedAnswers,
  pacedDeltas,
  roundCounts,
  roundRepeats,
  type Script,
} from './load.ts';

/** Whoever answers, seen from outside. */
export interface Subject {
  /** The process whose CPU and memory count. */
  pid: number;
  /** Gets ready for `times` times `width` answers at once; gives what makes them, for each time. */
  prepare(script: Script, times: number, width: number): Promise<(() => Promise<void>)[]>;
  /** Resolves when what is done after an answer is done. */
  settle(): Promise<void>;
}

/** Deltas that only load the code, before the first answer that is measured. */
const loading = 2_000;

/** One measurement a case. */
export const measurers: Record<string, (subject: Subject) => Promise<Measurements>> = {
  fire: measureFire,
  paced: measurePaced,
  rounds: measureRounds,
};

/** The first long answer of a process with its memory, and, once the code is compiled, two more. */
async function measureFire(subject: Subject): Promise<Measurements> {
  const hose = (count: number) => ({ kind: 'hose' as const, count });
  await measure(subject, hose(loading));
  resetPeakMemory(subject.pid);
  const before = memoryOf(subject.pid);
  const first = await measure(subject, hose(longAnswer));
  const grownMb = peakMemoryOf(subject.pid) - before;
  await measure(subject, hose(longAnswer));
  const warm = await measure(subject, hose(longAnswer), { times: 2 });
  return { cpuFirst: first / longAnswer, grownMb, cpuWarm: warm / longAnswer };
}

/** Many answers at once at the pace of a model, once the code is compiled. */
async function measurePaced(subject: Subject): Promise<Measurements> {
  await measure(subject, { kind: 'hose', count: longAnswer });
  await measure(subject, { kind: 'paced', count: 10 }, { width: pacedAnswers });
  const script = { kind: 'paced' as const, count: pacedDeltas };
  const cpu = await measure(subject, script, { width: pacedAnswers });
  return { cpuPaced: cpu / (pacedDeltas * pacedAnswers) };
}

/** Answers with many rounds of tools: CPU for each round. */
async function measureRounds(subject: Subject): Promise<Measurements> {
  await measure(subject, { kind: 'rounds', count: 50 }, { times: 4 });
  const measured: Measurements = {};
  for (const count of roundCounts) {
    const times = roundRepeats[count];
    measured[`cpu${count}`] =
      (await measure(subject, { kind: 'rounds', count }, { times })) / count;
  }
  return measured;
}

/** CPU in µs for `width` answers at once, the mean of so many times in a row. */
async function measure(
  subject: Subject,
  script: Script,
  { times = 1, width = 1 }: { times?: number; width?: number } = {},
): Promise<number> {
  const runs = await subject.prepare(script, times, width);
  const before = cpuOf(subject.pid);
  for (const run of runs) await run();
  await subject.settle();
  return (cpuOf(subject.pid) - before) / times;
}
