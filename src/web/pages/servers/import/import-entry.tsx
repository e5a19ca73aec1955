import type { ReactElement } from 'react';
import { useTranslations } from 'use-intl';
import type { ImportedEntry } from '#shared/api/import-api.ts';
import type { ErrorCode } from '#shared/errors/errors.ts';
import { ErrorNote } from '../../../ui/notices/error-note.tsx';
import { VisibleText } from '../../../ui/text/visible-text.tsx';
import { LaunchFacts } from '../launch/launch-facts.tsx';

interface ImportEntryProps {
  entry: ImportedEntry;
  /** It is the only one, and was chosen already. */
  single: boolean;
  wanted: boolean;
  onWanted: (wanted: boolean) => void;
}

/** One server of a text: exactly what it would run or reach, or why it cannot be added. */
export function ImportEntryView(props: ImportEntryProps): ReactElement {
  const { entry, single, wanted, onWanted } = props;
  const t = useTranslations('serverImport');
  const { name, place, config, error, exists, server, leftOut } = entry;
  const settled = error !== undefined || exists || server !== undefined;
  return (
    <section
      className={single ? '' : 'rounded-xl border border-line p-3'}
      data-testid="import-entry"
    >
      {!single && (
        <label className="mb-2 flex min-h-8 items-center gap-2.5 text-sm pointer-coarse:min-h-11">
          <input
            type="checkbox"
            checked={wanted}
            disabled={settled}
            className="size-4 shrink-0 accent-accent"
            onChange={(event) => onWanted(event.target.checked)}
          />
          <span className="min-w-0">
            <span className="block font-medium break-words">
              <VisibleText text={name} />
            </span>
            <span className="block font-mono text-xs break-all text-muted">
              <VisibleText text={place} />
            </span>
          </span>
        </label>
      )}
      {error && <ErrorNote error={{ ...error, code: error.code as ErrorCode }} />}
      {config !== undefined && <LaunchFacts config={config} />}
      {config === undefined && !error && <p className="text-sm text-muted">{t('needsAnswers')}</p>}
      {exists && <p className="mt-2 text-sm text-muted">{t('exists')}</p>}
      {server && <p className="mt-2 text-sm text-ok">{t('added')}</p>}
      {leftOut.includes('autoApprove') && (
        <p className="mt-2 text-xs text-warn">{t('noAutoApprove')}</p>
      )}
    </section>
  );
}
