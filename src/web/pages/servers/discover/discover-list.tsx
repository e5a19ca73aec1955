import { type ReactElement, useDeferredValue, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { RegistryEntry, ServerUpdate } from '#shared/api/registry-api.ts';
import { api } from '../../../state/session/api.ts';
import { useLoaded } from '../../../ui/hooks/use-loaded.ts';
import { ErrorNote } from '../../../ui/notices/error-note.tsx';
import { EntryRow } from './entry-row.tsx';
import { Registries } from './registries.tsx';
import { UpdateRow } from './update-row.tsx';

interface DiscoverListProps {
  onChoose: (entry: RegistryEntry) => void;
  onUpdate: (update: ServerUpdate) => void;
  most?: number | undefined;
}

/** Servers to install, found by words, and newer versions of those that are; only a few of them where `most` is set. */
export function DiscoverList(props: DiscoverListProps): ReactElement {
  const { onChoose, onUpdate, most } = props;
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
        <>
          <input
            type="search"
            aria-label={t('search')}
            placeholder={t('search')}
            value={query}
            onChange={(event) => setQuery(event.target.value)}
            className="input mb-3"
            data-testid="search-catalogue"
          />
          <Registries onChecked={() => setChecks((before) => before + 1)} />
          <Updates key={checks} onUpdate={onUpdate} />
        </>
      )}
      {search.trim() === '' && (
        <h2 className="mb-2.5 text-sm font-medium text-muted">{t('noKey')}</h2>
      )}
      {error && <ErrorNote error={error} />}
      {value && <Entries page={value} onChoose={onChoose} />}
    </>
  );
}

interface EntriesProps {
  page: { entries: RegistryEntry[]; total: number };
  onChoose: (entry: RegistryEntry) => void;
}

function Entries({ page, onChoose }: EntriesProps) {
  const t = useTranslations('discover');
  return (
    <>
      <p role="status" className={page.total === 0 ? 'text-muted' : 'sr-only'}>
        {t('found', { count: page.total })}
      </p>
      <ul className="grid grid-cols-1 gap-3 sm:grid-cols-2">
        {page.entries.map((entry) => (
          <li key={`${entry.registry} ${entry.name}`}>
            <EntryRow entry={entry} onChoose={() => onChoose(entry)} />
          </li>
        ))}
      </ul>
    </>
  );
}

/** What is newer than what is installed, as of the last check. */
function Updates({ onUpdate }: { onUpdate: (update: ServerUpdate) => void }) {
  const t = useTranslations('discover');
  const { value } = useLoaded((signal) => api.registry.updates(signal), '');
  if (!value || value.updates.length === 0) return null;
  return (
    <section className="mb-6">
      <h2 className="mb-2.5 text-sm font-medium text-muted">{t('updates')}</h2>
      <ul className="space-y-2">
        {value.updates.map((update) => (
          <li key={update.server}>
            <UpdateRow update={update} onUpdate={() => onUpdate(update)} />
          </li>
        ))}
      </ul>
    </section>
  );
}
