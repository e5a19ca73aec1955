import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import type { Bench } from './bench.ts';
import { runRounds } from './rounds.ts';

const folder = mkdtempSync(join(tmpdir(), 'cerise-rounds-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A contestant that notes its turn in `log` and prints `output`. */
function contestant(name: string, output: string) {
  const script = join(folder, `${name}.mjs`);
  const log = join(folder, 'log');
  const source = `import { appendFileSync } from 'node:fs';
    appendFileSync(${JSON.stringify(log)}, ${JSON.stringify(`${name} `)} + process.pid + '\\n');
    console.log('chatter');
    console.log(${JSON.stringify(output)});`;
  writeFileSync(script, source);
  return { script: pathToFileURL(script) };
}

function benchOf(cerise: string): Bench {
  return {
    cases: [
      {
        contestants: {
          cerise: contestant('cerise', cerise),
          floor: contestant('floor', '{"ms":2,"mb":5}'),
        },
        rows: [
          { what: 'time', unit: 'ms', metric: 'ms' },
          { what: 'memory', unit: 'MB', metric: 'mb' },
        ],
      },
    ],
    growth: [{ what: 'growth', from: 'time', to: 'memory' }],
  };
}

describe('runRounds', () => {
  it('runs each contestant once a round in a process of its own, in rotating order', async () => {
    const samples = await runRounds(benchOf('{"ms":4,"mb":8}'), 2, () => {});
    const turns = readFileSync(join(folder, 'log'), 'utf8').trim().split('\n');
    expect(turns.map((turn) => turn.split(' ')[0])).toEqual(['cerise', 'floor', 'floor', 'cerise']);
    expect(new Set(turns.map((turn) => turn.split(' ')[1])).size).toBe(4);
    const both = <T>(round: T) => [round, round];
    expect(samples).toEqual([
      { what: 'time', unit: 'ms', rounds: both({ cerise: 4, floor: 2 }) },
      { what: 'memory', unit: 'MB', rounds: both({ cerise: 8, floor: 5 }) },
      { what: 'growth', unit: '×', rounds: both({ cerise: 2, floor: 2.5 }) },
    ]);
  });

  it('measures a case in no more rounds than it asks for, and keeps its aims', async () => {
    const { cases } = benchOf('{"ms":4,"mb":8}');
    const [one] = cases;
    const rows = [{ what: 'time', unit: 'ms', metric: 'ms', aims: { floor: 2 } }];
    const [samples] = await runRounds({ cases: [{ ...one!, rows, mostRounds: 1 }] }, 2, () => {});
    expect(samples).toMatchObject({ rounds: [{ cerise: 4, floor: 2 }], aims: { floor: 2 } });
  });

  it('fails when a contestant prints no measurements', async () => {
    await expect(runRounds(benchOf('oops'), 1, () => {})).rejects.toThrow('cerise printed no');
  });
});
