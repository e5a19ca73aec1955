import type { ModelParameters } from '#shared/vocabulary/model.ts';
import type { WireTarget } from '../wire.ts';

/** What a model of Google takes that its elders do not. Names without a number are the newest. */
export interface GoogleTraits {
  /** Tool results may hold media, and calls must come back with what signed them. */
  gemini3: boolean;
  /** The system prompt has to be part of the first message. */
  systemInMessage: boolean;
  thinking: 'level' | 'budget' | 'none';
}

export interface ThinkingConfig {
  includeThoughts?: true;
  thinkingLevel?: 'minimal' | 'low' | 'medium' | 'high';
  thinkingBudget?: number;
}

/** Judges a model by its name. */
export function googleTraits(model: string): GoogleTraits {
  const version = versionOf(model);
  const gemini3 = version >= 3;
  return {
    gemini3,
    systemInMessage: /(^|\/)gemma-/i.test(model),
    thinking: thinkingOf(model, version),
  };
}

/** How much to think, in this model's way; undefined leaves it to the vendor. */
export function thinkingConfig(
  { reasoningEffort: effort }: ModelParameters,
  { model, capabilities, quirks }: WireTarget,
): ThinkingConfig | undefined {
  const { thinking } = googleTraits(model);
  if (thinking === 'none' || !capabilities.reasoning) return undefined;
  const shown = !quirks?.noReasoningSummary && { includeThoughts: true as const };
  if (effort === undefined) return shown || undefined;
  if (thinking === 'level') {
    if (effort === 'none') return { thinkingLevel: leastLevel(model) };
    return { thinkingLevel: effort, ...shown };
  }
  const [least, most] = /2\.5-pro/i.test(model) ? [128, 32_768] : [0, 24_576];
  if (effort === 'none') return { thinkingBudget: least };
  const budget = Math.round(answerTokens * budgetShare[effort]);
  return { thinkingBudget: Math.min(most, budget), ...shown };
}

const answerTokens = 65_536;
const budgetShare = { low: 0.1, medium: 0.3, high: 0.6 };

function versionOf(model: string): number {
  if (!/(^|[/.])gemini-/i.test(model)) return 0;
  if (/gemini-(pro|pro-vision)$/i.test(model) || /robotics-er-1\.5/i.test(model)) return 1;
  const found = /gemini-(\d+(?:\.\d+)?)/i.exec(model)?.[1];
  return found === undefined ? Infinity : Number(found);
}

function thinkingOf(model: string, version: number): GoogleTraits['thinking'] {
  if (version < 2.5 || (version < 3 && /image|tts|audio/i.test(model))) return 'none';
  return version < 3 ? 'budget' : 'level';
}

/** From 3 on a model cannot be told not to think; some cannot be told to think next to nothing. */
function leastLevel(model: string): 'minimal' | 'low' {
  const version = versionOf(model);
  const flash = /flash/i.test(model) && !/flash-lite/i.test(model);
  if (/-pro(?!.*image)/i.test(model) || /flash-latest$/i.test(model)) return 'low';
  return flash && version >= 3.7 && Number.isFinite(version) ? 'low' : 'minimal';
}
