import { memo, type ReactElement, useMemo } from 'react';
import { useTranslations } from 'use-intl';
import { type VisiblePart } from '#shared/visible-part.ts';
import { endsLine, visibleParts } from '#shared/visible-text.ts';

interface VisibleTextProps {
  text: string;
  /** More of the same text follows. */
  goesOn?: boolean;
}

/** A stranger's text with everything named in it that would not be seen, or seen as something else. */
export const VisibleText = memo(function VisibleText(props: VisibleTextProps): ReactElement {
  const { text, goesOn = false } = props;
  const parts = useMemo(() => visibleParts(text, { goesOn }), [text, goesOn]);
  return (
    <>
      {parts.map((part, index) =>
        // oxlint-disable-next-line react/no-array-index-key -- the parts of a text never move
        part.kind === 'text' ? part.text : <Marked key={index} part={part} />,
      )}
    </>
  );
});

function Marked({ part }: { part: Exclude<VisiblePart, { kind: 'text' }> }) {
  const t = useTranslations('hidden');
  if (part.kind === 'hidden')
    return (
      <>
        <span
          data-testid="hidden-character"
          title={t(`reasons.${part.reason}`)}
          className={markLook}
        >
          {part.label}
        </span>
        {endsLine(part) && '\n'}
      </>
    );
  const scripts = part.scripts.map((script) => t(`scripts.${script as 'Latin'}`)).join(' + ');
  return (
    <>
      <span className="underline decoration-warn decoration-wavy underline-offset-2">
        {part.text}
      </span>
      <span data-testid="lookalike" title={t('lookalike')} className={markLook}>
        {scripts}
      </span>
    </>
  );
}

const markLook =
  'mx-px rounded border border-warn/50 bg-warn-soft px-1 font-mono text-[0.75em] text-warn [unicode-bidi:isolate]';
