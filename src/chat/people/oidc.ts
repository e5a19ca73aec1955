import type { Configuration, IDToken } from 'openid-client';
import { isWithin } from '#shared/async/clock.ts';
import { CeriseError } from '#shared/errors/errors.ts';
import { say, type Words } from '#shared/errors/sentence.ts';
import { plainLine } from '#shared/text/plain-line.ts';
import type { SecretBox } from '#shared/vocabulary/ports.ts';
import type { Db, Store } from '#store/database/store.ts';
import { insertFlow, replaceSealedFlows, takeFlow } from '#store/people/sign-in-flows.ts';
import { findUser, type User } from '#store/people/users.ts';
import { hashToken, newToken } from './secret-token.ts';
import type { BrowserToken, SignIns } from './sign-ins.ts';
import { byThemselves, type Users } from './users.ts';

/** The identity provider of a host, as its operator names it. */
export interface OidcOptions {
  issuer: string;
  clientId: string;
  /** Absent for a public client. */
  clientSecret?: string | undefined;
  /** What the button on the page says. */
  name: string;
  /** Members of this group are admins, and nobody else who comes this way is. */
  adminGroup?: string | undefined;
  /** The claim that lists the groups. */
  groupsClaim: string;
}

interface OidcDeps {
  store: Store;
  box: SecretBox;
  users: Users;
  signIns: SignIns;
  now: () => number;
}

/** What has to be remembered between the way out and the way back. */
interface Flow {
  verifier: string;
  nonce: string;
  redirectUri: string;
}

const flowMs = 10 * 60_000;

/**
 * Signs people in by an OpenID provider: authorization code with PKCE, state and nonce. Each flow is a
 * row that is used once, by the browser that began it. A person who is new is added; no one
 * is ever taken for a person with a password because the names are the same.
 */
export class Oidc {
  readonly #options: OidcOptions;
  readonly #deps: OidcDeps;
  #found: Promise<Configuration> | undefined;

  constructor(options: OidcOptions, deps: OidcDeps) {
    this.#options = options;
    this.#deps = deps;
  }

  get name(): string {
    return this.#options.name;
  }

  /** Where to send the browser, and what it has to bring back as a cookie. */
  async begin(redirectUri: string): Promise<{ url: string; browser: string; maxAge: number }> {
    const { store, box, now } = this.#deps;
    const client = await import('openid-client');
    const config = await this.#configuration();
    const [state, browser, nonce] = [newToken(), newToken(), newToken()];
    const verifier = client.randomPKCECodeVerifier();
    const flow: Flow = { verifier, nonce, redirectUri };
    const stateHash = hashToken(state);
    const row = {
      stateHash,
      browserHash: hashToken(browser),
      sealed: box.seal(JSON.stringify(flow), contextOf(stateHash)),
      expiresAt: now() + flowMs,
    };
    await store.transaction((tx) => insertFlow(tx, row, now()));
    const url = client.buildAuthorizationUrl(config, {
      redirect_uri: redirectUri,
      scope: 'openid profile email',
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state,
      nonce,
    });
    return { url: url.href, browser, maxAge: flowMs / 1000 };
  }

  /** Ends a flow with the query the browser came back with. Throws CeriseError `sign_in_failed`. */
  async finish(query: URLSearchParams, browser: string, agent?: string): Promise<BrowserToken> {
    const { store, box, now, signIns } = this.#deps;
    const state = query.get('state') ?? '';
    const row = await takeFlow(store.db, hashToken(state), now());
    const isOld = !row || !isWithin(row.expiresAt - flowMs, flowMs, now());
    if (isOld || row.browserHash !== hashToken(browser))
      throw failed(
        say(
          'oidc-used',
        )`This sign-in was already used, has expired, or was started in another browser.`,
      );
    const sealed = box.open(row.sealed, contextOf(row.stateHash));
    const claims = await this.#claims(query, state, JSON.parse(sealed) as Flow);
    const user = await this.#userOf(claims);
    if (user.disabled)
      throw failed(say('oidc-not-allowed')`This account isn't allowed to use this host.`);
    return signIns.open(user.id, 'oidc', agent);
  }

  async #claims(query: URLSearchParams, state: string, flow: Flow): Promise<IDToken> {
    const client = await import('openid-client');
    const back = new URL(flow.redirectUri);
    back.search = query.toString();
    try {
      const tokens = await client.authorizationCodeGrant(await this.#configuration(), back, {
        pkceCodeVerifier: flow.verifier,
        expectedState: state,
        expectedNonce: flow.nonce,
        idTokenExpected: true,
      });
      const claims = tokens.claims();
      if (claims) return claims;
    } catch (cause) {
      throw failed(
        say('oidc-unproven')`The identity provider couldn't verify the user's identity.`,
        cause,
      );
    }
    throw failed(say('oidc-silent')`The identity provider didn't identify the user.`);
  }

  /** The person of these claims, added where they are new; their role is what their groups say. */
  async #userOf(claims: IDToken): Promise<User> {
    const { store, users } = this.#deps;
    const oidcSubject = `${claims.iss} ${claims.sub}`;
    const user = await findUser(store.db, { oidcSubject });
    const { adminGroup, groupsClaim } = this.#options;
    const groups = claims[groupsClaim];
    const isAdmin =
      adminGroup !== undefined && Array.isArray(groups) && groups.includes(adminGroup);
    const role = isAdmin ? 'admin' : 'user';
    if (!user) return this.#add(oidcSubject, role, nameIn(claims));
    if (adminGroup !== undefined && user.role !== role)
      await users.update(byThemselves, user.id, { role });
    return user;
  }

  /** A name that somebody else has gets a number; another browser of theirs may have been quicker. */
  async #add(oidcSubject: string, role: User['role'], name: string): Promise<User> {
    const { store, users } = this.#deps;
    for (let number = 1; number <= 100; number += 1) {
      const tried = number === 1 ? name : `${name} ${number}`;
      try {
        return await users.add({ name: tried, role, oidcSubject });
      } catch (error) {
        if (!(error instanceof CeriseError) || error.code !== 'conflict') throw error;
        const added = await findUser(store.db, { oidcSubject });
        if (added) return added;
      }
    }
    throw failed(say('oidc-same-name')`Too many users already have this name.`);
  }

  /** What the provider says of itself; asked again where it could not be had. */
  #configuration(): Promise<Configuration> {
    const configuration = (this.#found ??= this.#discover());
    configuration.catch(() => {
      if (this.#found === configuration) this.#found = undefined;
    });
    return configuration;
  }

  /** Signatures are checked too: by itself the client trusts the connection the token came over. */
  async #discover(): Promise<Configuration> {
    const { issuer, clientId, clientSecret } = this.#options;
    const client = await import('openid-client');
    const isPlain = new URL(issuer).protocol === 'http:';
    const { allowInsecureRequests: allowPlain } = client;
    try {
      return await client.discovery(
        new URL(issuer),
        clientId,
        clientSecret,
        clientSecret === undefined ? client.None() : undefined,
        { execute: [client.enableNonRepudiationChecks, ...(isPlain ? [allowPlain] : [])] },
      );
    } catch (cause) {
      throw failed(
        say('oidc-unreachable')`Can't reach the identity provider, or its URL is wrong.`,
        cause,
      );
    }
  }
}

function nameIn(claims: IDToken): string {
  const names = [claims['preferred_username'], claims['name'], claims['email'], claims.sub];
  const texts = names.map((value) => (typeof value === 'string' ? plainLine(value, 90) : ''));
  return texts.find((text) => text !== '') ?? claims.sub;
}

/** Seals sign-ins that are under way with another key; how many there were. */
export async function resealFlows(tx: Db, from: SecretBox, to: SecretBox): Promise<number> {
  return await replaceSealedFlows(tx, (sealed, stateHash) =>
    to.seal(from.open(sealed, contextOf(stateHash)), contextOf(stateHash)),
  );
}

function contextOf(stateHash: string): string {
  return `sign-in-flow:${stateHash}`;
}

function failed(message: Words, cause?: unknown): CeriseError {
  return new CeriseError('sign_in_failed', message, {
    hint: say('sign-in-begin-again')`Start signing in again.`,
    cause,
  });
}
