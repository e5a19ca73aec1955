import type { ReactElement } from 'react';
import { useTranslations } from 'use-intl';
import { VisibleText } from './visible-text.tsx';
import { diffWords } from './word-diff.ts';

/** What changed from one text to another: removed words struck, added ones marked, both read out. */
export function DiffView({ before, after }: { before: string; after: string }): ReactElement {
  const t = useTranslations('approval');
  return (
    <pre
      tabIndex={0}
      aria-label={t('diff')}
      data-testid="diff"
      className="json max-h-96 overflow-y-auto"
    >
      {diffWords(before, after).map(({ kind, text }, index) => {
        const Tag = tags[kind];
        return (
          // oxlint-disable-next-line react/no-array-index-key -- the parts of a difference never move
          <Tag key={index} className={looks[kind]}>
            {kind !== 'same' && <span className="sr-only">{t(kind)} </span>}
            <VisibleText text={text} />
          </Tag>
        );
      })}
    </pre>
  );
}

const tags = { same: 'span', added: 'ins', removed: 'del' } as const;
const looks = {
  same: '',
  added: 'rounded-sm bg-ok/10 text-ok no-underline',
  removed: 'rounded-sm bg-danger-soft text-danger line-through',
};
