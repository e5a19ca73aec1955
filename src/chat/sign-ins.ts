import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { deleteSignIn, findSignIn, insertSignIn } from '#store/sign-ins.ts';
import type { Store } from '#store/store.ts';

const signInTime = 90 * 24 * 3600 * 1000;

/** Who may come in: browsers by a one-time link, programs by the admin token. */
export class SignIns {
  readonly #store: Store;
  readonly #adminTokens: readonly string[];
  readonly #now: () => number;
  #linkCode = newToken();

  constructor(store: Store, adminTokens: readonly string[], now: () => number) {
    this.#store = store;
    this.#adminTokens = adminTokens;
    this.#now = now;
  }

  /** The code of the present one-time link. */
  get code(): string {
    return this.#linkCode;
  }

  /** Uses the one-time code up: the token of a new sign-in, or undefined if it is not the code. */
  async redeem(code: string): Promise<{ token: string; maxAge: number } | undefined> {
    if (!equal(code, this.#linkCode)) return undefined;
    this.#linkCode = newToken();
    const token = newToken();
    const now = this.#now();
    await this.#store.transaction((tx) =>
      insertSignIn(tx, {
        tokenHash: hash(token),
        userId: 'local',
        createdAt: now,
        expiresAt: now + signInTime,
      }),
    );
    return { token, maxAge: signInTime / 1000 };
  }

  /** The owner a cookie or a bearer token stands for. */
  async ownerOf(credential: { cookie?: string; bearer?: string }): Promise<string | undefined> {
    const { bearer, cookie } = credential;
    if (bearer !== undefined)
      return this.#adminTokens.some((token) => equal(bearer, token)) ? 'local' : undefined;
    if (!cookie) return undefined;
    return (await findSignIn(this.#store.db, hash(cookie), this.#now()))?.userId;
  }

  async signOut(cookie: string): Promise<void> {
    await this.#store.transaction((tx) => deleteSignIn(tx, hash(cookie)));
  }
}

function newToken(): string {
  return randomBytes(24).toString('base64url');
}

function hash(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** Compares in constant time, whatever the lengths. */
function equal(a: string, b: string): boolean {
  return timingSafeEqual(Buffer.from(hash(a)), Buffer.from(hash(b)));
}
