import { useMessages } from 'use-intl';
import type { RegistryEntry } from '#shared/api/registry-api.ts';
import { sayIn } from '#shared/errors/sentence.ts';
import { entryWords } from '#shared/messages/builtin-tool.ts';

/** Says the description of an entry of the catalogue in the reader's language, where it is Cerise's own. */
export function useEntryText(entry: RegistryEntry): string {
  const { host } = useMessages();
  return sayIn(host, entryWords(entry));
}
