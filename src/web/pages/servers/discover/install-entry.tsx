import { type ReactElement, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { ServerView } from '#shared/api/api.ts';
import { Modal } from '../../../ui/dialog/modal.tsx';
import { Field } from '../../../ui/controls/field.tsx';
import { ErrorNote } from '../../../ui/notices/error-note.tsx';
import { ImportPreview } from '../import/import-preview.tsx';
import { useDryRun } from '../import/use-dry-run.ts';
import { EntryFacts } from './discover-list.tsx';
import { type DiscoverEntry, waysOf } from './entry.ts';

interface InstallEntryProps {
  entry: DiscoverEntry;
  onClose: () => void;
  onAdded: (servers: ServerView[]) => void;
}

/** What a server would run or reach, and what it asks for. Nothing runs before that is approved. */
export function InstallEntry({ entry, onClose, onAdded }: InstallEntryProps): ReactElement {
  const t = useTranslations('discover');
  const ways = waysOf(entry);
  const [at, setAt] = useState(0);
  const text = ways[at]?.text ?? '';
  const { seen, error, show, fail } = useDryRun(text);
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
                {ways.map(({ label }, index) => (
                  <option key={label} value={index}>
                    {label}
                  </option>
                ))}
              </select>
            )}
          </Field>
        )}
        {error && <ErrorNote error={error} />}
        {seen && (
          <ImportPreview
            key={seen.text}
            {...seen}
            single
            isOld={seen.text !== text}
            onView={(view) => show({ ...seen, view })}
            onFailure={fail}
            onClose={onClose}
            onAdded={onAdded}
          />
        )}
      </div>
    </Modal>
  );
}
