import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { CeriseError, toErrorInfo } from '#shared/errors/errors.ts';
import type { Logger } from '#shared/vocabulary/ports.ts';
import { endTree, killTree } from './end-tree.ts';
import { HostWatch } from './host-watch.ts';
import { ProcessLedger } from './ledger.ts';
import { markerVariable, readProcess } from './process-table.ts';
import { type Activity, type ProcessInfo, ProcessTree } from './process-tree.ts';
import { treeWord } from './tree-word.ts';

const graces = { input: 1000, kill: 3000 };
/** What a process forks while it is being killed is killed in the next pass. */
const exitPasses = 3;

/** What the tracker is made from. */
export interface ProcessTrackerOptions {
  /** Where running processes are noted for the next start, `reapOrphans`. Absent: nowhere. */
  ledgerFolder?: string | undefined;
  logger?: Pick<Logger, 'warn'> | undefined;
}

interface Entry {
  command: string;
  tree: ProcessTree;
  child?: ChildProcess;
  closing?: Promise<void>;
}

/**
 * Knows every process we started and ends it with all its descendants: end of input, SIGTERM,
 * SIGKILL after 3 seconds. Whatever is left when the host exits is killed; if the host is killed
 * itself, a watching shell does it, and at the latest the next start.
 */
export class McpProcessTracker {
  static #instance: McpProcessTracker | undefined;

  /** The one that a program without a host of its own can share; made when it is first asked for. */
  static getInstance(): McpProcessTracker {
    return (this.#instance ??= new McpProcessTracker());
  }

  readonly #entries = new Map<string, Entry>();
  readonly #watch = new HostWatch();
  readonly #options: ProcessTrackerOptions;
  #ledger: ProcessLedger | undefined;
  readonly #killAll = (): void => {
    for (let pass = 0; pass < exitPasses; pass++) {
      for (const { tree } of this.#entries.values()) killTree(tree);
    }
  };

  constructor(options: ProcessTrackerOptions = {}) {
    this.#options = options;
  }

  /**
   * Notes a process that is about to be started, so that not even a kill in between leaves it behind.
   * Its environment must hold what this returns. Followed by `track`, or by `closeConnection`.
   */
  announce(id: string, command: string): Record<string, string> {
    if (this.#entries.has(id)) {
      throw new CeriseError('conflict', `A process with the id ${id} is tracked already.`);
    }
    if (this.#entries.size === 0) process.on('exit', this.#killAll);
    const marker = randomUUID();
    const entry: Entry = { command, tree: new ProcessTree(marker) };
    this.#entries.set(id, entry);
    this.#note(entry);
    return { [markerVariable]: marker };
  }

  /** Children must be started `detached`, so that each leads its own group. */
  track(id: string, child: ChildProcess): void {
    if (!this.#entries.has(id)) this.announce(id, child.spawnfile);
    const entry = this.#entries.get(id);
    if (!entry || child.pid === undefined) return;
    entry.child = child;
    entry.tree.setLeader(readProcess(child.pid) ?? { pid: child.pid, startTime: 0 });
    child.once('exit', () => void entry.tree.keepSession());
    this.#note(entry);
  }

  /** Resolves when the process and its descendants are gone; at once for an unknown id or connection. */
  closeConnection(of: string | { readonly processId: string | undefined }): Promise<void> {
    const id = typeof of === 'string' ? of : of.processId;
    const entry = id === undefined ? undefined : this.#entries.get(id);
    if (id === undefined || !entry) return Promise.resolve();
    entry.closing ??= this.#end(entry).finally(() => this.#forget(id));
    return entry.closing;
  }

  async closeAll(): Promise<void> {
    await Promise.all([...this.#entries.keys()].map((id) => this.closeConnection(id)));
  }

  /** The ids of what is still alive as far as we know. */
  tracked(): string[] {
    return [...this.#entries.keys()];
  }

  /** The process and its descendants as they are now; empty for an unknown id. */
  processTree(id: string): ProcessInfo[] {
    return this.#entries.get(id)?.tree.describe() ?? [];
  }

  /** What it and its descendants have done so far; undefined where nobody can tell. */
  activity(id: string): Activity | undefined {
    return this.#entries.get(id)?.tree.activity();
  }

  async #end({ child, tree }: Entry): Promise<void> {
    if (!child) return;
    await endTree(tree, () => child.stdin?.end(), graces);
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.destroy();
  }

  #forget(id: string): void {
    const entry = this.#entries.get(id);
    this.#entries.delete(id);
    if (this.#entries.size === 0) process.off('exit', this.#killAll);
    this.#updateWatch();
    if (entry) this.#withLedger((ledger) => ledger.remove(entry.tree.marker));
  }

  #note({ tree, command }: Entry): void {
    this.#updateWatch();
    const { marker, leader } = tree;
    this.#withLedger((ledger) => ledger.write({ marker, command, leader }));
  }

  #updateWatch(): void {
    this.#watch.update([...this.#entries.values()].map(({ tree }) => treeWord(tree)));
  }

  /** The ledger is the last of three nets: a full disk must not stop a server from starting. */
  #withLedger(use: (ledger: ProcessLedger) => void): void {
    const { ledgerFolder, logger } = this.#options;
    if (ledgerFolder === undefined) return;
    try {
      this.#ledger ??= new ProcessLedger(ledgerFolder);
      use(this.#ledger);
    } catch (error) {
      logger?.warn({ error: toErrorInfo(error) }, 'could not record running processes on disk');
    }
  }
}
