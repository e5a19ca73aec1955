import type { Measured } from './stage.ts';

/** A measurement with what a live turn holds, in KB, and whether its delay was within the limit. */
export interface Step extends Measured {
  usedPerTurn: number;
  residentPerTurn: number;
  held: boolean;
}

interface Memory {
  used: number;
  resident: number;
}

/** KB of a topic in which nothing runs, and of somebody who watches one. */
export interface IdleMemory {
  unwatched: Memory;
  viewer: Memory;
}

const columns: [head: string, of: (step: Step) => string][] = [
  ['live turns', ({ turns }) => String(turns)],
  ['deltas/s', ({ rate }) => rate.toFixed(0)],
  ['p50 ms', ({ p50 }) => String(p50)],
  ['p99 ms', ({ p99 }) => String(p99)],
  ['held', ({ held }) => (held ? 'yes' : 'NO')],
  ['host CPU %', ({ host }) => host.toFixed(0)],
  ['µs/delta', ({ cpuPerDelta }) => cpuPerDelta.toFixed(1)],
  ['database %', ({ database }) => database.toFixed(0)],
  ['generator %', ({ generator }) => generator.toFixed(0)],
  ['viewers %', ({ viewers }) => viewers.toFixed(0)],
  ['others %', ({ others }) => others.toFixed(0)],
  ['KB/turn used', ({ usedPerTurn }) => usedPerTurn.toFixed(0)],
  ['KB/turn resident', ({ residentPerTurn }) => residentPerTurn.toFixed(0)],
];

/** The steps of one kind of run as a Markdown table. */
export function formatSteps(steps: Step[]): string {
  const rows = [
    columns.map(([head]) => head),
    columns.map(() => '---:'),
    ...steps.map((step) => columns.map(([, of]) => of(step))),
  ];
  return rows.map((cells) => `| ${cells.join(' | ')} |\n`).join('');
}

/** What is idle, in one line. */
export function formatIdle(idle: IdleMemory): string {
  const say = ({ used, resident }: Memory) =>
    `${used.toFixed(1)} KB used, ${resident.toFixed(1)} KB resident`;
  return `An idle topic: ${say(idle.unwatched)}. Its viewer: ${say(idle.viewer)}.`;
}
