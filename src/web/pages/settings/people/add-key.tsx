import { type ReactElement, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { KeyScope } from '#shared/api/people-api.ts';
import type { ServerLimit } from '#shared/vocabulary/server-limit.ts';
import { ServerLimits } from '../../../features/policy/server-limits.tsx';
import { api } from '../../../state/session/api.ts';
import { useIsAdmin } from '../../../state/session/session.ts';
import { Field } from '../../../ui/controls/field.tsx';
import { formText } from '../../../ui/controls/form-text.ts';
import { FormModal } from '../../../ui/dialog/form-modal.tsx';
import { scopeText } from './key-row.tsx';
import { InputField, SelectField } from '../../../ui/controls/labelled.tsx';

const scopes: KeyScope[] = ['read', 'chat', 'admin'];
const dayMs = 24 * 3_600_000;

interface AddKeyProps {
  onClose: () => void;
  onMade: (key: string) => void;
}

/** Makes an API key: what it is for, what it may do, which servers it may use, and how long. */
export function AddKey({ onClose, onMade }: AddKeyProps): ReactElement {
  const t = useTranslations('people');
  const [scope, setScope] = useState<KeyScope>('chat');
  const [limits, setLimits] = useState<ServerLimit[] | undefined>();
  const mayLimit = scope !== 'admin';
  const isAdmin = useIsAdmin();
  const add = async (form: FormData) => {
    const days = Number(form.get('days'));
    const { key } = await api.people.createKey({
      name: formText(form, 'name'),
      scopes: [scope],
      ...(days > 0 && { expiresAt: Date.now() + days * dayMs }),
      ...(mayLimit && limits && { servers: limits }),
      ...(form.get('trusted') === 'on' && { trusted: true }),
    });
    onMade(key);
  };
  return (
    <FormModal
      title={t('addKey')}
      onClose={onClose}
      save={add}
      canSave={!mayLimit || limits?.length !== 0}
      saveText={t('makeKey')}
      saveTestId="save-key"
    >
      <NameField />
      <ScopeField value={scope} onChoose={setScope} />
      {mayLimit && <ServerLimits limits={limits} onChange={setLimits} />}
      <ExpiryField />
      {isAdmin && <TrustField />}
    </FormModal>
  );
}

function NameField() {
  const t = useTranslations('people');
  return (
    <InputField
      label={t('keyName')}
      hint={t('keyNameHint')}
      name="name"
      required
      maxLength={100}
      autoComplete="off"
    />
  );
}

function ScopeField(props: { value: KeyScope; onChoose: (scope: KeyScope) => void }) {
  const t = useTranslations('people');
  const options = scopes.map((scope) => [scope, t(scopeText[scope])] as const);
  return <SelectField label={t('scope')} {...props} options={options} />;
}

/** Whether calls through /mcp with the key count as made by its owner, and not by who knows whom. */
function TrustField() {
  const t = useTranslations('people');
  return (
    <label className="flex items-start gap-2.5 text-sm">
      <input type="checkbox" name="trusted" className="mt-0.5 size-4 shrink-0 accent-accent" />
      <span>
        <span className="font-medium">{t('trusted')}</span>
        <span className="block text-xs text-muted">{t('trustedHint')}</span>
      </span>
    </label>
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
