import { CeriseError, toErrorInfo } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import { isLoopback } from '#shared/text/loopback.ts';
import type { CredentialPort, Logger } from '#shared/vocabulary/ports.ts';
import type { ServerAuth } from '#shared/vocabulary/server-auth.ts';
import { type Ask, signInFailed } from './ask.ts';
import {
  acceptCallback,
  authorizationUrl,
  chooseScope,
  randomText,
  readCallback,
} from './authorization.ts';
import { readAuthenticateHeader } from './challenge.ts';
import { createDpopKey } from './dpop.ts';
import { learnServer, pinClient, usesDpop } from './learn-server.ts';
import { isMachine } from './machine-grant.ts';
import { type Flow, flowMs, type AuthFacts, Records, takeFlow, type Tokens } from './records.ts';
import { type ClientIdentity, findClient } from './registration.ts';
import { requestToken, revokeToken } from './token-endpoint.ts';
import { isDead, makeTokens, proverOf, withoutSecrets, withSecrets } from './tokens.ts';

/** A server somebody signs in to. `ask` reaches it and what it refers to. */
export interface SignInServer {
  url: string;
  settings?: ServerAuth | undefined;
  ask: Ask;
}

export interface SignInOptions {
  credentials: CredentialPort;
  /** Undefined if the owner has no such server. */
  findServer(owner: string, serverId: string): Promise<SignInServer | undefined>;
  identity: ClientIdentity;
  log: Logger;
  now?: () => number;
}

/** Where a browser has to go. */
export interface SignInStart {
  authorizationUrl: string;
  state: string;
  expiresAt: number;
}

/** What may be told of a sign-in: never a token. */
export interface SignInState {
  status: 'none' | 'signed-in' | 'expired';
  issuer?: string | undefined;
  scope?: string[] | undefined;
  expiresAt?: number | undefined;
}

/** Signs people in to protected servers and out again. */
export class SignInFlows {
  readonly #options: SignInOptions;
  readonly #now: () => number;

  constructor(options: SignInOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
  }

  /** Prepares a sign-in. A new one for the same server takes the place of the one before. */
  async begin(request: {
    owner: string;
    serverId: string;
    redirectUri: string;
    scope?: string[] | undefined;
  }): Promise<SignInStart> {
    const { owner, serverId } = request;
    checkRedirectUri(request.redirectUri);
    const server = await this.#server(owner, serverId);
    if (isMachine(server.settings)) {
      throw signInFailed(say('auth-by-itself')`This server signs in automatically.`, {
        hint: say(
          'auth-by-itself-hint',
        )`Just connect it. To sign in yourself, change its grant to authorization_code.`,
      });
    }
    const records = new Records(this.#options.credentials, { owner, serverId });
    return await records.exclusive(async () => {
      const facts = await this.#learn(server, records);
      return await this.#open({ ...request, server, records, facts });
    });
  }

  /**
   * Ends a sign-in with the address the browser came back to. Throws CeriseError `sign_in_failed`;
   * each flow can be finished once, whatever comes of it.
   */
  async finish(request: {
    owner?: string | undefined;
    url: URL | string;
  }): Promise<{ serverId: string }> {
    const url = URL.parse(String(request.url));
    if (!url)
      throw signInFailed(
        say('auth-wrong-return')`That isn't the URL your browser was redirected to.`,
      );
    const callback = readCallback(url);
    const mayTake = (owner: string): boolean => (request.owner ?? owner) === owner;
    const { credentials } = this.#options;
    const flow =
      callback.state === undefined
        ? undefined
        : await takeFlow(credentials, callback.state, mayTake, this.#now());
    if (!flow) throw noSuchFlow();
    const code = acceptCallback(callback, flow.discovery.authorizationServer);
    const { owner, serverId } = flow;
    const server = await this.#server(owner, serverId);
    if (new URL(server.url).href !== flow.serverUrl) {
      throw signInFailed(
        say('auth-address-changed')`The server's URL was changed during the sign-in.`,
        {
          hint: say('sign-in-again')`Sign in again.`,
        },
      );
    }
    const records = new Records(credentials, { owner, serverId });
    await records.exclusive(async () => records.saveTokens(await this.#redeem(server, flow, code)));
    this.#options.log.info({ serverId, owner }, 'Signed in to a server');
    return { serverId };
  }

  /** Revokes what can be revoked, then forgets all of it, also if revoking fails. */
  async signOut(owner: string, serverId: string): Promise<void> {
    const server = await this.#server(owner, serverId);
    const records = new Records(this.#options.credentials, { owner, serverId });
    await records.exclusive(async () => {
      const all = await records.allTokens();
      await Promise.all(all.map((tokens) => this.#revoke(server, tokens, serverId)));
      await records.forgetSignIn();
    });
  }

  /** What is known of a sign-in, for people. */
  async state(owner: string, serverId: string): Promise<SignInState> {
    const records = new Records(this.#options.credentials, { owner, serverId });
    const issuer = (await records.facts())?.discovery.authorizationServer.issuer;
    if (issuer === undefined) return { status: 'none' };
    const tokens = await records.tokens(issuer);
    if (!tokens) return { status: 'none', issuer };
    return {
      status: isDead(tokens, this.#now()) ? 'expired' : 'signed-in',
      issuer,
      scope: tokens.scope,
      expiresAt: tokens.expiresAt,
    };
  }

  async #open(request: {
    owner: string;
    serverId: string;
    redirectUri: string;
    scope?: string[] | undefined;
    server: SignInServer;
    records: Records;
    facts: AuthFacts;
  }): Promise<SignInStart> {
    const { owner, serverId, redirectUri, server, records, facts } = request;
    const { discovery, challenge } = facts;
    const { issuer } = discovery.authorizationServer;
    const before = await records.tokens(issuer);
    const scope = chooseScope({
      discovery,
      challenged: request.scope ?? challenge.scope,
      configured: server.settings?.scopes,
      // Who asked for nothing was given something all the same, and must not lose it.
      before: before?.requestedScope ?? before?.scope,
    });
    const [state, verifier] = [randomText(), randomText()];
    const dpopKey = usesDpop(facts) ? createDpopKey() : undefined;
    const client = await this.#client(server, records, facts, redirectUri);
    const url = authorizationUrl({
      discovery,
      clientId: client.id,
      redirectUri,
      state,
      verifier,
      scope,
      dpopThumbprint: proverOf({ dpopKey })?.thumbprint,
    });
    const createdAt = this.#now();
    const serverUrl = new URL(server.url).href;
    await records.saveFlow(state, {
      owner,
      serverId,
      serverUrl,
      redirectUri,
      verifier,
      scope,
      discovery,
      client: withoutSecrets(client),
      dpopKey,
      createdAt,
    });
    return { authorizationUrl: url.href, state, expiresAt: createdAt + flowMs };
  }

  /** Asks the server without credentials first: its refusal says what it wants. */
  async #learn(server: SignInServer, records: Records): Promise<AuthFacts> {
    const url = new URL(server.url);
    const stored = await records.facts();
    const asked =
      stored?.serverUrl === url.href ? stored.challenge : await this.#provoke(server, url);
    return await learnServer(server.ask, records, {
      server: url,
      settings: server.settings,
      asked,
      mayFallBack: false,
      now: this.#now(),
      log: this.#options.log,
    });
  }

  async #provoke(server: SignInServer, url: URL) {
    const answer = await server.ask({
      method: 'POST',
      url,
      headers: {
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'ping' }),
    });
    return readAuthenticateHeader(answer.headers['www-authenticate']);
  }

  async #client(server: SignInServer, records: Records, facts: AuthFacts, redirectUri: string) {
    const { authorizationServer } = facts.discovery;
    const { issuer } = authorizationServer;
    await pinClient(records, server.settings, issuer);
    const { client, made } = await findClient(server.ask, {
      server: authorizationServer,
      redirectUri,
      identity: this.#options.identity,
      settings: server.settings,
      known: await records.registration(issuer),
      now: this.#now(),
    });
    if (made) await records.saveRegistration(issuer, made);
    return client;
  }

  async #redeem(server: SignInServer, flow: Flow, code: string): Promise<Tokens> {
    const { discovery, redirectUri, verifier, serverUrl, dpopKey, scope } = flow;
    const client = withSecrets(flow.client, server.settings);
    const answer = await requestToken(server.ask, {
      server: discovery.authorizationServer,
      client,
      parameters: {
        grant_type: 'authorization_code',
        code,
        code_verifier: verifier,
        redirect_uri: redirectUri,
        resource: discovery.resource,
      },
      dpop: proverOf({ dpopKey }),
      now: this.#now,
    });
    return makeTokens({
      answer,
      serverUrl,
      discovery,
      grant: 'authorization_code',
      client,
      requestedScope: scope,
      dpopKey,
      now: this.#now(),
    });
  }

  async #revoke(server: SignInServer, tokens: Tokens, serverId: string): Promise<void> {
    const { revocationEndpoint: endpoint, refreshToken, accessToken } = tokens;
    if (endpoint === undefined) return;
    try {
      const client = withSecrets(tokens.client, server.settings);
      const request = { server: tokens, client, endpoint, now: this.#now };
      if (refreshToken !== undefined) {
        await revokeToken(server.ask, { ...request, token: refreshToken, hint: 'refresh_token' });
      }
      await revokeToken(server.ask, { ...request, token: accessToken, hint: 'access_token' });
    } catch (error) {
      const fields = { serverId, error: toErrorInfo(error) };
      this.#options.log.warn(fields, 'Could not revoke a token');
    }
  }

  async #server(owner: string, serverId: string): Promise<SignInServer> {
    const server = await this.#options.findServer(owner, serverId);
    if (server) return server;
    throw new CeriseError('server_not_found', say('server-gone')`This server doesn't exist.`);
  }
}

function checkRedirectUri(text: string): void {
  const url = URL.parse(text);
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url));
  if (isSafe && url.hash === '' && url.username === '') return;
  throw signInFailed(
    say('auth-return-https')`A sign-in can only redirect to an https URL or to this machine.`,
    {
      hint: say('auth-return-hint')`Open Cerise at http://127.0.0.1 or over https.`,
    },
  );
}

function noSuchFlow(): CeriseError {
  return signInFailed(say('auth-not-waiting')`This sign-in is no longer active.`, {
    hint: say(
      'auth-not-waiting-hint',
    )`It took longer than 5 minutes, was already used, or was replaced by a newer one. Sign in again.`,
    details: { reason: 'no_such_flow' },
  });
}
