import type { Links } from 'marked';
import type { ReactElement } from 'react';
import { useTranslations } from 'use-intl';
import { type FootnoteIndex, moveTo, noteId } from './footnote-mark.tsx';
import type { FootnoteToken } from './parse/footnote-tokens.ts';
import { lexWhole } from './parse/lexer.ts';
import { renderBlocks } from './render-blocks.tsx';

/** All notes, at the end of the text, each with a way back. */
export function Footnotes(props: { notes: FootnoteIndex; links: Links }): ReactElement {
  const t = useTranslations('markdown');
  const { id, notes } = props.notes;
  return (
    <section role="doc-endnotes" aria-label={t('footnotes')} className="footnotes">
      <ol>
        {[...notes].map(([label, { number, raw }]) => (
          <li key={label} id={noteId(id, number)} tabIndex={-1}>
            {renderBlocks(tokensOf(raw, props.links))}
            <button
              type="button"
              className="footnote-back"
              aria-label={t('footnoteBack', { number })}
              onClick={() =>
                moveTo(document.querySelector(`[data-mark="${noteId(id, number)}"] a`))
              }
            >
              ↩
            </button>
          </li>
        ))}
      </ol>
    </section>
  );
}

function tokensOf(raw: string, links: Links) {
  const found = lexWhole(raw, links).find(({ type }) => type === 'footnote');
  return (found as FootnoteToken | undefined)?.tokens ?? [];
}
