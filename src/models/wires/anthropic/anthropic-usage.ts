import type { Usage } from '#shared/vocabulary/usage.ts';
import { countOf, fieldsOf } from '../../answers/event-data.ts';

/** Adds up what Anthropic reports of tokens: at the start, and again, more exactly, at the end. */
export class AnthropicUsage {
  #input: number | undefined;
  #output: number | undefined;
  #cacheRead = 0;
  #cacheWrite = 0;
  #thinking: number | undefined;
  #sampled: { input: number; output: number } | undefined;

  /** Takes one `usage` object; what it leaves out stays as it was. */
  add(value: unknown): void {
    const usage = fieldsOf(value);
    this.#input = countOf(usage['input_tokens']) ?? this.#input;
    this.#output = countOf(usage['output_tokens']) ?? this.#output;
    this.#cacheRead = countOf(usage['cache_read_input_tokens']) ?? this.#cacheRead;
    this.#cacheWrite = countOf(usage['cache_creation_input_tokens']) ?? this.#cacheWrite;
    const details = fieldsOf(usage['output_tokens_details']);
    this.#thinking = countOf(details['thinking_tokens']) ?? this.#thinking;
    if (Array.isArray(usage['iterations'])) this.#sampled = sumIterations(usage['iterations']);
  }

  /** Everything read and written; undefined when nothing was reported. */
  total(): Usage | undefined {
    if (this.#input === undefined && this.#output === undefined) return undefined;
    const input = this.#sampled?.input ?? this.#input ?? 0;
    return {
      inputTokens: input + this.#cacheRead + this.#cacheWrite,
      outputTokens: this.#sampled?.output ?? this.#output ?? 0,
      ...(this.#thinking !== undefined && { reasoningTokens: this.#thinking }),
      cachedInputTokens: this.#cacheRead,
      ...(this.#cacheWrite > 0 && { cacheWriteTokens: this.#cacheWrite }),
    };
  }
}

/**
 * When the vendor samples several times for one answer, the totals leave some of it out. An answer
 * that another model gave in the end is counted by the totals alone.
 */
function sumIterations(iterations: unknown[]): { input: number; output: number } | undefined {
  const own = iterations
    .map(fieldsOf)
    .filter(({ type }) => type === 'message' || type === 'compaction');
  const fellBack = iterations.some(
    (iteration) => fieldsOf(iteration)['type'] === 'fallback_message',
  );
  if (own.length === 0 || fellBack) return undefined;
  const sum = (field: string) =>
    own.reduce((total, iteration) => total + (countOf(iteration[field]) ?? 0), 0);
  return { input: sum('input_tokens'), output: sum('output_tokens') };
}
