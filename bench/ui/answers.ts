import type { Case, Contestant, Growth, RowSpec } from '../bench.ts';
import type { AnswerKind } from './answer.ts';
import { buildPages } from './pages.ts';

const names = await buildPages();
const title = (kilobytes: number) => `${kilobytes} KB answer in ${kilobytes * 4} updates`;
const taskRow = (kilobytes: number) => `${title(kilobytes)}: main thread`;

/** An answer that grows, in a fresh page of a fresh browser for each contestant and round. */
export const answerCases: Case[] = [
  {
    name: 'answer',
    contestants: contestants(100, names),
    rows: [
      {
        what: taskRow(100),
        unit: 'ms',
        metric: 'task',
        aims: { streamdown: 0.5, 'react-markdown': 1 / 30 },
      },
      ...longestRows(title(100)),
    ],
  },
  {
    name: 'long-answer',
    contestants: contestants(400, ['cerise', 'floor']),
    rows: [
      { what: taskRow(400), unit: 'ms', metric: 'task' },
      { what: `${title(400)}: longest update`, unit: 'ms', metric: 'longest' },
    ],
  },
  {
    name: 'list',
    contestants: contestants(100, ['cerise', 'floor'], 'list'),
    rows: [
      { what: '100 KB list in 400 updates: main thread', unit: 'ms', metric: 'task' },
      ...longestRows('100 KB list in 400 updates'),
    ],
  },
];

/** Aim: at most 4.4. */
export const answerGrowth: Growth[] = [
  { what: 'growth from 100 KB to 400 KB', from: taskRow(100), to: taskRow(400) },
];

function longestRows(what: string): RowSpec[] {
  return [
    { what: `${what}: longest update`, unit: 'ms', metric: 'longest', aims: { cerise: 8 } },
    // Without what other programs took meanwhile.
    { what: `${what}: longest update, CPU time`, unit: 'ms', metric: 'longestCpu' },
  ];
}

function contestants(
  kilobytes: number,
  who: string[],
  kind: AnswerKind = 'mixed',
): Case['contestants'] {
  const script = new URL('page.process.ts', import.meta.url);
  const one = (name: string): Contestant => ({
    script,
    args: [name, String(kilobytes * 1000), String(kilobytes * 4), kind],
    packages: name === 'cerise' ? ['marked', 'react'] : [],
  });
  const peers = who.filter((name) => name !== 'cerise' && name !== 'floor');
  return {
    cerise: one('cerise'),
    floor: one('floor'),
    ...Object.fromEntries(peers.map((name) => [name, one(name)])),
  };
}
