import type { ProcessIdentity } from './process-table.ts';

/** A tree as one word of a command line: `marker` or `marker:pid:startTime`. */
export function treeWord({
  marker,
  leader,
}: {
  marker: string;
  leader?: ProcessIdentity | undefined;
}): string {
  return leader ? `${marker}:${leader.pid}:${leader.startTime}` : marker;
}

/** The opposite of `treeWord`. */
export function parseTreeWord(word: string): { marker: string; leader?: ProcessIdentity } {
  const [marker = '', pid, startTime] = word.split(':');
  if (pid === undefined || startTime === undefined) return { marker };
  return { marker, leader: { pid: Number(pid), startTime: Number(startTime) } };
}
