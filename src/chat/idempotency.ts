import { CeriseError } from '#shared/errors.ts';
import { beginIdempotent, finishIdempotent, type StoredAnswer } from '#store/idempotency.ts';
import type { Db, Store } from '#store/store.ts';

/** Stores what a request answers in the very transaction that does what it asks for. */
export type Remember<T> = (tx: Db, answer: T) => Promise<void>;

/** One request that carries an `Idempotency-Key`. */
interface OnceRequest {
  owner: string;
  key: string;
  /** Of everything that makes the request what it is. */
  requestHash: string;
}

type Work = (remember: Remember<StoredAnswer>) => Promise<StoredAnswer>;

/** Does a thing once for each key: a repeat gets the first answer, and waits for it if need be. */
export class Once {
  readonly #store: Store;
  readonly #running = new Map<string, Promise<unknown>>();

  constructor(store: Store) {
    this.#store = store;
  }

  /**
   * `work` may store its answer itself (`remember`, so that not even a crash comes between);
   * otherwise it is stored after it. A request that fails gives its key back.
   */
  async run(request: OnceRequest, work: Work): Promise<StoredAnswer> {
    const name = JSON.stringify([request.owner, request.key]);
    for (let first = this.#running.get(name); first; first = this.#running.get(name))
      await first.catch(() => undefined);
    const answer = this.#claimAndRun(request, work);
    this.#running.set(name, answer);
    return answer.finally(() => this.#running.delete(name));
  }

  async #claimAndRun(request: OnceRequest, work: Work): Promise<StoredAnswer> {
    const { owner, key, requestHash } = request;
    const begun = await this.#store.transaction((tx) =>
      beginIdempotent(tx, owner, key, requestHash),
    );
    if (begun === 'mismatch')
      throw new CeriseError('idempotency_mismatch', 'This key was used for another request.', {
        hint: 'Use a new Idempotency-Key for a new request.',
      });
    if (begun === 'running')
      throw new CeriseError('conflict', 'The first request with this key is still running.', {
        hint: 'Try again in a moment.',
      });
    return begun === 'new' ? this.#runClaimed(request, work) : begun;
  }

  async #runClaimed({ owner, key }: OnceRequest, work: Work): Promise<StoredAnswer> {
    let remembered = false;
    const finish = (answer?: StoredAnswer) =>
      this.#store.transaction((tx) => finishIdempotent(tx, owner, key, answer));
    try {
      const answer = await work(async (tx, early) => {
        await finishIdempotent(tx, owner, key, early);
        remembered = true;
      });
      if (!remembered) await finish(answer.status < 400 ? answer : undefined);
      return answer;
    } catch (error) {
      // Whatever was remembered is undone with its transaction; what was committed stays.
      await finish();
      throw error;
    }
  }
}
