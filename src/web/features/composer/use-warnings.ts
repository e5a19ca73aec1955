import { useTranslations } from 'use-intl';
import { isTextType, takesMedium } from '#shared/vocabulary/media-input.ts';
import { useCatalog } from '../../state/catalog/catalog.ts';
import type { DraftAttachment } from '../../state/chat/stored-draft.ts';
import { useChatSettings } from '../../state/chat/use-chat-settings.ts';
import { useLimits } from '../../state/session/limits.ts';

/** What the chosen model will not get of what is attached, as a sentence; undefined if it gets all. */
export function useWarnings(
  topicId: string | null,
  attachments: DraftAttachment[],
): string | undefined {
  const t = useTranslations('composer');
  const { model } = useChatSettings(topicId);
  const { imageToModel } = useLimits();
  const info = useCatalog(({ models }) => models.find(({ id }) => id === model));
  const media = attachments.filter(({ mimeType = 'text/plain' }) => !isTextType(mimeType));
  const untaken = media.filter(({ mimeType = '' }) => !takesMedium(mimeType, info?.capabilities));
  const large = media.filter((one) => !untaken.includes(one) && isLargeImage(one, imageToModel));
  const values = (some: DraftAttachment[]) => ({
    model: info?.name ?? model,
    names: some.map(({ name }) => name).join(', '),
    count: some.length,
  });
  const sentences = [
    ...(untaken.length > 0 ? [t('cannotTake', values(untaken))] : []),
    ...(large.length > 0
      ? [t('largeImage', { ...values(large), size: imageToModel / 1024 / 1024 })]
      : []),
  ];
  return sentences.length === 0 ? undefined : sentences.join(' ');
}

function isLargeImage(one: DraftAttachment, most: number): boolean {
  return one.kind === 'file' && one.mimeType.startsWith('image/') && one.size > most;
}
