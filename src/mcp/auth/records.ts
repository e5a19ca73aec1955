import { createHash } from 'node:crypto';
import { z } from 'zod';
import { isWithin } from '#shared/async/clock.ts';
import type { JsonObject } from '#shared/vocabulary/json.ts';
import type { CredentialPlace, CredentialPort } from '#shared/vocabulary/ports.ts';
import { oauthClientSchema } from './client-auth.ts';
import { discoverySchema } from './discovery.ts';
import { type Registration, registrationSchema } from './registration.ts';

/** Tokens with everything that is needed to use, renew and revoke them. */
export const tokensSchema = z.object({
  /** The address they were obtained for; they are never sent to another. */
  serverUrl: z.string(),
  resource: z.string(),
  issuer: z.string(),
  /** The only place a refresh token goes to. */
  tokenEndpoint: z.string(),
  revocationEndpoint: z.string().optional(),
  authMethods: z.array(z.string()).optional(),
  authAlgorithms: z.array(z.string()).optional(),
  grant: z.string(),
  client: oauthClientSchema,
  accessToken: z.string(),
  tokenType: z.enum(['Bearer', 'DPoP']),
  refreshToken: z.string().optional(),
  dpopKey: z.string().optional(),
  /** What was granted, where the server said so; else what was asked for. */
  scope: z.array(z.string()).optional(),
  requestedScope: z.array(z.string()).optional(),
  obtainedAt: z.number(),
  expiresAt: z.number().optional(),
});
export type Tokens = z.infer<typeof tokensSchema>;

/** What a server asked for, and who gives it. */
const authFactsSchema = z.object({
  serverUrl: z.string(),
  discovery: discoverySchema,
  /** When it was found out. */
  at: z.number(),
  challenge: z.object({
    resourceMetadata: z.string().optional(),
    scope: z.array(z.string()).optional(),
    dpop: z.boolean(),
  }),
  /** Tokens that were refused although they had been given the scope asked for. */
  refused: z.array(z.object({ scope: z.string(), token: z.string(), at: z.number() })),
});
export type AuthFacts = z.infer<typeof authFactsSchema>;

/** A sign-in that waits for a person. */
const flowSchema = z.object({
  owner: z.string(),
  serverId: z.string(),
  serverUrl: z.string(),
  redirectUri: z.string(),
  verifier: z.string(),
  scope: z.array(z.string()).optional(),
  discovery: discoverySchema,
  client: oauthClientSchema,
  dpopKey: z.string().optional(),
  createdAt: z.number(),
});
export type Flow = z.infer<typeof flowSchema>;

/** A sign-in has to be finished within this time. */
export const flowMs = 5 * 60_000;

/** The credentials of one owner at one server, as records. What cannot be read is as if not there. */
export class Records {
  readonly #port: CredentialPort;
  readonly #of: { owner: string; serverId: string };

  constructor(port: CredentialPort, of: { owner: string; serverId: string }) {
    this.#port = port;
    this.#of = of;
  }

  readonly tokens = (issuer: string): Promise<Tokens | undefined> =>
    this.#read('tokens', issuer, tokensSchema);

  readonly saveTokens = (tokens: Tokens): Promise<void> =>
    this.#write('tokens', tokens.issuer, tokens);

  /** Tokens of every issuer this server ever had. */
  async allTokens(): Promise<Tokens[]> {
    const places = await this.#port.list({ ...this.#of, kind: 'tokens' });
    const all = await Promise.all(places.map(({ name }) => this.tokens(name)));
    return all.filter((tokens) => tokens !== undefined);
  }

  readonly registration = (issuer: string): Promise<Registration | undefined> =>
    this.#read('client', issuer, registrationSchema);

  readonly saveRegistration = (issuer: string, registration: Registration): Promise<void> =>
    this.#write('client', issuer, registration);

  readonly forgetRegistration = (issuer: string): Promise<void> => this.#remove('client', issuer);

  readonly facts = (): Promise<AuthFacts | undefined> =>
    this.#read('discovery', '', authFactsSchema);

  readonly saveFacts = (facts: AuthFacts): Promise<void> => this.#write('discovery', '', facts);

  /** The issuer that a configured client, with exactly these secrets, was first used with. */
  async pinnedIssuer(client: PinnedClient): Promise<string | undefined> {
    for (const name of new Set([pinName(client), client.clientId])) {
      const pin = await this.#read('pin', name, z.object({ issuer: z.string() }));
      if (pin) return pin.issuer;
    }
    return undefined;
  }

  readonly pinIssuer = (client: PinnedClient, issuer: string): Promise<void> =>
    this.#write('pin', pinName(client), { issuer });

  /** The newest flow is the only one that can be finished. */
  async saveFlow(state: string, flow: Flow): Promise<void> {
    await this.#port.remove({ ...this.#of, kind: 'flow' });
    const place = this.#place('flow', stateName(state));
    await this.#port.write(place, toObject(flow), flow.createdAt + flowMs);
  }

  /**
   * Ends everything but registrations, which are of use again, and to whom stored secrets belong: these
   * stay in the settings, and must not go to another issuer the next time.
   */
  async forgetSignIn(): Promise<void> {
    for (const kind of ['tokens', 'flow', 'discovery'] as const) {
      await this.#port.remove({ ...this.#of, kind });
    }
    for (const { name } of await this.#port.list({ ...this.#of, kind: 'pin' }))
      if (!name.startsWith(secretMark)) await this.#remove('pin', name);
  }

  readonly exclusive = <T>(work: () => Promise<T>): Promise<T> =>
    this.#port.exclusive(this.#of, work);

  async #read<T>(kind: Kind, name: string, schema: z.ZodType<T>): Promise<T | undefined> {
    return schema.safeParse(await this.#port.read(this.#place(kind, name))).data;
  }

  #write(kind: Kind, name: string, value: object): Promise<void> {
    return this.#port.write(this.#place(kind, name), toObject(value));
  }

  async #remove(kind: Kind, name: string): Promise<void> {
    await this.#port.remove({ ...this.#of, kind, name });
  }

  #place(kind: Kind, name: string): CredentialPlace {
    return { ...this.#of, kind, name };
  }
}

/**
 * The flow a `state` belongs to, which is thereby used up; `mayTake` says whether the caller may. It is
 * found by a digest of the state, so that no comparison tells how much of a guess was right.
 */
export async function takeFlow(
  port: CredentialPort,
  state: string,
  mayTake: (owner: string) => boolean,
  now: number,
): Promise<Flow | undefined> {
  const place = await port.locateFlow(stateName(state));
  if (!place || !mayTake(place.owner)) return undefined;
  const flow = flowSchema.safeParse(await port.take(place)).data;
  return flow && isWithin(flow.createdAt, flowMs, now) ? flow : undefined;
}

/** A client as it is configured; `secrets` is empty for a public one. */
interface PinnedClient {
  clientId: string;
  secrets: readonly string[];
}

const secretMark = 'secret ';

/** A client with other secrets is another one: the person who enters new ones has checked who gets them. */
function pinName({ clientId, secrets }: PinnedClient): string {
  if (secrets.length === 0) return clientId;
  const digest = createHash('sha256').update(JSON.stringify([clientId, ...secrets]));
  return `${secretMark}${digest.digest('base64url')}`;
}

type Kind = CredentialPlace['kind'];

function stateName(state: string): string {
  return createHash('sha256').update(state).digest('base64url');
}

/** Without fields that are undefined, which JSON does not know. */
function toObject(value: object): JsonObject {
  return JSON.parse(JSON.stringify(value)) as JsonObject;
}
