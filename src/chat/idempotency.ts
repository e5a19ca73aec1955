import { CeriseError } from '#shared/errors.ts';
import { beginIdempotent, finishIdempotent, type StoredAnswer } from '#store/idempotency.ts';
import type { Db, Store } from '#store/store.ts';

/** Stores what a request answers in the very transaction that does what it asks for. */
export type Remember<T> = (tx: Db, answer: T) => Promise<void>;

/** One request that carries an `Idempotency-Key`. */
export interface OnceRequest {
  owner: string;
  key: string;
  /** Of everything that makes the request what it is. */
  requestHash: string;
}

/**
 * Does a thing once for each key: a repeat gets the first answer. `work` may store its answer itself
 * (`remember`, so that not even a crash comes between); otherwise it is stored after it.
 */
export async function once(
  store: Store,
  request: OnceRequest,
  work: (remember: (tx: Db, answer: StoredAnswer) => Promise<void>) => Promise<StoredAnswer>,
): Promise<StoredAnswer> {
  const { owner, key } = request;
  const begun = await store.transaction((tx) =>
    beginIdempotent(tx, owner, key, request.requestHash),
  );
  if (begun === 'mismatch')
    throw new CeriseError('idempotency_mismatch', 'This key was used for another request.', {
      hint: 'Use a new Idempotency-Key for a new request.',
    });
  if (begun === 'running')
    throw new CeriseError('conflict', 'The first request with this key is still running.', {
      hint: 'Try again in a moment.',
    });
  if (begun !== 'new') return begun;
  let remembered = false;
  const remember = async (tx: Db, answer: StoredAnswer) => {
    await finishIdempotent(tx, owner, key, answer);
    remembered = true;
  };
  try {
    const answer = await work(remember);
    const keep = answer.status < 400 ? answer : undefined;
    if (!remembered) await store.transaction((tx) => finishIdempotent(tx, owner, key, keep));
    return answer;
  } catch (error) {
    if (!remembered) await store.transaction((tx) => finishIdempotent(tx, owner, key));
    throw error;
  }
}
