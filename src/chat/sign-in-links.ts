import { isWithin } from '#shared/clock.ts';
import { CeriseError } from '#shared/errors.ts';
import { say } from '#shared/sentence.ts';
import { insertAudit } from '#store/audit.ts';
import { insertSignInLink, takeSignInLink } from '#store/sign-in-links.ts';
import type { Store } from '#store/store.ts';
import { hashToken, newToken } from './secret-token.ts';
import { localOwner } from './users.ts';

/** Milliseconds that a link is good for. */
const life = 10 * 60_000;

/** Links for whoever holds the console. Each signs in one browser, once and soon; rows, so that all hosts share them. */
export class SignInLinks {
  readonly #store: Store;
  readonly #now: () => number;
  /** False: there are none on this host. */
  readonly isOn: boolean;

  constructor(parts: { store: Store; now: () => number; isOn: boolean }) {
    this.#store = parts.store;
    this.#now = parts.now;
    this.isOn = parts.isOn;
  }

  /** Throws `forbidden` where links are switched off. */
  async make(): Promise<{ code: string; expiresAt: number }> {
    if (!this.isOn)
      throw new CeriseError(
        'forbidden',
        say('sign-in-links-off')`Sign-in links are switched off on this host.`,
        {
          hint: say(
            'sign-in-links-off-hint',
          )`Sign in with a password, or start Cerise without CERISE_SIGN_IN_LINK=0.`,
        },
      );
    const code = newToken();
    const now = this.#now();
    const expiresAt = now + life;
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

  /** Uses a code up. False if it is none, was used, or is too old. */
  async use(code: string): Promise<boolean> {
    if (!this.isOn) return false;
    const expiresAt = await takeSignInLink(this.#store.db, hashToken(code));
    return expiresAt !== undefined && isWithin(expiresAt - life, life, this.#now());
  }
}
