import type { ReactElement, ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '../controls/button.tsx';
import { Form } from '../controls/form.tsx';
import { useSubmit } from '../hooks/use-submit.ts';
import { ErrorNote } from '../notices/error-note.tsx';
import { Modal } from './modal.tsx';

interface FormModalProps {
  title: string;
  description?: string | undefined;
  onClose: () => void;
  /** Gets what was filled in. What it rejects with is shown in the dialog, which stays open. */
  save: (form: FormData) => Promise<unknown>;
  canSave?: boolean;
  /** What its button says; "Save" unless told. */
  saveText?: string;
  saveTestId?: string;
  /** The fields. */
  children: ReactNode;
}

/** A dialog with fields that are saved or left as they were; it closes when they are. */
export function FormModal(props: FormModalProps): ReactElement {
  const { title, description, onClose, save, children, ...actions } = props;
  const { error, submit } = useSubmit(onClose);
  return (
    <Modal open onClose={onClose} title={title} description={description}>
      <Form className="space-y-4" onSend={(form) => submit(() => save(form))}>
        {children}
        {error && <ErrorNote error={error} />}
        <DialogActions onClose={onClose} {...actions} />
      </Form>
    </Modal>
  );
}

type DialogActionsProps = Pick<
  FormModalProps,
  'onClose' | 'canSave' | 'saveText' | 'saveTestId'
> & { children?: ReactNode };

/** The end of a form in a dialog: the way back and the button that sends it, after what else can be done. */
export function DialogActions(props: DialogActionsProps): ReactElement {
  const t = useTranslations('common');
  const { onClose, canSave = true, saveText = t('save'), saveTestId, children } = props;
  return (
    <div className="dialog-actions">
      {children}
      <Button onClick={onClose}>{t('cancel')}</Button>
      <Button type="submit" variant="primary" disabled={!canSave} data-testid={saveTestId}>
        {saveText}
      </Button>
    </div>
  );
}
