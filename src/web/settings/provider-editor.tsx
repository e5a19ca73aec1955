import { type ReactElement, useState } from 'react';
import { useTranslations } from 'use-intl';
import { type ErrorInfo, toErrorInfo } from '#shared/errors.ts';
import type { Provider, VendorInfo } from '#shared/model.ts';
import { type ProviderDraft, settingsApi } from '../api/settings-api.ts';
import { readLines } from '../servers/read-lines.ts';
import { useCatalog } from '../state/catalog.ts';
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
      kind: text('kind'),
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

const compatible = 'openai-compatible';

function ProviderFields({ provider }: { provider: Provider | undefined }) {
  const t = useTranslations('settings');
  const vendors = useCatalog((state) => state.vendors);
  const [kind, setKind] = useState(provider?.kind ?? vendors[0]?.kind ?? compatible);
  const vendor = vendors.find((one) => one.kind === kind);
  return (
    <>
      <Field label={t('providerKind')}>
        {(ids) => (
          <select
            {...ids}
            name="kind"
            value={kind}
            onChange={(event) => setKind(event.target.value)}
            className="input"
          >
            {vendors.map((one) => (
              <option key={one.kind} value={one.kind}>
                {one.kind === compatible ? t('providerKindOther') : one.label}
              </option>
            ))}
          </select>
        )}
      </Field>
      {!provider && <NameField key={kind} kind={kind} />}
      <AddressField provider={provider} vendor={vendor} />
      <KeyField provider={provider} vendor={vendor} />
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

function NameField({ kind }: { kind: string }) {
  const t = useTranslations('settings');
  return (
    <Field label={t('providerName')} hint={t('providerNameHint')}>
      {(ids) => (
        <input
          {...ids}
          name="name"
          required
          pattern="[a-z0-9][a-z0-9._\-]{0,49}"
          autoComplete="off"
          defaultValue={kind === compatible ? '' : kind}
          className="input"
        />
      )}
    </Field>
  );
}

interface VendorFieldProps {
  provider: Provider | undefined;
  vendor: VendorInfo | undefined;
}

function AddressField({ provider, vendor }: VendorFieldProps) {
  const t = useTranslations('settings');
  const usual = vendor?.baseUrl;
  const own = provider?.baseUrl === usual ? undefined : provider?.baseUrl;
  return (
    <Field label={t('baseUrl')} hint={usual && t('baseUrlHint')}>
      {(ids) => (
        <input
          {...ids}
          name="baseUrl"
          type="url"
          required={!usual}
          defaultValue={own}
          placeholder={usual ?? 'https://api.example.com/v1'}
          className="input"
        />
      )}
    </Field>
  );
}

function KeyField({ provider, vendor }: VendorFieldProps) {
  const t = useTranslations('settings');
  const hint = vendor?.local ? t('apiKeyLocal') : undefined;
  return (
    <div>
      <Field label={t('apiKey')} hint={provider?.hasKey ? t('apiKeyKept') : hint}>
        {(ids) => (
          <input {...ids} name="apiKey" type="password" autoComplete="off" className="input" />
        )}
      </Field>
      {vendor?.keysUrl && (
        <a
          href={vendor.keysUrl}
          target="_blank"
          rel="noreferrer"
          className="mt-1.5 inline-block text-xs text-accent-text underline"
        >
          {t('makeKey', { host: new URL(vendor.keysUrl).host })}
        </a>
      )}
    </div>
  );
}
