import { globSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Bench, Fact, OwnBench, Row } from './bench.ts';
import { describeSetting, formatFacts, formatTable } from './report.ts';
import { runRounds } from './rounds.ts';
import { summarise } from './statistics.ts';

const leastRounds = 5;
const here = fileURLToPath(new URL('.', import.meta.url));

/** `npm run bench -- NAME [CASE…] [--json] [--rounds N]` */
async function main(): Promise<number> {
  const { name, only, json, rounds } = readArguments();
  const names = globSync('*/bench.ts', { cwd: here }).map((path) => dirname(path));
  if (!names.includes(name)) {
    console.error(`There is no benchmark "${name}". Choose one of: ${names.join(', ')}.`);
    return 1;
  }
  const found = (await import(`./${name}/bench.ts`)) as { bench: Bench } | OwnBench;
  if ('run' in found) return await found.run({ only, json });
  const { bench: whole } = found;
  const known = new Set([...whole.cases, ...(whole.alone ?? [])].map((one) => one.name));
  const unknown = only.filter((one) => !known.has(one));
  if (unknown.length > 0) {
    console.error(`The benchmark "${name}" has no case ${unknown.join(', ')}.`);
    return 1;
  }
  const bench = only.length > 0 ? selectCases(whole, only) : whole;
  if (!json) console.log(`${name}: ${rounds} rounds\n${describeSetting(bench)}\n`);
  const samples = await runRounds(bench, rounds, (round) =>
    process.stderr.write(`round ${round + 1} of ${rounds}\n`),
  );
  const rows = samples.map(summarise);
  const facts: Fact[] = [];
  for (const part of bench.alone ?? []) facts.push(...(await part.measure()));
  if (json) console.log(JSON.stringify({ bench: name, node: process.version, rows, facts }));
  else show(rows, facts);
  await whole.close?.();
  return 0;
}

/** Some cases alone; rows that compare cases are left out. */
function selectCases({ cases, alone = [] }: Bench, names: string[]): Bench {
  return {
    cases: cases.filter(({ name = '' }) => names.includes(name)),
    alone: alone.filter(({ name }) => names.includes(name)),
  };
}

function show(rows: Row[], facts: Fact[]): void {
  if (rows.length > 0)
    console.log(`\n${formatTable(rows)}\n\n÷ is the median of Cerise's per-round ratios.`);
  if (facts.length > 0) console.log(`\n${formatFacts(facts)}`);
}

function readArguments() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { json: { type: 'boolean' }, rounds: { type: 'string' } },
  });
  const asked = Number(values.rounds ?? leastRounds);
  return {
    name: positionals[0] ?? '',
    only: positionals.slice(1),
    json: values.json ?? false,
    rounds: Number.isInteger(asked) ? Math.max(asked, leastRounds) : leastRounds,
  };
}

process.exitCode = await main();
