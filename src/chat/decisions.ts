import type { ToolCallState } from '#shared/tool.ts';

/** Turns that wait for a person's decision about a call; kept in memory, the rows are the truth. */
export class Decisions {
  readonly #waiting = new Map<string, (decision: 'approve' | 'deny') => void>();
  readonly #readState: (toolCallId: string) => Promise<ToolCallState | undefined>;

  constructor(readState: (toolCallId: string) => Promise<ToolCallState | undefined>) {
    this.#readState = readState;
  }

  /** Resolves when somebody decides, or has decided before; rejects with the signal's reason. */
  async wait(toolCallId: string, signal: AbortSignal): Promise<'approve' | 'deny'> {
    signal.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<'approve' | 'deny'>();
    this.#waiting.set(toolCallId, resolve);
    const abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    this.refresh([toolCallId]).catch(reject);
    return promise.finally(() => {
      signal.removeEventListener('abort', abort);
      this.#waiting.delete(toolCallId);
    });
  }

  /** Tells the waiting turn; call it after the decision is committed. */
  settle(toolCallId: string, decision: 'approve' | 'deny'): void {
    this.#waiting.get(toolCallId)?.(decision);
  }

  /** Looks whether calls that are waited for were decided meanwhile, here or elsewhere. Absent: all. */
  async refresh(toolCallIds: readonly string[] = [...this.#waiting.keys()]): Promise<void> {
    for (const toolCallId of toolCallIds.filter((id) => this.#waiting.has(id))) {
      const state = await this.#readState(toolCallId);
      if (state === 'approved') this.settle(toolCallId, 'approve');
      if (state === 'denied') this.settle(toolCallId, 'deny');
    }
  }
}
