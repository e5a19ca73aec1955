import { isMachine } from '#mcp/auth/machine-grant.ts';
import { type ClientIdentity, clientMetadata } from '#mcp/auth/registration.ts';
import { type SignInStart, SignInFlows, type SignInState } from '#mcp/auth/sign-in.ts';
import type { Diagnosis } from '#mcp/service/server-status.ts';
import type { McpService } from '#mcp/service/mcp-service.ts';
import { CeriseError, toErrorInfo } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import { isLoopback } from '#shared/text/loopback.ts';
import type { JsonObject } from '#shared/vocabulary/json.ts';
import type { Limits } from '#shared/vocabulary/limits.ts';
import type { CredentialPort, Logger } from '#shared/vocabulary/ports.ts';
import type { ServerRecord } from '#shared/vocabulary/server.ts';
import type { Store } from '#store/database/store.ts';
import { insertAudit } from '#store/people/audit.ts';
import { adminOnly } from '../people/visitor.ts';
import type { Servers } from './servers.ts';
import { askFor, type HttpConfig, isHttp } from './sign-in-requests.ts';

/** What signing in needs of the host. */
interface SignInDeps {
  store: Store;
  credentials: CredentialPort;
  logger: Logger;
  now: () => number;
  limits: Pick<Limits, 'connectTime'>;
  /** The https address people reach this host by, if it has one. */
  publicUrl?: string | undefined;
  mcp: Pick<McpService, 'servers'>;
  servers: Pick<Servers, 'restart' | 'stop' | 'usable'>;
}

/** Signs people in to protected servers and out again. */
export class ServerSignIn {
  readonly #deps: SignInDeps;
  readonly #identity: ClientIdentity;
  readonly #flows: SignInFlows;

  constructor(deps: SignInDeps) {
    const { credentials, logger, now, publicUrl } = deps;
    this.#deps = deps;
    this.#identity = identityAt(publicUrl);
    this.#flows = new SignInFlows({
      credentials,
      findServer: async (owner, id) => this.#find(owner, id),
      identity: this.#identity,
      log: logger,
      now,
    });
  }

  /** Our client-id metadata document; undefined where nobody could fetch it. */
  clientDocument(): JsonObject | undefined {
    const { name, metadataUrl, redirectUris } = this.#identity;
    if (metadataUrl === undefined || redirectUris === undefined) return undefined;
    return clientMetadata({ name, metadataUrl, redirectUris });
  }

  /**
   * Where to send the person's browser, which comes back to us (`origin` is how it reaches us) or to a
   * program on its machine. Of several sign-ins to a server only the newest can be finished.
   */
  async begin(
    owner: string,
    serverId: string,
    back: { origin: string } | { redirectUri: string },
  ): Promise<SignInStart> {
    this.#assertHttp(owner, serverId);
    const redirectUri =
      'origin' in back ? this.#callbackUrl(back.origin) : loopbackOnly(back.redirectUri);
    return await this.#flows.begin({ owner, serverId, redirectUri });
  }

  /**
   * Ends a sign-in with the address the browser came back to, and connects the server in the background.
   * Throws CeriseError `sign_in_failed` with what the authorization server said, if it said no.
   */
  async finish(owner: string, url: string): Promise<{ serverId: string }> {
    const { serverId } = await this.#flows.finish({ owner, url });
    await this.#note(owner, serverId, 'server.sign-in');
    this.#reconnect(owner, serverId);
    return { serverId };
  }

  /** Ends what is connected with the owner's tokens, then revokes and forgets them. */
  async signOut(owner: string, serverId: string): Promise<void> {
    const { auth } = this.#assertHttp(owner, serverId);
    await this.#deps.servers.stop(owner, serverId);
    await this.#flows.signOut(owner, serverId);
    await this.#note(owner, serverId, 'server.sign-out');
    // Asked again without credentials, the server shows at once that it needs a sign-in.
    if (!isMachine(auth)) this.#reconnect(owner, serverId);
  }

  /** What is known of the owner's sign-in; never a token. */
  async state(owner: string, serverId: string): Promise<SignInState> {
    const { id, owner: whose } = this.#deps.servers.usable(owner, serverId);
    return await this.#flows.state(whose, id);
  }

  /** What is known of a sign-in, for a diagnosis. A server that never asked for a sign-in needs none. */
  async authState({ id, owner, config }: ServerRecord): Promise<Diagnosis['auth']> {
    if (!isHttp(config)) return { state: 'not-needed' };
    const { status, issuer, scope } = await this.#flows.state(owner, id);
    if (status === 'none' && issuer === undefined) return { state: 'not-needed' };
    return { state: status, ...(issuer && { issuer }), ...(scope && { scope: scope.join(' ') }) };
  }

  #callbackUrl(origin: string): string {
    const { publicUrl } = this.#deps;
    const isPublic = publicUrl !== undefined && new URL(publicUrl).host === new URL(origin).host;
    return new URL(callbackPath, isPublic ? publicUrl : origin).href;
  }

  /** What comes of it is the server's state. */
  #reconnect(owner: string, serverId: string): void {
    const { servers, logger } = this.#deps;
    servers.restart(owner, serverId).catch((error: unknown) => {
      const fields = { serverId, error: toErrorInfo(error) };
      if (error instanceof CeriseError)
        logger.info(fields, 'Not connected after signing in or out');
      else logger.error(fields, 'Connecting failed because of an internal error');
    });
  }

  #find(owner: string, serverId: string) {
    const record = this.#deps.mcp.servers().find(({ id }) => id === serverId);
    if (record?.owner !== owner || !isHttp(record.config)) return undefined;
    const { baseUrl, auth } = record.config;
    const ask = askFor(record.config, this.#deps.limits, record.publicOnly);
    return { url: baseUrl, ...(auth && { settings: auth }), ask };
  }

  /** A shared server is used with the sign-in of its owner, so no one else can change that. */
  #assertHttp(owner: string, serverId: string): HttpConfig {
    const { config, owner: whose } = this.#deps.servers.usable(owner, serverId);
    if (whose !== owner)
      throw adminOnly(
        say(
          'sign-in-of-admin',
        )`This server is shared by an admin, and everyone uses that admin's sign-in.`,
      );
    if (isHttp(config)) return config;
    throw new CeriseError(
      'invalid_request',
      say('nobody-signs-in')`${config.name} runs on this machine and doesn't need a sign-in.`,
    );
  }

  async #note(owner: string, subject: string, action: string): Promise<void> {
    const { store, now } = this.#deps;
    await store.transaction((tx) => insertAudit(tx, { owner, action, subject }, now()));
  }
}

const callbackPath = '/api/oauth/callback';

/** Without a public https address there is no document, and clients are registered one by one. */
function identityAt(publicUrl: string | undefined): ClientIdentity {
  if (publicUrl === undefined) return { name: 'Cerise' };
  return {
    name: 'Cerise',
    metadataUrl: new URL('/oauth/client.json', publicUrl).href,
    redirectUris: [new URL(callbackPath, publicUrl).href, 'http://127.0.0.1/callback'],
  };
}

function loopbackOnly(redirectUri: string): string {
  const url = URL.parse(redirectUri);
  if (url?.protocol === 'http:' && isLoopback(url)) return redirectUri;
  throw new CeriseError(
    'invalid_request',
    say('program-elsewhere')`The redirect URL of a program must be on this machine.`,
    {
      hint: say('program-address')`Use a URL such as http://127.0.0.1:PORT/callback, or omit it.`,
    },
  );
}
