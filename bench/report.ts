import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import type { Bench, Fact, Row } from './bench.ts';

/** The machine, Node, and the versions of every package that takes part: one line. */
export function describeSetting(bench: Bench): string {
  const contestants = bench.cases.flatMap((one) => Object.values(one.contestants));
  const packages = [...new Set(contestants.flatMap(({ packages = [] }) => packages))];
  const cores = cpus();
  const machine = `${cores.length} × ${cores[0]?.model.trim() ?? 'unknown processor'}`;
  const cerise = `cerise ${readVersion('../package.json')}`;
  const others = packages.map(
    (name) => `${name} ${readVersion(`../node_modules/${name}/package.json`)}`,
  );
  return [`Node ${process.version}`, cerise, ...others, machine].join(' · ');
}

/** The rows as a Markdown table, so that it can be pasted into docs/performance.md. */
export function formatTable(rows: Row[]): string {
  const peers = [...new Set(rows.flatMap((row) => Object.keys(row.peers)))];
  const others = ['floor', ...peers];
  const aimed = rows.some(({ aims }) => aims);
  const ratios = others.map((name) => `÷ ${name}`);
  const head = ['what', 'unit', 'cerise', ...others, ...ratios, ...(aimed ? ['aim'] : [])];
  const lines = rows.map((row) => [
    row.what,
    row.unit,
    formatNumber(row.cerise),
    formatNumber(row.floor),
    ...peers.map((name) => formatNumber(row.peers[name])),
    ...others.map((name) => formatNumber(row.ratios[name])),
    ...(aimed ? [formatAims(row)] : []),
  ]);
  const rule = head.map((_, column) => (column < 2 ? '---' : '---:'));
  return [head, rule, ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** Facts of Cerise alone as a Markdown table. */
export function formatFacts(facts: Fact[]): string {
  const lines = facts.map(({ what, unit, value, aim }) => {
    const judged = aim === undefined ? '' : `≤ ${aim} ${unit} ${value <= aim ? 'yes' : 'NO'}`;
    return `| ${what} | ${unit} | ${formatNumber(value)} | ${judged} |`;
  });
  return ['| what | unit | cerise | aim |', '| --- | --- | ---: | ---: |', ...lines].join('\n');
}

/** What was aimed at, each with whether it was met. */
function formatAims({ cerise, unit, ratios, aims = {} }: Row): string {
  const judged = Object.entries(aims).map(([name, most]) => {
    const own = name === 'cerise';
    const met = (own ? cerise : (ratios[name] ?? NaN)) <= most;
    return `${own ? `≤ ${most} ${unit}` : `÷ ${name} ≤ ${formatNumber(most)}`} ${met ? 'yes' : 'NO'}`;
  });
  return judged.join(', ');
}

function formatNumber(value: number | undefined): string {
  if (value === undefined || Number.isNaN(value)) return '–';
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3);
}

function readVersion(file: string): string {
  const text = readFileSync(new URL(file, import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
