import type { ReactElement, ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '../controls/button.tsx';
import { useSubmit } from '../hooks/use-submit.ts';
import { ErrorNote } from '../notices/error-note.tsx';
import { Modal } from './modal.tsx';
import { Form } from '../controls/form.tsx';

interface FormModalProps {
  title: string;
  onClose: () => void;
  /** What it rejects with is shown in the dialog, which stays open. */
  save: () => Promise<void>;
  canSave?: boolean;
  saveTestId: string;
  /** The fields. */
  children: ReactNode;
}

/** A dialog with fields that are saved or left as they were; it closes when they are. */
export function FormModal(props: FormModalProps): ReactElement {
  const { title, onClose, save, canSave = true, saveTestId, children } = props;
  const t = useTranslations('common');
  const { error, submit } = useSubmit(onClose);
  return (
    <Modal open onClose={onClose} title={title}>
      <Form className="space-y-4" onSend={() => submit(save)}>
        {children}
        {error && <ErrorNote error={error} />}
        <div className="dialog-actions">
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button type="submit" variant="primary" disabled={!canSave} data-testid={saveTestId}>
            {t('save')}
          </Button>
        </div>
      </Form>
    </Modal>
  );
}
