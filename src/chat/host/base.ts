import type { Limits } from '#shared/vocabulary/limits.ts';
import type { Logger } from '#shared/vocabulary/ports.ts';
import type { Store } from '#store/database/store.ts';
import type { HostEvents } from '../cluster/host-events.ts';
import type { Once } from '../cluster/idempotency.ts';
import type { HostTelemetry } from '../telemetry/host-telemetry.ts';
import type { Signals } from '../topic/signals.ts';

/** What every part of a host is built on. */
export interface Base {
  store: Store;
  limits: Limits;
  logger: Logger;
  signals: Signals;
  events: HostEvents;
  /** Receives events for logs, metrics and traces. */
  telemetry: HostTelemetry;
  /** The name of this host among others on the same database. */
  instance: string;
  /** What is done once per key. */
  once: Once;
  now: () => number;
}
