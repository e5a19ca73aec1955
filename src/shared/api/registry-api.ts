import { z } from 'zod';
import { errorInfoSchema } from '../errors/error-info-schema.ts';
import { catalogueWaySchema } from '../vocabulary/server/installed-from.ts';
import { bundleValueSchema } from '../vocabulary/server/server-bundle.ts';
import { attachmentSchema } from '../vocabulary/server.ts';
import { serverViewSchema } from './api.ts';
import { importQuestionSchema, importViewSchema } from './import-api.ts';
import { sandboxSchema } from './server-api.ts';

/** Schemas of the catalogue: servers that registries list, to be added as drafts. */

const id = z.string().min(1).max(100);
const name = z.string().min(1).max(500);

export const registryViewSchema = z.object({
  id,
  name: z.string(),
  /** Absent: the list that ships with Cerise, or one that was read from a file. */
  url: z.string().optional(),
  /** When its copy was fetched; absent: never. */
  copiedAt: z.number().optional(),
  /** When it was last asked, whatever came of it. */
  checkedAt: z.number().optional(),
  /** How many servers the copy has. */
  count: z.number(),
  /** Why the last check failed; the copy before it stays. */
  error: errorInfoSchema.optional(),
});

/** What users who are no admins can install: everything of these registries, and these entries. */
export const catalogueLimitSchema = z.strictObject({
  registries: z.array(id).max(20),
  entries: z.array(z.strictObject({ registry: id, name })).max(1000),
});
export type CatalogueLimit = z.infer<typeof catalogueLimitSchema>;

export const registriesSchema = z.object({
  registries: z.array(registryViewSchema),
  /** Absent: users can install what they like. */
  limit: catalogueLimitSchema.optional(),
});
export type RegistryList = z.infer<typeof registriesSchema>;

export const setRegistriesSchema = z.strictObject({
  /** Absent: they stay as they are. */
  registries: z
    .array(
      z.strictObject({
        id: id.regex(/^[a-z0-9-]+$/),
        name: z.string().trim().min(1).max(100),
        /** Of a registry, or of a JSON file if it ends in `.json`. Absent: its servers come from `file`. */
        url: z
          .url({ protocol: /^https?$/ })
          .max(2000)
          .optional(),
        /** The text of a JSON file that lists servers; absent: those that it has stay. */
        file: z.string().max(1_000_000).optional(),
      }),
    )
    .max(20)
    .optional(),
  /** Null: no limit. */
  limit: catalogueLimitSchema.nullish(),
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
  /** What the registry says about its status, such as what to use instead. */
  statusMessage: z.string().optional(),
  /** When this version was published, in milliseconds. */
  publishedAt: z.number().optional(),
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

export const checkRegistrySchema = z.strictObject({
  registry: id.optional(),
  /** Only those that were not asked for a while. */
  stale: z.boolean().default(false),
});
export type CheckRegistry = z.input<typeof checkRegistrySchema>;

export const entryVersionsSchema = z.strictObject({ registry: id, name });
export type EntryVersions = z.input<typeof entryVersionsSchema>;
export const versionListSchema = z.object({ versions: z.array(registryEntrySchema) });
export type VersionList = z.infer<typeof versionListSchema>;

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
  /** For a bundle that `/api/bundles/fetch` downloaded: its `file` and settings. */
  bundle: z
    .strictObject({
      file: id,
      values: z.record(z.string(), bundleValueSchema.nullable()).default({}),
      /** Absent: the name in the bundle. */
      name: z.string().trim().min(1).max(100).optional(),
      /** The server that it updates. */
      server: id.optional(),
    })
    .optional(),
  /** Makes it a session server. */
  attachedTo: attachmentSchema.optional(),
  /** The request that this fulfils; only for admins. */
  request: id.optional(),
});
export type InstallEntry = z.input<typeof installEntrySchema>;

/** What is or would be added; a bundle has its address and SHA-256 and is installed by `/api/bundles`. */
export const installedEntrySchema = importViewSchema.extend({
  entry: registryEntrySchema,
  /** The places that only an admin can install for this user; they can be requested. */
  needsAdmin: z.array(z.string()),
  /** With `dryRun`: whether the system would keep a local server to its access. */
  sandbox: sandboxSchema.optional(),
});
export type InstalledEntry = z.infer<typeof installedEntrySchema>;

const change = z.object({ before: z.string(), after: z.string() });
const names = z.object({
  added: z.array(z.string()),
  removed: z.array(z.string()),
  changed: z.array(z.string()),
});
/** What an update changes. Values of variables and headers are not told, only their names. */
export const serverDifferenceSchema = z.object({
  version: change,
  command: change.optional(),
  args: z.object({ before: z.array(z.string()), after: z.array(z.string()) }).optional(),
  /** The address of a remote server. */
  url: change.optional(),
  /** Where packages are fetched from. */
  registryUrl: change.optional(),
  env: names,
  headers: names,
});
export type ServerDifference = z.infer<typeof serverDifferenceSchema>;

/** A newer version of what a server was installed from. */
export const serverUpdateSchema = z.object({
  server: id,
  name: z.string(),
  /** The version that is installed. */
  version: z.string(),
  entry: registryEntrySchema,
  /** Absent for a bundle, whose difference is known once it is downloaded. */
  difference: serverDifferenceSchema.optional(),
  bundle: z.object({ url: z.string(), sha256: z.string(), place: z.string() }).optional(),
});
export type ServerUpdate = z.infer<typeof serverUpdateSchema>;
export const serverUpdatesSchema = z.object({ updates: z.array(serverUpdateSchema) });
export type ServerUpdates = z.infer<typeof serverUpdatesSchema>;

export const updateEntrySchema = z.strictObject({
  server: id,
  /** The version that was shown: another one is refused. */
  version: z.string().max(256),
  dryRun: z.boolean().default(false),
  /** By the id of their question; what is not given stays as it is. */
  answers: z.record(z.string().max(200), z.string().max(32_768)).default({}),
});
export type UpdateEntry = z.input<typeof updateEntrySchema>;
export const updatedEntrySchema = serverUpdateSchema.extend({
  /** What has no value yet. */
  questions: z.array(importQuestionSchema),
  /** What would be run or reached; values of variables and headers are hidden. */
  config: z.unknown().optional(),
  /** The server, which needs a new approval; absent in a dry run. */
  updated: serverViewSchema.optional(),
});
export type UpdatedEntry = z.infer<typeof updatedEntrySchema>;

export const requestEntrySchema = catalogueWaySchema;
export type RequestEntry = z.input<typeof requestEntrySchema>;
export const installRequestSchema = catalogueWaySchema.extend({
  id,
  title: z.string(),
  /** Who asks; absent: you. */
  user: z.string().optional(),
  status: z.enum(['open', 'approved', 'denied']),
  /** What was installed. */
  server: z.string().optional(),
  createdAt: z.number(),
  decidedAt: z.number().optional(),
});
export type InstallRequestView = z.infer<typeof installRequestSchema>;
export const installRequestsSchema = z.object({ requests: z.array(installRequestSchema) });
export type InstallRequests = z.infer<typeof installRequestsSchema>;
