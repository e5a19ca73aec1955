import { type ReactElement, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { KeyScope } from '#shared/api/people-api.ts';
import type { ServerLimit } from '#shared/vocabulary/server-limit.ts';
import { api } from '../../../state/session/api.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Field } from '../../../ui/controls/field.tsx';
import { Select } from '../../../ui/controls/select.tsx';
import { formText } from '../../../ui/controls/form-text.ts';
import { Modal } from '../../../ui/dialog/modal.tsx';
import { useSubmit } from '../../../ui/hooks/use-submit.ts';
import { ErrorNote } from '../../../ui/notices/error-note.tsx';
import { scopeText } from './key-row.tsx';
import { KeyServers } from './key-servers.tsx';
import { Form } from '../../../ui/controls/form.tsx';

const scopes: KeyScope[] = ['read', 'chat', 'admin'];
const dayMs = 24 * 3_600_000;

interface AddKeyProps {
  onClose: () => void;
  onMade: (key: string) => void;
}

/** Makes an API key: what it is for, what it may do, which servers it may use, and how long. */
export function AddKey({ onClose, onMade }: AddKeyProps): ReactElement {
  const t = useTranslations('people');
  const common = useTranslations('common');
  const { error, submit } = useSubmit(onClose);
  const [scope, setScope] = useState<KeyScope>('chat');
  const [limits, setLimits] = useState<ServerLimit[] | undefined>();
  const mayLimit = scope !== 'admin';
  const add = async (form: FormData) => {
    const days = Number(form.get('days'));
    const { key } = await api.people.createKey({
      name: formText(form, 'name'),
      scopes: [scope],
      ...(days > 0 && { expiresAt: Date.now() + days * dayMs }),
      ...(mayLimit && limits && { servers: limits }),
    });
    onMade(key);
  };
  return (
    <Modal open onClose={onClose} title={t('addKey')}>
      <Form className="space-y-4" onSend={(form) => submit(() => add(form))}>
        <NameField />
        <ScopeField value={scope} onChoose={setScope} />
        {mayLimit && <KeyServers limits={limits} onChange={setLimits} />}
        <ExpiryField />
        {error && <ErrorNote error={error} />}
        <div className="dialog-actions">
          <Button onClick={onClose}>{common('cancel')}</Button>
          <Button
            type="submit"
            variant="primary"
            disabled={mayLimit && limits?.length === 0}
            data-testid="save-key"
          >
            {t('makeKey')}
          </Button>
        </div>
      </Form>
    </Modal>
  );
}

function NameField() {
  const t = useTranslations('people');
  return (
    <Field label={t('keyName')} hint={t('keyNameHint')}>
      {(ids) => (
        <input {...ids} name="name" required maxLength={100} autoComplete="off" className="input" />
      )}
    </Field>
  );
}

function ScopeField(props: { value: KeyScope; onChoose: (scope: KeyScope) => void }) {
  const t = useTranslations('people');
  const options = scopes.map((scope) => [scope, t(scopeText[scope])] as const);
  return (
    <Field label={t('scope')}>{(ids) => <Select {...ids} {...props} options={options} />}</Field>
  );
}

function ExpiryField() {
  const t = useTranslations('people');
  return (
    <Field label={t('expiry')}>
      {(ids) => (
        <select {...ids} name="days" defaultValue="90" className="input">
          {[30, 90, 365].map((days) => (
            <option key={days} value={days}>
              {t('days', { days })}
            </option>
          ))}
          <option value="0">{t('never')}</option>
        </select>
      )}
    </Field>
  );
}
