import { Check, Plus, Star } from 'lucide-react';
import { type MouseEvent, type ReactElement, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Link } from 'wouter';
import type { ModelInfo } from '#shared/vocabulary/model.ts';
import { useCatalog } from '../../state/catalog/catalog.ts';
import { recentModels } from '../../state/chat/recent-models.ts';
import { useTopics } from '../../state/chat/topics.ts';
import { SearchList } from '../../ui/controls/search-list.tsx';
import { Capabilities } from './capabilities.tsx';
import { markFavourite } from './favourites.ts';
import { groupModels } from './group-models.ts';

interface ModelListProps {
  models: ModelInfo[];
  chosen: string | undefined;
  onChoose: (id: string) => void;
}

/** The models to choose from: favourites and recent ones first, then by provider, with a way to add one. */
export function ModelList({ models, chosen, onChoose }: ModelListProps): ReactElement {
  const t = useTranslations('composer');
  const [query, setQuery] = useState('');
  const favourites = useCatalog((state) => state.favouriteModels);
  const topics = useTopics((state) => state.topics);
  // Rows stay where they are while stars are set; the next time they stand first.
  const [starred] = useState(favourites);
  const recent = recentModels(topics, models);
  const groups = groupModels(models, { query, favourites: starred, recent });
  const row = (model: ModelInfo) => (
    <ModelRow
      model={model}
      chosen={model.id === chosen}
      isFavourite={favourites.includes(model.id)}
    />
  );
  const headings = { favourites: t('favourites'), recent: t('recent') };
  return (
    <SearchList
      label={t('model')}
      placeholder={t('filterModels')}
      query={query}
      onQuery={setQuery}
      groups={groups.map(({ kind, name, models: own }) => ({
        heading: kind === 'provider' ? name : headings[kind],
        options: own.map((model) => ({ id: model.id, label: row(model) })),
      }))}
      selected={chosen}
      onChoose={onChoose}
      nothing={t('noModels')}
    >
      {(active) => <Footer active={models.find(({ id }) => id === active)} />}
    </SearchList>
  );
}

/** What keys and screen readers have instead of the stars, and the way to more models. */
function Footer({ active }: { active: ModelInfo | undefined }) {
  const t = useTranslations('composer');
  const isFavourite = useCatalog(({ favouriteModels }) =>
    favouriteModels.includes(active?.id ?? ''),
  );
  return (
    <div className="mt-1.5 flex items-center gap-1 border-t border-line pt-1.5">
      {active && (
        <button
          type="button"
          aria-pressed={isFavourite}
          data-testid="favourite"
          onClick={() => markFavourite(active.id, !isFavourite)}
          className="menu-item sr-only w-auto min-w-0 text-muted focus-visible:not-sr-only focus-visible:flex focus-visible:px-2.5 focus-visible:py-2"
        >
          <Star aria-hidden className={isFavourite ? 'fill-current text-accent-text' : ''} />
          <span className="truncate">
            {t('favourite')}: {plainName(active)}
          </span>
        </button>
      )}
      <Link
        href="/settings/models?add"
        data-testid="add-model"
        className="menu-item w-auto shrink-0 text-muted pointer-coarse:min-h-11"
      >
        <Plus aria-hidden />
        {t('addModel')}
      </Link>
    </div>
  );
}

interface ModelRowProps {
  model: ModelInfo;
  chosen: boolean;
  isFavourite: boolean;
}

function ModelRow({ model, chosen, isFavourite }: ModelRowProps) {
  const mark = (event: MouseEvent) => {
    event.stopPropagation();
    markFavourite(model.id, !isFavourite);
  };
  return (
    <>
      <span
        // An option holds nothing to press; the button below the list does the same.
        aria-hidden
        data-testid="star"
        data-on={isFavourite ? '' : undefined}
        onClick={mark}
        className={`-my-2 -ml-1 flex cursor-pointer items-center p-1 pointer-coarse:p-2.5 ${isFavourite ? 'text-accent-text' : 'text-muted opacity-40 hover:opacity-100'}`}
      >
        <Star className={isFavourite ? 'fill-current' : ''} />
      </span>
      <span className="min-w-0 flex-1 truncate font-medium">{plainName(model)}</span>
      {model.scripted ? (
        <ScriptedMark />
      ) : (
        <span className="text-xs text-muted">
          <Capabilities model={model} />
        </span>
      )}
      <Check aria-hidden className={`text-accent-text ${chosen ? '' : 'invisible'}`} />
    </>
  );
}

/** The mark beside it already says that a model is scripted. */
export function plainName({ name, scripted }: ModelInfo): string {
  return scripted ? name.replace(/\s*\(scripted\)$/i, '') : name;
}

/** Says that a model only plays a script. */
export function ScriptedMark(): ReactElement {
  const t = useTranslations('common');
  return (
    <span className="shrink-0 rounded-full bg-accent-soft px-1.5 py-px text-[0.6875rem] font-medium text-accent-text">
      {t('scripted')}
    </span>
  );
}
