import type { ReactElement } from 'react';
import { useTranslations } from 'use-intl';
import { useIsAdmin } from '../../../state/session/session.ts';
import { Disclosure } from '../../../ui/controls/disclosure.tsx';
import { Field } from '../../../ui/controls/field.tsx';
import { PairRows } from './pair-rows.tsx';
import type { ServerForm } from './server-form.ts';

interface MoreFieldsProps {
  form: ServerForm;
  onChange: (form: ServerForm) => void;
}

/** Fields that few servers need. Open from the start where a secret waits for its value. */
export function MoreFields({ form, onChange }: MoreFieldsProps): ReactElement {
  const t = useTranslations('servers');
  const isAdmin = useIsAdmin();
  const line = (
    name: 'description' | 'tags' | 'registryUrl' | 'totalTimeout',
    hint?: string,
    extra: object = {},
  ) => (
    <Field label={t(name)} {...(hint && { hint })}>
      {(ids) => (
        <input
          {...ids}
          name={name}
          autoComplete="off"
          value={form[name]}
          onChange={(event) => onChange({ ...form, [name]: event.target.value })}
          className="input"
          {...extra}
        />
      )}
    </Field>
  );
  return (
    <Disclosure
      summary={t('more')}
      startsOpen={form.secrets.some(({ stored, value }) => !stored && value === '')}
    >
      {() => (
        <div className="mt-3 space-y-4">
          <PairRows
            label={t('secrets')}
            hint={t('secretsHint', { reference: '${secret:NAME}' })}
            separator="="
            testId="secret-rows"
            rows={form.secrets}
            onChange={(secrets) => onChange({ ...form, secrets })}
          />
          {line('description', undefined, { maxLength: 4096 })}
          {line('tags', t('tagsHint'))}
          {form.longRunning &&
            line('totalTimeout', undefined, { type: 'number', min: 1, max: 86_400 })}
          {form.type === 'stdio' && line('registryUrl', t('registryHint'), { type: 'url' })}
          {isAdmin && (
            <Field label={t('roots')} hint={t('rootsHint')}>
              {(ids) => (
                <textarea
                  {...ids}
                  name="roots"
                  rows={2}
                  spellCheck={false}
                  value={form.roots}
                  onChange={(event) => onChange({ ...form, roots: event.target.value })}
                  className="input field-sizing-content resize-y font-mono"
                />
              )}
            </Field>
          )}
        </div>
      )}
    </Disclosure>
  );
}
