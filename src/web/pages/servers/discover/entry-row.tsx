import type { ReactElement } from 'react';
import { useTranslations } from 'use-intl';
import type { RegistryEntry } from '#shared/api/registry-api.ts';
import { Monogram } from '../../../features/models/monogram.tsx';
import { useCatalog } from '../../../state/catalog/catalog.ts';
import { VisibleText } from '../../../ui/text/visible-text.tsx';
import { useEntryText } from './use-entry-text.ts';

/** A server that can be installed, as one button. */
export function EntryRow(props: { entry: RegistryEntry; onChoose: () => void }): ReactElement {
  const { entry, onChoose } = props;
  const t = useTranslations('discover');
  const isThere = useCatalog(({ servers }) =>
    servers.some(
      ({ installedFrom: from }) => from?.registry === entry.registry && from.name === entry.name,
    ),
  );
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
          {isThere && <span className="text-xs text-ok">{t('isThere')}</span>}
        </span>
        <span className="mt-0.5 line-clamp-2 text-sm break-words text-muted">
          <VisibleText text={useEntryText(entry)} />
        </span>
        <span className="mt-1.5 block truncate text-xs text-muted">
          <VisibleText text={entry.name} />
        </span>
        <span className="block text-xs break-words text-muted">
          <VisibleText text={[entry.version, ...entry.kinds].join(' · ')} />
        </span>
      </span>
    </button>
  );
}
