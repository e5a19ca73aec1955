import { Plug, X } from 'lucide-react';
import { type ReactElement, useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { ModelInfo, Provider } from '#shared/vocabulary/model.ts';
import {
  loadModels,
  loadProviders,
  useCatalog,
  usePickableModels,
} from '../../state/catalog/catalog.ts';
import { api } from '../../state/session/api.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Select } from '../../ui/controls/select.tsx';
import { IconButton } from '../../ui/controls/icon-button.tsx';
import { useBusy } from '../../ui/hooks/use-busy.ts';

const storageKey = 'cerise.foundModels';

/** Says that a real model is at hand while the scripted one is the default; one click uses it. */
export function RealModelNotice(): ReactElement | null {
  const models = useCatalog((state) => state.models);
  const offered = usePickableModels();
  const defaultModel = useCatalog((state) => state.defaultModel);
  const providers = useCatalog((state) => state.providers);
  const [dismissed, setDismissed] = useState(readDismissed);
  const isScripted = models.some(({ id, scripted }) => id === defaultModel && scripted);
  useEffect(() => {
    // Only a person who may change settings sees providers; for anyone else there is no hint.
    if (isScripted) loadProviders().catch(console.info);
  }, [isScripted]);
  const found = isScripted ? (providers ?? []) : [];
  const provider = found.find(
    (one) => one.enabled && !dismissed.includes(one.id) && modelsOf(offered, one).length > 0,
  );
  if (!provider) return null;
  return (
    <Offer
      key={provider.id}
      provider={provider}
      models={modelsOf(offered, provider)}
      onDismiss={() => {
        const next = [...dismissed, provider.id];
        localStorage.setItem(storageKey, next.join('\n'));
        setDismissed(next);
      }}
    />
  );
}

interface OfferProps {
  provider: Provider;
  models: ModelInfo[];
  onDismiss: () => void;
}

function Offer({ provider, models, onDismiss }: OfferProps) {
  const t = useTranslations('chat');
  const [chosen, setChosen] = useState(models[0]?.id ?? '');
  const [busy, act] = useBusy();
  const use = async () => {
    await api.settings.write({ ...(await api.settings.read()), defaultModel: chosen });
    await loadModels();
  };
  return (
    <section
      data-testid="found-models"
      aria-label={t('found', { name: provider.name })}
      className="card mx-auto mt-8 max-w-xl p-4 text-left text-sm"
    >
      <OfferHead provider={provider} onDismiss={onDismiss} />
      <div className="mt-3 flex flex-wrap gap-2">
        <Select
          aria-label={t('foundModel')}
          value={chosen}
          options={models.map(({ id, name }) => [id, name] as const)}
          onChoose={setChosen}
          className="input min-w-0 flex-1 basis-48"
        />
        <Button disabled={busy} onClick={() => void act(use)} data-testid="use-found">
          {t('foundUse')}
        </Button>
      </div>
    </section>
  );
}

function OfferHead({ provider, onDismiss }: Omit<OfferProps, 'models'>) {
  const t = useTranslations('chat');
  return (
    <div className="flex items-start gap-3">
      <Plug aria-hidden className="mt-0.5 size-4 shrink-0 text-accent-text" />
      <div className="min-w-0 flex-1">
        <h2 className="font-semibold">{t('found', { name: provider.name })}</h2>
        <p className="mt-0.5 text-muted">{t(originOf(provider))}</p>
      </div>
      <IconButton label={t('foundDismiss')} size="small" onClick={onDismiss}>
        <X />
      </IconButton>
    </div>
  );
}

/** Why it can be used. */
function originOf({ fromDiscovery, fromEnvironment }: Provider) {
  if (fromDiscovery) return 'foundHere';
  return fromEnvironment ? 'foundKey' : 'foundAdded';
}

/** The models of a provider, those that are known to use tools first. */
function modelsOf(models: ModelInfo[], { slug }: Provider): ModelInfo[] {
  const rank = ({ capabilities, toolCheck }: ModelInfo) =>
    toolCheck === 'passed' ? 0 : capabilities.tools && toolCheck !== 'failed' ? 1 : 2;
  return models.filter(({ provider }) => provider === slug).toSorted((a, b) => rank(a) - rank(b));
}

function readDismissed(): string[] {
  return (localStorage.getItem(storageKey) ?? '').split('\n').filter((id) => id !== '');
}
