import { useTranslations } from 'use-intl';
import { readLimits } from '../../../state/session/limits.ts';
import { showNotice } from '../../../ui/notices/notices.ts';
import { attachFiles } from './attach-files.ts';

/** Attaches files to the unsent message and says what was too much. */
export function useAttach(topicId: string | null): (files: File[]) => void {
  const t = useTranslations('composer');
  return (files) => {
    const left = attachFiles(topicId, files);
    if (left > 0) showNotice(t('tooMany', { most: readLimits().filesPerMessage, left }));
  };
}
