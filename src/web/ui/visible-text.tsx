import type { ReactElement } from 'react';
import { splitHidden } from './hidden-characters.ts';

/** A stranger's text with the characters shown that would hide or turn the others. */
export function VisibleText({ text }: { text: string }): ReactElement {
  return (
    <>
      {splitHidden(text).map((part, index) =>
        'hidden' in part ? (
          // oxlint-disable-next-line react/no-array-index-key -- the parts of a text never move
          <span key={index} data-testid="hidden-character" className={hiddenLook}>
            {part.hidden}
          </span>
        ) : (
          part.text
        ),
      )}
    </>
  );
}

const hiddenLook =
  'mx-px rounded border border-warn/50 bg-warn-soft px-1 font-mono text-[0.75em] text-warn';
