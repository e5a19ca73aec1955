import { useTranslations } from 'use-intl';
import type { Assistant } from '#shared/vocabulary/message.ts';

/** Names assistants for the reader: the one that everyone starts with is translated until it is renamed. */
export function useAssistantName(): (assistant: Assistant) => string {
  const t = useTranslations('composer');
  return ({ id, name }) => (id === 'default' && name === 'Assistant' ? t('assistant') : name);
}
