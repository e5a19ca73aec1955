import type { Bench, Case, Contestant } from '../bench.ts';
import { type Pace, paces, type Size, sizes } from './load.ts';

const paceNames: Record<Pace, string> = {
  hose: 'fire-hose',
  chunks: 'one delta per HTTP chunk',
};

/** CPU of the host process alone per delta; provider and viewer run in processes of their own. */
export const bench: Bench = {
  cases: paces.flatMap((pace) => sizes.map((size) => makeCase(pace, size))),
  growth: paces.map((pace) => ({
    what: `growth of CPU per delta, ${paceNames[pace]}`,
    from: rowName(pace, sizes[0]),
    to: rowName(pace, sizes[1]),
  })),
};

function makeCase(pace: Pace, size: Size): Case {
  const contestant = (file: string, packages: string[] = []): Contestant => ({
    script: new URL(file, import.meta.url),
    args: [pace, String(size)],
    packages,
  });
  return {
    contestants: {
      cerise: contestant('cerise.process.ts', ['hono', 'kysely']),
      floor: contestant('floor.process.ts'),
      doStream: contestant('do-stream.process.ts', ['@ai-sdk/openai-compatible']),
    },
    rows: [{ what: rowName(pace, size), unit: 'µs', metric: 'cpuPerDelta' }],
  };
}

function rowName(pace: Pace, size: Size): string {
  return `CPU per delta, ${size.toLocaleString('en')} deltas, ${paceNames[pace]}`;
}
