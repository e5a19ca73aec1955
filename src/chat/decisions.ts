/** Turns that wait for a person's decision about a call; kept in memory, the rows are the truth. */
export class Decisions {
  readonly #waiting = new Map<string, (decision: 'approve' | 'deny') => void>();

  /** Resolves when somebody decides; rejects with the signal's reason. */
  async wait(toolCallId: string, signal: AbortSignal): Promise<'approve' | 'deny'> {
    signal.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<'approve' | 'deny'>();
    this.#waiting.set(toolCallId, resolve);
    const abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    return promise.finally(() => {
      signal.removeEventListener('abort', abort);
      this.#waiting.delete(toolCallId);
    });
  }

  /** Tells the waiting turn; call it after the decision is committed. */
  settle(toolCallId: string, decision: 'approve' | 'deny'): void {
    this.#waiting.get(toolCallId)?.(decision);
  }
}
