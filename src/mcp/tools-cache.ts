import { CeriseError } from '#shared/errors.ts';
import { limits } from '#shared/limits.ts';
import type { McpTool } from './tool-list.ts';

const cacheTime = 5 * 60_000;
/** How long a server that failed is left alone by those who cannot wait. */
const failureMemory = 30_000;

interface Entry {
  promise: Promise<McpTool[]>;
  startedAt: number;
  pending: boolean;
}

/** A server's list of tools: asked for once at a time, kept for five minutes or until it changes. */
export class ToolsCache {
  readonly #load: () => Promise<McpTool[]>;
  #entry: Entry | undefined;
  #failure: { error: CeriseError; at: number } | undefined;

  constructor(load: () => Promise<McpTool[]>) {
    this.#load = load;
  }

  get(): Promise<McpTool[]> {
    const known = this.#entry;
    if (known && Date.now() - known.startedAt < cacheTime) return known.promise;
    const entry: Entry = { promise: this.#load(), startedAt: Date.now(), pending: true };
    this.#entry = entry;
    void this.#settle(entry);
    return entry.promise;
  }

  /** Waits no longer than the connect limit, and not at all for a server that failed just now. */
  async getSoon(): Promise<McpTool[]> {
    const failure = this.#failure;
    if (failure && Date.now() - failure.at < failureMemory) throw failure.error;
    const waited = this.#entry?.pending ? Date.now() - this.#entry.startedAt : 0;
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(
      () =>
        late.reject(
          new CeriseError('timed_out', 'The server is still starting.', {
            hint: 'Its tools are there as soon as it has started.',
          }),
        ),
      Math.max(0, limits.connectTime - waited),
    );
    return Promise.race([this.get(), late.promise]).finally(() => clearTimeout(timer));
  }

  /** Forgets the list; one that is on its way is not kept. */
  invalidate(): void {
    this.#entry = undefined;
  }

  /** Forgets a failure as well, because the next attempt has a new chance. */
  reset(): void {
    this.#entry = undefined;
    this.#failure = undefined;
  }

  async #settle(entry: Entry): Promise<void> {
    try {
      await entry.promise;
      if (this.#entry === entry) this.#failure = undefined;
    } catch (error) {
      if (this.#entry !== entry) return;
      this.#entry = undefined;
      if (error instanceof CeriseError) this.#failure = { error, at: Date.now() };
    } finally {
      entry.pending = false;
    }
  }
}
