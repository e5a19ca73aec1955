const checksPerLimit = 10;
const maxCheckMs = 5000;
/** Whoever uses less of a processor than this only waits. */
const workingShare = 0.05;

interface SilenceOptions {
  /** How long nothing may happen, in milliseconds. */
  limitMs: number;
  /** The processor time used so far, in milliseconds; undefined where the system does not tell. */
  cpuMs: () => number | undefined;
  onSilent: () => void;
}

/**
 * Watches over work that may take any time as long as it goes on: something was written, or a processor was
 * busy with it. Calls `onSilent` once if neither happens for the limit.
 */
export class Silence {
  readonly #options: SilenceOptions;
  readonly #timer: NodeJS.Timeout;
  #heardAt = performance.now();
  #checked: { at: number; cpuMs: number | undefined };

  constructor(options: SilenceOptions) {
    this.#options = options;
    this.#checked = { at: this.#heardAt, cpuMs: options.cpuMs() };
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
    const now = { at: performance.now(), cpuMs: this.#options.cpuMs() };
    this.#checked = now;
    if (before.cpuMs !== undefined && now.cpuMs !== undefined) {
      const share = (now.cpuMs - before.cpuMs) / (now.at - before.at);
      if (share > workingShare) this.touch();
    }
    if (now.at - this.#heardAt < this.#options.limitMs) return;
    this.stop();
    this.#options.onSilent();
  }
}
