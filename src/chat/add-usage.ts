import type { Usage } from '#shared/model.ts';

const counted = [
  'inputTokens',
  'outputTokens',
  'reasoningTokens',
  'cachedInputTokens',
  'cost',
] as const satisfies (keyof Usage)[];

/** What two requests took together; what neither says stays unsaid. */
export function addUsage(sum: Usage | undefined, more: Usage | undefined): Usage | undefined {
  if (!more) return sum;
  const total: Usage = { ...sum };
  for (const key of counted)
    if (more[key] !== undefined) total[key] = (total[key] ?? 0) + more[key];
  return total;
}
