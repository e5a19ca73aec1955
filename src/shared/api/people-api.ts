import { z } from 'zod';
import { adminOnly } from '../vocabulary/field-marks.ts';
import { displayName } from '../vocabulary/fields.ts';
import { limitSpecs, pageLimitNames } from '../vocabulary/limits.ts';

/** Schemas of people, their sign-ins and their keys, as clients send and get them. */

const id = z.string().min(1).max(200);
const roles = ['admin', 'user'] as const;
export type Role = (typeof roles)[number];

const signInMethods = ['link', 'password', 'oidc'] as const;
export type SignInMethod = (typeof signInMethods)[number];

/** What a key may do: read; talk and use tools as well; or everything its owner may. */
const keyScopes = ['read', 'chat', 'admin'] as const;
export type KeyScope = (typeof keyScopes)[number];

const newPassword = z.string().min(1).max(500);

export const createUserSchema = z.strictObject({
  name: displayName,
  role: z.enum(roles).default('user'),
  /** Absent: one is made and told once. */
  password: newPassword.optional(),
});
export const updateUserSchema = z.strictObject({
  name: displayName.optional(),
  role: z.enum(roles).optional(),
  disabled: z.boolean().optional(),
  /** Sets a new password; ends all sign-ins. */
  password: newPassword.optional(),
  /** Ends their keys too. */
  endKeys: z.boolean().optional(),
});
const userViewSchema = z.object({
  id,
  name: z.string(),
  role: z.enum(roles),
  disabled: z.boolean(),
  hasPassword: z.boolean(),
  /** They come by the identity provider. */
  hasOidc: z.boolean(),
  lastSignInAt: z.number().optional(),
  createdAt: z.number(),
});
export type UserView = z.infer<typeof userViewSchema>;
/** `password` is there where it was made here: nobody can read it again. */
export const createdUserSchema = userViewSchema.extend({ password: z.string().optional() });
export type CreatedUserView = z.infer<typeof createdUserSchema>;

/** The ways in that this host has. */
export const signInWaysSchema = z.object({
  password: z.boolean(),
  /** What the button says. */
  oidc: z.object({ name: z.string() }).optional(),
  /** A one-time link of the console is the usual way: this host has one person. */
  link: z.boolean(),
  /** How the command line of this host is called, such as `npx cerise`. */
  command: z.string(),
});
export type SignInWays = z.infer<typeof signInWaysSchema>;

export const signInLinkSchema = z.object({ url: z.string(), expiresAt: z.number() });

export const passwordSignInSchema = z.strictObject({
  name: z.string().max(200),
  password: z.string().max(2000),
});
export const changePasswordSchema = z.strictObject({
  /** Not needed where there is none yet, or right after coming by the link. */
  current: z.string().max(2000).optional(),
  password: newPassword,
  /** Ends your keys too. */
  endKeys: z.boolean().optional(),
});

export const meSchema = z.object({
  user: userViewSchema,
  /** Absent for programs. */
  signIn: z.object({ id, method: z.enum(signInMethods) }).optional(),
  ways: signInWaysSchema,
  /** Whether a new password needs the present one. */
  asksPassword: z.boolean(),
  /** Those of the host that clients have to keep to. */
  limits: z.record(z.enum(pageLimitNames), z.number()),
});
export type MeView = z.infer<typeof meSchema>;

const signInViewSchema = z.object({
  id,
  method: z.enum(signInMethods),
  /** What the browser said it is. */
  browser: z.string().optional(),
  createdAt: z.number(),
  lastSeenAt: z.number(),
  expiresAt: z.number(),
  /** The one this request came with. */
  current: z.boolean(),
});
export type SignInView = z.infer<typeof signInViewSchema>;

const serverLimitSchema = z.strictObject({
  id,
  tools: z.array(z.string().min(1).max(256)).min(1).max(limitSpecs.toolsPerServer.most).optional(),
});

export const createKeySchema = z.strictObject({
  name: displayName,
  scopes: z.array(z.enum(keyScopes)).min(1).max(3).default(['chat']),
  /** Milliseconds; absent: it does not run out. */
  expiresAt: z.int().positive().optional(),
  /** Only these servers, by id, or only these tools of them; absent: all its owner may use. */
  servers: z
    .array(z.union([id.transform((each) => ({ id: each })), serverLimitSchema]))
    .min(1)
    .max(100)
    .optional(),
  /** What programs send to `/mcp` with it counts as a person's own words; absent: as untrusted. */
  trusted: adminOnly(z.boolean(), 'key-trust').optional(),
});
const keyViewSchema = z.object({
  id,
  name: z.string(),
  scopes: z.array(z.enum(keyScopes)),
  createdAt: z.number(),
  lastUsedAt: z.number().optional(),
  expiresAt: z.number().optional(),
  servers: z.array(serverLimitSchema).optional(),
  trusted: z.literal(true).optional(),
});
export type KeyView = z.infer<typeof keyViewSchema>;
/** The key itself is told this once. */
export const createdKeySchema = keyViewSchema.extend({ key: z.string() });
export type CreatedKeyView = z.infer<typeof createdKeySchema>;
/** A key as admins see it: with whose it is. */
const peopleKeySchema = keyViewSchema.extend({ owner: z.object({ id, name: z.string() }) });
export type PeopleKeyView = z.infer<typeof peopleKeySchema>;
/** Somebody after a change, with the keys they still have: a change of rights ends sign-ins, not keys. */
export const changedUserSchema = userViewSchema.extend({ keys: z.array(keyViewSchema) });
export type ChangedUserView = z.infer<typeof changedUserSchema>;
/** What is left after a new password. */
export const remainingKeysSchema = z.object({ keys: z.array(keyViewSchema) });

/** Lists of them. */
export const usersSchema = z.object({ users: z.array(userViewSchema) });
export const keysSchema = z.object({ keys: z.array(keyViewSchema) });
export const peopleKeysSchema = z.object({ keys: z.array(peopleKeySchema) });
export const signInsSchema = z.object({ signIns: z.array(signInViewSchema) });

const oauthText = z.string().max(4000).optional();

/** What a program sends a person's browser with (RFC 6749, 7636, 8707); the names are OAuth's. */
export const authorizationQuerySchema = z.object({
  client_id: z.string().min(1).max(4000),
  response_type: oauthText,
  redirect_uri: oauthText,
  code_challenge: oauthText,
  code_challenge_method: oauthText,
  resource: oauthText,
  scope: oauthText,
  state: oauthText,
});
export type AuthorizationQuery = z.infer<typeof authorizationQuerySchema>;

/** Where the browser returns to: a host, or the scheme of a program. */
const placeFields = {
  place: z.string(),
  /** It is on the machine of the browser. */
  isLocal: z.boolean(),
};

/** What a person is asked. */
export const consentSchema = z.object({
  program: z.object({
    /** What the program calls itself; anyone can claim any name. */
    name: z.string(),
    /** The host that publishes its metadata. */
    host: z.string().optional(),
  }),
  ...placeFields,
  /** The one server it asks for; absent: all that the person allows. */
  server: z.object({ id, name: z.string() }).optional(),
  /** The names of all that it would reach now. */
  servers: z.array(z.string()),
});
export type ConsentView = z.infer<typeof consentSchema>;

export const decideConsentSchema = z.strictObject({
  request: authorizationQuerySchema,
  decision: z.enum(['allow', 'deny']),
  /** Only these servers, or only these tools of them; absent: all that the program asked for. */
  servers: z.array(serverLimitSchema).min(1).max(100).optional(),
});
/** Where the browser is to go next. */
export const consentDecisionSchema = z.object({ redirect: z.string() });

const grantSchema = z.object({
  id,
  name: z.string(),
  ...placeFields,
  /** The path its tokens are good for. */
  resource: z.string(),
  servers: z.array(serverLimitSchema).optional(),
  createdAt: z.number(),
  lastUsedAt: z.number().optional(),
  expiresAt: z.number(),
});
export type GrantView = z.infer<typeof grantSchema>;
export const grantsSchema = z.object({ grants: z.array(grantSchema) });
