import { type ReactElement, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { CreatedUserView, KeyView, Role } from '#shared/api/people-api.ts';
import { api } from '../../../state/session/api.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Field } from '../../../ui/controls/field.tsx';
import { formText } from '../../../ui/controls/form-text.ts';
import { Modal } from '../../../ui/dialog/modal.tsx';
import { useLoaded } from '../../../ui/hooks/use-loaded.ts';
import { useSubmit } from '../../../ui/hooks/use-submit.ts';
import { TitledPart } from '../../../ui/layout/titled-part.tsx';
import { ErrorNote } from '../../../ui/notices/error-note.tsx';
import { AllKeys } from './all-keys.tsx';
import { RemainingKeys } from './remaining-keys.tsx';
import { OneTimeSecret } from './one-time-secret.tsx';
import { PersonRow } from './person-row.tsx';
import { RoleSelect } from './role-select.tsx';
import { Form } from '../../../ui/controls/form.tsx';

/** The people of this host, for admins: who there is, what they may, and new ones. */
export function People(): ReactElement {
  const t = useTranslations('people');
  const common = useTranslations('common');
  const [round, setRound] = useState(0);
  const [adding, setAdding] = useState(false);
  const [made, setMade] = useState<{ name: string; password: string } | null>(null);
  const [left, setLeft] = useState<{ id: string; name: string; keys: KeyView[] } | null>(null);
  const { value, error } = useLoaded((signal) => api.people.users(signal), String(round));
  const reload = () => setRound((before) => before + 1);
  return (
    <div className="space-y-3">
      {error && <ErrorNote error={error} />}
      {made && (
        <OneTimeSecret
          label={t('passwordMade', { name: made.name })}
          secret={made.password}
          onDone={() => setMade(null)}
        />
      )}
      {left && left.keys.length > 0 && (
        <RemainingKeys
          {...left}
          onKeep={() => setLeft(null)}
          onEnd={async () => {
            await api.people.updateUser(left.id, { endKeys: true });
            setLeft(null);
            reload();
          }}
        />
      )}
      {!value && !error && <p className="text-sm text-muted">{common('loading')}</p>}
      {value && (
        <ul className="card divide-y divide-line">
          {value.users.map((user) => (
            <PersonRow
              key={user.id}
              user={user}
              onChanged={reload}
              onKeysLeft={setLeft}
              onPassword={setMade}
            />
          ))}
        </ul>
      )}
      <Button onClick={() => setAdding(true)} data-testid="add-person">
        {t('addPerson')}
      </Button>
      <div className="pt-7">
        <TitledPart title={t('allKeys')} hint={t('allKeysHint')}>
          <AllKeys round={round} onChanged={reload} />
        </TitledPart>
      </div>
      {adding && (
        <AddPerson
          onClose={() => setAdding(false)}
          onAdded={({ name, password }) => {
            if (password) setMade({ name, password });
            reload();
          }}
        />
      )}
    </div>
  );
}

function AddPerson(props: { onClose: () => void; onAdded: (user: CreatedUserView) => void }) {
  const t = useTranslations('people');
  const common = useTranslations('common');
  const [role, setRole] = useState<Role>('user');
  const { error, submit } = useSubmit(props.onClose);
  const add = async (form: FormData) =>
    props.onAdded(await api.people.createUser({ name: formText(form, 'name'), role }));
  return (
    <Modal open onClose={props.onClose} title={t('addPerson')} description={t('addPersonHint')}>
      <Form className="space-y-4" onSend={(form) => submit(() => add(form))}>
        <Field label={t('name')}>
          {(ids) => (
            <input
              {...ids}
              name="name"
              required
              maxLength={100}
              autoComplete="off"
              className="input"
            />
          )}
        </Field>
        <Field label={t('role')} hint={t('roleHint')}>
          {(ids) => <RoleSelect {...ids} value={role} onChange={setRole} />}
        </Field>
        {error && <ErrorNote error={error} />}
        <div className="dialog-actions">
          <Button onClick={props.onClose}>{common('cancel')}</Button>
          <Button type="submit" variant="primary" data-testid="save-person">
            {common('add')}
          </Button>
        </div>
      </Form>
    </Modal>
  );
}
