import { randomUUIDv7 } from 'node:crypto';
import type { KeyView, SignInMethod, SignInView } from '#shared/api/people-api.ts';
import { isAhead, isWithin } from '#shared/async/clock.ts';
import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import type { Db, Store } from '#store/database/store.ts';
import { deleteApiKeys, listApiKeys } from '#store/people/api-keys.ts';
import { insertAudit } from '#store/people/audit.ts';
import { deleteGrants } from '#store/people/grants.ts';
import { deleteSignInLinks } from '#store/people/sign-in-links.ts';
import {
  deleteSignIn,
  deleteSignIns,
  findSignIn,
  insertSignIn,
  type SignInWithRole,
  listSignIns,
  touchSignIn,
  rotateSignIn,
  setBackSignIn,
  tidySignIns,
} from '#store/people/sign-ins.ts';
import { findUser, updateUser } from '#store/people/users.ts';
import { type ApiKeys, toKeyView } from './api-keys.ts';
import type { OpenStreams } from './open-streams.ts';
import {
  assertLongEnough,
  hashPassword,
  type PasswordLimits,
  verifyPassword,
} from './passwords.ts';
import { equalTokens, hashToken, newToken } from './secret-token.ts';
import { SignInLinks } from './sign-in-links.ts';
import { BearerThrottle, SignInThrottle } from './sign-in-throttle.ts';
import { localOwner } from './users.ts';
import { assertHolds, type Visitor } from './visitor.ts';

const dayMs = 24 * 3_600_000;
/** A sign-in ends after this, and when nobody came with it for as long as the second. */
const maxLifeMs = 90 * dayMs;
const maxIdleMs = 30 * dayMs;
/** A token is replaced once a day; the one before is good for this long, for requests under way. */
const rotateAfter = dayMs;
const graceMs = 60_000;
const touchIntervalMs = 3_600_000;
/** How long after coming by the link the password may be set without the present one. */
const linkTrustMs = 15 * 60_000;
const maxSignIns = 50;

/** What a browser gets: the token of its cookie, and for how many seconds. */
export interface BrowserToken {
  token: string;
  maxAge: number;
}

/** Tokens of programs that people connected; `ended`: it was one, so it is no guess. */
export interface AccessTokens {
  visitor(token: string): Promise<Visitor | 'ended' | undefined>;
}

interface SignInsDeps {
  store: Store;
  adminTokens: readonly string[];
  keys: ApiKeys;
  accessTokens: AccessTokens;
  streams: OpenStreams;
  limits: PasswordLimits;
  /** False: no links sign browsers in. */
  signInLink?: boolean | undefined;
  now: () => number;
}

/** Who may come in: browsers by a one-time link or a password, programs by a key or the admin token. */
export class SignIns {
  readonly #deps: SignInsDeps;
  readonly #throttle: SignInThrottle;
  readonly #bearers: BearerThrottle;
  /** Links for the user of the console. */
  readonly links: SignInLinks;

  constructor(deps: SignInsDeps) {
    const { store, now, signInLink = true } = deps;
    this.#deps = deps;
    this.#throttle = new SignInThrottle(store, now);
    this.#bearers = new BearerThrottle(store, now);
    this.links = new SignInLinks({ store, now, isOn: signInLink });
  }

  /** Uses the code of a link up: the token of a new sign-in, or undefined if it is no good. */
  async redeem(code: string, browser?: string): Promise<BrowserToken | undefined> {
    if (!(await this.links.isGood(code))) return undefined;
    const use = (tx: Db) => this.links.use(tx, code);
    return this.open(localOwner, 'link', browser, { use }).catch((error: unknown) => {
      if (error instanceof CeriseError && error.code === 'unauthenticated') return undefined;
      throw error;
    });
  }

  /**
   * Signs in by name and password. An unknown name, a wrong password and somebody who was disabled get
   * the same words after the same time.
   */
  async withPassword(
    given: { name: string; password: string },
    from: { address: string; browser?: string | undefined },
  ): Promise<BrowserToken> {
    const { store } = this.#deps;
    const takeBack = await this.#throttle.enter(given.name, from.address);
    const user = await findUser(store.db, { name: given.name });
    const { isRight, isOld } = await verifyPassword(given.password, user?.passwordHash);
    if (!user?.passwordHash || user.disabled || !isRight) throw refused();
    await takeBack();
    const next = isOld ? await hashPassword(given.password) : user.passwordHash;
    const password = { proved: user.passwordHash, next };
    return this.open(user.id, 'password', from.browser, { password });
  }

  /**
   * A new sign-in of somebody who has proved who they are; always with a new token. Refused
   * if they may no longer sign in by now, or not with the password or link they used.
   */
  async open(
    userId: string,
    method: SignInMethod,
    browser?: string,
    proof: {
      password?: { proved: string; next: string };
      /** False: what was to be used up is gone. */
      use?: (tx: Db) => Promise<boolean>;
    } = {},
  ): Promise<BrowserToken> {
    const { store, now } = this.#deps;
    const { password, use } = proof;
    const token = newToken();
    const at = now();
    await store.transaction(async (tx) => {
      // First, so that it does not run beside a change of this person that ends their sign-ins.
      const change = { lastSignInAt: at, ...(password && { passwordHash: password.next }) };
      const expected = { disabled: false, ...(password && { passwordHash: password.proved }) };
      if (!(await updateUser(tx, userId, change, expected))) throw refused();
      if (use && !(await use(tx))) throw refused();
      await insertSignIn(tx, {
        id: randomUUIDv7(),
        tokenHash: hashToken(token),
        userId,
        method,
        ...(browser && { browser: browser.slice(0, 300) }),
        createdAt: at,
        expiresAt: at + maxLifeMs,
        lastSeenAt: at,
        rotatedAt: at,
      });
      await tidySignIns(tx, userId, at, maxSignIns);
      await insertAudit(tx, { owner: userId, action: 'sign-in', subject: method }, at);
    });
    return { token, maxAge: maxLifeMs / 1000 };
  }

  /**
   * Who a cookie or a bearer token stands for. Wrong bearer tokens are counted by the address they come
   * from; throws `too_many_requests` in the place of the next wrong one that comes too early.
   */
  async visitor(credential: {
    cookie?: string | undefined;
    bearer?: string | undefined;
    address?: string | undefined;
  }): Promise<Visitor | undefined> {
    const { bearer, cookie, address } = credential;
    if (bearer !== undefined) {
      const byToken = await this.#byBearer(bearer);
      if (byToken === 'ended') return undefined;
      if (!byToken && address) await this.#bearers.wrong(address);
      return byToken;
    }
    const signIn = cookie ? await this.#find(cookie) : undefined;
    if (!signIn) return undefined;
    const { id, userId: owner, role, method, createdAt } = signIn;
    return { owner, role, credential: { kind: 'sign-in', id, method, createdAt } };
  }

  /** Counts a wrong bearer token. Throws `too_many_requests` where it comes too early. */
  async wrongBearer(address: string): Promise<void> {
    await this.#bearers.wrong(address);
  }

  async #byBearer(bearer: string): Promise<Visitor | 'ended' | undefined> {
    const { adminTokens, keys, accessTokens } = this.#deps;
    if (adminTokens.some((token) => equalTokens(bearer, token)))
      return { owner: localOwner, role: 'admin', credential: { kind: 'token', id: 'token' } };
    return (await keys.visitor(bearer)) ?? accessTokens.visitor(bearer);
  }

  /** A new token in the place of one that has served for a day; undefined where there is no need. */
  async rotate(cookie: string): Promise<BrowserToken | undefined> {
    const { now } = this.#deps;
    const signIn = await this.#find(cookie);
    if (!signIn || signIn.rotatedAt > now() - rotateAfter) return undefined;
    return this.#replace(signIn, 'soon');
  }

  async list(visitor: Visitor): Promise<SignInView[]> {
    const { store, now } = this.#deps;
    const all = await listSignIns(store.db, visitor.owner, now());
    return all.map(({ id, method, browser, createdAt, lastSeenAt, expiresAt }) => ({
      id,
      method,
      ...(browser && { browser }),
      createdAt,
      lastSeenAt,
      expiresAt,
      current: id === visitor.credential.id,
    }));
  }

  /** Ends one sign-in of a person, and what it holds open. */
  async end(owner: string, id: string): Promise<void> {
    const { store, streams, now } = this.#deps;
    await store.transaction(async (tx) => {
      if (!(await deleteSignIn(tx, owner, id)))
        throw new CeriseError(
          'sign_in_not_found',
          say('sign-in-gone')`This sign-in doesn't exist.`,
        );
      await insertAudit(tx, { owner, action: 'sign-in.end', subject: id }, now());
    });
    streams.end(owner, id);
  }

  async signOut({ owner, credential }: Visitor): Promise<void> {
    if (credential.kind !== 'sign-in') return;
    await deleteSignIn(this.#deps.store.db, owner, credential.id);
    this.#deps.streams.end(owner, credential.id);
  }

  /** Whether somebody has to say the present password before they set another one. */
  async asksPassword({ owner, credential }: Visitor): Promise<boolean> {
    const user = await findUser(this.#deps.store.db, { id: owner });
    if (user?.passwordHash === undefined || credential.kind === 'token') return false;
    const byLink = credential.kind === 'sign-in' && credential.method === 'link';
    return !byLink || !isWithin(credential.createdAt, linkTrustMs, this.#deps.now());
  }

  /**
   * Sets the password of the visitor and ends all their other sign-ins, links and connected programs; keys where they
   * are to end, else those left are named. The browser that asks gets a new token. Throws `wrong_password`.
   */
  async setPassword(
    visitor: Visitor,
    change: { current?: string | undefined; password: string; endKeys?: boolean | undefined },
    from: { cookie?: string | undefined; address: string },
  ): Promise<{ fresh?: BrowserToken | undefined; keys: KeyView[] }> {
    const { store, streams, now } = this.#deps;
    const { owner, credential } = visitor;
    const proved = (await this.asksPassword(visitor))
      ? await this.#provePassword(owner, change.current, from)
      : undefined;
    assertLongEnough(change.password, this.#deps.limits);
    const passwordHash = await hashPassword(change.password);
    const others = (await this.list(visitor)).filter(({ current }) => !current);
    const ended = await store.transaction(async (tx) => {
      const expected = proved === undefined ? {} : { passwordHash: proved };
      if (!(await updateUser(tx, owner, { passwordHash }, expected))) throw wrongPassword();
      await assertHolds(tx, store.dialect, visitor, now());
      await deleteSignIns(tx, owner, credential.id);
      const grants = await deleteGrants(tx, owner);
      if (owner === localOwner) await deleteSignInLinks(tx);
      await insertAudit(tx, { owner, action: 'password.set', subject: owner }, now());
      return [...grants, ...(change.endKeys ? await deleteApiKeys(tx, owner) : [])];
    });
    for (const id of [...others.map((each) => each.id), ...ended]) streams.end(owner, id);
    const signIn = from.cookie && (await this.#find(from.cookie));
    const fresh = signIn ? await this.#replace(signIn, 'at-once') : undefined;
    return { fresh, keys: (await listApiKeys(store.db, owner)).map(toKeyView) };
  }

  /** The hash of the present password. */
  async #provePassword(
    owner: string,
    current: string | undefined,
    { address }: { address: string },
  ): Promise<string | undefined> {
    const takeBack = await this.#throttle.enter(`password of ${owner}`, address);
    const user = await findUser(this.#deps.store.db, { id: owner });
    const { isRight } = await verifyPassword(current ?? '', user?.passwordHash);
    if (!isRight) throw wrongPassword();
    await takeBack();
    return user?.passwordHash;
  }

  async #find(cookie: string): Promise<SignInWithRole | undefined> {
    const { store, now } = this.#deps;
    const at = now();
    const times = { now: at, seenFrom: at - maxIdleMs, graceFrom: at - graceMs };
    const signIn = await findSignIn(store.db, hashToken(cookie), times);
    if (!signIn) return undefined;
    if (isAhead(signIn.lastSeenAt, at)) return this.#setBack(signIn, at);
    if (signIn.lastSeenAt < at - touchIntervalMs) await touchSignIn(store.db, signIn.id, at);
    return signIn;
  }

  /** The clock was set back since it was last seen: it has no more time than it had then. */
  async #setBack(signIn: SignInWithRole, at: number): Promise<SignInWithRole> {
    const { lastSeenAt, rotatedAt, expiresAt } = signIn;
    const times = {
      lastSeenAt: at,
      rotatedAt: Math.min(rotatedAt, at),
      expiresAt: at + (expiresAt - lastSeenAt),
    };
    await setBackSignIn(this.#deps.store.db, signIn.id, lastSeenAt, times);
    return { ...signIn, ...times };
  }

  /** `ends` says when the old token does. Undefined where another request was quicker. */
  async #replace(
    { tokenHash, expiresAt }: SignInWithRole,
    ends: 'at-once' | 'soon',
  ): Promise<BrowserToken | undefined> {
    const { store, now } = this.#deps;
    const token = newToken();
    const change = { from: tokenHash, to: hashToken(token), now: now(), keepOld: ends === 'soon' };
    if (!(await rotateSignIn(store.db, change))) return undefined;
    return { token, maxAge: Math.floor((expiresAt - now()) / 1000) };
  }
}

function refused(): CeriseError {
  return new CeriseError(
    'unauthenticated',
    say('name-or-password')`Incorrect username or password.`,
    { hint: say('ask-new-password')`Try again, or ask an admin to reset your password.` },
  );
}

function wrongPassword(): CeriseError {
  return new CeriseError(
    'wrong_password',
    say('present-password')`The current password is incorrect.`,
    { hint: say('ask-new-password')`Try again, or ask an admin to reset your password.` },
  );
}
