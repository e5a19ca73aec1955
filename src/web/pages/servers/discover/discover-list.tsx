import { type ReactElement, useState } from 'react';
import { useTranslations } from 'use-intl';
import { handPicked } from '#shared/import/hand-picked.ts';
import { Monogram } from '../../../features/models/monogram.tsx';
import { VisibleText } from '../../../ui/text/visible-text.tsx';
import { type DiscoverEntry, entryOf, findEntries } from './entry.ts';

const entries = handPicked.map(entryOf);

/** Servers to install, found by words; the same list without a search where few are offered. */
export function DiscoverList(props: {
  onChoose: (entry: DiscoverEntry) => void;
  most?: number;
}): ReactElement {
  const { onChoose, most } = props;
  const t = useTranslations('discover');
  const [query, setQuery] = useState('');
  const found = findEntries(entries, query).slice(0, most);
  return (
    <>
      {most === undefined && (
        <input
          type="search"
          aria-label={t('search')}
          placeholder={t('search')}
          value={query}
          onChange={(event) => setQuery(event.target.value)}
          className="input mb-5"
          data-testid="search-catalogue"
        />
      )}
      <h2 className="mb-2.5 text-sm font-medium text-muted">{t('noKey')}</h2>
      <p role="status" className={found.length === 0 ? 'text-muted' : 'sr-only'}>
        {t('found', { count: found.length })}
      </p>
      <ul className="grid gap-3 sm:grid-cols-2">
        {found.map((entry) => (
          <li key={entry.id}>
            <Row entry={entry} onChoose={() => onChoose(entry)} />
          </li>
        ))}
      </ul>
    </>
  );
}

function Row({ entry, onChoose }: { entry: DiscoverEntry; onChoose: () => void }) {
  const t = useTranslations('discover');
  return (
    <button
      type="button"
      onClick={onChoose}
      data-testid="discover-entry"
      className="card flex h-full w-full items-start gap-3 p-3.5 text-left hover:bg-hover"
    >
      <Monogram name={entry.title} />
      <span className="min-w-0 flex-1">
        <span className="flex flex-wrap items-baseline gap-x-2">
          <span className="font-medium break-words">
            <VisibleText text={entry.title} />
          </span>
          {entry.needsKey && <span className="text-xs text-warn">{t('needsKey')}</span>}
        </span>
        <span className="mt-0.5 line-clamp-2 text-sm break-words text-muted">
          <VisibleText text={entry.description} />
        </span>
        <span className="mt-1.5 block text-xs break-words text-muted">
          <EntryFacts entry={entry} />
        </span>
      </span>
    </button>
  );
}

/** Who published it, its version, and how it is run. */
export function EntryFacts({ entry }: { entry: DiscoverEntry }): ReactElement {
  const t = useTranslations('discover');
  const kinds = entry.kinds.map((kind) => t(`kinds.${kind}`));
  const facts = [entry.publisher, entry.version ?? '', ...kinds].filter((fact) => fact !== '');
  return <VisibleText text={facts.join(' · ')} />;
}
