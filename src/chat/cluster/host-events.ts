import type { HostEvent } from '#shared/vocabulary/event.ts';
import type { Signals } from '../topic/signals.ts';

type Listener = (event: HostEvent) => void;

/** Tells listeners what changes in the whole host, each owner separately. */
export class HostEvents {
  readonly #listeners = new Map<string, Set<Listener>>();
  readonly #signals: Signals;

  constructor(signals: Signals) {
    this.#signals = signals;
  }

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
    this.deliver(owner, event);
    // The state of a server is this host's own: others have their own connection to it.
    if (event.type !== 'server-changed') void this.#signals.tell('tell-event', { owner, event });
  }

  /** To everybody who listens here: it is about what all of them may use. */
  deliverToAll(event: HostEvent): void {
    for (const owner of this.#listeners.keys()) this.deliver(owner, event);
  }

  /** To those who listen here alone. */
  deliver(owner: string, event: HostEvent): void {
    for (const listener of this.#listeners.get(owner) ?? []) listener(event);
  }
}
