import { memo, type ReactElement, type ReactNode, useMemo } from 'react';
import { useTranslations } from 'use-intl';
import { type VisiblePart } from '#shared/text/visible-part.ts';
import { endsLine, visibleParts } from '#shared/text/visible-text.ts';

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
        part.kind === 'text' ? inOrder(part.text) : <Marked key={index} part={part} />,
      )}
    </>
  );
});

/** Letters that are written from right to left, with the spaces between them. */
const toTheLeft = String.raw`[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]`;
const run = new RegExp(`(${toTheLeft}(?:[${toTheLeft}\\p{M} ]*${toTheLeft})?)`, 'v');

/** Such words stand for themselves: what is around them, numbers and signs, keeps its order. */
function inOrder(text: string): ReactNode {
  const pieces = text.split(run);
  if (pieces.length === 1) return text;
  return pieces.map((piece, index) =>
    // oxlint-disable-next-line react/no-array-index-key -- the pieces of a text never move
    index % 2 === 1 ? <bdi key={index}>{piece}</bdi> : piece,
  );
}

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
