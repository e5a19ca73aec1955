import { useMessages } from 'use-intl';
import type { SentenceRef } from '#shared/errors/sentence.ts';
import type { Messages } from '../../messages/en/en.ts';

/**
 * Says sentences of the host in the reader's language, by their ids. Where the language has no words for
 * one, and in English, the host's own text stays.
 */
export function useSentence(): (text: string, said: SentenceRef | undefined) => string {
  const { host } = useMessages();
  return (text, said) => tell(host, text, said);
}

/** Whether the reader's language has words for a sentence. */
export function useHasSentence(): (said: SentenceRef | undefined) => said is SentenceRef {
  const { host } = useMessages();
  return (said): said is SentenceRef => said !== undefined && Object.hasOwn(host, said.id);
}

function tell(host: Messages['host'], text: string, said: SentenceRef | undefined): string {
  const words = said && Object.hasOwn(host, said.id) ? host[said.id] : undefined;
  if (!said || words === undefined) return text;
  return words.replaceAll(/\{(\d+)\}/g, (gap, place: string) => {
    const value = said.values?.[Number(place)] ?? gap;
    return typeof value === 'object' ? tell(host, value.text, value) : String(value);
  });
}
