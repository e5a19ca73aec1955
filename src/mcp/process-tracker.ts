import type { ChildProcess } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';

const stdinGrace = 1000;
const totalGrace = 3000;
const killGrace = 1000;
const pollInterval = 25;

/**
 * Knows every process we started and ends it with all its descendants: end of input, SIGTERM to the
 * process group, SIGKILL after 3 seconds. Whatever is left when the host exits is killed.
 */
export class McpProcessTracker {
  readonly #children = new Map<string, { child: ChildProcess; closing?: Promise<void> }>();
  readonly #killAll = (): void => {
    for (const { child } of this.#children.values()) signalGroup(child, 'SIGKILL');
  };

  /** Children must be started `detached`, so that each leads its own group. */
  track(id: string, child: ChildProcess): void {
    if (this.#children.size === 0) process.on('exit', this.#killAll);
    this.#children.set(id, { child });
  }

  /** Resolves when the process and its group are gone or were killed; at once for an unknown id. */
  closeConnection(id: string): Promise<void> {
    const entry = this.#children.get(id);
    if (!entry) return Promise.resolve();
    entry.closing ??= endGroup(entry.child).finally(() => this.#forget(id));
    return entry.closing;
  }

  async closeAll(): Promise<void> {
    await Promise.all([...this.#children.keys()].map((id) => this.closeConnection(id)));
  }

  /** The ids of what is still alive as far as we know. */
  tracked(): string[] {
    return [...this.#children.keys()];
  }

  #forget(id: string): void {
    this.#children.delete(id);
    if (this.#children.size === 0) process.off('exit', this.#killAll);
  }
}

async function endGroup(child: ChildProcess): Promise<void> {
  if (child.pid === undefined) return;
  child.stdin?.end();
  const started = performance.now();
  if (!(await groupEnded(child, started + stdinGrace))) {
    signalGroup(child, 'SIGTERM');
    if (!(await groupEnded(child, started + totalGrace))) {
      signalGroup(child, 'SIGKILL');
      await groupEnded(child, performance.now() + killGrace);
    }
  }
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.destroy();
}

/** A leader that has exited may have left others in its group, so the group itself is asked. */
async function groupEnded(child: ChildProcess, deadline: number): Promise<boolean> {
  while (signalGroup(child, 0)) {
    const left = deadline - performance.now();
    if (left <= 0) return false;
    await delay(Math.min(pollInterval, left));
  }
  return true;
}

/** Whether the signal reached anybody. */
function signalGroup(child: ChildProcess, signal: NodeJS.Signals | 0): boolean {
  if (child.pid === undefined) return false;
  if (process.platform === 'win32') {
    return child.exitCode === null && child.signalCode === null && child.kill(signal);
  }
  try {
    return process.kill(-child.pid, signal);
  } catch (error) {
    // EPERM: somebody is there, but under another user; nothing more can be done about it.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
