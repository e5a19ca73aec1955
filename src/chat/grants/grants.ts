import { createHash } from 'node:crypto';
import type { GrantView } from '#shared/api/people-api.ts';
import { isWithin } from '#shared/async/clock.ts';
import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import type { Limits } from '#shared/vocabulary/limits.ts';
import type { Db, Store } from '#store/database/store.ts';
import { insertAudit } from '#store/people/audit.ts';
import {
  deleteAccessToken,
  deleteGrants,
  findAccessToken,
  findGrant,
  type Grant,
  insertAccessToken,
  listGrants,
  noteGrantUsed,
  redeemGrant,
  rotateGrant,
  startFamily,
} from '#store/people/grants.ts';
import { touchProgram } from '#store/people/programs.ts';
import type { OpenStreams } from '../people/open-streams.ts';
import { equalTokens, hashToken, newToken } from '../people/secret-token.ts';
import type { Visitor } from '../people/visitor.ts';
import { OAuthFailure } from './oauth-failure.ts';
import { placeOf } from './redirect-uri.ts';

const accessForm = /^cerise_access_[\w-]{32}$/;
/** The part that all refresh tokens of a grant share, then the part of each one. */
const refreshForm = /^cerise_refresh_([\w-]{32})[\w-]{32}$/;
/** Milliseconds between two updates of when a grant was last used. */
const noteIntervalMs = 60_000;
/** How long an expired access token can be told from a guess. */
const rememberMs = 24 * 3_600_000;

/** The tokens for a code or a refresh token. */
export interface ProgramTokens {
  accessToken: string;
  refreshToken: string;
  /** Seconds. */
  expiresIn: number;
}

/** A code with everything that must accompany it. */
export interface CodeExchange {
  programId: string;
  code: string;
  verifier: string;
  redirectUri: string | undefined;
}

type GrantLimits = Pick<Limits, 'programCodeTime' | 'programAccessTime' | 'programIdleTime'>;

interface GrantsDeps {
  store: Store;
  streams: OpenStreams;
  limits: GrantLimits;
  now: () => number;
}

/**
 * What people allowed programs to do, and the tokens for it. Every step is a row, so that any host can take the next
 * one. A code or refresh token that is used twice ends the grant: it may have been stolen.
 */
export class Grants {
  readonly #deps: GrantsDeps;

  constructor(deps: GrantsDeps) {
    this.#deps = deps;
  }

  async list(owner: string): Promise<GrantView[]> {
    const { store, now } = this.#deps;
    return (await listGrants(store.db, owner, now())).map(toView);
  }

  /** Ends a grant and everything that is open under it. */
  async end(owner: string, id: string): Promise<void> {
    const { store, now } = this.#deps;
    await store.transaction(async (tx) => {
      if ((await deleteGrants(tx, owner, id)).length === 0)
        throw new CeriseError('not_found', say('grant-gone')`This program isn't connected.`);
      await insertAudit(tx, { owner, action: 'grant.remove', subject: id }, now());
    });
    this.#deps.streams.end(owner, id);
  }

  /** The tokens for a code; a mismatch also uses it up. Throws OAuthFailure `invalid_grant`. */
  async redeem(exchange: CodeExchange): Promise<ProgramTokens> {
    const { store, now } = this.#deps;
    const codeHash = hashToken(exchange.code);
    const at = now();
    const outcome = await store.transaction(async (tx) => {
      const grant = await redeemGrant(tx, codeHash, at);
      if (!grant) {
        const used = await findGrant(tx, { codeHash });
        return used ? this.#endReplayed(tx, used) : undefined;
      }
      if (this.#isGood(grant, exchange, at)) return this.#start(tx, grant, at);
      await deleteGrants(tx, grant.owner, grant.id);
      return undefined;
    });
    return this.#tokensOf(outcome, 'The code is invalid, has expired or was already used.');
  }

  /** The next tokens for a refresh token, which is valid once. Throws OAuthFailure `invalid_grant`. */
  async refresh(token: string, programId: string): Promise<ProgramTokens> {
    const { store, now, limits } = this.#deps;
    const at = now();
    const family = refreshForm.exec(token)?.[1];
    const outcome = await store.transaction(async (tx) => {
      const grant = family && (await findGrant(tx, { familyHash: hashToken(family) }));
      if (!grant || grant.expiresAt <= at) return undefined;
      const refreshToken = newRefreshToken(family);
      const change = {
        from: hashToken(token),
        to: hashToken(refreshToken),
        now: at,
        expiresAt: at + limits.programIdleTime,
      };
      const isFirst = grant.programId === programId && (await rotateGrant(tx, grant.id, change));
      if (!isFirst) return this.#endReplayed(tx, grant);
      return { refreshToken, accessToken: await this.#newAccess(tx, grant, at) };
    });
    return this.#tokensOf(
      outcome,
      'The refresh token is invalid, has expired or was already used.',
    );
  }

  /** Revokes a token of a program; a refresh token ends its grant. Tokens of other programs stay. */
  async revoke(token: string, programId: string): Promise<void> {
    const { store, streams } = this.#deps;
    const access = accessForm.test(token) && (await findAccessToken(store.db, hashToken(token)));
    if (access && access.grant.programId === programId)
      await deleteAccessToken(store.db, hashToken(token));
    const family = refreshForm.exec(token)?.[1];
    const grant = family && (await findGrant(store.db, { familyHash: hashToken(family) }));
    if (!grant || grant.programId !== programId) return;
    await store.transaction((tx) => deleteGrants(tx, grant.owner, grant.id));
    streams.end(grant.owner, grant.id);
  }

  /** The person for whom a program acts with a token. `ended`: it was one of ours; undefined: it never was. */
  async visitor(token: string): Promise<Visitor | 'ended' | undefined> {
    if (!accessForm.test(token)) return undefined;
    const { store, now, limits } = this.#deps;
    const stored = await findAccessToken(store.db, hashToken(token));
    if (!stored) return undefined;
    const { grant, role, expiresAt } = stored;
    const at = now();
    const time = limits.programAccessTime;
    if (!isWithin(expiresAt - time, time, at)) return 'ended';
    const { id, owner, servers, resource, lastUsedAt = 0 } = grant;
    if (!isWithin(lastUsedAt, noteIntervalMs, at)) await noteGrantUsed(store.db, id, at);
    const credential = {
      kind: 'grant',
      id,
      resource,
      ...(servers && { within: servers }),
    } as const;
    return { owner, role, credential };
  }

  #isGood(grant: Grant, exchange: CodeExchange, at: number): boolean {
    const { programCodeTime: time } = this.#deps.limits;
    const challenge = createHash('sha256').update(exchange.verifier).digest('base64url');
    return (
      isWithin(grant.expiresAt - time, time, at) &&
      grant.programId === exchange.programId &&
      (exchange.redirectUri === undefined || grant.redirectUri === exchange.redirectUri) &&
      equalTokens(grant.challenge, challenge)
    );
  }

  async #start(tx: Db, grant: Grant, at: number) {
    const family = newToken();
    const refreshToken = newRefreshToken(family);
    await startFamily(tx, grant.id, {
      familyHash: hashToken(family),
      refreshHash: hashToken(refreshToken),
      now: at,
      expiresAt: at + this.#deps.limits.programIdleTime,
    });
    return { refreshToken, accessToken: await this.#newAccess(tx, grant, at) };
  }

  async #newAccess(tx: Db, grant: Grant, at: number): Promise<string> {
    const accessToken = `cerise_access_${newToken()}`;
    const expiresAt = at + this.#deps.limits.programAccessTime;
    const token = { tokenHash: hashToken(accessToken), grantId: grant.id, expiresAt };
    await insertAccessToken(tx, token, at - rememberMs);
    await touchProgram(tx, grant.programId, at);
    return accessToken;
  }

  async #endReplayed(
    tx: Db,
    { owner, id }: Grant,
  ): Promise<{ replayed: Pick<Grant, 'owner' | 'id'> }> {
    await deleteGrants(tx, owner, id);
    const details = { reason: 'replay' };
    await insertAudit(
      tx,
      { owner, action: 'grant.remove', subject: id, details },
      this.#deps.now(),
    );
    return { replayed: { owner, id } };
  }

  /** Called after the commit, so that a grant which ended there stays ended although this throws. */
  #tokensOf(
    outcome:
      | { accessToken: string; refreshToken: string }
      | { replayed: Pick<Grant, 'owner' | 'id'> }
      | undefined,
    description: string,
  ): ProgramTokens {
    if (outcome && 'accessToken' in outcome)
      return { ...outcome, expiresIn: Math.floor(this.#deps.limits.programAccessTime / 1000) };
    if (outcome) this.#deps.streams.end(outcome.replayed.owner, outcome.replayed.id);
    throw new OAuthFailure('invalid_grant', description);
  }
}

function newRefreshToken(family: string): string {
  return `cerise_refresh_${family}${newToken()}`;
}

function toView(grant: Grant): GrantView {
  const { id, programName: name, redirectUri, resource, servers, ...times } = grant;
  const { createdAt, lastUsedAt, expiresAt } = times;
  return {
    id,
    name,
    ...placeOf(redirectUri),
    resource,
    ...(servers && { servers }),
    createdAt,
    ...(lastUsedAt !== undefined && { lastUsedAt }),
    expiresAt,
  };
}
