import type { ReactElement } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '../controls/button.tsx';
import { regainFocus } from '../focus/regain-focus.ts';
import { useBusy } from '../hooks/use-busy.ts';
import { useIsMounted } from '../hooks/use-submit.ts';
import { Modal } from './modal.tsx';

interface ConfirmProps {
  open: boolean;
  onClose: () => void;
  title: string;
  text: string;
  action: () => Promise<void>;
}

/** Asks before something is deleted for good. */
export function ConfirmDelete({ open, onClose, title, text, action }: ConfirmProps): ReactElement {
  const t = useTranslations('common');
  const [busy, act] = useBusy();
  const isShown = useIsMounted();
  const run = async () => {
    await action();
    if (isShown()) onClose();
    // The button that led here is often gone with what was deleted.
    regainFocus();
  };
  return (
    <Modal open={open} onClose={onClose} title={title} description={text}>
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>{t('cancel')}</Button>
        <Button variant="destroy" disabled={busy} onClick={() => void act(run)}>
          {t('delete')}
        </Button>
      </div>
    </Modal>
  );
}
