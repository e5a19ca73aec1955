import { describe, expect, it } from 'vitest';
import type { ProcessEntry } from './process-table.ts';
import { selectTree } from './process-tree.ts';

const leader = { pid: 10, startTime: 100 };
const nothing = new Map<number, number>();

/** A process of the tree unless the fields say otherwise. */
function entry(pid: number, fields: Partial<ProcessEntry> = {}): ProcessEntry {
  const rest = { parent: 1, group: pid, session: pid, state: 'S', startTime: 200, command: 'x' };
  return { pid, ...rest, ...fields };
}

const server = entry(10, { startTime: 100 });

function select(
  entries: ProcessEntry[],
  options: { known?: Map<number, number>; marked?: number[]; from?: typeof leader | null } = {},
): number[] {
  const { known = nothing, marked = [], from = leader } = options;
  const isMarked = ({ pid }: ProcessEntry): boolean => marked.includes(pid);
  return selectTree(entries, { leader: from ?? undefined, known }, isMarked)
    .map(({ pid }) => pid)
    .toSorted((a, b) => a - b);
}

describe('selectTree', () => {
  it('finds the leader, its session and its descendants in whatever order they are listed', () => {
    const entries = [
      entry(14, { parent: 13 }),
      entry(13, { parent: 12 }),
      entry(12, { parent: 10 }),
      entry(11, { session: 10, group: 10 }),
      server,
      entry(50),
    ];
    expect(select(entries)).toEqual([10, 11, 12, 13, 14]);
  });

  it('finds by its marker what left its session and lost its parent, with its children', () => {
    const entries = [server, entry(20), entry(21, { parent: 20 }), entry(50)];
    expect(select(entries, { marked: [20] })).toEqual([10, 20, 21]);
    expect(select(entries, { marked: [20], from: null })).toEqual([20, 21]);
  });

  it('keeps the session when its leader has ended', () => {
    const entries = [entry(11, { session: 10 }), entry(12, { session: 10 })];
    expect(select(entries, { marked: [11] })).toEqual([11, 12]);
    expect(select(entries, { known: new Map([[12, 200]]) })).toEqual([11, 12]);
  });

  it('leaves a process alone that got the pid of the leader or of a known one', () => {
    const entries = [entry(10, { startTime: 300 }), entry(11, { session: 10 }), entry(12)];
    expect(select(entries, { known: new Map([[12, 150]]) })).toEqual([]);
  });

  it('does not ask for the marker of what is older than the leader', () => {
    expect(select([server, entry(5, { startTime: 99 })], { marked: [5] })).toEqual([10]);
  });

  it('never includes ourselves', () => {
    expect(select([server, entry(process.pid)], { marked: [process.pid] })).toEqual([10]);
  });
});
