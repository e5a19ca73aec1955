import type { ReactElement } from 'react';
import { useTranslations } from 'use-intl';
import { useIsAdmin } from '../../../state/session/session.ts';
import { Disclosure } from '../../../ui/controls/disclosure.tsx';
import { Field } from '../../../ui/controls/field.tsx';
import { LineField } from './line-field.tsx';
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
  const given = { form, onChange };
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
          <LineField
            {...given}
            name="description"
            label={t('description')}
            extra={{ maxLength: 4096, spellCheck: true }}
          />
          <LineField {...given} name="tags" label={t('tags')} hint={t('tagsHint')} />
          {form.longRunning && (
            <LineField
              {...given}
              name="totalTimeout"
              label={t('totalTimeout')}
              extra={{ type: 'number', min: 1, max: 86_400 }}
            />
          )}
          {form.type === 'stdio' && (
            <LineField
              {...given}
              name="registryUrl"
              label={t('registryUrl')}
              hint={t('registryHint')}
              extra={{ type: 'url' }}
            />
          )}
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
