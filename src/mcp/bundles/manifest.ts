import { z } from 'zod';
import { issueWords } from '#shared/errors/issue-words.ts';
import { say } from '#shared/errors/sentence.ts';
import { isJsonObject, jsonExcess } from '#shared/vocabulary/json.ts';
import { bundleValueSchema } from '#shared/vocabulary/server/server-bundle.ts';
import { invalidBundle } from './bundle-error.ts';

/** The versions of the manifest that are understood. */
const versions = ['0.1', '0.2', '0.3', '0.4'] as const;
const bounds = { depth: 20, parts: 100_000, fields: 10_000 };

const text = z.string().max(32_768);
const args = z.array(text).max(500);
const env = z.record(z.string().max(1000), text);

const settingSchema = z.object({
  type: z.enum(['string', 'number', 'boolean', 'directory', 'file']),
  title: z.string().max(200).optional(),
  description: z.string().max(4096).optional(),
  required: z.boolean().optional(),
  default: bundleValueSchema.optional(),
  multiple: z.boolean().optional(),
  sensitive: z.boolean().optional(),
  min: z.number().optional(),
  max: z.number().optional(),
});
/** One of the settings that a bundle asks for. */
export type BundleSetting = z.infer<typeof settingSchema>;

const manifestSchema = z.object({
  name: z.string().trim().min(1).max(200),
  display_name: z.string().trim().max(200).optional(),
  version: z.string().min(1).max(100),
  description: z.string().max(10_000).optional(),
  author: z.object({ name: z.string().max(200) }),
  server: z.object({
    type: z.enum(['node', 'python', 'uv', 'binary']),
    entry_point: z.string().min(1).max(2048),
    mcp_config: z
      .object({
        command: z.string().min(1).max(4096),
        args: args.default([]),
        env: env.default({}),
        platform_overrides: z
          .record(
            z.string(),
            z.object({
              command: z.string().min(1).max(4096).optional(),
              args: args.optional(),
              env: env.optional(),
            }),
          )
          .optional(),
      })
      .optional(),
  }),
  compatibility: z
    .object({
      platforms: z.array(z.string().max(50)).max(20).optional(),
      runtimes: z.record(z.string().max(50), z.string().max(100)).optional(),
    })
    .optional(),
  user_config: z
    .record(z.string().regex(/^(?!__proto__$)[\w.-]{1,100}$/), settingSchema)
    .default({}),
});

/** What a bundle says of itself. Fields that mean nothing here, such as approvals, are left out. */
export type BundleManifest = z.infer<typeof manifestSchema>;

/** Reads the manifest of a bundle. Throws `invalid_bundle` that names the wrong field. */
export function readManifest(bytes: Buffer): BundleManifest {
  const value = parse(bytes);
  const version = value.manifest_version ?? value.dxt_version;
  if (!versions.some((known) => known === version))
    throw invalidBundle(
      say(
        'manifest-version',
      )`This bundle's format version (${displayOf(version)}) isn't supported.`,
      say('manifest-version-hint')`Versions ${versions.join(', ')} are supported.`,
    );
  const parsed = manifestSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const wrong = issue ? issueWords(issue) : say('issue-invalid')`isn't valid`;
  const place = issue?.path.join('.').slice(0, 200) ?? '';
  throw invalidBundle(say('manifest-field')`manifest.json isn't valid: ${place} ${wrong}.`);
}

function parse(bytes: Buffer): Record<string, unknown> {
  try {
    const text = bytes.toString('utf8').replace(/^\uFEFF/, '');
    const value: unknown = jsonExcess(text, bounds) ? undefined : JSON.parse(text);
    if (isJsonObject(value)) return value;
  } catch {
    // What is no JSON is told like any other text that is no manifest.
  }
  throw invalidBundle(say('manifest-no-json')`The bundle's manifest.json isn't a JSON object.`);
}

function displayOf(version: unknown): string {
  return typeof version === 'string' ? version.slice(0, 20) : '?';
}
