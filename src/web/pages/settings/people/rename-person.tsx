import { type ReactElement, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { UserView } from '#shared/api/people-api.ts';
import { api } from '../../../state/session/api.ts';
import { Field } from '../../../ui/controls/field.tsx';
import { FormModal } from '../../../ui/dialog/form-modal.tsx';

interface RenamePersonProps {
  user: UserView;
  onClose: () => void;
  onRenamed: () => void;
}

/** Gives somebody another name; with a password they sign in by it. */
export function RenamePerson({ user, onClose, onRenamed }: RenamePersonProps): ReactElement {
  const t = useTranslations('people');
  const [name, setName] = useState(user.name);
  const save = async () => {
    await api.people.updateUser(user.id, { name: name.trim() });
    onRenamed();
  };
  return (
    <FormModal
      title={t('renamePerson', { name: user.name })}
      onClose={onClose}
      save={save}
      saveTestId="save-name"
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
    </FormModal>
  );
}
