import { useMessages } from 'use-intl';
import { sayIn, type SentenceRef, toWords } from '#shared/errors/sentence.ts';

/**
 * Says sentences of the host in the reader's language, by their ids. Where the language has no words for
 * one, and in English, the host's own text stays.
 */
export function useSentence(): (text: string, ref: SentenceRef | undefined) => string {
  const { host } = useMessages();
  return (text, ref) => sayIn(host, toWords(text, ref));
}

/** Whether the reader's language has words for a sentence. */
export function useHasSentence(): (ref: SentenceRef | undefined) => ref is SentenceRef {
  const { host } = useMessages();
  return (ref): ref is SentenceRef => ref !== undefined && Object.hasOwn(host, ref.id);
}
