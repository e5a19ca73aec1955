import type { HostEvent } from '#shared/event.ts';

type Listener = (event: HostEvent) => void;

/** Tells whoever listens what changes in the whole host, each owner apart. */
export class HostEvents {
  readonly #listeners = new Map<string, Set<Listener>>();

  /** Returns a function that ends the subscription. */
  subscribe(owner: string, listener: Listener): () => void {
    const listeners = this.#listeners.get(owner) ?? new Set();
    this.#listeners.set(owner, listeners);
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0) this.#listeners.delete(owner);
    };
  }

  emit(owner: string, event: HostEvent): void {
    for (const listener of this.#listeners.get(owner) ?? []) listener(event);
  }
}
