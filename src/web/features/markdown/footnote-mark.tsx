import { createContext, type ReactElement, useContext, useId, useMemo } from 'react';
import { useTranslations } from 'use-intl';
import type { Note } from './parse/split.ts';

/** The footnotes of a text by their labels, numbered in the order in which they are written. */
export interface FootnoteIndex {
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

/** The id of a note in the page. */
export function noteId(id: string, number: number): string {
  return `${id.replaceAll(/[^\w-]/g, '')}-note-${number}`;
}

/** The first words of a note, for a look without leaving the place. */
function preview(raw: string): string {
  return raw
    .replace(/^ {0,3}\[\^[^\]]*\]:\s*/, '')
    .replaceAll(/\s+/g, ' ')
    .slice(0, 300);
}

/** Brings an element into view, and the focus to it. */
export function moveTo(element: Element | null): void {
  if (!(element instanceof HTMLElement)) return;
  element.scrollIntoView({ block: 'center' });
  element.focus({ preventScroll: true });
}
