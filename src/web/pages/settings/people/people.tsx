import { Plus } from 'lucide-react';
import { type ReactElement, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { CreatedUserView, KeyView, Role } from '#shared/api/people-api.ts';
import { api } from '../../../state/session/api.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { formText } from '../../../ui/controls/form-text.ts';
import { FormModal } from '../../../ui/dialog/form-modal.tsx';
import { useLoaded } from '../../../ui/hooks/use-loaded.ts';
import { TitledPart } from '../../../ui/layout/titled-part.tsx';
import { ErrorNote } from '../../../ui/notices/error-note.tsx';
import { AllKeys } from './all-keys.tsx';
import { RemainingKeys } from './remaining-keys.tsx';
import { OneTimeSecret } from './one-time-secret.tsx';
import { PersonRow } from './person-row.tsx';
import { InputField, SelectField } from '../../../ui/controls/labelled.tsx';

interface NewPassword {
  name: string;
  password: string;
}

interface UnrevokedKeys {
  id: string;
  name: string;
  keys: KeyView[];
}

/** The people of this host, for admins: who there is, what they may, and new ones. */
export function People(): ReactElement {
  const t = useTranslations('people');
  const common = useTranslations('common');
  const [round, setRound] = useState(0);
  const [adding, setAdding] = useState(false);
  const [made, setMade] = useState<NewPassword | null>(null);
  const [left, setLeft] = useState<UnrevokedKeys | null>(null);
  const { value, error } = useLoaded((signal) => api.people.users(signal), String(round));
  const reload = () => setRound((before) => before + 1);
  const onAdded = ({ name, password }: CreatedUserView) => {
    if (password) setMade({ name, password });
    reload();
  };
  const whenChanged = { onChanged: reload, onKeysLeft: setLeft, onPassword: setMade };
  return (
    <div className="space-y-3">
      {error && <ErrorNote error={error} />}
      <NextSteps {...{ made, left }} onMade={setMade} onLeft={setLeft} onChanged={reload} />
      {!value && !error && <p className="text-sm text-muted">{common('loading')}</p>}
      {value && (
        <ul className="card divide-y divide-line">
          {value.users.map((user) => (
            <PersonRow key={user.id} user={user} {...whenChanged} />
          ))}
        </ul>
      )}
      <Button onClick={() => setAdding(true)} data-testid="add-person">
        <Plus aria-hidden />
        {t('addPerson')}
      </Button>
      <KeysOfAll round={round} onChanged={reload} />
      {adding && <AddPerson onClose={() => setAdding(false)} onAdded={onAdded} />}
    </div>
  );
}

function KeysOfAll(props: { round: number; onChanged: () => void }) {
  const t = useTranslations('people');
  return (
    <div className="pt-7">
      <TitledPart title={t('allKeys')} hint={t('allKeysHint')}>
        <AllKeys {...props} />
      </TitledPart>
    </div>
  );
}

interface ToDoProps {
  made: NewPassword | null;
  onMade: (made: NewPassword | null) => void;
  left: UnrevokedKeys | null;
  onLeft: (left: UnrevokedKeys | null) => void;
  onChanged: () => void;
}

/** What a change of somebody has left to do: a password to pass on, keys that still work. */
function NextSteps({ made, onMade, left, onLeft, onChanged }: ToDoProps) {
  const t = useTranslations('people');
  const endKeys = async (id: string) => {
    await api.people.updateUser(id, { endKeys: true });
    onLeft(null);
    onChanged();
  };
  return (
    <>
      {made && (
        <OneTimeSecret
          label={t('passwordMade', { name: made.name })}
          secret={made.password}
          onDone={() => onMade(null)}
        />
      )}
      {left && left.keys.length > 0 && (
        <RemainingKeys {...left} onKeep={() => onLeft(null)} onEnd={() => endKeys(left.id)} />
      )}
    </>
  );
}

function AddPerson(props: { onClose: () => void; onAdded: (user: CreatedUserView) => void }) {
  const t = useTranslations('people');
  const common = useTranslations('common');
  const [role, setRole] = useState<Role>('user');
  const add = async (form: FormData) =>
    props.onAdded(await api.people.createUser({ name: formText(form, 'name'), role }));
  return (
    <FormModal
      title={t('addPerson')}
      description={t('addPersonHint')}
      onClose={props.onClose}
      save={add}
      saveText={common('add')}
      saveTestId="save-person"
    >
      <InputField label={t('name')} name="name" required maxLength={100} autoComplete="off" />
      <SelectField
        label={t('role')}
        hint={t('roleHint')}
        value={role}
        options={(['user', 'admin'] as const).map((one) => [one, t(one)] as const)}
        onChoose={setRole}
      />
    </FormModal>
  );
}
