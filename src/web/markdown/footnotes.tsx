import type { Links } from 'marked';
import { createContext, type ReactElement, useContext, useId, useMemo } from 'react';
import { useTranslations } from 'use-intl';
import type { FootnoteToken } from './footnote-tokens.ts';
import { lexWhole } from './lexer.ts';
import { renderBlocks } from './render-blocks.tsx';
import type { Note } from './split.ts';

/** The footnotes of a text by their labels, numbered in the order in which they are written. */
interface FootnoteIndex {
  id: string;
  notes: ReadonlyMap<string, { number: number; raw: string }>;
}

const none: FootnoteIndex = { id: '', notes: new Map() };

/** The footnotes that marks point to. Marks change with them; the text is not read again. */
export const FootnotesContext = createContext(none);

/** The index of a text's footnotes; it stays the same while they do. */
export function useFootnoteIndex(notes: readonly Note[]): FootnoteIndex {
  const id = useId();
  return useMemo(() => {
    if (notes.length === 0) return none;
    const numbered = notes.map(({ label, raw }, at) => [label, { number: at + 1, raw }] as const);
    return { id, notes: new Map(numbered) };
  }, [id, notes]);
}

/** A mark as a small number that leads to its note; what points to none stays text. */
export function FootnoteMark({ label, raw }: { label: string; raw: string }): ReactElement {
  const t = useTranslations('markdown');
  const { id, notes } = useContext(FootnotesContext);
  const note = notes.get(label);
  if (!note) return <>{raw}</>;
  const target = noteId(id, note.number);
  return (
    <sup data-mark={target}>
      <a
        href={`#${target}`}
        role="doc-noteref"
        aria-label={t('footnote', { number: note.number })}
        title={preview(note.raw)}
        onClick={(event) => {
          event.preventDefault();
          moveTo(document.querySelector(`#${CSS.escape(target)}`));
        }}
      >
        {note.number}
      </a>
    </sup>
  );
}

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

function noteId(id: string, number: number): string {
  return `${id.replaceAll(/[^\w-]/g, '')}-note-${number}`;
}

/** The first words of a note, for a look without leaving the place. */
function preview(raw: string): string {
  return raw
    .replace(/^ {0,3}\[\^[^\]]*\]:\s*/, '')
    .replaceAll(/\s+/g, ' ')
    .slice(0, 300);
}

function moveTo(element: Element | null): void {
  if (!(element instanceof HTMLElement)) return;
  element.scrollIntoView({ block: 'center' });
  element.focus({ preventScroll: true });
}
