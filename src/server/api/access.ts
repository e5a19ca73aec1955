import type { KeyScope } from '#shared/api/people-api.ts';

/** What the body of a request may be. What is said to be `none` may be JSON all the same; nobody reads it. */
export type BodyKind = 'none' | 'json' | 'large-json' | 'lines' | 'form' | 'bytes';

/** Who may use a route and what it takes. Every route says so beside its schema; nothing else decides. */
export type Access = Way & Door;

interface Door {
  /**
   * `json`, `large-json`, `lines` (one JSON object a line), `form` and `bytes` (of any type); the handler reads all but
   * the first.
   */
  body: BodyKind;
  /** The most bytes of a body, by the name of the limit. */
  limit: 'httpBody' | 'v1Body' | 'file' | 'bundleSize' | 'importSize';
  /** `own`: our own pages alone. Where pages of others may call too, their cookies are not looked at. */
  origins: 'own' | 'any-without-cookies';
  /** It shows servers as they are in the store by now, whichever host changed them. */
  looksAtServers?: true;
  /** Programs that a person connected may come in with their tokens; nowhere else. */
  programs?: true;
}

/** A key needs the scope; each scope includes the ones before it. What has secrets in it needs `admin`. */
type Way =
  | { public: true; scope?: never; admin?: never; secret?: true; metrics?: true }
  | { public?: never; scope: 'read' | 'chat'; admin?: true; secret?: never; metrics?: never }
  | { public?: never; scope: 'admin'; admin?: true; secret?: true; metrics?: never };

const door: Door = { body: 'none', limit: 'httpBody', origins: 'own' };

/** For everybody, signed in or not. */
export const everyone = { public: true, ...door } as const satisfies Access;
/** Nobody who is signed in: who has the key of `/metrics`, which the route itself checks. */
export const metricsKey = { ...everyone, metrics: true } as const satisfies Access;
/** Reads what is no secret. */
export const read = { scope: 'read', ...door } as const satisfies Access;
/** Talks, uses tools, and changes conversations. */
export const chat = { scope: 'chat', ...door } as const satisfies Access;
/** Everything else that the owner of a key may do. */
export const manage = { scope: 'admin', ...door } as const satisfies Access;
/** The same for admins of the host alone. */
export const admins = { ...manage, admin: true } as const satisfies Access;

/** To be spread over one of the above: the request has a JSON body. */
export const json = { body: 'json' } as const satisfies Partial<Door>;
/** The request or the answer may hold a secret: neither is remembered for an `Idempotency-Key`. */
export const secret = { secret: true } as const;
/** It shows servers, as they are in the store by now. */
export const freshServers = { looksAtServers: true } as const satisfies Partial<Door>;

const order: KeyScope[] = ['read', 'chat', 'admin'];

/** Whether any of these scopes is enough. */
export function isEnough(scopes: readonly KeyScope[], needed: KeyScope): boolean {
  return scopes.some((scope) => order.indexOf(scope) >= order.indexOf(needed));
}
