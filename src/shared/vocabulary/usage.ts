import { z } from 'zod';

const tokens = z.number().nonnegative().optional();

export const usageSchema = z.object({
  inputTokens: tokens,
  outputTokens: tokens,
  reasoningTokens: tokens,
  /** Part of `inputTokens`: read from the vendor's cache, and written into it where that is counted. */
  cachedInputTokens: tokens,
  cacheWriteTokens: tokens,
  /** In US dollars: what the vendor asks for, else by the price that was set when it was used. */
  cost: z.number().nonnegative().optional(),
  /** Some of the cost is by a price that was set, not by what the vendor said. */
  costEstimated: z.literal(true).optional(),
});
export type Usage = z.infer<typeof usageSchema>;
