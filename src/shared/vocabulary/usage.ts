export interface Usage {
  inputTokens?: number;
  outputTokens?: number;
  reasoningTokens?: number;
  /** Part of `inputTokens`: read from the vendor's cache, and written into it where that is counted. */
  cachedInputTokens?: number;
  cacheWriteTokens?: number;
  /** In US dollars: what the vendor asks for, else by the price that was set when it was used. */
  cost?: number;
  /** Some of the cost is by a price that was set, not by what the vendor said. */
  costEstimated?: true;
}
