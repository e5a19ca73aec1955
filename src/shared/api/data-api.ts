import { z } from 'zod';
import { sentenceRefSchema } from '../errors/sentence-ref-schema.ts';

/** Schemas of what a person does with all their data: see, take along, bring back, delete. */

const count = z.int().nonnegative();

/** How much is kept of one person. Sizes are bytes. */
export const storageSchema = z.object({
  topics: count,
  messages: count,
  /** Of conversations and of calls outside of them. */
  conversationBytes: count,
  files: count,
  fileBytes: count,
  /** How many bytes conversations, calls and files may take together. */
  allowedBytes: count,
});
export type StorageView = z.infer<typeof storageSchema>;

export const importQuerySchema = z.object({
  /** `1`: only say what would come in. */
  dryRun: z.enum(['0', '1']).default('0'),
  /** What becomes of topics that are here already. */
  existing: z.enum(['skip', 'copy']).default('skip'),
});
export type ImportQuery = z.infer<typeof importQuerySchema>;

/** What came in, or would. */
export const importResultSchema = z.object({
  topics: count,
  messages: count,
  files: count,
  assistants: count,
  servers: count,
  /** Topics that are here already and stay as they are. */
  skippedTopics: count,
  /** What could not be taken, and why. */
  leftOut: z.array(
    z.object({
      name: z.string(),
      reason: z.string(),
      reasonSaid: sentenceRefSchema.optional(),
      code: z.string(),
    }),
  ),
});
export type ImportResult = z.infer<typeof importResultSchema>;

export const topicExportQuerySchema = z.object({
  /** `markdown` is the branch that is shown, to read; `json` is everything, to import. */
  format: z.enum(['markdown', 'json']).default('markdown'),
});

/** How many were. */
export const deletedSchema = z.object({ deleted: z.int() });
