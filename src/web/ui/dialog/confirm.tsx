import { type ReactElement, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '../controls/button.tsx';
import { regainFocus } from '../focus/regain-focus.ts';
import { useIsMounted } from '../hooks/use-submit.ts';
import { showFailure } from '../notices/notices.ts';
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
  const [busy, setBusy] = useState(false);
  const isShown = useIsMounted();
  const run = async () => {
    setBusy(true);
    try {
      await action();
      if (isShown()) onClose();
      // The button that led here is often gone with what was deleted.
      regainFocus();
    } catch (error) {
      showFailure(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Modal open={open} onClose={onClose} title={title} description={text}>
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>{t('cancel')}</Button>
        <Button variant="destroy" disabled={busy} onClick={() => void run()}>
          {t('delete')}
        </Button>
      </div>
    </Modal>
  );
}
