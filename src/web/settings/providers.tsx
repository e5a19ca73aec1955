import { Pencil, Plus, Trash2 } from 'lucide-react';
import { type ReactElement, useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { Provider } from '#shared/model.ts';
import { settingsApi } from '../api/endpoints.ts';
import { loadModels, loadProviders, useCatalog } from '../state/catalog.ts';
import { showFailure } from '../state/notices.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmDelete } from '../ui/confirm.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { ProviderEditor } from './provider-editor.tsx';

/** The configured vendors of models. */
export function Providers(): ReactElement {
  const t = useTranslations('settings');
  const providers = useCatalog((state) => state.providers);
  useEffect(() => {
    loadProviders().catch(showFailure);
  }, []);
  const reload = async () => {
    await Promise.all([loadProviders(), loadModels()]);
  };
  const [editing, setEditing] = useState<Provider | 'new' | null>(null);
  const [deleting, setDeleting] = useState<Provider | null>(null);
  return (
    <>
      {providers?.length === 0 && <p className="mb-3 text-sm text-muted">{t('noProviders')}</p>}
      <ul className="space-y-2">
        {providers?.map((provider) => (
          <li key={provider.id} className="card flex items-center gap-3 px-4 py-2.5">
            <div className="min-w-0 flex-1">
              <p className="font-medium">{provider.name}</p>
              <p className="truncate text-xs text-muted">
                {provider.baseUrl} · {t('modelCount', { count: provider.models.length })}
                {provider.hasKey && ` · ${t('hasKey')}`}
              </p>
            </div>
            <IconButton
              label={t('editProvider', { name: provider.name })}
              onClick={() => setEditing(provider)}
            >
              <Pencil />
            </IconButton>
            <IconButton label={t('deleteProvider')} onClick={() => setDeleting(provider)}>
              <Trash2 />
            </IconButton>
          </li>
        ))}
      </ul>
      <Button className="mt-3" onClick={() => setEditing('new')} data-testid="add-provider">
        <Plus aria-hidden />
        {t('addProvider')}
      </Button>
      {editing && (
        <ProviderEditor
          provider={editing === 'new' ? undefined : editing}
          onClose={() => setEditing(null)}
          onSaved={reload}
        />
      )}
      {deleting && (
        <ConfirmDelete
          open
          onClose={() => setDeleting(null)}
          title={t('deleteProvider')}
          text={t('deleteProviderText', { name: deleting.name })}
          action={async () => {
            await settingsApi.removeProvider(deleting.id);
            await reload();
          }}
        />
      )}
    </>
  );
}
