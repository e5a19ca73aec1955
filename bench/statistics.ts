import type { Growth, Row, Samples } from './bench.ts';

/** The middle value; the mean of the two middle ones for an even count. NaN for none. */
export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  if (Number.isInteger(middle)) return ((sorted[middle - 1] ?? NaN) + (sorted[middle] ?? NaN)) / 2;
  return sorted[Math.floor(middle)] ?? NaN;
}

/**
 * Medians of the values, and medians of the ratios within each round: what slows a whole round down
 * slows all its contestants down and leaves its ratios alone.
 */
export function summarise({ what, unit, rounds, aims }: Samples): Row {
  const of = (name: string) => median(rounds.map((round) => round[name] ?? NaN));
  const others = Object.keys(rounds[0] ?? {}).filter((name) => name !== 'cerise');
  const ratio = (name: string) =>
    median(rounds.map((round) => (round['cerise'] ?? NaN) / (round[name] ?? NaN)));
  return {
    what,
    unit,
    cerise: of('cerise'),
    floor: of('floor'),
    peers: Object.fromEntries(
      others.filter((name) => name !== 'floor').map((name) => [name, of(name)]),
    ),
    ratios: Object.fromEntries(others.map((name) => [name, ratio(name)])),
    ...(aims && { aims }),
  };
}

/** The samples of a growth row: `to` divided by `from`, contestant by contestant, round by round. */
export function growthSamples({ what, from, to }: Growth, all: Samples[]): Samples {
  const small = find(all, from);
  const large = find(all, to);
  const rounds = large.rounds.map((round, index) =>
    Object.fromEntries(
      Object.entries(round).map(([name, value]) => [
        name,
        value / (small.rounds[index]?.[name] ?? NaN),
      ]),
    ),
  );
  return { what, unit: '×', rounds };
}

/** The order of a round: every contestant comes first, second, … equally often. */
export function rotate<T>(items: T[], round: number): T[] {
  const start = round % Math.max(items.length, 1);
  return [...items.slice(start), ...items.slice(0, start)];
}

function find(all: Samples[], what: string): Samples {
  const found = all.find((samples) => samples.what === what);
  if (!found) throw new Error(`No row is called "${what}".`);
  return found;
}
