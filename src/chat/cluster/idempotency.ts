import { setTimeout } from 'node:timers/promises';
import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import {
  beginIdempotent,
  type Claim,
  finishIdempotent,
  freeDeadClaim,
  type StoredAnswer,
} from '#store/conversations/idempotency.ts';
import type { Db, Store } from '#store/database/store.ts';

/** Stores what a request answers in the very transaction that does what it asks for. */
export type Remember<T> = (tx: Db, answer: T) => Promise<void>;

/** One request that carries an `Idempotency-Key`. */
type OnceRequest = Omit<Claim, 'instance'> & {
  /** Its work finds what it did before: a repeat does so, and gets what is true by then. */
  isFound?: boolean;
};

/** `kept` is what is stored in the place of the body; `isRepeat` says that it was done before. */
type Work = (
  remember: Remember<StoredAnswer>,
  isRepeat: boolean,
) => Promise<StoredAnswer & { kept?: string }>;

/** Milliseconds that a repeat waits for the first request on another host: longer than it takes to see that one dead. */
const maxWaitMs = 8_000;
const pollIntervalMs = 100;

/** Handles a request once per key: a repeat gets the first response, and waits for it if necessary. */
export class Once {
  readonly #store: Store;
  readonly #instance: string;
  readonly #now: () => number;
  readonly #running = new Map<string, Promise<unknown>>();

  /** `instance` is the name of this host among others on the same database. */
  constructor(store: Store, instance: string, now: () => number = Date.now) {
    this.#store = store;
    this.#instance = instance;
    this.#now = now;
  }

  /**
   * `work` may store its answer itself (`remember`, so that not even a crash comes between);
   * otherwise it is stored after it. A request that fails gives its key back.
   */
  async run({ isFound = false, ...request }: OnceRequest, work: Work): Promise<StoredAnswer> {
    const name = JSON.stringify([request.owner, request.key]);
    for (let first = this.#running.get(name); first; first = this.#running.get(name))
      await first.catch(() => undefined);
    const answer = this.#claimAndRun({ ...request, instance: this.#instance }, work, isFound);
    this.#running.set(name, answer);
    return answer.finally(() => this.#running.delete(name));
  }

  async #claimAndRun(claim: Claim, work: Work, isFound: boolean): Promise<StoredAnswer> {
    const deadline = performance.now() + maxWaitMs;
    do {
      const begun = await this.#store.transaction((tx) => beginIdempotent(tx, claim, this.#now()));
      if (begun === 'new') return this.#runClaimed(claim, work);
      if (begun === 'mismatch')
        throw new CeriseError(
          'idempotency_mismatch',
          say('idempotency-reused')`This idempotency key was already used for a different request.`,
          {
            hint: say('idempotency-new')`Use a new Idempotency-Key for a new request.`,
          },
        );
      if ('status' in begun) return isFound ? work(async () => undefined, true) : begun;
      await this.#waitFor(claim, begun.runningOn);
    } while (performance.now() < deadline);
    throw new CeriseError(
      'conflict',
      say('first-still-running')`The first request with this idempotency key is still running.`,
      {
        hint: say('again-in-a-moment')`Try again in a moment.`,
      },
    );
  }

  /** The first request runs on another host, or died with it. */
  async #waitFor(claim: Claim, runningOn: string | undefined): Promise<void> {
    if (runningOn !== undefined && this.#store.dialect === 'postgres')
      await freeDeadClaim(this.#store.db, claim, runningOn);
    await setTimeout(pollIntervalMs);
  }

  async #runClaimed(claim: Claim, work: Work): Promise<StoredAnswer> {
    let remembered = false;
    const finish = (answer?: StoredAnswer) =>
      this.#store.transaction((tx) => finishIdempotent(tx, claim, answer));
    try {
      const { kept, ...answer } = await work(async (tx, early) => {
        await finishIdempotent(tx, claim, early);
        remembered = true;
      }, false);
      const stored = kept === undefined ? answer : { ...answer, body: kept };
      if (!remembered) await finish(answer.status < 400 ? stored : undefined);
      return answer;
    } catch (error) {
      // Whatever was remembered is undone with its transaction; what was committed stays.
      await finish();
      throw error;
    }
  }
}
