import { Fragment, type ReactElement } from 'react';
import { useTranslations } from 'use-intl';
import { keyNames, type ShortcutId, shortcuts } from '../../state/page/shortcuts.ts';

/** The keys of a shortcut, as caps of a keyboard. */
export function Keys({ id, all = false }: { id: ShortcutId; all?: boolean }): ReactElement {
  const t = useTranslations('shortcuts');
  const { keys }: { keys: readonly string[] } = shortcuts[id];
  return (
    <span className="inline-flex flex-wrap items-center gap-1">
      {(all ? keys : keys.slice(0, 1)).map((combination, index) => (
        <Fragment key={combination}>
          {index > 0 && <span className="px-0.5 text-xs text-muted">{t('or')}</span>}
          {keyNames(combination).map((name) => (
            <Cap key={name}>{name}</Cap>
          ))}
        </Fragment>
      ))}
    </span>
  );
}

/** One key, or a word that is typed. */
export function Cap({ children }: { children: string }): ReactElement {
  return (
    <kbd className="inline-grid h-5 min-w-5 place-items-center rounded-md border border-line bg-sunken px-1.5 font-sans text-[0.6875rem] leading-none text-muted">
      {children}
    </kbd>
  );
}
