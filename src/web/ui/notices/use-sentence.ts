import { useMessages } from 'use-intl';
import type { SentenceRef } from '#shared/errors/sentence.ts';
import type { Messages } from '../../messages/en/en.ts';

/**
 * Says sentences of the host in the reader's language, by their ids. Where the language has no words for
 * one, and in English, the host's own text stays.
 */
export function useSentence(): (text: string, ref: SentenceRef | undefined) => string {
  const { host } = useMessages();
  return (text, ref) => tell(host, text, ref);
}

/** Whether the reader's language has words for a sentence. */
export function useHasSentence(): (ref: SentenceRef | undefined) => ref is SentenceRef {
  const { host } = useMessages();
  return (ref): ref is SentenceRef => ref !== undefined && Object.hasOwn(host, ref.id);
}

function tell(host: Messages['host'], text: string, ref: SentenceRef | undefined): string {
  const words = ref && Object.hasOwn(host, ref.id) ? host[ref.id] : undefined;
  if (!ref || words === undefined) return text;
  return words.replaceAll(/\{(\d+)\}/g, (gap, place: string) => {
    const value = ref.values?.[Number(place)] ?? gap;
    return typeof value === 'object' ? tell(host, value.text, value) : String(value);
  });
}
