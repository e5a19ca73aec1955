import type { Bench, Contestant } from '../bench.ts';

const launch = (who: string, packages: string[] = []): Contestant => ({
  script: new URL('launch.process.ts', import.meta.url),
  args: [who],
  packages,
});

/** From process start to the first byte of /healthz, with packages, caches and data folder in place. */
export const bench: Bench = {
  cases: [
    {
      contestants: { cerise: launch('cerise', ['hono', 'kysely']), floor: launch('floor') },
      rows: [
        { what: 'process start to first byte of /healthz', unit: 'ms', metric: 'wallMs' },
        { what: 'CPU time up to that point', unit: 'ms', metric: 'cpuMs' },
        { what: 'peak memory up to that point', unit: 'MB', metric: 'peakMb' },
      ],
    },
  ],
};
