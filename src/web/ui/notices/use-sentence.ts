import { useMessages } from 'use-intl';
import { sayIn, type SentenceRef, toWords } from '#shared/errors/sentence.ts';

/**
 * Says sentences of the host in the reader's language, by their ids. Where the language has no words for
 * one, and in English, the host's own text stays.
 */
export function useSentence(): (text: string, ref: SentenceRef | undefined) => string {
  const { host } = useMessages();
  return (text, ref) => {
    const said = sayIn(host, toWords(text, ref));
    return ref === undefined ? said : typeset(said);
  };
}

/** With the apostrophes of print, which the page has everywhere; the host writes those of a terminal. */
function typeset(text: string): string {
  return text.replaceAll(/(?<=\p{L})'(?=\p{L})/gu, '’');
}

/** Whether the reader's language has words for a sentence. */
export function useHasSentence(): (ref: SentenceRef | undefined) => ref is SentenceRef {
  const { host } = useMessages();
  return (ref): ref is SentenceRef => ref !== undefined && Object.hasOwn(host, ref.id);
}
