import type { ReactElement } from 'react';
import { useTranslations } from 'use-intl';
import { useIsAdmin } from '../../../state/session/session.ts';
import { Field } from '../../../ui/controls/field.tsx';
import { AccessFields } from './access-fields.tsx';
import { LineField } from './line-field.tsx';
import { MoreFields } from './more-fields.tsx';
import { PairRows } from './pair-rows.tsx';
import type { ServerForm } from './server-form.ts';

interface ServerFieldsProps {
  form: ServerForm;
  onChange: (form: ServerForm) => void;
}

const seconds = { type: 'number', min: 1, max: 86_400 };

/** The fields that a kind of server has. */
export function ServerFields({ form, onChange }: ServerFieldsProps): ReactElement {
  const t = useTranslations('servers');
  const access = useTranslations('access');
  const given = { form, onChange };
  return (
    <>
      <LineField
        {...given}
        name="name"
        label={t('formName')}
        extra={{ required: true, maxLength: 100 }}
      />
      {form.type === 'stdio' ? (
        <>
          <LineField
            {...given}
            name="command"
            label={t('command')}
            extra={{ required: true, placeholder: 'npx' }}
          />
          <Field label={t('args')} hint={t('argsHint')}>
            {(ids) => (
              <textarea
                {...ids}
                name="args"
                rows={2}
                spellCheck={false}
                value={form.args}
                onChange={(event) => onChange({ ...form, args: event.target.value })}
                className="input field-sizing-content resize-y font-mono"
              />
            )}
          </Field>
          <PairRows
            label={t('env')}
            hint={t('envHint')}
            separator="="
            rows={form.env}
            onChange={(env) => onChange({ ...form, env })}
          />
          <LineField
            {...given}
            name="cwd"
            label={t('cwd')}
            extra={{ placeholder: access('ownFolder') }}
          />
          <AccessFields form={form} onChange={onChange} />
        </>
      ) : (
        <>
          <LineField
            {...given}
            name="baseUrl"
            label={t('address')}
            extra={{ required: true, type: 'url', placeholder: 'https://example.com/mcp' }}
          />
          <PairRows
            label={t('headers')}
            hint={t('headersHint')}
            separator=":"
            rows={form.headers}
            onChange={(headers) => onChange({ ...form, headers })}
          />
        </>
      )}
      {form.type === 'stdio' && (
        <LineField {...given} name="startTimeout" label={t('startTimeout')} extra={seconds} />
      )}
      <LineField
        {...given}
        name="timeout"
        label={t('timeout')}
        extra={{ ...seconds, placeholder: '60' }}
      />
      <LongRunningField form={form} onChange={onChange} />
      <MoreFields form={form} onChange={onChange} />
    </>
  );
}

function LongRunningField({ form, onChange }: ServerFieldsProps): ReactElement {
  const t = useTranslations('servers');
  return (
    <label className="flex items-start gap-2.5 text-sm">
      <input
        type="checkbox"
        role="switch"
        name="longRunning"
        checked={form.longRunning}
        onChange={(event) => onChange({ ...form, longRunning: event.target.checked })}
        className="mt-0.5 size-4 shrink-0 accent-accent"
      />
      <span>
        <span className="font-medium">{t('longRunning')}</span>
        <span className="block text-xs text-muted">{t('longRunningHint')}</span>
      </span>
    </label>
  );
}

/** Whether everybody on the host may use it; only where that is theirs to say. */
export function SharedField({ form, onChange }: ServerFieldsProps): ReactElement | null {
  const t = useTranslations('servers');
  if (form.shared === undefined) return null;
  return (
    <label className="flex items-start gap-2.5 text-sm">
      <input
        type="checkbox"
        role="switch"
        data-testid="shared"
        checked={form.shared}
        onChange={(event) => onChange({ ...form, shared: event.target.checked })}
        className="mt-0.5 size-4 shrink-0 accent-accent"
      />
      <span>
        <span className="font-medium">{t('shared')}</span>
        <span className="block text-xs text-muted">{t('sharedHint')}</span>
      </span>
    </label>
  );
}

/** Which kind of server it is; one that starts a command is for admins to add. */
export function KindField({ form, onChange }: ServerFieldsProps): ReactElement {
  const t = useTranslations('servers');
  const isAdmin = useIsAdmin();
  return (
    <Field label={t('formType')} {...(!isAdmin && { hint: t('commandsForAdmins') })}>
      {(ids) => (
        <select
          {...ids}
          value={form.type}
          onChange={(event) =>
            onChange({ ...form, type: event.target.value as ServerForm['type'] })
          }
          className="input"
        >
          {isAdmin && <option value="stdio">{t('typeStdio')}</option>}
          <option value="streamableHttp">{t('typeHttp')}</option>
          <option value="sse">{t('typeSse')}</option>
        </select>
      )}
    </Field>
  );
}
