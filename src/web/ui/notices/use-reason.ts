import { useLocale, useTranslations } from 'use-intl';
import { type ErrorCode, type ErrorInfo, errorStatus } from '#shared/errors/errors.ts';
import { useHasSentence, useSentence } from './use-sentence.ts';

/** What a failure says to a reader. */
export interface Reason {
  text: string;
  /** The host's own sentence, where it says more than the text. */
  more?: string;
  hint?: string;
}

/** Codes that say it all: the sentence of the host adds nothing to them. */
const whole: ReadonlySet<string> = new Set<ErrorCode>([
  'message_empty',
  'unauthenticated',
  'admin_only',
  'wrong_password',
  'topic_not_found',
  'message_not_found',
  'answer_not_found',
  'assistant_not_found',
  'provider_not_found',
  'server_not_found',
  'tool_call_not_found',
  'input_not_found',
  'file_not_found',
  'user_not_found',
  'key_not_found',
  'sign_in_not_found',
  'server_not_approved',
  'server_disabled',
  'launch_changed',
  'arguments_changed',
  'already_decided',
  'cancelled',
  'shutting_down',
]);

/**
 * Says failures in the reader's language, by the ids of their sentences, else by their codes. The host
 * speaks English, so to English readers it speaks itself; where neither is known or the code tells too
 * little, its own sentence is told.
 */
export function useReason(): (error: ErrorInfo) => Reason {
  const t = useTranslations('errors');
  const isEnglish = useLocale().startsWith('en');
  const sentence = useSentence();
  const hasSentence = useHasSentence();
  return ({ code, message, hint, messageSaid, hintSaid }) => {
    const advice = hint ? { hint: sentence(hint, hintSaid) } : {};
    if (message && hasSentence(messageSaid))
      return { text: sentence(message, messageSaid), ...advice };
    const own = { text: sentence(message, messageSaid), ...advice };
    if (!hasText(code)) return message ? own : { text: t('internal') };
    if (!message) return { text: t(code) };
    if (isEnglish) return own;
    if (whole.has(code)) return { text: t(code) };
    return { text: t(code), more: message, ...advice };
  };

  function hasText(code: string): code is Parameters<typeof t>[0] {
    return Object.hasOwn(errorStatus, code) && t.has(code as Parameters<typeof t>[0]);
  }
}

/** The same in one line. */
export function inLine({ text, more }: Reason): string {
  if (!more) return text;
  return /[。！？]$/.test(text) ? text + more : `${text} ${more}`;
}
