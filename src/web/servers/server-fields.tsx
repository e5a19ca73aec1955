import type { ReactElement } from 'react';
import { useTranslations } from 'use-intl';
import { Field } from '../ui/field.tsx';

/** What is typed about a server, as it is typed. */
export interface ServerForm {
  name: string;
  type: 'stdio' | 'streamableHttp' | 'sse';
  command: string;
  args: string;
  env: string;
  cwd: string;
  baseUrl: string;
  headers: string;
}

interface ServerFieldsProps {
  form: ServerForm;
  onChange: (form: ServerForm) => void;
}

/** The fields that a kind of server has. */
export function ServerFields({ form, onChange }: ServerFieldsProps): ReactElement {
  const t = useTranslations('servers');
  const line = (name: keyof ServerForm, label: string, extra: object = {}) => (
    <Field label={label}>
      {(ids) => (
        <input
          {...ids}
          name={name}
          autoComplete="off"
          spellCheck={false}
          value={form[name]}
          onChange={(event) => onChange({ ...form, [name]: event.target.value })}
          className="input"
          {...extra}
        />
      )}
    </Field>
  );
  const lines = (name: keyof ServerForm, label: string, hint: string) => (
    <Field label={label} hint={hint}>
      {(ids) => (
        <textarea
          {...ids}
          name={name}
          rows={2}
          spellCheck={false}
          value={form[name]}
          onChange={(event) => onChange({ ...form, [name]: event.target.value })}
          className="input field-sizing-content resize-y font-mono"
        />
      )}
    </Field>
  );
  return (
    <>
      {line('name', t('formName'), { required: true, maxLength: 100 })}
      {form.type === 'stdio' ? (
        <>
          {line('command', t('command'), { required: true, placeholder: 'npx' })}
          {lines('args', t('args'), t('argsHint'))}
          {lines('env', t('env'), t('envHint'))}
          {line('cwd', t('cwd'))}
        </>
      ) : (
        <>
          {line('baseUrl', t('address'), {
            required: true,
            type: 'url',
            placeholder: 'https://example.com/mcp',
          })}
          {lines('headers', t('headers'), t('headersHint'))}
        </>
      )}
    </>
  );
}
