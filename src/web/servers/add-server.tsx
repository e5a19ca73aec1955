import { type ReactElement, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { ServerView } from '#shared/api.ts';
import { type ErrorInfo, toErrorInfo } from '#shared/errors.ts';
import type { ServerConfig } from '#shared/server.ts';
import { serversApi } from '../api/servers-api.ts';
import { Button } from '../ui/button.tsx';
import { ErrorNote } from '../ui/error-note.tsx';
import { Field } from '../ui/field.tsx';
import { Modal } from '../ui/modal.tsx';
import { readLines, readPairs } from './read-lines.ts';
import { ServerFields, type ServerForm } from './server-fields.tsx';

interface AddServerProps {
  onClose: () => void;
  onAdded: (server: ServerView) => void;
}

const empty: ServerForm = {
  name: '',
  type: 'stdio',
  command: '',
  args: '',
  env: '',
  cwd: '',
  baseUrl: '',
  headers: '',
};

/** The form for a new server. A command becomes a draft that still has to be approved. */
export function AddServer({ onClose, onAdded }: AddServerProps): ReactElement {
  const t = useTranslations('servers');
  const common = useTranslations('common');
  const [form, setForm] = useState(empty);
  const [error, setError] = useState<ErrorInfo | null>(null);
  const submit = async () => {
    const config = configOf(form);
    if ('badLine' in config) {
      setError({ code: 'invalid_server', message: t('badLine', { line: config.badLine }) });
      return;
    }
    try {
      onAdded(await serversApi.create(config));
    } catch (failure) {
      setError(toErrorInfo(failure));
    }
  };
  return (
    <Modal open onClose={onClose} title={t('add')}>
      <form
        className="space-y-4"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <Field label={t('formType')}>
          {(ids) => (
            <select
              {...ids}
              value={form.type}
              onChange={(event) =>
                setForm({ ...form, type: event.target.value as ServerForm['type'] })
              }
              className="input"
            >
              <option value="stdio">{t('typeStdio')}</option>
              <option value="streamableHttp">{t('typeHttp')}</option>
              <option value="sse">{t('typeSse')}</option>
            </select>
          )}
        </Field>
        <ServerFields form={form} onChange={setForm} />
        {error && <ErrorNote error={error} />}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{common('cancel')}</Button>
          <Button type="submit" variant="primary" data-testid="create-server">
            {common('add')}
          </Button>
        </div>
      </form>
    </Modal>
  );
}

function configOf(form: ServerForm): ServerConfig | { badLine: string } {
  const name = form.name.trim();
  if (form.type === 'stdio') {
    const env = readPairs(form.env, '=');
    if ('badLine' in env) return env;
    return {
      type: 'stdio',
      name,
      command: form.command.trim(),
      args: readLines(form.args),
      env: env.pairs,
      ...(form.cwd.trim() && { cwd: form.cwd.trim() }),
    };
  }
  const headers = readPairs(form.headers, ':');
  if ('badLine' in headers) return headers;
  const some = Object.keys(headers.pairs).length > 0;
  return {
    type: form.type,
    name,
    baseUrl: form.baseUrl.trim(),
    ...(some && { headers: headers.pairs }),
  };
}
