import { z } from 'zod';
import type { SentenceRef, Sentence } from './sentence.ts';

/** Values of one sentence: far more than any has. */
const most = 100;
const sentenceSchema: z.ZodType<Sentence> = z.object({
  id: z.string(),
  text: z.string(),
  get values() {
    return z
      .array(z.union([z.string(), z.number(), sentenceSchema]))
      .max(most)
      .optional();
  },
});

/** By what a sentence of the host is known in any language. */
export const sentenceRefSchema: z.ZodType<SentenceRef> = z.object({
  id: z.string(),
  values: z
    .array(z.union([z.string(), z.number(), sentenceSchema]))
    .max(most)
    .optional(),
});
