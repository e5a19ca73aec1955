import { type ReactElement, useState } from 'react';
import { useTranslations } from 'use-intl';
import { type ErrorInfo, toErrorInfo } from '#shared/errors.ts';
import type { Provider, VendorInfo } from '#shared/model.ts';
import { type ProviderDraft, settingsApi } from '../api/settings-api.ts';
import { readLines } from '../servers/read-lines.ts';
import { useCatalog } from '../state/catalog.ts';
import { Button } from '../ui/button.tsx';
import { ErrorNote } from '../ui/error-note.tsx';
import { Modal } from '../ui/modal.tsx';
import { ProviderFields } from './provider-fields.tsx';
import { VendorList } from './provider-vendors.tsx';

interface ProviderEditorProps {
  /** Absent: a new one. */
  provider: Provider | undefined;
  onClose: () => void;
  onSaved: (saved: Provider) => Promise<void>;
}

/** Makes or changes a provider: first the vendor, then its key, which goes in and never comes back. */
export function ProviderEditor(props: ProviderEditorProps): ReactElement {
  const { provider, onClose, onSaved } = props;
  const t = useTranslations('settings');
  const vendors = useCatalog((state) => state.vendors);
  const [kind, setKind] = useState(provider?.kind);
  const vendor = vendors.find((one) => one.kind === kind);
  return (
    <Modal
      open
      onClose={onClose}
      title={provider ? t('editProvider', { name: provider.name }) : t('addProvider')}
    >
      {kind === undefined ? (
        <VendorList vendors={vendors} onChoose={setKind} />
      ) : (
        <ProviderForm
          provider={provider}
          kind={kind}
          vendor={vendor}
          onBack={provider ? undefined : () => setKind(undefined)}
          onClose={onClose}
          onSaved={onSaved}
        />
      )}
    </Modal>
  );
}

interface ProviderFormProps extends ProviderEditorProps {
  kind: string;
  vendor: VendorInfo | undefined;
  /** Absent where the vendor is settled. */
  onBack: (() => void) | undefined;
}

function ProviderForm(props: ProviderFormProps) {
  const { provider, kind, vendor, onBack, onClose, onSaved } = props;
  const t = useTranslations('settings');
  const common = useTranslations('common');
  const [error, setError] = useState<ErrorInfo | null>(null);
  const save = async (form: FormData) => {
    const draft = readDraft(form, kind, provider);
    try {
      const saved = provider
        ? await settingsApi.updateProvider(provider.id, draft)
        : await settingsApi.createProvider(draft);
      onClose();
      await onSaved(saved);
    } catch (failure) {
      setError(toErrorInfo(failure));
    }
  };
  return (
    <form
      className="space-y-4"
      onSubmit={(event) => {
        event.preventDefault();
        void save(new FormData(event.currentTarget));
      }}
    >
      <ProviderFields provider={provider} kind={kind} vendor={vendor} />
      {error && <ErrorNote error={error} />}
      <div className="flex justify-end gap-2">
        {onBack && (
          <Button className="mr-auto" onClick={onBack}>
            {t('otherVendor')}
          </Button>
        )}
        <Button onClick={onClose}>{common('cancel')}</Button>
        <Button type="submit" variant="primary" data-testid="save-provider">
          {common('save')}
        </Button>
      </div>
    </form>
  );
}

/** Fields that are not shown keep what they were. */
function readDraft(form: FormData, kind: string, provider: Provider | undefined): ProviderDraft {
  const text = (name: string) => {
    const value = form.get(name);
    return typeof value === 'string' ? value.trim() : undefined;
  };
  const apiKey = text('apiKey');
  const models = text('models');
  return {
    kind,
    baseUrl: text('baseUrl') ?? '',
    models: models === undefined ? (provider?.models ?? []) : readLines(models),
    ...(apiKey && { apiKey }),
    ...(!provider && { name: text('name') ?? kind }),
  };
}
