import { isMachineFull } from '#shared/errors/machine-full.ts';
import { systemCode } from '#shared/errors/system-code.ts';
import {
  hasEnded,
  isRunning,
  markerOf,
  nextProcesses,
  type ProcessEntry,
  type ProcessIdentity,
  readProcesses,
  residentKb,
  transferredBytes,
} from './process-table.ts';

/** A clock tick of Linux, as every program is told it is. */
const tickMs = 10;

/** A process of a server, for diagnosis. */
export interface ProcessInfo {
  pid: number;
  command: string;
  /** The system's letter: R, S, D, T (stopped) … */
  state: string;
  rssKb?: number;
}

/** What processes have done so far. */
export interface Activity {
  /** Milliseconds of processor time. */
  cpuMs: number;
  /** What they read and wrote, also from and to the network. */
  bytes: number;
}

/** What tells the processes of one server from all others. */
export interface TreeMarks {
  marker: string;
  /** The process we started, the leader of its own session. Absent while it is being started. */
  leader?: ProcessIdentity | undefined;
  /** Processes that were seen in this tree before: they stay in it when their parent ends. */
  known: ReadonlyMap<number, number>;
}

/**
 * The processes of a tree: the leader, everything in its session, everything with its marker, and all
 * their descendants, so that a process is found whether it left the group, its parent or its
 * environment behind. Never one that merely has an old pid. `marked` is asked last, being the dearest.
 */
export function selectTree(
  entries: readonly ProcessEntry[],
  { leader, known }: Pick<TreeMarks, 'leader' | 'known'>,
  marked: (entry: ProcessEntry) => boolean,
): ProcessEntry[] {
  const started = leader?.startTime ?? 0;
  const ours = new Map<number, ProcessEntry>();
  for (const entry of entries) {
    const isLeader = entry.pid === leader?.pid && entry.startTime === leader.startTime;
    const isKnown = known.get(entry.pid) === entry.startTime;
    if (isLeader || isKnown) ours.set(entry.pid, entry);
  }
  addRelatives(entries, ours, leader?.pid);
  for (const entry of entries) {
    if (!ours.has(entry.pid) && entry.startTime >= started && marked(entry)) {
      ours.set(entry.pid, entry);
    }
  }
  addRelatives(entries, ours, leader?.pid);
  ours.delete(process.pid);
  return [...ours.values()];
}

/** The session of the leader is ours as long as one process in it is known to be: ids of sessions in use are never given out again. */
function addRelatives(
  entries: readonly ProcessEntry[],
  ours: Map<number, ProcessEntry>,
  session: number | undefined,
): void {
  const isOurSession = ours.values().some((entry) => entry.session === session);
  for (let before = -1; before !== ours.size;) {
    before = ours.size;
    for (const entry of entries) {
      const isRelated = ours.has(entry.parent) || (isOurSession && entry.session === session);
      if (isRelated && !ours.has(entry.pid)) ours.set(entry.pid, entry);
    }
  }
}

/** A server's processes over time. What was seen once is remembered by pid and start time. */
export class ProcessTree {
  readonly marker: string;
  #leader: ProcessIdentity | undefined;
  #known = new Map<number, number>();
  /** Whether the leader may have ended: from then on its number can be somebody else's. */
  #hasLeft = false;

  constructor(marker: string, leader?: ProcessIdentity) {
    this.marker = marker;
    this.#leader = leader;
    if (leader) this.#known.set(leader.pid, leader.startTime);
  }

  get leader(): ProcessIdentity | undefined {
    return this.#leader;
  }

  setLeader(leader: ProcessIdentity): void {
    this.#leader = leader;
    this.#known.set(leader.pid, leader.startTime);
  }

  /**
   * To be called when the leader may have ended just now: whoever is in its session at this moment is
   * ours, while later its number can be somebody else's.
   */
  async keepSession(): Promise<void> {
    const leader = this.#leader;
    this.#hasLeft = true;
    for (const { pid, session, startTime } of await nextProcesses().catch(noProcesses)) {
      const isLater = leader !== undefined && startTime >= leader.startTime;
      if (isLater && session === leader.pid) this.#known.set(pid, startTime);
    }
  }

  /** Looks at the whole system; the processes of this tree that have not ended. */
  members(entries: readonly ProcessEntry[] = readProcesses()): ProcessEntry[] {
    if (entries.length === 0) return this.#unseenMembers();
    const marks = { leader: this.#leader, known: this.#known };
    const found = selectTree(entries, marks, (entry) => markerOf(entry) === this.marker);
    const living = found.filter((entry) => !hasEnded(entry));
    this.#known = new Map(living.map(({ pid, startTime }) => [pid, startTime]));
    return living;
  }

  /** What its processes have done so far; undefined where the system does not tell. */
  activity(): Activity | undefined {
    const entries = this.#reachable();
    const ticks = entries.map((entry) => entry.ticks);
    if (ticks.includes(undefined)) return undefined;
    const sum = (values: (number | undefined)[]): number =>
      values.reduce<number>((total, each) => total + (each ?? 0), 0);
    return {
      cpuMs: sum(ticks) * tickMs,
      bytes: sum(entries.map(({ pid }) => transferredBytes(pid))),
    };
  }

  /** The same for a person to read. */
  describe(): ProcessInfo[] {
    return this.members().map(({ pid, command, state }) => {
      const rssKb = residentKb(pid);
      return { pid, command, state, ...(rssKb !== undefined && { rssKb }) };
    });
  }

  /**
   * Whether nothing of it runs. Looks at the whole system only when all that was seen has ended. False
   * also where nobody can look because no descriptor is left.
   */
  async hasEnded(): Promise<boolean> {
    try {
      for (const [pid, startTime] of this.#known) {
        if (seemsRunning({ pid, startTime })) return false;
      }
      return this.members(await nextProcesses()).length === 0;
    } catch (error) {
      if (isMachineFull(error)) return false;
      throw error;
    }
  }

  /** Remembers who is in it now, as far as anybody can look. */
  async look(): Promise<void> {
    const seen = await nextProcesses().catch(noProcesses);
    if (seen.length > 0) this.members(seen);
  }

  /**
   * Signals every process of it; the leader's group in one go, so that a fork cannot slip through. What
   * watches over a sandbox gets no signal that can be handled: it would end at once, and all others with it.
   */
  signal(...signals: NodeJS.Signals[]): void {
    const members = this.#reachable();
    const watchers = signals.includes('SIGKILL')
      ? []
      : members.filter((entry) => this.#watches(entry));
    const group = watchers.length === 0 ? this.#leader?.pid : undefined;
    const strays = members.filter((entry) => entry.group !== group && !watchers.includes(entry));
    const targets = strays.length < members.length && group !== undefined ? [-group] : [];
    for (const pid of [...targets, ...strays.map((entry) => entry.pid)])
      for (const signal of signals) send(pid, signal);
  }

  /** Bubblewrap itself: the process we started, and the first one in its namespace. */
  #watches({ command, pid, parent }: ProcessEntry): boolean {
    return command === 'bwrap' && [pid, parent].includes(this.#leader?.pid ?? 0);
  }

  /** Without a descriptor to look with, the group of a leader that has not ended stands for all. */
  #reachable(): ProcessEntry[] {
    try {
      return this.members();
    } catch (error) {
      if (!isMachineFull(error)) throw error;
      return this.#leader && !this.#hasLeft ? [unseen(this.#leader)] : [];
    }
  }

  /** Where no process can be listed, the leader stands for all. */
  #unseenMembers(): ProcessEntry[] {
    if (!this.#leader || !seemsRunning(this.#leader)) return [];
    return [unseen(this.#leader)];
  }
}

function unseen({ pid, startTime }: ProcessIdentity): ProcessEntry {
  return { pid, startTime, parent: process.pid, group: pid, session: pid, state: '?', command: '' };
}

function noProcesses(error: unknown): ProcessEntry[] {
  if (isMachineFull(error)) return [];
  throw error;
}

/** Asking `ps` for every look would cost more than the wait; the exact look follows anyway. */
function seemsRunning(identity: ProcessIdentity): boolean {
  return process.platform === 'linux' ? isRunning(identity) : send(identity.pid, 0);
}

/** Whether the signal reached anybody. */
function send(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch (error) {
    // EPERM: somebody is there, but under another user; nothing more can be done about it.
    return systemCode(error) === 'EPERM';
  }
}
