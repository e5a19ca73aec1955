import { z } from 'zod';
import { schemaWords } from '../errors/schema-words.ts';
import { adminOnly, notImported } from './field-marks.ts';

const name = z.string().min(1).max(2048);
const secret = z.string().min(1).max(32_768);
const url = z.url({ protocol: /^https?$/ }).max(1000);

/** What every way of signing in may say. */
const common = {
  scopes: z
    .array(z.string().regex(/^[\u0021\u0023-\u005b\u005d-\u007e]{1,256}$/))
    .max(100)
    .optional(),
  /** The issuer the client belongs to: no other authorization server is ever used. */
  authorizationServer: adminOnly(url, 'private-address').optional(),
};

/** How the client proves who it is: a secret, or a private key (PKCS#8 PEM or JWK). Neither: public. */
const client = { clientSecret: secret.optional(), privateKey: secret.optional() };

/** How requests to a protected server get their credentials. Only the first grant needs a person. */
export const serverAuthSchema = z.discriminatedUnion('grant', [
  z.strictObject({
    ...common,
    ...client,
    grant: z.literal('authorization_code').default('authorization_code'),
    /** Absent: the client registers itself. */
    clientId: name.optional(),
  }),
  z.strictObject({
    ...common,
    ...client,
    grant: z.literal('client_credentials'),
    clientId: name,
  }),
  /** The organisation's identity provider decides: an identity token becomes a grant (ID-JAG). */
  z.strictObject({
    ...common,
    ...client,
    grant: z.literal('enterprise'),
    clientId: name,
    idpTokenEndpoint: adminOnly(url, 'private-address'),
    idpClientId: name,
    idpClientSecret: secret.optional(),
    idToken: secret,
  }),
  /** The platform vouches for this workload with a signed token, given here or kept in a file. */
  z
    .strictObject({
      ...common,
      ...client,
      grant: z.literal('workload'),
      clientId: name,
      assertion: secret.optional(),
      /** Read again for each token, because platforms rotate it. */
      assertionFile: adminOnly(notImported(z.string().min(1).max(4096)), 'host-file').optional(),
    })
    .refine(
      ({ assertion, assertionFile }) => (assertion === undefined) !== (assertionFile === undefined),
      {
        message: schemaWords.assertion.text,
      },
    ),
]);
export type ServerAuth = z.infer<typeof serverAuthSchema>;

/** The fields that are sealed at rest and never shown. */
export const serverAuthSecrets = [
  'clientSecret',
  'privateKey',
  'idpClientSecret',
  'idToken',
  'assertion',
] as const;

/** What goes to no other authorization server: the secrets, and a file of the host that holds one. */
export function boundToIssuer(auth: ServerAuth): [name: string, value: string][] {
  const fields = auth as Partial<Record<string, unknown>>;
  return [...serverAuthSecrets, 'assertionFile'].flatMap((name) => {
    const value = fields[name];
    return typeof value === 'string' ? [[name, value] satisfies [string, string]] : [];
  });
}

/** The same settings with each of their secrets changed. */
export function mapAuthSecrets(
  auth: ServerAuth,
  change: (value: string, name: string) => string,
): ServerAuth {
  const given = serverAuthSecrets.flatMap((name) => {
    const value = (auth as Partial<Record<string, unknown>>)[name];
    return typeof value === 'string' ? [[name, change(value, name)]] : [];
  });
  return { ...auth, ...Object.fromEntries(given) };
}
