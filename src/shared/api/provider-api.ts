import { z } from 'zod';
import { errorInfoSchema } from '../errors/error-info-schema.ts';
import { schemaWords } from '../errors/schema-words.ts';
import { adminOnly } from '../vocabulary/field-marks.ts';
import { displayName, modelName } from '../vocabulary/fields.ts';
import { vendorGroups } from '../vocabulary/model.ts';

/** Schemas of vendors and providers, as clients send and get them. */

/** Empty: the vendor's own. */
const providerAddress = adminOnly(
  z.union([z.url({ protocol: /^https?$/ }).max(2000), z.literal('')]),
  'own-address',
);

export const createProviderSchema = z.strictObject({
  /** For people; the host makes the `slug` that its models are named by. */
  name: displayName,
  /** The name of a vendor (`GET /api/vendors`), or `openai-compatible` with a base URL. */
  kind: adminOnly(z.string().min(1).max(50), 'local-vendor').optional(),
  baseUrl: providerAddress.optional(),
  apiKey: z.string().max(10_000).optional(),
  models: z.array(z.string().min(1).max(300)).max(1000).default([]),
  /** Whether everybody on the host may use it; for what an admin adds, absent means yes. */
  shared: adminOnly(z.boolean(), 'sharing').optional(),
});
/** A list as it is to be, or names with true (in it) or false (not): others stay. */
const listingSchema = (name: z.ZodString) =>
  z.union([
    z.array(name).max(5000),
    z
      .record(name, z.boolean())
      .refine((names) => Object.keys(names).length <= 5000, schemaWords.entries.text),
  ]);
const perMillion = z.number().nonnegative().max(1_000_000);
export const priceSchema = z.strictObject({
  input: perMillion,
  output: perMillion,
  cachedInput: perMillion.optional(),
  cacheWrite: perMillion.optional(),
});
/** How long answers are waited for: without a byte, and in all. */
const timesSchema = z.strictObject({
  silenceSeconds: z.int().min(1).max(3600),
  totalSeconds: z.int().min(1).max(86_400),
});
export const updateProviderSchema = createProviderSchema
  .extend({
    models: z.array(modelName).max(1000),
    enabled: z.boolean(),
    /** Models of it that are not offered where one is chosen: all of them, or those that change. */
    hidden: listingSchema(modelName),
    /** What models cost, in US dollars for a million tokens; null removes a price, others stay. */
    prices: z
      .record(modelName, priceSchema.nullable())
      .refine((prices) => Object.keys(prices).length <= 5000, schemaWords.entries.text),
    /** Null goes back to what ships, others stay. */
    times: z
      .strictObject({
        silenceSeconds: timesSchema.shape.silenceSeconds.nullable(),
        totalSeconds: timesSchema.shape.totalSeconds.nullable(),
      })
      .partial(),
  })
  .partial();
export const testProviderSchema = z.strictObject({ model: modelName.optional() });

export const providerSchema = z.object({
  id: z.string().min(1).max(200),
  name: z.string(),
  slug: z.string(),
  kind: z.string(),
  baseUrl: z.string(),
  models: z.array(z.string()),
  hasKey: z.boolean(),
  enabled: z.boolean(),
  hidden: z.array(z.string()),
  prices: z.record(z.string(), priceSchema),
  times: timesSchema.partial(),
  createdAt: z.number(),
  fromEnvironment: z.literal(true).optional(),
  fromDiscovery: z.literal(true).optional(),
  shared: z.boolean().optional(),
  readOnly: z.literal(true).optional(),
  adminOnly: z.literal(true).optional(),
  /** Secrets that this change removed because they were given for another address. */
  secretsDropped: z.array(z.string()).optional(),
});
export const providersSchema = z.object({ providers: z.array(providerSchema) });
const vendorSchema = z.object({
  kind: z.string(),
  label: z.string(),
  group: z.enum(vendorGroups),
  baseUrl: z.string().optional(),
  keysUrl: z.string().optional(),
  local: z.boolean(),
});

export const vendorsSchema = z.object({ vendors: z.array(vendorSchema) });

/** `error` says what is wrong where `ok` is false; `model` is the one that was asked. */
export const providerTestSchema = z.object({
  ok: z.boolean(),
  models: z.number().optional(),
  model: z.string().optional(),
  error: errorInfoSchema.optional(),
  /** How long the test took. */
  ms: z.number(),
});
