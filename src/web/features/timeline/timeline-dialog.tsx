import type { ReactElement } from 'react';
import { useTranslations } from 'use-intl';
import { Modal } from '../../ui/dialog/modal.tsx';
import { TimelineView } from './timeline-view.tsx';

/** The timeline of an answer in a dialog of its own. */
export function TimelineDialog(props: {
  answerId: string;
  open: boolean;
  onClose: () => void;
}): ReactElement {
  const t = useTranslations('timeline');
  return (
    <Modal open={props.open} onClose={props.onClose} title={t('title')} isWide>
      <TimelineView answerId={props.answerId} />
    </Modal>
  );
}
