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
import { useWish } from '../../../ui/hooks/use-wish.ts';
import { ProviderModels } from './provider-models.tsx';
import { ProviderReady } from './provider-ready.tsx';
import { TestResult } from './test-result.tsx';
import { TimeLimits } from './time-limits.tsx';
import { useProviderTest } from './use-provider-test.ts';
import { Checkbox } from '../../../ui/controls/checkbox.tsx';

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
  const { provider, onChanged, saves } = props;
  const t = useTranslations('settings');
  const [test, run] = useProviderTest(provider.id, onChanged);
  const count = useModelCount(provider);
  const testNow = useEffectEvent(run);
  useEffect(() => {
    if (saves > 0) queueMicrotask(() => testNow());
  }, [saves]);
  // Whose key is good has models: where none come, a test tells why. The vendor is not asked unless somebody wants it.
  const isSilent = test === null && provider.enabled && provider.hasKey && count === 0;
  return (
    <li className="card px-4 py-2.5">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <EnabledSwitch provider={provider} onChanged={onChanged} />
        <Monogram name={provider.name} />
        <ProviderText provider={provider} count={count} test={test} />
        <div className="ml-auto flex items-center gap-3">
          <Button disabled={test === 'running'} data-testid="test-provider" onClick={run}>
            {t(test === 'running' ? 'testing' : 'testProvider')}
          </Button>
          <EditButtons {...props} />
        </div>
      </div>
      {isSilent && (
        <p className="mt-1 text-sm text-warn" data-testid="provider-silent">
          {t('noModels')}
        </p>
      )}
      {test !== null && test !== 'running' && (
        <Tested provider={provider} test={test} onChanged={onChanged} />
      )}
      {provider.enabled && <Details provider={provider} onChanged={onChanged} />}
    </li>
  );
}

/** What was found or given can only be switched off. */
function EditButtons({ provider, onEdit, onDelete }: ProviderRowProps) {
  const t = useTranslations('settings');
  if (provider.fromEnvironment ?? provider.fromDiscovery ?? provider.readOnly) return null;
  return (
    <>
      <IconButton label={t('editProvider', { name: provider.name })} onClick={onEdit}>
        <Pencil />
      </IconButton>
      <IconButton label={t('deleteProvider')} onClick={onDelete}>
        <Trash2 />
      </IconButton>
    </>
  );
}

type DetailsProps = Pick<ProviderRowProps, 'provider' | 'onChanged'>;

function EnabledSwitch({ provider, onChanged }: DetailsProps) {
  const t = useTranslations('settings');
  const [enabled, enable] = useWish(provider.enabled, async (wanted) => {
    await api.settings.updateProvider(provider.id, { enabled: wanted });
    await onChanged();
  });
  return (
    <label className="-m-2.5 shrink-0 p-2.5">
      <Checkbox
        role="switch"
        checked={enabled}
        disabled={provider.readOnly}
        aria-label={t('providerEnabled', { name: provider.name })}
        onCheck={enable}
        className="block"
      />
    </label>
  );
}

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
      {using && <ProviderReady provider={provider} onClose={close} onChanged={onChanged} />}
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

/** Undefined while it is not known. */
function useModelCount({ slug }: Provider): number | undefined {
  // There is always one, so that none means that they are not here yet.
  return useCatalog(({ models }) =>
    models.length === 0 ? undefined : models.filter((model) => model.provider === slug).length,
  );
}

interface ProviderTextProps {
  provider: Provider;
  count: number | undefined;
  test: ProviderTest | 'running' | null;
}

function ProviderText({ provider, count, test }: ProviderTextProps) {
  const t = useTranslations('settings');
  const failure = test !== null && test !== 'running' ? test.error : undefined;
  const { name, kind, baseUrl, hasKey, fromEnvironment, fromDiscovery } = provider;
  const label = useCatalog(({ vendors }) => vendors.find((one) => one.kind === kind)?.label);
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
      <p className="text-xs break-words text-muted sm:truncate">
        {failure && (
          <span className="font-medium text-danger" data-testid="provider-fails">
            {t(failure.code === 'model_unauthorized' ? 'keyRejected' : 'testFailed')}
            {' · '}
          </span>
        )}
        {facts.join(' · ')}
      </p>
    </div>
  );
}
