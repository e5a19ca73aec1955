import { type ReactElement, useMemo } from 'react';
import { useTranslations } from 'use-intl';
import { type DiffPart, diffWords } from '#shared/text/word-diff.ts';
import { firstSight, type Unseen } from './first-sight.ts';
import { ShowRest } from './unseen.tsx';
import { VisibleText } from './visible-text.tsx';

/** What changed from one text to another: removed words struck, added ones marked, both read out. */
export function DiffView({ before, after }: { before: string; after: string }): ReactElement {
  const parts = useMemo(() => diffWords(before, after), [before, after]);
  return <Parts parts={parts} className="max-h-96 overflow-y-auto" />;
}

/**
 * The same for what is to be approved: a long one begins clipped, and opened it stands in the page in
 * full length. `onOpen` is told when the reader asks for that.
 */
export function WholeDiff(props: {
  parts: DiffPart[];
  rest: Unseen | undefined;
  onOpen: () => void;
}): ReactElement {
  const { parts, rest, onOpen } = props;
  const shown = rest ? firstOfDiff(parts).parts : parts;
  return (
    <div>
      <Parts parts={shown} className="" />
      {rest && <ShowRest rest={rest} onOpen={onOpen} />}
    </div>
  );
}

/** How much of a difference is drawn before it is opened. */
export function firstOfDiff(parts: DiffPart[]): { parts: DiffPart[]; rest: Unseen | undefined } {
  const { texts, rest } = firstSight(parts.map(({ text }) => text));
  return { parts: texts.map((text, at) => ({ kind: parts[at]?.kind ?? 'same', text })), rest };
}

function Parts({ parts, className }: { parts: DiffPart[]; className: string }) {
  const t = useTranslations('approval');
  return (
    <pre tabIndex={0} aria-label={t('diff')} data-testid="diff" className={`json ${className}`}>
      {parts.map(({ kind, text }, index) => {
        const Tag = tags[kind];
        return (
          // oxlint-disable-next-line react/no-array-index-key -- the parts of a difference never move
          <Tag key={index} className={looks[kind]}>
            {kind !== 'same' && <span className="sr-only">{t(kind)} </span>}
            <VisibleText text={text} goesOn />
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
