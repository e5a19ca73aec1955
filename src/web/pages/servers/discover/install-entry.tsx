import { type ReactElement, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { ServerView } from '#shared/api/api.ts';
import type { RegistryEntry } from '#shared/api/registry-api.ts';
import { api } from '../../../state/session/api.ts';
import { Field } from '../../../ui/controls/field.tsx';
import { Modal } from '../../../ui/dialog/modal.tsx';
import { ErrorNote } from '../../../ui/notices/error-note.tsx';
import { ImportPreview } from '../import/import-preview.tsx';
import { useDryRun } from '../import/use-dry-run.ts';
import { EntryFacts } from './entry-row.tsx';

interface InstallEntryProps {
  entry: RegistryEntry;
  onClose: () => void;
  onAdded: (servers: ServerView[]) => void;
}

/** What a server would run or reach, and what it asks for. Nothing runs before that is approved. */
export function InstallEntry({ entry, onClose, onAdded }: InstallEntryProps): ReactElement {
  const t = useTranslations('discover');
  const [at, setAt] = useState(0);
  const { registry, name, version } = entry;
  const { seen, error, show, fail } = useDryRun(name, (_, signal) =>
    api.registry.install({ registry, name, version, dryRun: true }, signal),
  );
  const ways = seen?.view.entries ?? [];
  const way = ways[at];
  return (
    <Modal open onClose={onClose} title={entry.title} description={entry.description}>
      <div className="space-y-4" data-testid="install-entry">
        <p className="text-xs break-words text-muted">
          <EntryFacts entry={entry} />
        </p>
        {ways.length > 1 && (
          <Field label={t('way')}>
            {(ids) => (
              <select
                {...ids}
                className="input"
                value={at}
                onChange={(event) => setAt(Number(event.target.value))}
              >
                {ways.map(({ place }, index) => (
                  <option key={place} value={index}>
                    {place}
                  </option>
                ))}
              </select>
            )}
          </Field>
        )}
        {error && <ErrorNote error={error} />}
        {seen && way && (
          <ImportPreview
            key={way.place}
            single
            view={{ ...seen.view, entries: [way] }}
            isOld={false}
            add={(chosen) => api.registry.install({ registry, name, version, ...chosen })}
            onView={({ entries: [changed = way] }) =>
              show({ ...seen, view: { ...seen.view, entries: ways.with(at, changed) } })
            }
            onFailure={fail}
            onClose={onClose}
            onAdded={onAdded}
          />
        )}
      </div>
    </Modal>
  );
}
