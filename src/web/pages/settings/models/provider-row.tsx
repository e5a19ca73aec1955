import { Pencil, Trash2 } from 'lucide-react';
import { type ReactElement, useEffect, useEffectEvent, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { ProviderTest } from '#client/api/settings.ts';
import type { Provider } from '#shared/vocabulary/model.ts';
import { useCatalog } from '../../../state/catalog/catalog.ts';
import { api } from '../../../state/session/api.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Disclosure } from '../../../ui/controls/disclosure.tsx';
import { IconButton } from '../../../ui/controls/icon-button.tsx';
import { useNewest } from '../../../ui/hooks/use-newest.ts';
import { useWish } from '../../../ui/hooks/use-wish.ts';
import { ErrorNote } from '../../../ui/notices/error-note.tsx';
import { showFailure } from '../../../ui/notices/notices.ts';
import { useDuration } from '../../../ui/text/duration.ts';
import { ProviderModels } from './provider-models.tsx';

interface ProviderRowProps {
  provider: Provider;
  onEdit: () => void;
  onDelete: () => void;
  onChanged: () => Promise<void>;
  /** How often it was saved while this is shown; each time it is tested. */
  saves: number;
}

/** One provider: what it is, whether it works, and whether it is used. */
export function ProviderRow(props: ProviderRowProps): ReactElement {
  const { provider, onEdit, onDelete, onChanged, saves } = props;
  const t = useTranslations('settings');
  const [test, setTest] = useState<ProviderTest | 'running' | null>(null);
  const given = provider.fromEnvironment ?? provider.fromDiscovery ?? provider.readOnly;
  const asked = useNewest();
  const run = () => {
    const isNewest = asked();
    setTest('running');
    api.settings.testProvider(provider.id).then(
      (result) => isNewest() && setTest(result),
      (error: unknown) => {
        if (!isNewest()) return;
        setTest(null);
        showFailure(error);
      },
    );
  };
  const wasSaved = useEffectEvent(run);
  useEffect(() => {
    if (saves > 0) queueMicrotask(() => wasSaved());
  }, [saves]);
  const [enabled, enable] = useWish(provider.enabled, async (wanted) => {
    await api.settings.updateProvider(provider.id, { enabled: wanted });
    await onChanged();
  });
  return (
    <li className="card px-4 py-2.5">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <label className="-m-2.5 shrink-0 p-2.5">
          <input
            type="checkbox"
            role="switch"
            checked={enabled}
            disabled={provider.readOnly}
            aria-label={t('providerEnabled', { name: provider.name })}
            onChange={(event) => enable(event.target.checked)}
            className="block size-4 accent-accent"
          />
        </label>
        <ProviderText provider={provider} />
        <div className="ml-auto flex items-center gap-3">
          <Button disabled={test === 'running'} data-testid="test-provider" onClick={run}>
            {t(test === 'running' ? 'testing' : 'testProvider')}
          </Button>
          {!given && (
            <>
              <IconButton label={t('editProvider', { name: provider.name })} onClick={onEdit}>
                <Pencil />
              </IconButton>
              <IconButton label={t('deleteProvider')} onClick={onDelete}>
                <Trash2 />
              </IconButton>
            </>
          )}
        </div>
      </div>
      <TestResult test={test} />
      {provider.enabled && (
        <Disclosure summary={t('modelsOf')} className="mt-1">
          {() => <ProviderModels provider={provider} onChanged={onChanged} />}
        </Disclosure>
      )}
    </li>
  );
}

function ProviderText({ provider }: { provider: Provider }) {
  const t = useTranslations('settings');
  const { name, slug, kind, baseUrl, hasKey, fromEnvironment, fromDiscovery } = provider;
  const label = useCatalog(({ vendors }) => vendors.find((one) => one.kind === kind)?.label);
  const count = useCatalog(
    ({ models }) => models.filter((model) => model.provider === slug).length,
  );
  const facts = [
    label ?? kind,
    ...(baseUrl ? [baseUrl] : []),
    t('modelCount', { count }),
    ...(fromEnvironment ? [t('fromEnvironment')] : []),
    ...(fromDiscovery ? [t('fromDiscovery')] : []),
    ...(hasKey && !fromEnvironment ? [t('hasKey')] : []),
    ...(provider.adminOnly ? [t('providerHeld')] : []),
  ];
  return (
    <div className="min-w-0 flex-1 basis-48">
      <p className="font-medium">{name}</p>
      <p className="text-xs break-words text-muted sm:truncate">{facts.join(' · ')}</p>
    </div>
  );
}

function TestResult({ test }: { test: ProviderTest | 'running' | null }) {
  const t = useTranslations('settings');
  const duration = useDuration();
  if (test === null || test === 'running') return null;
  if (test.error)
    return (
      <div className="mt-2">
        <ErrorNote error={test.error} />
      </div>
    );
  return (
    <p role="status" className="mt-1 text-sm text-ok">
      {t(test.model ? 'testAnswered' : 'testListed', {
        model: test.model ?? '',
        count: test.models ?? 0,
        time: duration(test.ms),
      })}
    </p>
  );
}
