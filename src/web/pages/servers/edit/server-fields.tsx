import type { ReactElement } from 'react';
import { useTranslations } from 'use-intl';
import { useIsAdmin } from '../../../state/session/session.ts';
import { SwitchField } from '../../../ui/controls/checkbox.tsx';
import { AreaField, SelectField } from '../../../ui/controls/labelled.tsx';
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
  const given = { form, onChange };
  return (
    <>
      <LineField
        {...given}
        name="name"
        label={t('formName')}
        extra={{ required: true, maxLength: 100 }}
      />
      {form.type === 'stdio' ? <CommandFields {...given} /> : <AddressFields {...given} />}
      {form.type === 'stdio' && (
        <LineField {...given} name="startTimeout" label={t('startTimeout')} extra={seconds} />
      )}
      <LineField
        {...given}
        name="timeout"
        label={t('timeout')}
        extra={{ ...seconds, placeholder: '60' }}
      />
      <SwitchField
        label={t('longRunning')}
        hint={t('longRunningHint')}
        name="longRunning"
        checked={form.longRunning}
        onCheck={(longRunning) => onChange({ ...form, longRunning })}
      />
      <MoreFields form={form} onChange={onChange} />
    </>
  );
}

function CommandFields({ form, onChange }: ServerFieldsProps) {
  const t = useTranslations('servers');
  const access = useTranslations('access');
  const given = { form, onChange };
  return (
    <>
      <LineField
        {...given}
        name="command"
        label={t('command')}
        extra={{ required: true, placeholder: 'npx' }}
      />
      <AreaField
        label={t('args')}
        hint={t('argsHint')}
        name="args"
        rows={2}
        spellCheck={false}
        value={form.args}
        onWrite={(args) => onChange({ ...form, args })}
        className="field-sizing-content resize-y font-mono"
      />
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
  );
}

function AddressFields({ form, onChange }: ServerFieldsProps) {
  const t = useTranslations('servers');
  return (
    <>
      <LineField
        {...{ form, onChange }}
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
  );
}

/** Whether everybody on the host may use it; only where that is theirs to say. */
export function SharedField({ form, onChange }: ServerFieldsProps): ReactElement | null {
  const t = useTranslations('servers');
  if (form.shared === undefined) return null;
  return (
    <SwitchField
      label={t('shared')}
      hint={t('sharedHint')}
      data-testid="shared"
      checked={form.shared}
      onCheck={(shared) => onChange({ ...form, shared })}
    />
  );
}

/** Which kind of server it is; one that starts a command is for admins to add. */
export function KindField({ form, onChange }: ServerFieldsProps): ReactElement {
  const t = useTranslations('servers');
  const isAdmin = useIsAdmin();
  return (
    <SelectField<ServerForm['type']>
      label={t('formType')}
      hint={isAdmin ? undefined : t('commandsForAdmins')}
      value={form.type}
      options={[
        ...(isAdmin ? [['stdio', t('typeStdio')] as const] : []),
        ['streamableHttp', t('typeHttp')],
        ['sse', t('typeSse')],
      ]}
      onChoose={(type) => onChange({ ...form, type })}
    />
  );
}
