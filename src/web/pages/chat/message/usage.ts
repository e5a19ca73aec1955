import type { Message } from '#shared/vocabulary/message.ts';

/** What an answer took, as far as that is known. */
export interface AnswerUsage {
  input?: number;
  cached?: number;
  cacheWrite?: number;
  output?: number;
  reasoning?: number;
  /** In US dollars. */
  cost?: number;
  /** The vendor did not say all of the cost. */
  isEstimated?: true;
  /** Milliseconds from the question to the end. */
  time?: number;
  /** Tokens a second while it wrote and thought; tools and waiting do not count. */
  speed?: number;
}

/** Milliseconds of writing below which a speed says nothing. */
const minWritingMs = 250;

/** Sums up what an answer took, its translations left out. */
export function usageOf(message: Message): AnswerUsage {
  const { usage = {}, createdAt, endedAt } = message;
  const output = usage.outputTokens;
  const writing = message.blocks.reduce((sum, block) => {
    const isWritten = block.type === 'main_text' || block.type === 'thinking';
    return isWritten && block.endedAt !== undefined ? sum + block.endedAt - block.startedAt : sum;
  }, 0);
  return {
    ...(usage.inputTokens !== undefined && { input: usage.inputTokens }),
    ...(output !== undefined && { output }),
    ...(usage.cachedInputTokens && { cached: usage.cachedInputTokens }),
    ...(usage.cacheWriteTokens && { cacheWrite: usage.cacheWriteTokens }),
    ...(usage.reasoningTokens && { reasoning: usage.reasoningTokens }),
    ...(usage.cost !== undefined && { cost: usage.cost }),
    ...(usage.costEstimated && { isEstimated: true }),
    ...(endedAt !== undefined && { time: endedAt - createdAt }),
    ...(output && writing >= minWritingMs && { speed: (output * 1000) / writing }),
  };
}
