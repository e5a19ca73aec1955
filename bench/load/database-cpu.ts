import { readdirSync, readFileSync } from 'node:fs';
import { cpuOf } from '../processes.ts';

/** Microseconds in the unit that `/proc/PID/stat` counts in. */
const clockTick = 10_000;

/** CPU time in µs of a PostgreSQL on this machine, its processes that have ended included (Linux). */
export function cpuOfServer(databaseUrl: string): number {
  const port = new URL(databaseUrl).port;
  const processes = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const main = processes.find((pid) => {
    const [program = '', ...args] = read(`/proc/${pid}/cmdline`).split('\0');
    return program.endsWith('postgres') && args[args.indexOf('-p') + 1] === port;
  });
  if (main === undefined) return NaN;
  const own = processes.filter((pid) => pid === main || statOf(pid)[1] === main);
  const ended = Number(statOf(main)[13]) + Number(statOf(main)[14]);
  return own.reduce((sum, pid) => sum + cpuOf(Number(pid)), ended * clockTick);
}

/** The fields after the program's name, which may hold spaces and brackets: state, parent, … */
function statOf(pid: string): string[] {
  const stat = read(`/proc/${pid}/stat`);
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

/** Processes come and go while they are listed. */
function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
