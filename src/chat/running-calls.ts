/** Calls that run right now, so that a person can stop one without stopping the answer. */
export class RunningCalls {
  readonly #controllers = new Map<string, AbortController>();

  /** The signal a call runs under: its own, and that of what it belongs to. */
  start(toolCallId: string, parent: AbortSignal): AbortSignal {
    const controller = new AbortController();
    this.#controllers.set(toolCallId, controller);
    return AbortSignal.any([parent, controller.signal]);
  }

  end(toolCallId: string): void {
    this.#controllers.delete(toolCallId);
  }

  /** False if no such call runs here. */
  abort(toolCallId: string): boolean {
    const controller = this.#controllers.get(toolCallId);
    controller?.abort();
    return controller !== undefined;
  }
}
