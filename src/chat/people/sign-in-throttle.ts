import { isWithin } from '#shared/async/clock.ts';
import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import type { Store } from '#store/database/store.ts';
import {
  forgetAttempts,
  forgetOldAttempts,
  forgiveAttempt,
  type Patience,
  tryAttempt,
} from '#store/people/sign-in-attempts.ts';
import { addressKey } from './address-key.ts';
import { hashToken } from './secret-token.ts';

/** Up to about four minutes a name, so that nobody is kept out for long by somebody who guesses. */
const ofName: Patience = { free: 5, firstWait: 1000, doublings: 8 };
/** Many people may share an address; up to about a quarter of an hour. */
const ofAddress: Patience = { free: 20, firstWait: 1000, doublings: 10 };
/** How long a quiet one is remembered. */
const memoryMs = 3_600_000;

/** Slows guessing, by name and by address. The counts are rows, so that all hosts share them. */
export class SignInThrottle {
  readonly #store: Store;
  readonly #now: () => number;

  constructor(store: Store, now: () => number) {
    this.#store = store;
    this.#now = now;
  }

  /**
   * Counts an attempt before it is judged; throws `too_many_requests` if it comes too early. The same
   * for a name that exists and one that does not. What it resolves to takes the attempt back.
   */
  async enter(name: string, address: string): Promise<() => Promise<void>> {
    const { db } = this.#store;
    const now = this.#now();
    const nameKey = `name:${hashToken(name.normalize('NFKC').trim().toLowerCase())}`;
    const from = `address:${addressKey(address)}`;
    await forgetOldAttempts(db, now - memoryMs);
    const mayTry =
      (await tryAttempt(db, from, ofAddress, now)) && (await tryAttempt(db, nameKey, ofName, now));
    if (!mayTry)
      throw new CeriseError('too_many_requests', say('tried-too-often')`Too many attempts.`, {
        hint: say('wait-minutes')`Wait a few minutes and try again.`,
      });
    return async () => {
      await forgetAttempts(db, nameKey);
      await forgiveAttempt(db, from);
    };
  }
}

/** Milliseconds for which an address that came too early is refused without asking the store. */
const gateMs = 1000;
const maxGates = 10_000;

/**
 * Slows guessing of bearer tokens and keys, by address: after the first wrong ones a further wrong one is
 * refused as too early, with longer and longer waits. Right ones always pass, so that nobody who shares an
 * address with a guesser is kept out. That is safe: a key has 192 random bits, and a token that could be
 * guessed is refused at the start of a host that others reach.
 */
export class BearerThrottle {
  readonly #store: Store;
  readonly #now: () => number;
  /** When addresses last came too early. A flood of guesses is no flood of statements. */
  readonly #gates = new Map<string, number>();

  constructor(store: Store, now: () => number) {
    this.#store = store;
    this.#now = now;
  }

  /** Counts a wrong one. Throws `too_many_requests` if it comes too early. */
  async wrong(address: string): Promise<void> {
    const { db } = this.#store;
    const now = this.#now();
    const key = `bearer:${addressKey(address)}`;
    if (isWithin(this.#gates.get(key) ?? -Infinity, gateMs, now)) throw tooManyWrong();
    await forgetOldAttempts(db, now - memoryMs);
    if (await tryAttempt(db, key, ofAddress, now)) return;
    this.#gates.delete(key);
    this.#gates.set(key, now);
    const [oldest] = this.#gates.keys();
    if (this.#gates.size > maxGates && oldest !== undefined) this.#gates.delete(oldest);
    throw tooManyWrong();
  }
}

function tooManyWrong(): CeriseError {
  return new CeriseError(
    'too_many_requests',
    say('wrong-keys')`Too many invalid keys from this IP address.`,
    {
      hint: say('wrong-keys-hint')`Check your key and try again in a few minutes.`,
    },
  );
}

/** Slows programs that register, by address: anyone may, and hardly any address needs to often. */
export class RegistrationThrottle {
  readonly #store: Store;
  readonly #now: () => number;

  constructor(store: Store, now: () => number) {
    this.#store = store;
    this.#now = now;
  }

  /** Counts a registration. Throws `too_many_requests` if it comes too early. */
  async enter(address: string): Promise<void> {
    const { db } = this.#store;
    const now = this.#now();
    await forgetOldAttempts(db, now - memoryMs);
    if (await tryAttempt(db, `register:${addressKey(address)}`, ofAddress, now)) return;
    throw new CeriseError('too_many_requests', say('tried-too-often')`Too many attempts.`, {
      hint: say('wait-minutes')`Wait a few minutes and try again.`,
    });
  }
}
