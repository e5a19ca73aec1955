import type { PolicyVerdict, ToolCallState } from '#shared/tool.ts';

/** How a call waits. */
interface WaitOptions {
  owner: string;
  signal: AbortSignal;
  /** What the policy says of the call by now; absent: only a person decides. */
  judge?: () => Promise<PolicyVerdict>;
}

interface Waiting extends Pick<WaitOptions, 'owner' | 'judge'> {
  resolve: (decision: 'approve' | 'deny') => void;
}

/** Calls that wait here for a person's decision; kept in memory, the rows are the truth. */
export class Decisions {
  readonly #waiting = new Map<string, Waiting>();
  readonly #readState: (toolCallId: string) => Promise<ToolCallState | undefined>;

  constructor(readState: (toolCallId: string) => Promise<ToolCallState | undefined>) {
    this.#readState = readState;
  }

  /** Resolves when it is decided, or was before; rejects with the signal's reason. */
  async wait(
    toolCallId: string,
    { owner, signal, judge }: WaitOptions,
  ): Promise<'approve' | 'deny'> {
    signal.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<'approve' | 'deny'>();
    this.#waiting.set(toolCallId, { owner, resolve, ...(judge && { judge }) });
    const abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    this.refresh(toolCallId).catch(reject);
    return promise.finally(() => {
      signal.removeEventListener('abort', abort);
      this.#waiting.delete(toolCallId);
    });
  }

  /** The calls of an owner that wait here. */
  waiting(owner: string): string[] {
    return [...this.#waiting].flatMap(([id, each]) => (each.owner === owner ? [id] : []));
  }

  /** What the policy says by now of a call that waits here; undefined if none does, or nobody knows. */
  async verdict(toolCallId: string): Promise<PolicyVerdict | undefined> {
    return this.#waiting.get(toolCallId)?.judge?.();
  }

  /** Tells whoever waits; call it after the decision is committed. */
  settle(toolCallId: string, decision: 'approve' | 'deny'): void {
    this.#waiting.get(toolCallId)?.resolve(decision);
  }

  /** Looks whether a call that is waited for was decided meanwhile, here or elsewhere. */
  async refresh(toolCallId: string): Promise<void> {
    if (!this.#waiting.has(toolCallId)) return;
    const state = await this.#readState(toolCallId);
    if (state === undefined || state === 'proposed') return;
    this.settle(toolCallId, state === 'denied' ? 'deny' : 'approve');
  }
}
