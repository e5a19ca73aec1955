import { randomUUIDv7 } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { CeriseError, type ErrorInfo, toErrorInfo } from '#shared/errors.ts';
import { fault } from '#shared/fault.ts';
import type { Json } from '#shared/json.ts';
import type { Logger } from '#shared/ports.ts';
import { finishInbox, type InboxRow, inboxResult, insertInbox, listInbox } from '#store/inbox.ts';
import { LeaseLost } from '#store/leases.ts';
import type { Db, Store } from '#store/store.ts';
import { HeldElsewhere } from './live-topics.ts';

/** What is wanted of the host that holds a topic. */
export interface Command {
  owner: string;
  topicId: string;
  kind: string;
  body: Json;
}

/** Carries a command out here. `finish` marks it as done in the transaction of what it does. */
type Handler = (
  command: Command,
  finish: (tx: Db, result: Json) => Promise<void>,
) => Promise<Json | undefined>;

interface HandOver {
  /** Known at once: given when the holder takes its time, since the command itself is durable. */
  early?: Json;
  /** Part of the transaction that makes the command durable. */
  also?: (tx: Db) => Promise<void> | undefined;
}

const quickWait = 1_500;
const longestWait = 20_000;
const pollEvery = 60;

type Outcome = { result: Json } | { error: ErrorInfo };

/**
 * Brings commands to the host that holds their topic: to this one at once, to another one through the
 * inbox, where they survive whatever happens to it. Each is carried out once.
 */
export class Commands {
  readonly #store: Store;
  readonly #ring: (payload: { inbox: string }) => void;
  readonly #logger: Logger;
  readonly #now: () => number;
  readonly #handlers = new Map<string, Handler>();
  readonly #working = new Map<string, Promise<void>>();

  constructor(parts: {
    store: Store;
    ring: (payload: { inbox: string }) => void;
    logger: Logger;
    now: () => number;
  }) {
    this.#store = parts.store;
    this.#ring = parts.ring;
    this.#logger = parts.logger;
    this.#now = parts.now;
  }

  /** What to do with commands of a kind that another host has accepted. */
  on(kind: string, handler: Handler): void {
    this.#handlers.set(kind, handler);
  }

  /** Does it here, or, where another host has the topic, hands it over and gives what came of it. */
  async run<T>(command: Command, here: () => Promise<T>, handOver: HandOver = {}): Promise<T> {
    try {
      return await here();
    } catch (error) {
      if (!isElsewhere(error)) throw error;
    }
    const id = randomUUIDv7();
    await this.#store.transaction(async (tx) => {
      await insertInbox(tx, { ...command, id, createdAt: this.#now() });
      await handOver.also?.(tx);
    });
    await fault('inbox-inserted');
    this.#ring({ inbox: command.topicId });
    return (await this.#outcome(id, handOver.early)) as T;
  }

  /** Carries out what waits for a topic that this host holds; in order, one after the other. */
  async work(topicId: string): Promise<void> {
    const present = this.#working.get(topicId);
    if (present) return present;
    const work = this.#workOff(topicId).finally(() => this.#working.delete(topicId));
    this.#working.set(topicId, work);
    return work;
  }

  async #workOff(topicId: string): Promise<void> {
    for (const row of await listInbox(this.#store.db, [topicId])) {
      try {
        const result = await this.#carryOut(row);
        await fault('inbox-carried-out');
        await finishInbox(this.#store.db, row.id, { result: result ?? null }, this.#now());
      } catch (error) {
        if (isElsewhere(error) || canWait(error)) return;
        const info = toErrorInfo(error);
        if (!(error instanceof CeriseError)) this.#logger.error(info, 'A command failed');
        const outcome = { error: info } as unknown as Json;
        await finishInbox(this.#store.db, row.id, outcome, this.#now());
      }
    }
  }

  async #carryOut(row: InboxRow): Promise<Json | undefined> {
    const handler = this.#handlers.get(row.kind);
    if (!handler) throw new CeriseError('internal', `Nobody knows the command ${row.kind}.`);
    return handler(row, (tx, result) => finishInbox(tx, row.id, { result }, this.#now()));
  }

  async #outcome(id: string, early: Json | undefined): Promise<Json> {
    const deadline = performance.now() + (early === undefined ? longestWait : quickWait);
    while (performance.now() < deadline) {
      const outcome = (await inboxResult(this.#store.db, id)) as unknown as Outcome | undefined;
      if (outcome && 'error' in outcome)
        throw new CeriseError(outcome.error.code, outcome.error.message, outcome.error);
      if (outcome) return outcome.result;
      await setTimeout(pollEvery);
    }
    if (early !== undefined) return early;
    throw new CeriseError('timed_out', 'The host that has this conversation does not answer.', {
      hint: 'It will be done as soon as a host has taken over; look again in a moment.',
    });
  }
}

/** It is acknowledged, so it is not refused because the database is away: it is done when that is back. */
function canWait(error: unknown): boolean {
  return error instanceof CeriseError && error.code === 'storage_unavailable';
}

function isElsewhere(error: unknown): boolean {
  return error instanceof HeldElsewhere || error instanceof LeaseLost;
}
