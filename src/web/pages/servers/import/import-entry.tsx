import type { ReactElement } from 'react';
import { useTranslations } from 'use-intl';
import type { ImportedEntry } from '#shared/api/import-api.ts';
import type { ErrorCode } from '#shared/errors/errors.ts';
import { isLimited } from '#shared/vocabulary/server-access.ts';
import type { StdioConfig } from '#shared/vocabulary/server.ts';
import { useCatalog } from '../../../state/catalog/catalog.ts';
import { ErrorNote } from '../../../ui/notices/error-note.tsx';
import { VisibleText } from '../../../ui/text/visible-text.tsx';
import { LaunchFacts } from '../launch/launch-facts.tsx';
import { Checkbox } from '../../../ui/controls/checkbox.tsx';
import { withOpenValues } from './open-values.ts';
import { twinOf } from './twin-of.ts';

interface ImportEntryProps {
  entry: ImportedEntry;
  /** It is the only one, and was chosen already. */
  single: boolean;
  wanted: boolean;
  onWanted: (wanted: boolean) => void;
}

/** One server of a text: exactly what it would run or reach, or why it cannot be added. */
export function ImportEntryView(props: ImportEntryProps): ReactElement {
  const { entry, single } = props;
  const t = useTranslations('serverImport');
  const { config, error, exists, server, leftOut } = entry;
  const others = leftOut.filter((field) => field !== 'autoApprove');
  const servers = useCatalog((state) => state.servers);
  const twin = exists || server ? undefined : twinOf(config, servers)?.name;
  const settled = error !== undefined || exists || server !== undefined;
  return (
    <section
      className={single ? '' : 'rounded-xl border border-line p-3'}
      data-testid="import-entry"
    >
      {!single && <Choice {...props} isSettled={settled} />}
      {twin !== undefined && (
        <p className="mb-2 text-sm text-warn" data-testid="already-added">
          <VisibleText text={t('twin', { name: twin })} />
        </p>
      )}
      {error && <ErrorNote error={{ ...error, code: error.code as ErrorCode }} />}
      {config !== undefined && <LaunchFacts config={withOpenValues(config)} />}
      {!single && isLimitedCommand(config) && (
        <p className="mt-2 text-xs text-muted">{t('limited')}</p>
      )}
      {config === undefined && !error && <p className="text-sm text-muted">{t('needsAnswers')}</p>}
      {exists && <p className="mt-2 text-sm text-muted">{t('exists')}</p>}
      {server && <p className="mt-2 text-sm text-ok">{t('added')}</p>}
      {leftOut.includes('autoApprove') && (
        <p className="mt-2 text-xs text-warn">{t('noAutoApprove')}</p>
      )}
      {others.length > 0 && (
        <p className="mt-2 text-xs text-muted" data-testid="left-out">
          {t('leftOut', { names: others.join(', ') })}
        </p>
      )}
    </section>
  );
}

function isLimitedCommand(config: unknown): boolean {
  const { type, access } = (config ?? {}) as Partial<StdioConfig>;
  return type === 'stdio' && isLimited(access);
}

function Choice(props: ImportEntryProps & { isSettled: boolean }) {
  const { entry, wanted, onWanted, isSettled } = props;
  return (
    <label className="mb-2 flex min-h-8 items-center gap-2.5 text-sm pointer-coarse:min-h-11">
      <Checkbox checked={wanted} disabled={isSettled} onCheck={onWanted} />
      <span className="min-w-0">
        <span className="block font-medium break-words">
          <VisibleText text={entry.name} />
        </span>
        {/[\p{L}\p{N}]/u.test(entry.place) && (
          <span className="block font-mono text-xs break-all text-muted">
            <VisibleText text={entry.place} />
          </span>
        )}
      </span>
    </label>
  );
}
