import type { ModelParameters } from '#shared/vocabulary/model.ts';
import type { WireTarget } from '../wire.ts';

/** The part of a request that says how much to think and to write, and how freely. */
export interface AnthropicTuning {
  max_tokens: number;
  thinking?:
    | { type: 'enabled'; budget_tokens: number }
    | { type: 'adaptive'; display: 'summarized' }
    | { type: 'disabled' | 'between_tools' };
  output_config?: { effort: 'low' | 'medium' | 'high' };
  temperature?: number;
  top_p?: number;
}

type Effort = NonNullable<ModelParameters['reasoningEffort']>;

/**
 * What the parameters mean to this model. `canBudget` is false in the middle of a turn that began
 * without thinking: there the vendor refuses a budget.
 */
export function tuneAnthropic(
  parameters: ModelParameters,
  target: WireTarget,
  canBudget: boolean,
): AnthropicTuning {
  const traits = traitsOf(target.model);
  const limit = target.capabilities.outputTokens;
  const maxTokens = parameters.maxOutputTokens ?? limit ?? defaultMaxTokens;
  const effort = target.capabilities.reasoning ? parameters.reasoningEffort : undefined;
  const tuning: AnthropicTuning = { max_tokens: cap(maxTokens, limit) };
  if (effort !== undefined) Object.assign(tuning, thinkingFor(effort, traits, limit));
  // The budget counts as output, and must leave room for the answer.
  if (tuning.thinking?.type === 'enabled') {
    const fits = canBudget && (limit === undefined || limit > tuning.thinking.budget_tokens);
    if (fits) tuning.max_tokens = cap(maxTokens + tuning.thinking.budget_tokens, limit);
    else delete tuning.thinking;
  }
  return { ...tuning, ...samplingFor(parameters, target, tuning) };
}

const defaultMaxTokens = 8192;
/** The least budget that the vendor accepts. */
const minBudget = 1024;
const budgetShare = { low: 0.1, medium: 0.3, high: 0.6 };

interface Traits {
  claude: boolean;
  /** How much to think is said in tokens, or in a word. */
  thinking: 'budget' | 'adaptive';
  /** The least thinking there is. */
  least: 'disabled' | 'between_tools' | 'low';
  sampling: boolean;
}

/** Models that are not known are taken for the newest. */
function traitsOf(model: string): Traits {
  if (!model.includes('claude')) {
    return { claude: false, thinking: 'budget', least: 'disabled', sampling: true };
  }
  const [family, version] = generationOf(model);
  return {
    claude: true,
    thinking: version < 4.6 ? 'budget' : 'adaptive',
    least: leastThinking(family, version),
    sampling: version < 4.7,
  };
}

function leastThinking(family: string, version: number): Traits['least'] {
  if (family === 'sonnet' && version >= 5.5) return 'between_tools';
  const always = family === 'fable' || (family === 'opus' && version >= 5.5) || family === '';
  return always ? 'low' : 'disabled';
}

/** `claude-opus-4-5-20251101` is opus 4.5; `claude-3-7-sonnet-latest` is sonnet 3.7. */
function generationOf(model: string): [family: string, version: number] {
  const found =
    /claude-(?<family>[a-z]+)-(?<major>\d{1,2})(?:[-.](?<minor>\d))?(?!\d)/.exec(model) ??
    /claude-(?<major>\d)(?:[-.](?<minor>\d))?-(?<family>[a-z]+)/.exec(model);
  const { family = '', major, minor = '0' } = found?.groups ?? {};
  return major === undefined ? ['', Infinity] : [family, Number(`${major}.${minor}`)];
}

function thinkingFor(
  effort: Effort,
  traits: Traits,
  limit = defaultMaxTokens,
): Pick<AnthropicTuning, 'thinking' | 'output_config'> {
  if (effort === 'none') {
    return traits.least === 'low'
      ? { output_config: { effort: 'low' } }
      : { thinking: { type: traits.least } };
  }
  if (traits.thinking === 'adaptive') {
    return { thinking: { type: 'adaptive', display: 'summarized' }, output_config: { effort } };
  }
  const budget = Math.max(minBudget, Math.round(limit * budgetShare[effort]));
  return { thinking: { type: 'enabled', budget_tokens: budget } };
}

/** Claude takes one of both, and none while it thinks. */
function samplingFor(
  { temperature, topP }: ModelParameters,
  { model, quirks }: WireTarget,
  { thinking }: AnthropicTuning,
): Pick<AnthropicTuning, 'temperature' | 'top_p'> {
  const { claude, sampling } = traitsOf(model);
  const thinks = thinking !== undefined && thinking.type !== 'disabled';
  if (!sampling || thinks || quirks?.noSampling) return {};
  if (temperature === undefined) return topP === undefined ? {} : { top_p: topP };
  return {
    temperature: Math.min(1, Math.max(0, temperature)),
    ...(!claude && topP !== undefined && { top_p: topP }),
  };
}

function cap(value: number, limit: number | undefined): number {
  return limit === undefined ? value : Math.min(value, limit);
}
