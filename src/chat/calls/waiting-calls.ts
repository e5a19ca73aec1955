import type { PolicyVerdict, ToolCallState } from '#shared/vocabulary/tool.ts';

/** How a call waits. */
interface WaitOptions {
  owner: string;
  signal: AbortSignal;
  /** What the policy says of the call by now; undefined where its tool is not there. */
  judge: () => Promise<PolicyVerdict | undefined>;
}

interface Waiting extends Pick<WaitOptions, 'owner' | 'judge'> {
  resolve: (decision: 'approve' | 'deny') => void;
}

/** Calls that wait here for a person's decision; kept in memory, the rows are the truth. */
export class WaitingCalls {
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
    this.#waiting.set(toolCallId, { owner, resolve, judge });
    const abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    this.refresh([toolCallId]).catch(reject);
    return promise.finally(() => {
      signal.removeEventListener('abort', abort);
      this.#waiting.delete(toolCallId);
    });
  }

  /** The calls of an owner that wait here. */
  of(owner: string): string[] {
    return [...this.#waiting].flatMap(([id, each]) => (each.owner === owner ? [id] : []));
  }

  /** What the policy says by now of a call that waits here; undefined if none does, or nobody knows. */
  async verdict(toolCallId: string): Promise<PolicyVerdict | undefined> {
    return this.#waiting.get(toolCallId)?.judge();
  }

  /** Resolves the waits for a call; to be called after the decision is committed. */
  settle(toolCallId: string, decision: 'approve' | 'deny'): void {
    this.#waiting.get(toolCallId)?.resolve(decision);
  }

  /** Checks whether waiting calls were decided in the meantime, here or elsewhere. Absent: all. */
  async refresh(toolCallIds: readonly string[] = [...this.#waiting.keys()]): Promise<void> {
    for (const toolCallId of toolCallIds.filter((id) => this.#waiting.has(id))) {
      const state = await this.#readState(toolCallId);
      if (state === undefined || state === 'proposed') continue;
      this.settle(toolCallId, state === 'denied' ? 'deny' : 'approve');
    }
  }
}
