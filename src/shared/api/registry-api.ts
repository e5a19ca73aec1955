import { z } from 'zod';
import { errorInfoSchema } from '../errors/error-info-schema.ts';
import { importViewSchema } from './import-api.ts';

/** Schemas of the catalogue: servers that registries list, to be added as drafts. */

const id = z.string().min(1).max(100);
const name = z.string().min(1).max(500);

/** The list that ships with Cerise; it needs no network. */
export const pickedRegistry = 'picked';

export const registryViewSchema = z.object({
  id,
  name: z.string(),
  /** Absent: the list that ships with Cerise. */
  url: z.string().optional(),
  /** When its copy was fetched; absent: never. */
  copiedAt: z.number().optional(),
  /** How many servers the copy has. */
  count: z.number(),
  /** Why the last check failed; the copy before it stays. */
  error: errorInfoSchema.optional(),
});

export const registriesSchema = z.object({ registries: z.array(registryViewSchema) });
export type RegistryList = z.infer<typeof registriesSchema>;

export const setRegistriesSchema = z.strictObject({
  registries: z
    .array(
      z.strictObject({
        id: id.regex(/^[a-z0-9-]+$/),
        name: z.string().trim().min(1).max(100),
        url: z.url({ protocol: /^https?$/ }).max(2000),
      }),
    )
    .max(20),
});
export type SetRegistries = z.input<typeof setRegistriesSchema>;

export const searchRegistrySchema = z.strictObject({
  search: z.string().max(500).default(''),
  /** Absent: all of them. */
  registry: id.optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
});
export type SearchRegistry = z.input<typeof searchRegistrySchema>;

export const registryEntrySchema = z.object({
  registry: id,
  /** Unique in its registry. */
  name,
  title: z.string(),
  description: z.string(),
  version: z.string(),
  status: z.enum(['active', 'deprecated']),
  /** The kinds of its packages and addresses: npm, pypi, oci, nuget, mcpb, streamable-http, sse. */
  kinds: z.array(z.string()),
  website: z.string().optional(),
  repository: z.string().optional(),
});
export type RegistryEntry = z.infer<typeof registryEntrySchema>;

export const registrySearchSchema = z.object({
  entries: z.array(registryEntrySchema),
  /** How many match. */
  total: z.number(),
});
export type RegistrySearch = z.infer<typeof registrySearchSchema>;

export const checkRegistrySchema = z.strictObject({ registry: id.optional() });

export const installEntrySchema = z.strictObject({
  registry: id,
  name,
  /** The version that was shown: another one is refused. */
  version: z.string().max(256),
  /** Only says what would be added. */
  dryRun: z.boolean().default(false),
  /** Which of its packages and addresses; absent: all of them. */
  only: z.array(z.string().max(200)).max(100).optional(),
  /** By the id of their question. */
  answers: z.record(z.string().max(200), z.string().max(32_768)).default({}),
});
export type InstallEntry = z.input<typeof installEntrySchema>;

/** What is or would be added; a bundle has its address and SHA-256 and is installed by `/api/bundles`. */
export const installedEntrySchema = importViewSchema.extend({ entry: registryEntrySchema });
export type InstalledEntry = z.infer<typeof installedEntrySchema>;
