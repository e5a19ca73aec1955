import { z } from 'zod';
import type { ErrorCode, ErrorInfo } from './errors.ts';
import { sentenceRefSchema } from './sentence-ref-schema.ts';

/** An error as it is stored and transported. Its code may be one of another version. */
export const errorInfoSchema: z.ZodType<ErrorInfo> = z.object({
  code: z.string().pipe(z.custom<ErrorCode>()),
  message: z.string(),
  hint: z.string().optional(),
  details: z.unknown().optional(),
  messageSaid: sentenceRefSchema.optional(),
  hintSaid: sentenceRefSchema.optional(),
});
