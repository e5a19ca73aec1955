import { isMediaRefusal } from '../failures/model-errors.ts';
import { gatherEvidence } from '../failures/model-evidence.ts';
import type { WireQuirks, WireTarget } from './wire.ts';

/**
 * What to do otherwise after a refusal; undefined when nothing can be learned from it. Pure. Each
 * lesson can be learned once, so that asking again ends.
 */
export function learnFromRefusal(
  error: unknown,
  target: WireTarget,
  sentMedia: boolean,
): WireTarget | undefined {
  const { capabilities, quirks = {} } = target;
  const takesMedia = capabilities.imagesIn || capabilities.audioIn || capabilities.filesIn;
  if (sentMedia && takesMedia && isMediaRefusal(error)) return withoutMedia(target);
  const { status, message } = gatherEvidence(error);
  if (status !== 400 && status !== 422) return undefined;
  const lesson = lessons.find(({ said, known }) => said.test(message) && !known(quirks));
  return lesson && { ...target, quirks: { ...quirks, ...lesson.quirks } };
}

/** The same model, as one that takes nothing but words. */
export function withoutMedia(target: WireTarget): WireTarget {
  const none = { imagesIn: false, audioIn: false, filesIn: false };
  return { ...target, capabilities: { ...target.capabilities, ...none } };
}

interface Lesson {
  said: RegExp;
  quirks: WireQuirks;
  known: (quirks: WireQuirks) => boolean;
}

/** What vendors and gateways write when they are given a field they do not take. */
const lessons: Lesson[] = [
  {
    said: /max_completion_tokens['"`]? instead|use ['"`]?max_completion_tokens/i,
    quirks: { maxTokensField: 'max_completion_tokens' },
    known: ({ maxTokensField }) => maxTokensField === 'max_completion_tokens',
  },
  {
    said: /stream_options|include_usage/i,
    quirks: { noStreamUsage: true },
    known: ({ noStreamUsage }) => noStreamUsage === true,
  },
  {
    said: /unexpected role '?user'? after role '?tool/i,
    quirks: { noUserAfterResults: true },
    known: ({ noUserAfterResults }) => noUserAfterResults === true,
  },
  {
    said: /reasoning[._ ]summar/i,
    quirks: { noReasoningSummary: true },
    known: ({ noReasoningSummary }) => noReasoningSummary === true,
  },
  {
    said: /reasoning[._]effort|enable_thinking|['"`]thinking['"`]/i,
    quirks: { reasoning: undefined },
    known: ({ reasoning }) => reasoning === undefined,
  },
  {
    said: /(unsupported|not supported|does not support|only the default|deprecated)[^]*\b(temperature|top_p)\b|\b(temperature|top_p)\b[^]*(unsupported|not supported|does not support|only the default|only [\d.]+ is allowed|deprecated)/i,
    quirks: { noSampling: true },
    known: ({ noSampling }) => noSampling === true,
  },
];
