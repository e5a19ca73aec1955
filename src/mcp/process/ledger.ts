import {
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { isMachineFull } from '#shared/errors/machine-full.ts';
import { systemCode } from '#shared/errors/system-code.ts';
import { endTree } from './end-tree.ts';
import { isRunning, markerOf, type ProcessIdentity, readProcess } from './process-table.ts';
import { ProcessTree } from './process-tree.ts';

const suffix = '.json';
/** Nobody can tell whether a host elsewhere lives; its notes are not kept for ever. */
const foreignAgeMs = 7 * 24 * 60 * 60 * 1000;
/** Orphans have had no host to serve for longer than this already. */
const graces = { input: 0, kill: 1000 };

const identitySchema = z.object({ pid: z.int().positive(), startTime: z.number() });
const noteSchema = z.object({
  marker: z.uuid(),
  command: z.string(),
  /** Where pids mean the same: the boot and the pid namespace. */
  scope: z.string(),
  host: identitySchema,
  leader: identitySchema.optional(),
});
type Note = z.infer<typeof noteSchema>;

/** A process of a dead host that was ended. */
export interface Orphan {
  pid: number;
  command: string;
}

/**
 * One small file for each process that runs or is about to, so that the next host can end what this
 * one had to leave behind. The files hold no arguments and no environment.
 */
export class ProcessLedger {
  readonly #folder: string;
  readonly #host: ProcessIdentity;
  readonly #scope = pidScope();

  constructor(folder: string) {
    this.#folder = folder;
    this.#host = readProcess(process.pid) ?? { pid: process.pid, startTime: 0 };
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  }

  /** Durable against the end of the host, not of the machine: then no process is left either. */
  write({ marker, command, leader }: Pick<Note, 'marker' | 'command' | 'leader'>): void {
    const { pid, startTime } = this.#host;
    const note: Note = { marker, command, scope: this.#scope, host: { pid, startTime }, leader };
    const file = join(this.#folder, marker + suffix);
    writeFileSync(`${file}.new`, JSON.stringify(note), { mode: 0o600 });
    renameSync(`${file}.new`, file);
  }

  remove(marker: string): void {
    rmSync(join(this.#folder, marker + suffix), { force: true });
  }
}

/**
 * Ends what hosts that are gone left behind, and forgets it. Only processes that carry the noted
 * marker are touched; where the system does not show it, only the exact pid and start time.
 */
export async function reapOrphans(folder: string): Promise<Orphan[]> {
  const reaped = await Promise.all(
    listFiles(folder).map(async (file) => {
      const note = readNote(file);
      if (note && isOfRunningHost(note, file)) return [];
      const orphans = note?.scope === pidScope() ? await endOrphans(note) : [];
      rmSync(file, { force: true });
      return orphans;
    }),
  );
  return reaped.flat();
}

/** The commands that hosts with this folder run, as far as they are noted here and not known to be gone. */
export function runningCommands(folder: string): string[] {
  return listFiles(folder).flatMap((file) => {
    const note = readNote(file);
    return note && isOfRunningHost(note, file) ? note.command : [];
  });
}

function isOfRunningHost({ scope, host }: Note, file: string): boolean {
  if (scope === pidScope()) return isRunning(host);
  const written = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return Date.now() - written < foreignAgeMs;
}

async function endOrphans({ marker, command, leader }: Note): Promise<Orphan[]> {
  const isSure = leader && (process.platform !== 'linux' || markerOf(leader) === marker);
  const tree = new ProcessTree(marker, isSure ? leader : undefined);
  const orphans = tree.members().map(({ pid }) => ({ pid, command }));
  if (orphans.length > 0) await endTree(tree, () => undefined, graces);
  return orphans;
}

function readNote(file: string): Note | undefined {
  try {
    return noteSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    if (isMachineFull(error)) throw error;
    // Not one of ours, or half written by a machine that lost power: nothing can be known from it.
    return undefined;
  }
}

function listFiles(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith(suffix))
      .map((name) => join(folder, name));
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return [];
    throw error;
  }
}

function pidScope(): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${boot} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch (error) {
    if (isMachineFull(error)) throw error;
    // Not Linux, or a sandbox that hides it: start times are compared all the same.
    return hostname();
  }
}
