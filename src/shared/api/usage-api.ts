import { z } from 'zod';

/** Schemas of what was used: calls, answers, tokens and how long they took. */

const count = z.int().nonnegative();
/** Half of them, and all but one in twenty, took no longer. Absent where none has ended. */
const times = { medianMs: z.number().optional(), p95Ms: z.number().optional() };
const tokens = {
  inputTokens: count,
  cachedInputTokens: count,
  outputTokens: count,
  reasoningTokens: count,
  /** In US dollars, as far as the vendors told it or prices were set. */
  cost: z.number().nonnegative(),
  /** How much of it is by prices that were set. */
  estimatedCost: z.number().nonnegative(),
};
const callCounts = { calls: count, failedCalls: count };
const answerCounts = { answers: count, failedAnswers: count };

export const usageQuerySchema = z.object({
  /** How many days, today included. */
  days: z.coerce.number().int().min(1).max(366).default(30),
  /** Minutes that the reader's clock is ahead of UTC: where a day begins. */
  offset: z.coerce
    .number()
    .int()
    .min(-14 * 60)
    .max(14 * 60)
    .default(0),
});
export type UsageQuery = z.infer<typeof usageQuerySchema>;

const serverUsageSchema = z.object({
  serverId: z.string(),
  serverName: z.string(),
  ...callCounts,
  ...times,
});

export const usageSchema = z.object({
  from: z.number(),
  to: z.number(),
  /** Every day of the span, the oldest first, also those without any use. */
  days: z.array(z.object({ day: z.iso.date(), ...callCounts, ...answerCounts, ...tokens })),
  /** The most used first, 50 at most. */
  servers: z.array(serverUsageSchema),
  tools: z.array(serverUsageSchema.extend({ toolName: z.string() })),
  models: z.array(z.object({ model: z.string(), ...answerCounts, ...tokens, ...times })),
});
export type UsageView = z.infer<typeof usageSchema>;
