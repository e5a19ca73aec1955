import { type ReactElement, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { ModelInfo, ModelPrice, Provider } from '#shared/vocabulary/model.ts';
import { Capabilities } from '../../../features/models/capabilities.tsx';
import { useCatalog } from '../../../state/catalog/catalog.ts';
import { api } from '../../../state/session/api.ts';
import { useListed } from '../../../ui/hooks/use-listed.ts';
import { ModelPriceButton } from './model-price.tsx';
import { Checkbox } from '../../../ui/controls/checkbox.tsx';
import { FilterBox } from '../../../ui/controls/filter-box.tsx';

interface ProviderModelsProps {
  provider: Provider;
  onChanged: () => Promise<void>;
}

/** The models of a provider with what they can do and cost; those nobody wants are kept out of the pickers. */
export function ProviderModels({ provider, onChanged }: ProviderModelsProps): ReactElement {
  const t = useTranslations('settings');
  const all = useCatalog((state) => state.models);
  const [query, setQuery] = useState('');
  const { hidden, hide } = useHidden(provider, onChanged);
  const models = all.filter((model) => model.provider === provider.slug);
  const shown = models.filter((model) => fits(model, query));
  const offered = models.filter((model) => !hidden.has(idIn(provider, model)));
  if (models.length === 0) return <p className="text-sm text-muted">{t('modelsNone')}</p>;
  return (
    <div data-testid="provider-models" className="mt-1.5">
      <div className="mb-2 flex flex-wrap items-center gap-2">
        <FilterBox
          label={t('modelsFilter')}
          value={query}
          onWrite={setQuery}
          className="min-w-0 flex-1 basis-48"
        />
        {!provider.readOnly && <BulkButtons onHide={(isHidden) => hide(shown, isHidden)} />}
      </div>
      <ModelLines {...{ provider, models: shown, hidden, hide, onChanged }} />
      <p role="status" className="mt-2 text-xs text-muted">
        {t('modelsOffered', { count: offered.length, all: models.length })}
      </p>
    </div>
  );
}

interface ModelLinesProps extends ProviderModelsProps {
  models: ModelInfo[];
  hidden: ReadonlySet<string>;
  hide: (models: ModelInfo[], isHidden: boolean) => void;
}

function ModelLines({ provider, models, hidden, hide, onChanged }: ModelLinesProps) {
  return (
    <ul className="max-h-80 divide-y divide-line overflow-y-auto">
      {models.map((model) => (
        <ModelLine
          key={model.id}
          model={model}
          isOn={!hidden.has(idIn(provider, model))}
          readOnly={provider.readOnly ?? false}
          price={priceOf(provider, model)}
          onSwitch={(on) => hide([model], !on)}
          onPrice={async (price) => {
            const prices = { [idIn(provider, model)]: price };
            await api.settings.updateProvider(provider.id, { prices });
            await onChanged();
          }}
        />
      ))}
    </ul>
  );
}

function fits({ id, name }: ModelInfo, query: string): boolean {
  const words = query.trim().toLowerCase().split(/\s+/);
  return words.every((word) => `${id} ${name}`.toLowerCase().includes(word));
}

/** Which models are hidden as the reader wants it, and the way there: one request at a time. */
function useHidden(provider: Provider, onChanged: () => Promise<void>) {
  const { id } = provider;
  const [hidden, list] = useListed(provider.hidden, async (switched) => {
    await api.settings.updateProvider(id, { hidden: switched });
    await onChanged();
  });
  const hide = (models: ModelInfo[], isHidden: boolean) =>
    list(
      models.map((model) => idIn(provider, model)),
      isHidden,
    );
  return { hidden, hide };
}

function BulkButtons({ onHide }: { onHide: (isHidden: boolean) => void }) {
  const t = useTranslations('settings');
  return (
    <div className="flex gap-1">
      <BulkButton label={t('modelsShowAll')} onClick={() => onHide(false)} />
      <BulkButton label={t('modelsHideAll')} onClick={() => onHide(true)} />
    </div>
  );
}

function BulkButton({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <button
      type="button"
      onClick={onClick}
      className="rounded-md px-2 py-1.5 text-sm text-muted hover:bg-hover hover:text-ink pointer-coarse:min-h-11"
    >
      {label}
    </button>
  );
}

interface ModelLineProps {
  model: ModelInfo;
  isOn: boolean;
  readOnly: boolean;
  price: ModelPrice | undefined;
  onSwitch: (on: boolean) => void;
  onPrice: (price: ModelPrice | null) => Promise<void>;
}

function ModelLine({ model, isOn, readOnly, price, onSwitch, onPrice }: ModelLineProps) {
  return (
    <li className="flex items-center gap-2 [content-visibility:auto] [contain-intrinsic-size:auto_2.75rem]">
      <label className="flex min-h-11 min-w-0 flex-1 items-center gap-3 py-1 text-sm">
        <Checkbox
          role="switch"
          data-testid="model-switch"
          checked={isOn}
          disabled={readOnly}
          onCheck={onSwitch}
        />
        <span className={`min-w-0 flex-1 truncate ${isOn ? '' : 'text-muted line-through'}`}>
          {model.name}
        </span>
        <span className="text-xs text-muted">
          <Capabilities model={model} />
        </span>
      </label>
      <ModelPriceButton
        name={model.name}
        price={price}
        listPrice={model.listPrice}
        readOnly={readOnly}
        onSet={onPrice}
      />
    </li>
  );
}

/** What the provider itself calls it. */
function idIn(provider: Provider, { id }: ModelInfo): string {
  return id.slice(provider.slug.length + 1);
}

function priceOf(provider: Provider, model: ModelInfo): ModelPrice | undefined {
  const id = idIn(provider, model);
  return Object.hasOwn(provider.prices, id) ? provider.prices[id] : undefined;
}
