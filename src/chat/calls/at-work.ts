/**
 * Calls outside of conversations that somebody in this process works on. What is recorded as this process's
 * and worked on by nobody was left, for want of the database perhaps.
 */
export class AtWork {
  readonly #ids = new Set<string>();

  has(toolCallId: string): boolean {
    return this.#ids.has(toolCallId);
  }

  /** Undefined, and nothing done, where somebody works on the call already. */
  async on<T>(toolCallId: string, work: () => Promise<T>): Promise<T | undefined> {
    if (this.#ids.has(toolCallId)) return undefined;
    this.#ids.add(toolCallId);
    try {
      return await work();
    } finally {
      this.#ids.delete(toolCallId);
    }
  }
}
