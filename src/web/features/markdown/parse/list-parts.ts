import type { Links, Token, Tokens } from 'marked';
import { lexWhole } from './lexer.ts';

/** A list at the top of a text, cut between its items. Joined, the parts are the list. */
export interface ListBlock {
  raw: string;
  /** All but the last are finished: whatever follows, they stay as they are. */
  parts: readonly string[];
  /** Some items of the finished parts have blank space between or inside of them. */
  isLooseBefore: boolean;
  /** The same of any: then the words of all items are paragraphs. */
  isLoose: boolean;
  /** How many items the finished parts have. */
  countBefore: number;
  /** The same of all. */
  count: number;
}

/** How many letters a part has at least when it is finished. */
const partChars = 1500;
const bulletOf = /^( {0,3})(?:([*+-])|\d{1,9}([.)]))/;
/** Nothing before can take such a line for its own. */
const plainBullet = /^ {0,3}(?:[*+-]|\d{1,9}[.)]) +\S/;

/**
 * Cuts a list that was just read. An item is finished when the whole first line of the next one has come.
 * `before` is the same list when it was shorter, if only the rest after its finished parts was read now.
 */
export function cutList({ items, loose }: Tokens.List, raw: string, before?: ListBlock): ListBlock {
  const parts = before ? before.parts.slice(0, -1) : [];
  let isLooseBefore = before?.isLooseBefore ?? false;
  const lastStart = items.slice(0, -1).reduce((sum, item) => sum + item.raw.length, 0);
  const isLastKnown = raw.includes('\n', lastStart);
  const headCount = before?.countBefore ?? 0;
  let countBefore = headCount;
  let start = 0;
  let end = 0;
  let isLoosePart = false;
  for (const [index, item] of items.slice(0, -1).entries()) {
    end += item.raw.length;
    isLoosePart ||= isLooseItem(item);
    if (end - start < partChars || (end === lastStart && !isLastKnown)) continue;
    parts.push(raw.slice(start, end));
    start = end;
    countBefore = headCount + index + 1;
    isLooseBefore ||= isLoosePart;
    isLoosePart = false;
  }
  const head = before ? before.raw.slice(0, finishedLength(before)) : '';
  const isLoose = loose || (before?.isLooseBefore ?? false);
  return {
    raw: head + raw,
    parts: [...parts, raw.slice(start)],
    isLooseBefore,
    isLoose,
    countBefore,
    count: headCount + items.length,
  };
}

/** How many letters the finished parts have. */
export function finishedLength({ parts }: ListBlock): number {
  return parts.slice(0, -1).reduce((sum, part) => sum + part.length, 0);
}

/** Whether a list begins so clearly that the words before it cannot become something else with it. */
export function beginsClearly({ raw }: ListBlock): boolean {
  return plainBullet.test(raw);
}

/** As the lexer has it: an item with another one after a blank line, or with one between its blocks. */
function isLooseItem({ raw, tokens }: Tokens.ListItem): boolean {
  const hasGap = ({ type, raw: space }: Token) => type === 'space' && /\n.*\n/.test(space);
  return /\n[ \t]*\n[ \t]*$/.test(raw) || tokens.some(hasGap);
}

/** How to read a part: whether its list is loose, and whether it is the last one. */
export interface PartPlace {
  isLoose: boolean;
  isLast: boolean;
}

/** The list of a part's items, as they are in the whole list; undefined where it is none by itself. */
export function lexPart(part: string, place: PartPlace, links: Links): Tokens.List | undefined {
  const [, indent = '', sign, mark] = bulletOf.exec(part) ?? [];
  const bullet = sign ?? `1${mark}`;
  // What stands around the items decides about their paragraphs and their ends.
  const before = place.isLoose ? `${indent}${bullet} x\n\n` : '';
  const after = place.isLast ? '' : `${bullet} x`;
  const [list] = lexWhole(before + part + after, links);
  if (list?.type !== 'list') return undefined;
  const { items, ...rest } = list as Tokens.List;
  return { ...rest, items: items.slice(before ? 1 : 0, after ? -1 : undefined) };
}
