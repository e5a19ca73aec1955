import { z } from 'zod';
import { sentenceRefSchema } from '../errors/sentence-ref-schema.ts';
import { attachmentSchema } from '../vocabulary/server.ts';
import { serverViewSchema } from './api.ts';

/** Schemas of importing and exporting servers. */

export const importServersSchema = z.strictObject({
  /** JSON of another host (comments allowed), an install link or an address. */
  text: z.string().min(1).max(400_000),
  /** Only says what would be added. */
  dryRun: z.boolean().default(false),
  /** By the id of their question. */
  answers: z.record(z.string().max(200), z.string().max(32_768)).default({}),
  /** The places of the entries that are wanted; absent: all. */
  only: z.array(z.string().max(8192)).max(100).optional(),
  /** Makes them session servers. */
  attachedTo: attachmentSchema.optional(),
});
export type ImportServers = z.input<typeof importServersSchema>;

export const importQuestionSchema = z.object({
  id: z.string(),
  label: z.string().optional(),
  secret: z.boolean(),
  default: z.string().optional(),
  options: z.array(z.string()).optional(),
  /** Without a value, what it stands in is left out. */
  optional: z.literal(true).optional(),
  /** The answer will be stored and shown as it is, as a part of an argument for example. */
  inClear: z.boolean(),
});
export type ImportQuestionView = z.infer<typeof importQuestionSchema>;

const importedEntrySchema = z.object({
  /** Where it stands in the text. */
  place: z.string(),
  name: z.string(),
  /** What would be run or reached; values of variables and headers are hidden. */
  config: z.unknown().optional(),
  /** It is a bundle, to be installed from this address. */
  bundle: z.object({ url: z.string(), sha256: z.string() }).optional(),
  /** The ids of its questions. */
  questions: z.array(z.string()),
  /** Fields that an import may not set, such as tools that run without asking. */
  leftOut: z.array(z.string()),
  /** The same server is there already: it is not added again. */
  exists: z.boolean(),
  error: z
    .object({
      code: z.string(),
      message: z.string(),
      hint: z.string().optional(),
      messageSaid: sentenceRefSchema.optional(),
      hintSaid: sentenceRefSchema.optional(),
    })
    .optional(),
  /** What was added: a draft, or a server that is switched off. */
  server: serverViewSchema.optional(),
});
export type ImportedEntry = z.infer<typeof importedEntrySchema>;

export const importViewSchema = z.object({
  entries: z.array(importedEntrySchema),
  questions: z.array(importQuestionSchema),
});
export type ImportView = z.infer<typeof importViewSchema>;

export const exportQuerySchema = z.strictObject({
  format: z.enum(['cerise', 'claude', 'vscode']).default('cerise'),
});
export type ExportFormat = z.infer<typeof exportQuerySchema>['format'];
/** The settings of the format; where a secret would stand, a placeholder does. */
export const exportSchema = z.looseObject({});
