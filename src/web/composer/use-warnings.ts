import { useTranslations } from 'use-intl';
import { isTextType, takesMedium } from '#shared/media-input.ts';
import { useCatalog } from '../state/catalog.ts';
import type { DraftAttachment } from '../state/drafts.ts';
import { useChatSettings } from './use-chat-settings.ts';

/** What the chosen model will not get of what is attached, as a sentence; undefined if it gets all. */
export function useWarnings(
  topicId: string | null,
  attachments: DraftAttachment[],
): string | undefined {
  const t = useTranslations('composer');
  const { model } = useChatSettings(topicId);
  const info = useCatalog(({ models }) => models.find(({ id }) => id === model));
  const names = attachments
    .filter(({ mimeType = 'text/plain' }) => !isTextType(mimeType))
    .filter(({ mimeType = '' }) => !takesMedium(mimeType, info?.capabilities))
    .map(({ name }) => name);
  if (names.length === 0) return undefined;
  return t('cannotTake', {
    model: info?.name ?? model,
    names: names.join(', '),
    count: names.length,
  });
}
