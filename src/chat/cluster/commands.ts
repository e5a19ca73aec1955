import { randomUUIDv7 } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import {
  CeriseError,
  type ErrorInfo,
  isStorageTrouble,
  toErrorInfo,
} from '#shared/errors/errors.ts';
import { fault } from '#shared/errors/fault.ts';
import { say } from '#shared/errors/sentence.ts';
import type { Logger } from '#shared/vocabulary/ports.ts';
import {
  finishInbox,
  type InboxRow,
  inboxResult,
  insertInbox,
  listInbox,
} from '#store/conversations/inbox.ts';
import { LeaseLost } from '#store/conversations/leases.ts';
import type { Db, Store } from '#store/database/store.ts';
import { HeldElsewhere } from '../topic/live-topics.ts';
import { topicNotFound } from '../topic/topic-not-found.ts';
import { type Command, type CommandKind, type ResultOf, toCommand } from './command.ts';

/** Carries a command out here. `finish` marks it as done in the transaction of what it does. */
type Handler<K extends CommandKind> = (
  command: Command<K>,
  finish: (tx: Db, result: ResultOf<K>) => Promise<void>,
) => Promise<ResultOf<K>>;

/** A handler beside those of other kinds: whoever calls it knows by its kind what it takes. */
type StoredHandler = (
  command: never,
  finish: (tx: Db, result: unknown) => Promise<void>,
) => Promise<unknown>;

interface HandOver<K extends CommandKind> {
  /** Known at once: given when the holder takes its time, since the command itself is durable. */
  early?: ResultOf<K>;
  /** Part of the transaction that makes the command durable. */
  also?: (tx: Db) => Promise<void> | undefined;
}

const quickWait = 1_500;
const longestWait = 20_000;
const pollEvery = 60;

type Outcome = { result: unknown } | { error: ErrorInfo };

/**
 * Brings commands to the host that holds their topic: to this one at once, to another one through the
 * inbox, where they survive whatever happens to it. Each is carried out once.
 */
export class Commands {
  readonly #store: Store;
  readonly #ring: (payload: { inbox: string }) => void;
  readonly #logger: Logger;
  readonly #now: () => number;
  readonly #handlers = new Map<string, StoredHandler>();
  readonly #working = new Map<string, Promise<void>>();

  constructor(deps: {
    store: Store;
    ring: (payload: { inbox: string }) => void;
    logger: Logger;
    now: () => number;
  }) {
    this.#store = deps.store;
    this.#ring = deps.ring;
    this.#logger = deps.logger;
    this.#now = deps.now;
  }

  /** What to do with commands of a kind that another host has accepted. */
  on<K extends CommandKind>(kind: K, handler: Handler<K>): void {
    this.#handlers.set(kind, handler);
  }

  /** Does it here, or, where another host has the topic, hands it over and gives what came of it. */
  async run<K extends CommandKind>(
    command: Command<K>,
    here: () => Promise<ResultOf<K>>,
    handOver: HandOver<K> = {},
  ): Promise<ResultOf<K>> {
    try {
      return await here();
    } catch (error) {
      if (!isElsewhere(error)) throw error;
    }
    const id = randomUUIDv7();
    await this.#store.transaction(async (tx) => {
      const row = { ...command, id, createdAt: this.#now() };
      if (!(await insertInbox(tx, row))) throw topicNotFound();
      await handOver.also?.(tx);
    });
    await fault('inbox-inserted');
    this.#ring({ inbox: command.topicId });
    return (await this.#outcome(id, handOver.early)) as ResultOf<K>;
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
        await finishInbox(this.#store.db, row.id, { result }, this.#now());
      } catch (error) {
        if (isElsewhere(error) || canWait(error)) return;
        const info = toErrorInfo(error);
        if (!(error instanceof CeriseError)) this.#logger.error(info, 'A command failed');
        await finishInbox(this.#store.db, row.id, { error: info }, this.#now());
      }
    }
  }

  async #carryOut(row: InboxRow): Promise<unknown> {
    const handler = this.#handlers.get(row.kind);
    if (!handler)
      throw new CeriseError(
        'internal',
        say('command-unknown')`Nobody knows the command ${row.kind}.`,
      );
    return handler(toCommand(row) as never, (tx, result) =>
      finishInbox(tx, row.id, { result }, this.#now()),
    );
  }

  async #outcome(id: string, early: unknown): Promise<unknown> {
    const deadline = performance.now() + (early === undefined ? longestWait : quickWait);
    while (performance.now() < deadline) {
      const outcome = (await inboxResult(this.#store.db, id)) as Outcome | undefined;
      if (outcome && 'error' in outcome)
        throw new CeriseError(outcome.error.code, outcome.error.message, outcome.error);
      if (outcome) return outcome.result;
      await setTimeout(pollEvery);
    }
    if (early !== undefined) return early;
    throw new CeriseError(
      'timed_out',
      say('holder-silent')`The host that has this conversation does not answer.`,
      {
        hint: say(
          'holder-later',
        )`It will be done as soon as a host has taken over; look again in a moment.`,
      },
    );
  }
}

/** It is acknowledged, so it is not refused because the database is away: it is done when that is back. */
function canWait(error: unknown): boolean {
  return isStorageTrouble(error);
}

function isElsewhere(error: unknown): boolean {
  return error instanceof HeldElsewhere || error instanceof LeaseLost;
}
