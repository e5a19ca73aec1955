import type { ReactElement } from 'react';
import { useTranslations } from 'use-intl';
import type { RegistryEntry } from '#shared/api/registry-api.ts';
import { Monogram } from '../../../features/models/monogram.tsx';
import { VisibleText } from '../../../ui/text/visible-text.tsx';

/** A server that can be installed, as one button. */
export function EntryRow(props: { entry: RegistryEntry; onChoose: () => void }): ReactElement {
  const { entry, onChoose } = props;
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
          {entry.status === 'deprecated' && (
            <span className="text-xs text-warn">{t('deprecated')}</span>
          )}
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

/** Its name, which begins with its publisher, its version, and how it is run. */
export function EntryFacts({ entry }: { entry: RegistryEntry }): ReactElement {
  return <VisibleText text={[entry.name, entry.version, ...entry.kinds].join(' · ')} />;
}
