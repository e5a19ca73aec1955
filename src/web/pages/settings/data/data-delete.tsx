import { type ReactElement, useState } from 'react';
import { useTranslations } from 'use-intl';
import { api } from '../../../state/session/api.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Field } from '../../../ui/controls/field.tsx';
import { Modal } from '../../../ui/dialog/modal.tsx';
import { showFailure } from '../../../ui/notices/notices.ts';

interface DataDeleteProps {
  topics: number;
  onDeleted: () => void;
}

/** Deletes all conversations once a person has typed that they mean it. */
export function DataDelete({ topics, onDeleted }: DataDeleteProps): ReactElement {
  const t = useTranslations('data');
  const common = useTranslations('common');
  const [open, setOpen] = useState(false);
  const [typed, setTyped] = useState('');
  const [busy, setBusy] = useState(false);
  const word = t('deleteWord');
  const isMeant = typed.trim().toLowerCase() === word.toLowerCase();
  const close = () => {
    setOpen(false);
    setTyped('');
  };
  const run = async () => {
    setBusy(true);
    try {
      await api.data.deleteTopics();
      close();
    } catch (error) {
      showFailure(error);
    } finally {
      setBusy(false);
      onDeleted();
    }
  };
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
        <form
          className="space-y-4"
          onSubmit={(event) => {
            event.preventDefault();
            if (isMeant && !busy) void run();
          }}
        >
          <Field label={t('deleteConfirm', { word })}>
            {(ids) => (
              <input
                {...ids}
                data-testid="delete-word"
                autoComplete="off"
                value={typed}
                onChange={(event) => setTyped(event.target.value)}
                className="input"
              />
            )}
          </Field>
          <div className="flex justify-end gap-2">
            <Button onClick={close}>{common('cancel')}</Button>
            <Button
              type="submit"
              variant="destroy"
              disabled={!isMeant || busy}
              data-testid="delete-all-now"
            >
              {t('deleteAction')}
            </Button>
          </div>
        </form>
      </Modal>
    </>
  );
}
