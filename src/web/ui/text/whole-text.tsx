import { type ReactElement, useMemo } from 'react';
import { textPieces } from './text-pieces.ts';
import { VisibleText } from './visible-text.tsx';

/** Shorter texts need no boxes. */
const maxChars = 16_384;

/** A text of any length with everything in it that would not be seen; what is out of sight is not laid out. */
export function WholeText({ text }: { text: string }): ReactElement {
  const pieces = useMemo(() => (text.length > maxChars ? textPieces(text) : undefined), [text]);
  if (!pieces) return <VisibleText text={text} />;
  return (
    <>
      {pieces.map((piece, index) => (
        <span
          // oxlint-disable-next-line react/no-array-index-key -- the pieces of a text never move
          key={index}
          className="block [content-visibility:auto]"
          style={{ containIntrinsicBlockSize: `auto ${(piece.lines * 1.32).toFixed(2)}rem` }}
        >
          <VisibleText text={piece.text} />
        </span>
      ))}
    </>
  );
}
