import type { Limits } from '#shared/vocabulary/limits.ts';
import type { Logger } from '#shared/vocabulary/ports.ts';
import type { Store } from '#store/database/store.ts';
import type { HostEvents } from '../cluster/host-events.ts';
import type { Signals } from '../topic/signals.ts';

/** What every part of a host is built on; it needs none of them. */
export interface Base {
  store: Store;
  limits: Limits;
  logger: Logger;
  signals: Signals;
  events: HostEvents;
  /** The name of this host among others on the same database. */
  instance: string;
  now: () => number;
}
