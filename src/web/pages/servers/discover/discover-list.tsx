import { type ReactElement, useDeferredValue, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { RegistryEntry } from '#shared/api/registry-api.ts';
import { api } from '../../../state/session/api.ts';
import { useLoaded } from '../../../ui/hooks/use-loaded.ts';
import { ErrorNote } from '../../../ui/notices/error-note.tsx';
import { EntryRow } from './entry-row.tsx';
import { Registries } from './registries.tsx';

/** Servers to install, found by words; without a search where only a few are offered. */
export function DiscoverList(props: {
  onChoose: (entry: RegistryEntry) => void;
  most?: number;
}): ReactElement {
  const { onChoose, most } = props;
  const t = useTranslations('discover');
  const [query, setQuery] = useState('');
  const [checks, setChecks] = useState(0);
  const search = useDeferredValue(query);
  // Without words, those that ship with Cerise, which need no key.
  const registry = search.trim() === '' ? { registry: 'picked' } : {};
  const { value, error } = useLoaded(
    (signal) => api.registry.search({ search, limit: most ?? 50, ...registry }, signal),
    `${checks} ${search}`,
  );
  return (
    <>
      {most === undefined && (
        <input
          type="search"
          aria-label={t('search')}
          placeholder={t('search')}
          value={query}
          onChange={(event) => setQuery(event.target.value)}
          className="input mb-3"
          data-testid="search-catalogue"
        />
      )}
      {most === undefined && <Registries onChecked={() => setChecks(checks + 1)} />}
      {search.trim() === '' && (
        <h2 className="mb-2.5 text-sm font-medium text-muted">{t('noKey')}</h2>
      )}
      {error && <ErrorNote error={error} />}
      {value && (
        <p role="status" className={value.total === 0 ? 'text-muted' : 'sr-only'}>
          {t('found', { count: value.total })}
        </p>
      )}
      <ul className="grid gap-3 sm:grid-cols-2">
        {value?.entries.map((entry) => (
          <li key={`${entry.registry} ${entry.name}`}>
            <EntryRow entry={entry} onChoose={() => onChoose(entry)} />
          </li>
        ))}
      </ul>
    </>
  );
}
