import { type ReactElement, useState } from 'react';
import { useTranslations } from 'use-intl';
import { api } from '../../../state/session/api.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Modal } from '../../../ui/dialog/modal.tsx';
import { showFailure } from '../../../ui/notices/notices.ts';
import { Form } from '../../../ui/controls/form.tsx';
import { InputField } from '../../../ui/controls/labelled.tsx';

interface DataDeleteProps {
  topics: number;
  onDeleted: () => void;
}

/** Deletes all conversations once a person has typed that they mean it. */
export function DataDelete({ topics, onDeleted }: DataDeleteProps): ReactElement {
  const t = useTranslations('data');
  const [open, setOpen] = useState(false);
  const close = () => setOpen(false);
  const { busy, deleteAll } = useDeleteAll(close, onDeleted);
  return (
    <>
      <Button
        variant="danger"
        disabled={topics === 0}
        data-testid="delete-all"
        onClick={() => setOpen(true)}
      >
        {t('deleteAction')}
      </Button>
      <Modal
        open={open}
        onClose={close}
        title={t('deleteTitle')}
        description={t('deleteWarning', { topics })}
      >
        <Confirmation busy={busy} onClose={close} onConfirm={deleteAll} />
      </Modal>
    </>
  );
}

function Confirmation(props: {
  busy: boolean;
  onClose: () => void;
  onConfirm: () => Promise<void>;
}) {
  const { busy, onClose, onConfirm } = props;
  const t = useTranslations('data');
  const common = useTranslations('common');
  const [typed, setTyped] = useState('');
  const word = t('deleteWord');
  const isMeant = typed.trim().toLowerCase() === word.toLowerCase();
  return (
    <Form className="space-y-4" onSend={() => isMeant && !busy && onConfirm()}>
      <InputField
        label={t('deleteConfirm', { word })}
        data-testid="delete-word"
        autoComplete="off"
        value={typed}
        onWrite={setTyped}
      />
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>{common('cancel')}</Button>
        <Button
          type="submit"
          variant="destroy"
          disabled={!isMeant || busy}
          data-testid="delete-all-now"
        >
          {t('deleteAction')}
        </Button>
      </div>
    </Form>
  );
}

function useDeleteAll(onClose: () => void, onDeleted: () => void) {
  const [busy, setBusy] = useState(false);
  const deleteAll = async () => {
    setBusy(true);
    try {
      await api.data.deleteTopics();
      onClose();
    } catch (error) {
      showFailure(error);
    } finally {
      setBusy(false);
      onDeleted();
    }
  };
  return { busy, deleteAll };
}
