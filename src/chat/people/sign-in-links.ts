import { isWithin } from '#shared/async/clock.ts';
import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import type { Db, Store } from '#store/database/store.ts';
import { insertAudit } from '#store/people/audit.ts';
import { findSignInLink, insertSignInLink, takeSignInLink } from '#store/people/sign-in-links.ts';
import { hashToken, newToken } from './secret-token.ts';
import { localOwner } from './users.ts';

/** Milliseconds that a link is good for. */
const lifeMs = 10 * 60_000;

/** Links for the user of the console. Each signs in one browser, once and soon; rows, so that all hosts share them. */
export class SignInLinks {
  readonly #store: Store;
  readonly #now: () => number;
  /** False: there are none on this host. */
  readonly isOn: boolean;

  constructor(deps: { store: Store; now: () => number; isOn: boolean }) {
    this.#store = deps.store;
    this.#now = deps.now;
    this.isOn = deps.isOn;
  }

  /** Throws `forbidden` where links are switched off. */
  async make(): Promise<{ code: string; expiresAt: number }> {
    if (!this.isOn)
      throw new CeriseError(
        'forbidden',
        say('sign-in-links-off')`Sign-in links are disabled on this host.`,
        {
          hint: say(
            'sign-in-links-off-hint',
          )`Sign in with a password, or restart Cerise without CERISE_SIGN_IN_LINK=0.`,
        },
      );
    const code = newToken();
    const now = this.#now();
    const expiresAt = now + lifeMs;
    await this.#store.transaction(async (tx) => {
      await insertSignInLink(tx, { codeHash: hashToken(code), expiresAt }, now);
      await insertAudit(
        tx,
        { owner: localOwner, action: 'sign-in-link.add', subject: 'link' },
        now,
      );
    });
    return { code, expiresAt };
  }

  /** Whether a code is good. Not if it is none, was used, or is too old. */
  async isGood(code: string): Promise<boolean> {
    if (!this.isOn) return false;
    const expiresAt = await findSignInLink(this.#store.db, hashToken(code));
    return expiresAt !== undefined && isWithin(expiresAt - lifeMs, lifeMs, this.#now());
  }

  /** Uses a good code up, as part of the sign-in. False if another was quicker, or links were ended. */
  use(tx: Db, code: string): Promise<boolean> {
    return takeSignInLink(tx, hashToken(code));
  }

  /** The same for a browser that is signed in already: a link ends at its first use, by anyone. */
  async end(code: string): Promise<void> {
    await this.#store.transaction((tx) => this.use(tx, code));
  }
}
