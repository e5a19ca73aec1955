import { z } from 'zod';
import { errorInfoSchema } from '../errors/error-info-schema.ts';
import { bundleValueSchema } from '../vocabulary/server/server-bundle.ts';
import { attachmentSchema } from '../vocabulary/server.ts';

/** Schemas of bundles: archives with a server and everything it needs. */

const sha256 = z.string().regex(/^[0-9a-f]{64}$/i);
const id = z.string().min(1).max(200);
/** Null takes a value away; one that is not given stays, or is the default. */
const values = z.record(z.string(), bundleValueSchema.nullable()).default({});

export const fetchBundleSchema = z.strictObject({
  url: z.string().min(1).max(8192),
  /** Other bytes are refused. */
  sha256: sha256.optional(),
});
export type FetchBundle = z.input<typeof fetchBundleSchema>;

export const installBundleSchema = z.strictObject({
  /** The `file` of the uploaded bundle. */
  file: id,
  values,
  /** Absent: the name in the bundle. */
  name: z.string().trim().min(1).max(100).optional(),
  /** The server that the bundle updates; absent: a new one. */
  server: id.optional(),
  /** Makes a new one a session server. */
  attachedTo: attachmentSchema.optional(),
});
export type InstallBundle = z.input<typeof installBundleSchema>;

export const changeBundleSchema = z.strictObject({ values });
export type ChangeBundle = z.input<typeof changeBundleSchema>;

/** What a text was and would be. */
const change = z.object({ before: z.string(), after: z.string() });
const names = z.object({ added: z.array(z.string()), removed: z.array(z.string()) });
export const bundleDifferenceSchema = z.object({
  version: change.optional(),
  publisher: change.optional(),
  command: change.optional(),
  args: z.object({ before: z.array(z.string()), after: z.array(z.string()) }).optional(),
  /** Names of variables; `changed` have another value. */
  env: names.extend({ changed: z.array(z.string()) }),
  settings: names,
  /** How many. */
  files: z.object({ added: z.number(), removed: z.number(), changed: z.number() }),
});
export type BundleDifference = z.infer<typeof bundleDifferenceSchema>;

/** A bundle that was read: what it says of itself, what it would run, and what it asks for. */
export const bundleViewSchema = z.object({
  /** Names the uploaded bytes until they are installed; absent for a bundle that is. */
  file: z.string().optional(),
  hash: z.string(),
  size: z.number(),
  name: z.string(),
  title: z.string(),
  version: z.string(),
  description: z.string(),
  publisher: z.string(),
  /** Publishers are not verified. */
  verified: z.literal(false),
  runtime: z.enum(['node', 'python', 'uv', 'binary']),
  /** Versions of runtimes that it asks for, by name. */
  requires: z.record(z.string(), z.string()),
  /** The server that it would become. */
  config: z.unknown(),
  /** Its settings, as a JSON schema. */
  form: z.object({
    type: z.literal('object'),
    properties: z.record(z.string(), z.record(z.string(), z.json())),
    required: z.array(z.string()),
  }),
  /** What the form starts with; secrets are hidden. */
  values: z.record(z.string(), z.json()),
  /** Why it would not start on this machine. */
  problem: errorInfoSchema.optional(),
  /** Servers that were installed from a bundle of this name, and what would change. */
  updates: z.array(
    z.object({
      server: z.string(),
      name: z.string(),
      /** What the form starts with when this server is updated. */
      values: z.record(z.string(), z.json()),
      difference: bundleDifferenceSchema,
    }),
  ),
});
export type BundleView = z.infer<typeof bundleViewSchema>;

/** The bundles that servers run from. */
export const bundleListSchema = z.object({
  bundles: z.array(
    z.object({
      server: z.string(),
      name: z.string(),
      version: z.string(),
      publisher: z.string(),
      hash: z.string(),
    }),
  ),
});
export type BundleList = z.infer<typeof bundleListSchema>;
