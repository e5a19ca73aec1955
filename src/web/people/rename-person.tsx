import { type ReactElement, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { UserView } from '#shared/people-api.ts';
import { type ErrorInfo, toErrorInfo } from '#shared/errors.ts';
import { peopleApi } from '../api/people-api.ts';
import { Button } from '../ui/button.tsx';
import { ErrorNote } from '../ui/error-note.tsx';
import { Field } from '../ui/field.tsx';
import { Modal } from '../ui/modal.tsx';

interface RenamePersonProps {
  user: UserView;
  onClose: () => void;
  onRenamed: () => void;
}

/** Gives somebody another name; with a password they sign in by it. */
export function RenamePerson({ user, onClose, onRenamed }: RenamePersonProps): ReactElement {
  const t = useTranslations('people');
  const common = useTranslations('common');
  const [name, setName] = useState(user.name);
  const [error, setError] = useState<ErrorInfo | null>(null);
  const save = async () => {
    try {
      await peopleApi.updateUser(user.id, { name: name.trim() });
      onClose();
      onRenamed();
    } catch (failure) {
      setError(toErrorInfo(failure));
    }
  };
  return (
    <Modal open onClose={onClose} title={t('renamePerson', { name: user.name })}>
      <form
        className="space-y-4"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <Field label={t('name')} {...(user.hasPassword && { hint: t('renameHint') })}>
          {(ids) => (
            <input
              {...ids}
              required
              maxLength={100}
              autoComplete="off"
              data-testid="person-name"
              value={name}
              onChange={(event) => setName(event.target.value)}
              className="input"
            />
          )}
        </Field>
        {error && <ErrorNote error={error} />}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{common('cancel')}</Button>
          <Button type="submit" variant="primary" data-testid="save-name">
            {common('save')}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
