import type { ModelPrice } from '#shared/vocabulary/model.ts';
import type { Usage } from '#shared/vocabulary/usage.ts';

const counted = [
  'inputTokens',
  'outputTokens',
  'reasoningTokens',
  'cachedInputTokens',
  'cacheWriteTokens',
  'cost',
] as const satisfies (keyof Usage)[];

/** What two requests took together; what neither says stays unsaid. */
export function addUsage(sum: Usage | undefined, more: Usage | undefined): Usage | undefined {
  if (!more) return sum;
  const total: Usage = { ...sum };
  for (const key of counted)
    if (more[key] !== undefined) total[key] = (total[key] ?? 0) + more[key];
  if (more.costEstimated) total.costEstimated = true;
  return total;
}

const million = 1_000_000;

/** What one request took with its cost by the price, where the vendor did not tell the cost itself. */
export function withCost(
  usage: Usage | undefined,
  price: ModelPrice | undefined,
): Usage | undefined {
  if (!usage || !price || usage.cost !== undefined) return usage;
  const { inputTokens = 0, outputTokens = 0 } = usage;
  const { cachedInputTokens: cached = 0, cacheWriteTokens: written = 0 } = usage;
  const { input, output, cachedInput = input, cacheWrite = input } = price;
  const plain = Math.max(0, inputTokens - cached - written);
  const sum = plain * input + cached * cachedInput + written * cacheWrite + outputTokens * output;
  return { ...usage, cost: sum / million, costEstimated: true };
}
