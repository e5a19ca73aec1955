import { type ReactElement, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { ProviderDraft } from '#client/api/settings.ts';
import type { Provider, VendorInfo } from '#shared/vocabulary/model.ts';
import { changedFields } from '../../../features/form/changed-fields.ts';
import { readLines } from '../../../features/form/read-lines.ts';
import { useCatalog } from '../../../state/catalog/catalog.ts';
import { api } from '../../../state/session/api.ts';
import { useIsAdmin } from '../../../state/session/session.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { formText } from '../../../ui/controls/form-text.ts';
import { DialogActions } from '../../../ui/dialog/form-modal.tsx';
import { Modal } from '../../../ui/dialog/modal.tsx';
import { useSubmit } from '../../../ui/hooks/use-submit.ts';
import { ErrorNote } from '../../../ui/notices/error-note.tsx';
import { showFailure, showNotice } from '../../../ui/notices/notices.ts';
import { ownAddress, ProviderFields } from './provider-fields.tsx';
import { ProviderReady } from './provider-ready.tsx';
import { reloadModels } from './reload-models.ts';
import { VendorList } from './vendor-list.tsx';
import { Form } from '../../../ui/controls/form.tsx';

interface ProviderEditorProps {
  /** Absent: a new one. */
  provider: Provider | undefined;
  onClose: () => void;
  onSaved: (saved: Provider) => Promise<void>;
}

/**
 * Makes or changes a provider: first the vendor, then its key, which goes in and never comes back. A new one is
 * tested, and leads on to a chat.
 */
export function ProviderEditor(props: ProviderEditorProps): ReactElement {
  const { provider, onClose, onSaved } = props;
  const t = useTranslations('settings');
  const vendors = useCatalog((state) => state.vendors);
  const isAdmin = useIsAdmin();
  const [kind, setKind] = useState(provider?.kind);
  const [added, setAdded] = useState<Provider>();
  const [ready, setReady] = useState(false);
  const vendor = vendors.find((one) => one.kind === kind);
  const present = added ?? provider;
  if (added && ready)
    return (
      <ProviderReady
        provider={added}
        onEdit={() => setReady(false)}
        onClose={onClose}
        onChanged={reloadModels}
      />
    );
  const title = present ? t('editProvider', { name: present.name }) : t('addProvider');
  return (
    <Modal open onClose={onClose} title={title}>
      {kind === undefined ? (
        <VendorList vendors={vendors} isAdmin={isAdmin} onChoose={setKind} />
      ) : (
        <ProviderForm
          provider={present}
          kind={kind}
          vendor={vendor}
          onBack={present ? undefined : () => setKind(undefined)}
          onClose={onClose}
          onDone={provider ? onClose : () => setReady(true)}
          onSaved={async (saved) => {
            if (provider) return onSaved(saved);
            setAdded(saved);
            return reloadModels();
          }}
        />
      )}
    </Modal>
  );
}

interface ProviderFormProps extends ProviderEditorProps {
  kind: string;
  vendor: VendorInfo | undefined;
  /** After it was saved. */
  onDone: () => void;
  /** Absent where the vendor is settled. */
  onBack: (() => void) | undefined;
}

function ProviderForm(props: ProviderFormProps) {
  const { provider, kind, vendor, onBack, onClose, onDone, onSaved } = props;
  const t = useTranslations('settings');
  const { error, submit } = useSubmit(onDone);
  const save = async (form: FormData) => {
    const draft = readDraft(form, kind, vendor);
    const saved = provider
      ? await api.settings.updateProvider(provider.id, changesOf(provider, vendor, draft))
      : await api.settings.createProvider(draft);
    if (saved.secretsDropped) showNotice(t('keyDropped', { name: saved.name }));
    onSaved(saved).catch(showFailure);
  };
  return (
    <Form className="space-y-4" onSend={(form) => submit(() => save(form))}>
      <ProviderFields provider={provider} kind={kind} vendor={vendor} />
      {error && <ErrorNote error={error} />}
      <DialogActions
        onClose={onClose}
        saveText={t(provider ? 'saveProvider' : 'connectProvider')}
        saveTestId="save-provider"
      >
        {onBack && (
          <Button className="mr-auto" onClick={onBack}>
            {t('otherVendor')}
          </Button>
        )}
      </DialogActions>
    </Form>
  );
}

function readDraft(form: FormData, kind: string, vendor: VendorInfo | undefined): ProviderDraft {
  const apiKey = formText(form, 'apiKey').trim();
  return {
    name: formText(form, 'name').trim() || (vendor?.label ?? kind),
    kind,
    baseUrl: formText(form, 'baseUrl').trim(),
    models: readLines(formText(form, 'models')),
    ...(apiKey && { apiKey }),
  };
}

function changesOf(
  { name, kind, baseUrl, models }: Provider,
  vendor: VendorInfo | undefined,
  draft: ProviderDraft,
): Partial<ProviderDraft> {
  return changedFields({ name, kind, baseUrl: ownAddress(baseUrl, vendor) ?? '', models }, draft);
}
