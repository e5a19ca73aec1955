import { isWithin } from '#shared/async/clock.ts';
import { CeriseError, toErrorInfo } from '#shared/errors/errors.ts';
import type { CredentialPort, Logger } from '#shared/vocabulary/ports.ts';
import type { ServerAuth } from '#shared/vocabulary/server-auth.ts';
import type { Ask } from './ask.ts';
import { chooseScope } from './authorization.ts';
import type { Authorizer, Challenge } from './authorizer.ts';
import { type AuthenticateHeader, readAuthenticateHeader } from './challenge.ts';
import { configuredClient } from './client-auth.ts';
import { createDpopKey, type DpopProver } from './dpop.ts';
import { learnServer, pinClient, usesDpop } from './learn-server.ts';
import { isMachine, requestMachineToken } from './machine-grant.ts';
import { type AuthFacts, Records, type Tokens } from './records.ts';
import { judgeStepUp, refusedAtOnce, scopeRefused, signInRequired } from './refusals.ts';
import {
  authorizationValue,
  withoutRefresh,
  isDead,
  isEnding,
  isGrantRefused,
  makeTokens,
  proverOf,
  refreshTokens,
} from './tokens.ts';

/** What an authorizer is made for. */
export interface AuthorizerOptions {
  /** `owner` is whose credentials are used. */
  server: { id: string; url: string; owner: string };
  settings?: ServerAuth | undefined;
  credentials: CredentialPort;
  ask: Ask;
  log: Logger;
  now?: () => number;
}

/** Gives one user's requests to one protected server their credentials. */
export function createAuthorizer(options: AuthorizerOptions): Authorizer {
  return new ServerAuthorizer(options);
}

/** Tokens are read again from the store after this time: another process may have renewed them. */
const cacheMs = 5_000;
/** A token that is refused this soon after it was given would only be refused again. */
const freshMs = 60_000;
const failureMemoryMs = 3_000;

class ServerAuthorizer implements Authorizer {
  readonly #options: AuthorizerOptions;
  readonly #url: URL;
  readonly #subject: { serverId: string; host: string };
  readonly #records: Records;
  readonly #now: () => number;
  #cached: { tokens: Tokens | undefined; at: number } | undefined;
  #prover: { key: string; prover: DpopProver } | undefined;
  #nonce: string | undefined;
  /** A token this authorizer renewed because the one before was refused. */
  #renewed: string | undefined;
  #failure: { error: unknown; at: number } | undefined;

  constructor(options: AuthorizerOptions) {
    const { server, credentials } = options;
    this.#options = options;
    this.#url = new URL(server.url);
    this.#subject = { serverId: server.id, host: this.#url.host };
    this.#records = new Records(credentials, { owner: server.owner, serverId: server.id });
    this.#now = options.now ?? Date.now;
  }

  async headers(request: { method: string; url: URL }): Promise<Record<string, string>> {
    if (request.url.origin !== this.#url.origin) return {};
    let tokens = await this.#current();
    if (!tokens) return {};
    if (isEnding(tokens, this.#now()) && this.#isRenewable(tokens)) {
      tokens = await this.#renewInTime(tokens);
    }
    const authorization = authorizationValue(tokens);
    const proof = this.#prove(tokens, request);
    return proof === undefined ? { authorization } : { authorization, dpop: proof };
  }

  async answer(challenge: Challenge): Promise<boolean> {
    const asked = readAuthenticateHeader(challenge.header);
    if (this.#takesNonce(challenge, asked)) return true;
    if (challenge.status === 403 && asked.error !== 'insufficient_scope') return false;
    return await this.#records.exclusive(async () => {
      const tokens = await this.#load();
      if (tokens && authorizationValue(tokens) !== challenge.sent) return true;
      return await this.#attempt(() =>
        challenge.status === 403 && tokens
          ? this.#answerForbidden(asked, tokens)
          : this.#answerUnauthorized(asked, tokens),
      );
    });
  }

  /** Those who wait behind a failure share it: an authorization server in trouble is asked once. */
  async #attempt<T>(work: () => Promise<T>): Promise<T> {
    if (this.#failure && isWithin(this.#failure.at, failureMemoryMs, this.#now()))
      throw this.#failure.error;
    try {
      const result = await work();
      this.#failure = undefined;
      return result;
    } catch (error) {
      const needsPerson = error instanceof CeriseError && error.code === 'sign_in_required';
      this.#failure = needsPerson ? undefined : { error, at: this.#now() };
      throw error;
    }
  }

  /** The server wants its own nonce in the proof; a proof that had it already was refused for else. */
  #takesNonce({ dpopNonce, sent }: Challenge, { error }: AuthenticateHeader): boolean {
    if (dpopNonce === undefined || dpopNonce === this.#nonce) return false;
    this.#nonce = dpopNonce;
    return error === 'use_dpop_nonce' && sent !== undefined;
  }

  async #answerUnauthorized(
    asked: AuthenticateHeader,
    tokens: Tokens | undefined,
  ): Promise<boolean> {
    const facts = await learnServer(this.#options.ask, this.#records, {
      server: this.#url,
      settings: this.#options.settings,
      asked,
      mayFallBack: tokens !== undefined,
      now: this.#now(),
      log: this.#options.log,
    });
    const isFresh = tokens !== undefined && this.#isFresh(tokens);
    if (isMachine(this.#options.settings)) {
      if (isFresh) throw refusedAtOnce(this.#subject);
      this.#renewed = (await this.#obtain(facts, [], tokens)).accessToken;
      return true;
    }
    const { issuer } = facts.discovery.authorizationServer;
    if (tokens?.refreshToken !== undefined && tokens.issuer === issuer && !isFresh) {
      this.#renewed = (await this.#refresh(tokens)).accessToken;
      return true;
    }
    if (tokens?.issuer === issuer) await this.#keep(withoutRefresh(tokens, this.#now()));
    throw signInRequired(this.#subject, asked.scope);
  }

  /** Step-up: more scopes, on top of those asked for before. */
  async #answerForbidden(asked: AuthenticateHeader, tokens: Tokens): Promise<boolean> {
    const wanted = asked.scope ?? [];
    const facts = await this.#records.facts();
    if (!facts) throw signInRequired(this.#subject, wanted);
    const verdict = judgeStepUp({ facts, wanted, tokens, now: this.#now() });
    if (isMachine(this.#options.settings)) {
      if (verdict.had) throw scopeRefused(this.#subject, wanted);
      await this.#obtain(facts, wanted, tokens);
      return true;
    }
    const challenge = { ...facts.challenge, scope: wanted };
    await this.#records.saveFacts({ ...facts, challenge, refused: verdict.refused });
    if (verdict.isFinal) throw scopeRefused(this.#subject, wanted);
    throw signInRequired(this.#subject, verdict.scope);
  }

  async #renewInTime(tokens: Tokens): Promise<Tokens> {
    try {
      return await this.#records.exclusive(() => this.#renew(tokens));
    } catch (error) {
      const isLate = tokens.expiresAt !== undefined && this.#now() >= tokens.expiresAt;
      const needsPerson = error instanceof CeriseError && error.code === 'sign_in_required';
      if (isLate || needsPerson) throw error;
      const { server, log } = this.#options;
      const fields = { serverId: server.id, error: toErrorInfo(error) };
      log.warn(fields, 'Could not renew a token before it expired');
      return tokens;
    }
  }

  async #renew(tokens: Tokens): Promise<Tokens> {
    const stored = await this.#load();
    if (stored && stored.accessToken !== tokens.accessToken) return stored;
    return await this.#attempt(async () => {
      if (!isMachine(this.#options.settings)) return await this.#refresh(tokens);
      const facts = await this.#records.facts();
      return facts ? await this.#obtain(facts, [], tokens) : tokens;
    });
  }

  /** The new refresh token is stored before the new access token is used: the old one is dead. */
  async #refresh(tokens: Tokens): Promise<Tokens> {
    try {
      const { ask, settings } = this.#options;
      return await this.#keep(await refreshTokens(ask, tokens, settings, this.#now));
    } catch (error) {
      if (!isGrantRefused(error)) throw error;
      if ((error.details as { error?: string }).error === 'invalid_client') {
        await this.#records.forgetRegistration(tokens.issuer);
      }
      await this.#keep(withoutRefresh(tokens, this.#now()));
      throw signInRequired(this.#subject, tokens.requestedScope, error);
    }
  }

  async #obtain(facts: AuthFacts, more: string[], before: Tokens | undefined): Promise<Tokens> {
    const { settings, ask } = this.#options;
    const client = configuredClient(settings);
    if (!isMachine(settings) || !client) throw signInRequired(this.#subject, more);
    const { discovery, challenge } = facts;
    await pinClient(this.#records, settings, discovery.authorizationServer.issuer);
    const requestedScope = chooseScope({
      discovery,
      challenged: challenge.scope,
      configured: settings.scopes,
      before: [...(before?.requestedScope ?? []), ...more],
    })?.filter((name) => name !== 'offline_access');
    const dpopKey = usesDpop(facts) ? (before?.dpopKey ?? createDpopKey()) : undefined;
    const answer = await requestMachineToken(ask, {
      settings,
      server: this.#url,
      discovery,
      scope: requestedScope,
      dpop: proverOf({ dpopKey }),
      now: this.#now,
      log: this.#options.log,
    });
    const { grant } = settings;
    const serverUrl = this.#url.href;
    const now = this.#now();
    return await this.#keep(
      makeTokens({ answer, serverUrl, discovery, grant, client, requestedScope, dpopKey, now }),
    );
  }

  async #keep(tokens: Tokens): Promise<Tokens> {
    await this.#records.saveTokens(tokens);
    this.#remember(tokens);
    return tokens;
  }

  async #current(): Promise<Tokens | undefined> {
    if (this.#cached && isWithin(this.#cached.at, cacheMs, this.#now())) return this.#cached.tokens;
    return await this.#load();
  }

  /** Only what was obtained for this address, in the way and by the client configured now. */
  async #load(): Promise<Tokens | undefined> {
    const { settings } = this.#options;
    const facts = await this.#records.facts();
    const issuer = facts?.discovery.authorizationServer.issuer;
    const tokens = issuer === undefined ? undefined : await this.#records.tokens(issuer);
    const fits =
      tokens?.serverUrl === this.#url.href &&
      tokens.grant === (settings?.grant ?? 'authorization_code') &&
      (settings?.clientId === undefined || settings.clientId === tokens.client.id);
    return this.#remember(fits ? tokens : undefined);
  }

  #remember(tokens: Tokens | undefined): Tokens | undefined {
    const usable = tokens && !isDead(tokens, this.#now()) ? tokens : undefined;
    this.#cached = { tokens: usable, at: this.#now() };
    return usable;
  }

  #isRenewable(tokens: Tokens): boolean {
    return tokens.refreshToken !== undefined || isMachine(this.#options.settings);
  }

  #isFresh(tokens: Tokens): boolean {
    const now = this.#now();
    const isOver = tokens.expiresAt !== undefined && now >= tokens.expiresAt;
    return (
      tokens.accessToken === this.#renewed && !isOver && isWithin(tokens.obtainedAt, freshMs, now)
    );
  }

  #prove(tokens: Tokens, { method, url }: { method: string; url: URL }): string | undefined {
    if (tokens.tokenType !== 'DPoP' || tokens.dpopKey === undefined) return undefined;
    if (this.#prover?.key !== tokens.dpopKey) {
      const prover = proverOf(tokens);
      this.#prover = prover && { key: tokens.dpopKey, prover };
    }
    const { accessToken: token } = tokens;
    const now = this.#now();
    return this.#prover?.prover.prove({ method, url, token, now, nonce: this.#nonce });
  }
}
