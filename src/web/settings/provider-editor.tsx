import { type ReactElement, useState } from 'react';
import { useTranslations } from 'use-intl';
import { type ErrorInfo, toErrorInfo } from '#shared/errors.ts';
import type { Provider } from '#shared/model.ts';
import { type ProviderDraft, settingsApi } from '../api/endpoints.ts';
import { readLines } from '../servers/read-lines.ts';
import { Button } from '../ui/button.tsx';
import { ErrorNote } from '../ui/error-note.tsx';
import { Field } from '../ui/field.tsx';
import { Modal } from '../ui/modal.tsx';

interface ProviderEditorProps {
  /** Absent: a new one. */
  provider: Provider | undefined;
  onClose: () => void;
  onSaved: () => Promise<void>;
}

/** Makes or changes a provider. The key goes in and never comes back. */
export function ProviderEditor(props: ProviderEditorProps): ReactElement {
  const { provider, onClose, onSaved } = props;
  const t = useTranslations('settings');
  const common = useTranslations('common');
  const [error, setError] = useState<ErrorInfo | null>(null);
  const save = async (form: FormData) => {
    const text = (name: string) => {
      const value = form.get(name);
      return typeof value === 'string' ? value.trim() : '';
    };
    const apiKey = text('apiKey');
    const draft: ProviderDraft = {
      kind: 'openai-compatible',
      baseUrl: text('baseUrl'),
      models: readLines(text('models')),
      ...(apiKey && { apiKey }),
    };
    try {
      if (provider) await settingsApi.updateProvider(provider.id, draft);
      else await settingsApi.createProvider({ ...draft, name: text('name') });
      await onSaved();
      onClose();
    } catch (failure) {
      setError(toErrorInfo(failure));
    }
  };
  return (
    <Modal
      open
      onClose={onClose}
      title={provider ? t('editProvider', { name: provider.name }) : t('addProvider')}
    >
      <form
        className="space-y-4"
        onSubmit={(event) => {
          event.preventDefault();
          void save(new FormData(event.currentTarget));
        }}
      >
        <ProviderFields provider={provider} />
        {error && <ErrorNote error={error} />}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{common('cancel')}</Button>
          <Button type="submit" variant="primary" data-testid="save-provider">
            {common('save')}
          </Button>
        </div>
      </form>
    </Modal>
  );
}

function ProviderFields({ provider }: { provider: Provider | undefined }) {
  const t = useTranslations('settings');
  return (
    <>
      {!provider && (
        <Field label={t('providerName')} hint={t('providerNameHint')}>
          {(ids) => (
            <input
              {...ids}
              name="name"
              required
              pattern="[a-z0-9][a-z0-9._\-]{0,49}"
              autoComplete="off"
              placeholder="openai"
              className="input"
            />
          )}
        </Field>
      )}
      <Field label={t('baseUrl')}>
        {(ids) => (
          <input
            {...ids}
            name="baseUrl"
            type="url"
            required
            defaultValue={provider?.baseUrl}
            placeholder="https://api.openai.com/v1"
            className="input"
          />
        )}
      </Field>
      <Field label={t('apiKey')} hint={provider?.hasKey ? t('apiKeyKept') : undefined}>
        {(ids) => (
          <input {...ids} name="apiKey" type="password" autoComplete="off" className="input" />
        )}
      </Field>
      <Field label={t('providerModels')} hint={t('providerModelsHint')}>
        {(ids) => (
          <textarea
            {...ids}
            name="models"
            rows={3}
            spellCheck={false}
            defaultValue={provider?.models.join('\n')}
            className="input resize-y font-mono"
          />
        )}
      </Field>
    </>
  );
}
