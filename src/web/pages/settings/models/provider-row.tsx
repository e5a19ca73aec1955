import { Pencil, Trash2 } from 'lucide-react';
import { type ReactElement, useEffect, useEffectEvent, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { ProviderTest } from '#client/api/settings.ts';
import type { Provider } from '#shared/vocabulary/model.ts';
import { Monogram } from '../../../features/models/monogram.tsx';
import { useCatalog } from '../../../state/catalog/catalog.ts';
import { api } from '../../../state/session/api.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Disclosure } from '../../../ui/controls/disclosure.tsx';
import { IconButton } from '../../../ui/controls/icon-button.tsx';
import { Modal } from '../../../ui/dialog/modal.tsx';
import { useWish } from '../../../ui/hooks/use-wish.ts';
import { ProviderModels } from './provider-models.tsx';
import { ProviderReady } from './provider-ready.tsx';
import { TestResult } from './test-result.tsx';
import { TimeLimits } from './time-limits.tsx';
import { useProviderTest } from './use-provider-test.ts';

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
  const [test, run] = useProviderTest(provider.id, onChanged);
  const given = provider.fromEnvironment ?? provider.fromDiscovery ?? provider.readOnly;
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
        <Monogram name={provider.name} />
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
      {test !== null && test !== 'running' && (
        <Tested provider={provider} test={test} onChanged={onChanged} />
      )}
      {provider.enabled && <Details provider={provider} onChanged={onChanged} />}
    </li>
  );
}

type DetailsProps = Pick<ProviderRowProps, 'provider' | 'onChanged'>;

/** Whether it works; where it does, one click leads on to a chat with it. */
function Tested({ provider, test, onChanged }: DetailsProps & { test: ProviderTest }) {
  const t = useTranslations('settings');
  const [using, setUsing] = useState(false);
  const close = () => setUsing(false);
  return (
    <div className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-1">
      <TestResult test={test} />
      {test.ok && (
        <Button data-testid="use-provider" onClick={() => setUsing(true)}>
          {t('useInChat')}
        </Button>
      )}
      {using && (
        <Modal open onClose={close} title={t('useProvider', { name: provider.name })}>
          <ProviderReady provider={provider} onClose={close} onChanged={onChanged} />
        </Modal>
      )}
    </div>
  );
}

function Details({ provider, onChanged }: DetailsProps) {
  const t = useTranslations('settings');
  return (
    <div className="mt-1 space-y-1">
      <Disclosure summary={t('modelsOf')}>
        {() => <ProviderModels provider={provider} onChanged={onChanged} />}
      </Disclosure>
      {!provider.readOnly && (
        <Disclosure summary={t('timeLimits')}>
          {() => <TimeLimits provider={provider} onChanged={onChanged} />}
        </Disclosure>
      )}
    </div>
  );
}

function ProviderText({ provider }: { provider: Provider }) {
  const t = useTranslations('settings');
  const { name, slug, kind, baseUrl, hasKey, fromEnvironment, fromDiscovery } = provider;
  const label = useCatalog(({ vendors }) => vendors.find((one) => one.kind === kind)?.label);
  // There is always one, so that none means that they are not here yet.
  const count = useCatalog(({ models }) =>
    models.length === 0 ? undefined : models.filter((model) => model.provider === slug).length,
  );
  const facts = [
    ...(label === name ? [] : [label ?? kind]),
    ...(baseUrl ? [baseUrl] : []),
    ...(count === undefined ? [] : [t('modelCount', { count })]),
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
