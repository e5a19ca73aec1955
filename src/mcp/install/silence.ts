import type { Activity } from '../process/process-tree.ts';

const checksPerLimit = 10;
const maxCheckMs = 5000;
/** Whoever uses less of a processor than this, and moves no more than this, only waits. */
const workingShare = 0.05;
const workingBytes = 1024;

interface SilenceOptions {
  /** How long nothing may happen, in milliseconds. */
  limitMs: number;
  /** What was done so far; undefined where the system does not tell. */
  activity: () => Activity | undefined;
  onSilent: () => void;
}

/**
 * Watches over work that may take any time as long as it goes on: something was written, a processor was
 * busy with it, or a download went on. Calls `onSilent` once if nothing of that happens for the limit.
 */
export class Silence {
  readonly #options: SilenceOptions;
  readonly #timer: NodeJS.Timeout;
  #heardAt = performance.now();
  #checked: { at: number; activity: Activity | undefined };

  constructor(options: SilenceOptions) {
    this.#options = options;
    this.#checked = { at: this.#heardAt, activity: options.activity() };
    const every = Math.min(maxCheckMs, options.limitMs / checksPerLimit);
    this.#timer = setInterval(() => this.#check(), every);
    this.#timer.unref();
  }

  /** Something was written. */
  touch(): void {
    this.#heardAt = performance.now();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #check(): void {
    const before = this.#checked;
    const now = { at: performance.now(), activity: this.#options.activity() };
    this.#checked = now;
    if (before.activity && now.activity) {
      const share = (now.activity.cpuMs - before.activity.cpuMs) / (now.at - before.at);
      const bytes = now.activity.bytes - before.activity.bytes;
      if (share > workingShare || bytes > workingBytes) this.touch();
    }
    if (now.at - this.#heardAt < this.#options.limitMs) return;
    this.stop();
    this.#options.onSilent();
  }
}
