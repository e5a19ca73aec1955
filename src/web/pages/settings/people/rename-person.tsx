import { type ReactElement, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { UserView } from '#shared/api/people-api.ts';
import { api } from '../../../state/session/api.ts';
import { FormModal } from '../../../ui/dialog/form-modal.tsx';
import { InputField } from '../../../ui/controls/labelled.tsx';

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
      <InputField
        label={t('name')}
        hint={user.hasPassword ? t('renameHint') : undefined}
        required
        maxLength={100}
        autoComplete="off"
        data-testid="person-name"
        value={name}
        onWrite={setName}
      />
    </FormModal>
  );
}
