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
import type { Signals } from '../topic/signals.ts';
import { topicNotFound } from '../topic/topic-not-found.ts';
import type { BodyOf, CommandKind, ContextOf, ResultOf } from './command.ts';
import type { Remember } from './idempotency.ts';

/** The topic that a command is about, and whose it is. */
interface At {
  owner: string;
  topicId: string;
}

/** Does what a command asks, on the host that holds its topic. `also` takes part in the transaction of that. */
type CommandHandler<K extends CommandKind> = (
  at: At,
  body: BodyOf<K>,
  also: Remember<ResultOf<K>>,
  known?: ContextOf<K>,
) => Promise<ResultOf<K>>;

/** Runs a command, here or on the host that holds its topic, and returns its result. */
export type RunCommand<K extends CommandKind> = (
  at: At,
  body: BodyOf<K>,
  options?: {
    /** Known at once: given when the holder takes its time, since the command itself is durable. */
    early?: ResultOf<K>;
    /** Part of the transaction that carries it out, or that makes it durable with its early result. */
    remember?: Remember<ResultOf<K>> | undefined;
    known?: ContextOf<K>;
  },
) => Promise<ResultOf<K>>;

/** One among those of other kinds: the caller knows by its kind what it takes. */
type AnyHandler = (at: At, body: never, also: Remember<unknown>) => Promise<unknown>;

const quickWaitMs = 1_500;
const maxWaitMs = 20_000;
const pollMs = 60;

type Outcome = { result: unknown } | { error: ErrorInfo };

interface CommandsDeps {
  store: Store;
  signals: Signals;
  logger: Logger;
  now: () => number;
}

/**
 * Brings commands to the host that holds their topic: to this one at once, to another one through the
 * inbox, where they survive whatever happens to it. Each is carried out once.
 */
export class Commands {
  readonly #deps: CommandsDeps;
  readonly #kinds = new Map<string, AnyHandler>();
  readonly #working = new Map<string, Promise<void>>();

  constructor(deps: CommandsDeps) {
    this.#deps = deps;
  }

  /** Says how commands of a kind are carried out, whichever host accepted them. */
  define<K extends CommandKind>(kind: K, carryOut: CommandHandler<K>): RunCommand<K> {
    this.#kinds.set(kind, carryOut);
    return async (at, body, { early, remember, known } = {}) => {
      try {
        return await carryOut(at, body, remember ?? nothing, known);
      } catch (error) {
        if (!isElsewhere(error)) throw error;
      }
      const also = early === undefined ? undefined : (tx: Db) => remember?.(tx, early);
      const id = await this.#handOver({ ...at, kind, body }, also);
      return (await this.#outcome(id, early)) as ResultOf<K>;
    };
  }

  /** Leaves a command to the host that holds its topic. */
  async #handOver(
    command: At & { kind: CommandKind; body: unknown },
    also?: (tx: Db) => Promise<void> | undefined,
  ): Promise<string> {
    const id = randomUUIDv7();
    await this.#deps.store.transaction(async (tx) => {
      const row = { ...command, id, createdAt: this.#deps.now() };
      if (!(await insertInbox(tx, row))) throw topicNotFound();
      await also?.(tx);
    });
    await fault('inbox-inserted');
    void this.#deps.signals.tell('tell-command', { topicId: command.topicId });
    return id;
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
    for (const row of await listInbox(this.#deps.store.db, [topicId])) {
      try {
        const result = await this.#carryOut(row);
        await fault('inbox-carried-out');
        await finishInbox(this.#deps.store.db, row.id, { result }, this.#deps.now());
      } catch (error) {
        if (isElsewhere(error) || canWait(error)) return;
        const info = toErrorInfo(error);
        if (!(error instanceof CeriseError)) this.#deps.logger.error(info, 'Command failed');
        await finishInbox(this.#deps.store.db, row.id, { error: info }, this.#deps.now());
      }
    }
  }

  async #carryOut({ id, kind, owner, topicId, body }: InboxRow): Promise<unknown> {
    const carryOut = this.#kinds.get(kind);
    if (!carryOut)
      throw new CeriseError('internal', say('command-unknown')`Unknown command: ${kind}.`);
    return carryOut({ owner, topicId }, body as never, (tx, result) =>
      finishInbox(tx, id, { result }, this.#deps.now()),
    );
  }

  async #outcome(id: string, early: unknown): Promise<unknown> {
    const deadline = performance.now() + (early === undefined ? maxWaitMs : quickWaitMs);
    while (performance.now() < deadline) {
      const outcome = (await inboxResult(this.#deps.store.db, id)) as Outcome | undefined;
      if (outcome && 'error' in outcome)
        throw new CeriseError(outcome.error.code, outcome.error.message, outcome.error);
      if (outcome) return outcome.result;
      await setTimeout(pollMs);
    }
    if (early !== undefined) return early;
    throw new CeriseError(
      'timed_out',
      say('holder-silent')`The instance running this chat isn't responding.`,
      {
        hint: say(
          'holder-later',
        )`This will be done once another instance takes over. Check again in a moment.`,
      },
    );
  }
}

async function nothing(): Promise<void> {}

/** It is acknowledged, so it is not refused because the database is away: it is done when that is back. */
function canWait(error: unknown): boolean {
  return isStorageTrouble(error);
}

function isElsewhere(error: unknown): boolean {
  return error instanceof HeldElsewhere || error instanceof LeaseLost;
}
