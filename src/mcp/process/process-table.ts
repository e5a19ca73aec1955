import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { systemCode } from '#shared/errors/system-code.ts';

/** The environment variable that marks a server process and, by inheritance, its descendants. */
export const markerVariable = 'CERISE_SERVER';

/** One process as the system lists it. A pid is only an identity together with its start time. */
export interface ProcessEntry {
  pid: number;
  parent: number;
  group: number;
  /** The session; where the system does not tell, the group. */
  session: number;
  /** The system's letter: R, S, D, T (stopped), Z (ended, not yet collected by its parent) … */
  state: string;
  /** Comparable within one boot: clock ticks since boot on Linux, seconds elsewhere. */
  startTime: number;
  command: string;
  /** Clock ticks of processor time, of children that ended too; where the system tells. */
  ticks?: number;
}

/** Which process, beyond doubt: the same pid given out again has another start time. */
export type ProcessIdentity = Pick<ProcessEntry, 'pid' | 'startTime'>;

/**
 * All processes, or none at all where the system does not list them. Synchronous, because it must
 * also work while the host exits. Throws where no descriptor is left to look with (`isMachineFull`).
 */
export function readProcesses(): ProcessEntry[] {
  if (process.platform === 'win32') return [];
  if (process.platform !== 'linux') return readPs(['-ax']);
  if (!existsSync('/proc/self/stat')) return [];
  return readdirSync('/proc').flatMap((name) => {
    const entry = /^\d+$/.test(name) ? readStat(name) : undefined;
    return entry ? [entry] : [];
  });
}

let nextList: Promise<ProcessEntry[]> | undefined;

/** A list made after this call; all who ask in the same turn of the event loop share it. Throws as `readProcesses`. */
export function nextProcesses(): Promise<ProcessEntry[]> {
  nextList ??= setImmediate().then(() => {
    nextList = undefined;
    return readProcesses();
  });
  return nextList;
}

/** One process, or undefined if there is none of that pid. */
export function readProcess(pid: number): ProcessEntry | undefined {
  if (process.platform === 'win32') return undefined;
  return process.platform === 'linux' ? readStat(String(pid)) : readPs(['-p', String(pid)])[0];
}

/** Whether exactly this process is still there and has not ended. */
export function isRunning({ pid, startTime }: ProcessIdentity): boolean {
  const entry = readProcess(pid);
  return entry !== undefined && entry.startTime === startTime && !hasEnded(entry);
}

/** A process that has ended may stay listed until its parent asks for its exit code. */
export function hasEnded({ state }: Pick<ProcessEntry, 'state'>): boolean {
  return state === 'Z' || state === 'X';
}

/** The marker it was started with. Undefined if it has none or the system does not show it. */
export function markerOf(entry: Pick<ProcessEntry, 'pid'>): string | undefined {
  if (process.platform !== 'linux') return undefined;
  const cached = markers.get(entry);
  if (cached) return cached.marker;
  const environment = readProc(String(entry.pid), 'environ') ?? '';
  const marker = markerPattern.exec(environment)?.[1];
  markers.set(entry, { marker });
  return marker;
}

/** Many trees look at the same list: each environment is read once for all of them. */
const markers = new WeakMap<object, { marker: string | undefined }>();
// oxlint-disable-next-line no-control-regex -- the system ends each variable with it
const markerPattern = new RegExp(`(?:^|\0)${markerVariable}=([^\0]*)`);

/** Memory in use, where the system tells without another process. */
export function residentKb(pid: number): number | undefined {
  if (process.platform !== 'linux') return undefined;
  const found = /^VmRSS:\s+(\d+) kB/m.exec(readProc(String(pid), 'status') ?? '');
  return found ? Number(found[1]) : undefined;
}

/** Bytes read and written so far, also from and to the network, where the system tells. */
export function transferredBytes(pid: number): number | undefined {
  if (process.platform !== 'linux') return undefined;
  const found = /^rchar: (\d+)\nwchar: (\d+)/.exec(readProc(String(pid), 'io') ?? '');
  return found ? Number(found[1]) + Number(found[2]) : undefined;
}

function readStat(pid: string): ProcessEntry | undefined {
  const text = readProc(pid, 'stat');
  return text === undefined ? undefined : parseStat(text);
}

/** A line of /proc/PID/stat. The name may hold spaces and brackets: the last bracket ends it. */
export function parseStat(text: string): ProcessEntry | undefined {
  const open = text.indexOf('(');
  const close = text.lastIndexOf(')');
  const fields = text.slice(close + 2).split(' ');
  if (open < 0 || fields.length < 20) return undefined;
  return {
    pid: Number(text.slice(0, open)),
    parent: Number(fields[1]),
    group: Number(fields[2]),
    session: Number(fields[3]),
    state: fields[0] ?? '',
    startTime: Number(fields[19]),
    command: text.slice(open + 1, close),
    ticks: fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0),
  };
}

/** The process may end at any moment, or belong to somebody else: then there is nothing to read. */
function readProc(pid: string, file: 'stat' | 'status' | 'environ' | 'io'): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1');
  } catch (error) {
    const code = systemCode(error) ?? '';
    if (['ENOENT', 'ESRCH', 'EACCES', 'EPERM', 'EIO'].includes(code)) return undefined;
    throw error;
  }
}

/** What `ps` says, for systems without /proc. */
export function readPs(selection: string[]): ProcessEntry[] {
  const columns = 'pid=,ppid=,pgid=,state=,lstart=,comm=';
  const env = { LC_ALL: 'C', TZ: 'UTC', PATH: '/usr/bin:/bin' };
  try {
    const output = execFileSync('ps', [...selection, '-o', columns], {
      env,
      encoding: 'latin1',
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: 2000,
    });
    return output.split('\n').flatMap(parsePsLine);
  } catch {
    // No such process, or no `ps`: both mean that nothing can be seen.
    return [];
  }
}

function parsePsLine(line: string): ProcessEntry[] {
  const found =
    /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S)\S*\s+\w+\s+(\w+\s+\d+\s+[\d:]+\s+\d+)\s+(.+)$/.exec(line);
  if (!found) return [];
  const [, pid, parent, group, state = '', started = '', command = ''] = found;
  return [
    {
      pid: Number(pid),
      parent: Number(parent),
      group: Number(group),
      session: Number(group),
      state,
      startTime: Date.parse(`${started} UTC`) / 1000,
      command,
    },
  ];
}
