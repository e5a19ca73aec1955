import type { Links } from 'marked';
import { createElement, memo, type ReactElement, type ReactNode } from 'react';
import { type ListBlock, lexPart, type PartPlace } from './parse/list-parts.ts';
import { mend } from './parse/mend.ts';
import { listElement, renderItems } from './render-blocks.tsx';

interface ListViewProps {
  list: ListBlock;
  links: Links;
  growing: boolean;
}

/** A list that may still grow: its finished parts are parsed and rendered once. */
export function ListView({ list, links, growing }: ListViewProps): ReactNode {
  const { parts, isLoose, count } = list;
  const last = parts.length - 1;
  const shown = parts.map((part, index) => (growing && index === last ? mend(part) : part));
  const [first = ''] = shown;
  // The mark of a first item may turn out to be that of bold words.
  if (first.trim() === '') return null;
  return listElement(
    first,
    count,
    shown.map((part, index) => (
      // oxlint-disable-next-line react/no-array-index-key -- items never move
      <Part key={index} part={part} isLoose={isLoose} isLast={index === last} links={links} />
    )),
  );
}

type PartProps = PartPlace & { part: string; links: Links };

const Part = memo(function Part({ part, isLoose, isLast, links }: PartProps): ReactElement {
  try {
    const list = lexPart(part, { isLoose, isLast }, links);
    if (list) return renderItems(list.items);
  } catch (error) {
    console.warn('Shown as plain text:', error);
  }
  return createElement('li', { className: 'whitespace-pre-wrap' }, part);
});
