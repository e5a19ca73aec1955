import { Plus, Radar } from 'lucide-react';
import { type ReactElement, useEffect, useEffectEvent, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useLocation, useSearch } from 'wouter';
import type { Provider } from '#shared/vocabulary/model.ts';
import { loadProviders, useCatalog } from '../../../state/catalog/catalog.ts';
import { api } from '../../../state/session/api.ts';
import { useIsAdmin } from '../../../state/session/session.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { ConfirmDelete } from '../../../ui/dialog/confirm.tsx';
import { showFailure } from '../../../ui/notices/notices.ts';
import { DefaultModels } from './default-models.tsx';
import { ProviderEditor } from './provider-editor.tsx';
import { ProviderRow } from './provider-row.tsx';
import { reloadModels } from './reload-models.ts';
import { useForgottenTests } from './use-provider-test.ts';

/** The vendors of models: configured, from the environment and found; and which models are used. */
export function Providers(): ReactElement {
  const t = useTranslations('settings');
  const isAdmin = useIsAdmin();
  useForgottenTests();
  useEffect(() => {
    loadProviders().catch(showFailure);
  }, []);
  const { edited, edit, close } = useEdited();
  const [saved, setSaved] = useState<Saved>({ id: '', times: 0 });
  const onSaved = async ({ id }: Provider) => {
    await reloadModels();
    setSaved(({ times }) => ({ id, times: times + 1 }));
  };
  return (
    <>
      <ProviderList saved={saved} onEdit={edit} />
      <div className="mt-3 flex flex-wrap items-center gap-2">
        <Button onClick={() => edit('new')} data-testid="add-provider">
          <Plus aria-hidden />
          {t('addProvider')}
        </Button>
        {isAdmin && <Discover />}
      </div>
      <DefaultModels />
      {edited && (
        <ProviderEditor
          provider={edited === 'new' ? undefined : edited}
          onClose={close}
          onSaved={onSaved}
        />
      )}
    </>
  );
}

/** Which provider was saved last, and how often one was. */
interface Saved {
  id: string;
  times: number;
}

interface ProviderListProps {
  saved: Saved;
  onEdit: (provider: Provider) => void;
}

function ProviderList({ saved, onEdit }: ProviderListProps) {
  const t = useTranslations('settings');
  const providers = useCatalog((state) => state.providers);
  const [deleting, setDeleting] = useState<Provider | null>(null);
  return (
    <>
      {providers?.length === 0 && <p className="mb-3 text-sm text-muted">{t('noProviders')}</p>}
      <ul className="space-y-2">
        {providers?.map((provider) => (
          <ProviderRow
            key={provider.id}
            provider={provider}
            onEdit={() => onEdit(provider)}
            onDelete={() => setDeleting(provider)}
            onChanged={reloadModels}
            saves={saved.id === provider.id ? saved.times : 0}
          />
        ))}
      </ul>
      {deleting && <DeleteProvider provider={deleting} onClose={() => setDeleting(null)} />}
    </>
  );
}

/** What is being edited; a link from elsewhere opens a new one, and closing it leaves the page as it is. */
function useEdited() {
  const [, navigate] = useLocation();
  const isAdding = new URLSearchParams(useSearch()).has('add');
  const [editing, edit] = useState<Provider | 'new' | null>(null);
  const close = () => {
    edit(null);
    if (isAdding) navigate('/settings/models', { replace: true });
  };
  return { edited: editing ?? (isAdding ? 'new' : null), edit, close };
}

function DeleteProvider({ provider, onClose }: { provider: Provider; onClose: () => void }) {
  const t = useTranslations('settings');
  return (
    <ConfirmDelete
      open
      onClose={onClose}
      title={t('deleteProvider')}
      text={t('deleteProviderText', { name: provider.name })}
      action={async () => {
        await api.settings.removeProvider(provider.id);
        await reloadModels();
      }}
    />
  );
}

/** Looks for model servers on the machine of the host: when the page is opened, and when somebody asks. */
function Discover() {
  const t = useTranslations('settings');
  const [found, setFound] = useState<number | 'running' | null>(null);
  const look = async () => {
    setFound('running');
    try {
      const { providers } = await api.settings.discover();
      await reloadModels();
      setFound(providers.length);
    } catch (error) {
      setFound(null);
      showFailure(error);
    }
  };
  const lookAtOnce = useEffectEvent(look);
  useEffect(() => {
    queueMicrotask(() => void lookAtOnce());
  }, []);
  return (
    <>
      <Button disabled={found === 'running'} data-testid="discover" onClick={() => void look()}>
        <Radar aria-hidden />
        {t(found === 'running' ? 'discovering' : 'discover')}
      </Button>
      <span role="status" className="text-sm text-muted">
        {typeof found === 'number' && t('discovered', { count: found })}
      </span>
    </>
  );
}
