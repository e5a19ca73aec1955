import { toErrorInfo } from '#shared/errors/errors.ts';
import { fault } from '#shared/errors/fault.ts';
import type { Logger } from '#shared/vocabulary/ports.ts';
import {
  beat,
  claimTopic,
  leaseMs,
  releaseLease,
  removeInstance,
  renewLeases,
} from '#store/conversations/leases.ts';
import type { Store } from '#store/database/store.ts';

const renewIntervalMs = 5_000;
const beatIntervalMs = 2_000;

/** The right to write one topic, for as long as it is renewed. */
export interface Lease {
  topicId: string;
  fence: number;
  /** By our own clock, before the database's: from then on nothing may be shown that is not durable. */
  deadline: number;
  onLost: () => void;
}

/** The leases this host has on topics of a shared database, and the sign of life it gives. */
export class Leases {
  readonly instance: string;
  readonly #store: Store;
  readonly #logger: Logger;
  readonly #held = new Map<string, Lease>();
  #timers: NodeJS.Timeout[] = [];

  constructor(store: Store, instance: string, logger: Logger) {
    this.#store = store;
    this.instance = instance;
    this.#logger = logger;
  }

  /** How many topics this host holds. */
  get size(): number {
    return this.#held.size;
  }

  async start(): Promise<void> {
    await beat(this.#store.db, this.instance);
    this.#timers = [
      setInterval(() => void this.renew(), renewIntervalMs).unref(),
      setInterval(() => void this.#beat(), beatIntervalMs).unref(),
    ];
  }

  /** Undefined if another host holds the topic, or there is none. */
  async claim(topicId: string): Promise<Lease | undefined> {
    const asked = performance.now();
    const fence = await claimTopic(this.#store.db, topicId, this.instance);
    if (fence === undefined) return undefined;
    const lease = { topicId, fence, deadline: asked + leaseMs, onLost: () => undefined };
    this.#held.set(topicId, lease);
    await fault('lease-claimed');
    return lease;
  }

  async release(lease: Lease): Promise<void> {
    if (this.#held.get(lease.topicId) !== lease) return;
    this.#held.delete(lease.topicId);
    await releaseLease(this.#store.db, lease.topicId, lease.fence);
  }

  /** Renews all; what could not be renewed in time is lost. */
  async renew(): Promise<void> {
    const held = [...this.#held.values()];
    const asked = performance.now();
    try {
      const kept = await renewLeases(this.#store.db, held);
      if (held.length > 0) await fault('lease-renewed');
      for (const lease of held) {
        if (kept.has(lease.topicId)) lease.deadline = asked + leaseMs;
        else this.#lose(lease);
      }
    } catch (error) {
      this.#logger.warn(toErrorInfo(error), 'Could not renew leases');
      for (const lease of held) if (lease.deadline < performance.now()) this.#lose(lease);
    }
  }

  async close(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    try {
      await Promise.all([...this.#held.values()].map((lease) => this.release(lease)));
      await removeInstance(this.#store.db, this.instance);
    } catch (error) {
      // What cannot be given back runs out by itself.
      this.#logger.warn(toErrorInfo(error), 'Could not release leases');
    }
  }

  async #beat(): Promise<void> {
    await beat(this.#store.db, this.instance).catch((error: unknown) =>
      this.#logger.warn(toErrorInfo(error), 'Could not send a heartbeat'),
    );
  }

  #lose(lease: Lease): void {
    if (this.#held.get(lease.topicId) !== lease) return;
    this.#held.delete(lease.topicId);
    this.#logger.warn({ topicId: lease.topicId }, 'Another host took over a topic');
    lease.onLost();
  }
}
