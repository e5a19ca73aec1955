import { Plus, Radar } from 'lucide-react';
import { type ReactElement, useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { Provider } from '#shared/vocabulary/model.ts';
import { loadModels, loadProviders, useCatalog } from '../../../state/catalog/catalog.ts';
import { api } from '../../../state/session/api.ts';
import { useIsAdmin } from '../../../state/session/session.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { ConfirmDelete } from '../../../ui/dialog/confirm.tsx';
import { showFailure } from '../../../ui/notices/notices.ts';
import { DefaultModels } from './default-models.tsx';
import { ProviderEditor } from './provider-editor.tsx';
import { ProviderRow } from './provider-row.tsx';

/** The vendors of models: configured, from the environment and found; and which models are used. */
export function Providers(): ReactElement {
  const t = useTranslations('settings');
  const providers = useCatalog((state) => state.providers);
  const isAdmin = useIsAdmin();
  useEffect(() => {
    loadProviders().catch(showFailure);
  }, []);
  const [editing, setEditing] = useState<Provider | 'new' | null>(null);
  const [deleting, setDeleting] = useState<Provider | null>(null);
  const [saved, setSaved] = useState({ id: '', times: 0 });
  return (
    <>
      {providers?.length === 0 && <p className="mb-3 text-sm text-muted">{t('noProviders')}</p>}
      <ul className="space-y-2">
        {providers?.map((provider) => (
          <ProviderRow
            key={provider.id}
            provider={provider}
            onEdit={() => setEditing(provider)}
            onDelete={() => setDeleting(provider)}
            onChanged={reload}
            saves={saved.id === provider.id ? saved.times : 0}
          />
        ))}
      </ul>
      <div className="mt-3 flex flex-wrap items-center gap-2">
        <Button onClick={() => setEditing('new')} data-testid="add-provider">
          <Plus aria-hidden />
          {t('addProvider')}
        </Button>
        {isAdmin && <Discover />}
      </div>
      <DefaultModels />
      {editing && (
        <ProviderEditor
          provider={editing === 'new' ? undefined : editing}
          onClose={() => setEditing(null)}
          onSaved={async ({ id }) => {
            await reload();
            setSaved(({ times }) => ({ id, times: times + 1 }));
          }}
        />
      )}
      {deleting && (
        <ConfirmDelete
          open
          onClose={() => setDeleting(null)}
          title={t('deleteProvider')}
          text={t('deleteProviderText', { name: deleting.name })}
          action={async () => {
            await api.settings.removeProvider(deleting.id);
            await reload();
          }}
        />
      )}
    </>
  );
}

async function reload(): Promise<void> {
  await Promise.all([loadProviders(), loadModels()]);
}

/** Looks for model servers on the machine of the host. */
function Discover() {
  const t = useTranslations('settings');
  const [found, setFound] = useState<number | 'running' | null>(null);
  const look = async () => {
    setFound('running');
    const { providers } = await api.settings.discover();
    setFound(providers.length);
    await reload();
  };
  return (
    <>
      <Button
        disabled={found === 'running'}
        data-testid="discover"
        onClick={() => {
          look().catch((error: unknown) => {
            setFound(null);
            showFailure(error);
          });
        }}
      >
        <Radar aria-hidden />
        {t('discover')}
      </Button>
      <span role="status" className="text-sm text-muted">
        {typeof found === 'number' && t('discovered', { count: found })}
      </span>
    </>
  );
}
