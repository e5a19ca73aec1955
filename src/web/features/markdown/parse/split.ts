import type { Links, Token, Tokens } from 'marked';
import { findFenceEnd } from './fence.ts';
import type { FootnoteToken } from './footnote-tokens.ts';
import { lexBlocks, readDefinitions } from './lexer.ts';
import { beginsClearly, cutList, finishedLength, type ListBlock } from './list-parts.ts';

/** A top-level block as it is written; a list in its parts. */
export type SourceBlock = string | ListBlock;

/**
 * A growing text cut into its top-level blocks. Those in `groups` are finished: they can no longer
 * change, whatever follows. `live` ones still may. Joined, they are the text.
 */
export interface SplitText {
  source: string;
  /** Full groups stay the same arrays; only the last one is replaced. */
  groups: readonly (readonly SourceBlock[])[];
  live: readonly SourceBlock[];
  /** The last live block is a fence whose end has not come. */
  isFenceOpen: boolean;
  /** Where the live part begins. */
  offset: number;
  /** Link definitions of all whole lines; the object changes only with what it says. */
  links: Links;
  /** The footnotes so far, the first of a label alone. */
  notes: readonly Note[];
  finishedLinks: Links;
  finishedNotes: readonly Note[];
}

/** A footnote's definition, as it is written. */
export interface Note {
  label: string;
  raw: string;
}

/** How many blocks are a full group. */
export const groupSize = 32;

/** The split of no text: where every growing text begins. */
export const emptySplit: SplitText = {
  source: '',
  groups: [],
  live: [],
  isFenceOpen: false,
  offset: 0,
  links: {},
  notes: [],
  finishedLinks: {},
  finishedNotes: [],
};

/**
 * Moves a split on to a longer text; only the live part is read again. A text that is not a
 * continuation starts over.
 */
export function splitFurther(previous: SplitText, text: string): SplitText {
  if (goesOn(previous.source, text) && !text.includes('\r', previous.source.length))
    return text.length === previous.source.length ? previous : settle(previous, text);
  const source = text.replaceAll(/\r\n?/g, '\n');
  if (source === previous.source) return previous;
  return settle(goesOn(previous.source, source) ? previous : emptySplit, source);
}

/** Whole strings are compared many times as fast as `startsWith` compares. */
function goesOn(before: string, text: string): boolean {
  return text.length >= before.length && text.slice(0, before.length) === before;
}

/** A function that remembers the last split, so that each call reads only what is new. */
export function createSplitter(): (text: string) => SplitText {
  let last = emptySplit;
  return (text) => {
    last = splitFurther(last, text);
    return last;
  };
}

/** The definitions of a text that has ended: its last line counts too. */
export function linksAtEnd({ links, live }: SplitText): Links {
  return addLinks(links, [live.map(rawOf).join('')]);
}

/** The text of a block. */
export function rawOf(block: SourceBlock): string {
  return typeof block === 'string' ? block : block.raw;
}

interface Piece {
  block: SourceBlock;
  note?: string;
}

function settle(previous: SplitText, source: string): SplitText {
  const rest = source.slice(previous.offset);
  const code = growOpenFence(previous, rest);
  if (code) return { ...previous, source, live: code };
  const pieces = growOpenList(previous, source) ?? readPieces(rest);
  const count = countSettled(pieces, source, previous.offset);
  const done = pieces.slice(0, count);
  const live = pieces.slice(count);
  const finishedLinks = addLinks(
    previous.finishedLinks,
    done.map(({ block }) => rawOf(block)),
  );
  const finishedNotes = addNotes(previous.finishedNotes, done);
  const offset = previous.offset + lengthOf(done.map(({ block }) => block));
  const wholeLines = source.slice(offset, source.lastIndexOf('\n') + 1);
  const links = addLinks(finishedLinks, [wholeLines]);
  return {
    source,
    groups: addToGroups(previous.groups, done),
    live: live.map(({ block }) => block),
    isFenceOpen: findFenceEnd(rawOf(live.at(-1)?.block ?? ''), 0) === -1,
    offset,
    links: isSame(links, previous.links) ? previous.links : links,
    notes: addNotes(finishedNotes, live),
    finishedLinks,
    finishedNotes,
  };
}

/** Code that goes on needs no parser: only its new lines are looked at, for one that closes it. */
function growOpenFence({ isFenceOpen, live }: SplitText, rest: string): SourceBlock[] | undefined {
  const known = live.at(-1);
  if (!isFenceOpen || typeof known !== 'string') return undefined;
  const before = live.slice(0, -1);
  const code = rest.slice(lengthOf(before));
  const closed = findFenceEnd(code, Math.max(0, known.lastIndexOf('\n'))) !== -1;
  return closed ? undefined : [...before, code];
}

/** Words that no list after them can become a part of: no formula, table, note or raw HTML begins here. */
const plainWords = /^(?:\p{L}|\p{N}|\*\*)(?![^]*(?:\$\$|\\\[|\|))/u;

/** Of a list that goes on only what follows its finished parts is read again. */
function growOpenList({ live, offset }: SplitText, source: string): Piece[] | undefined {
  const list = live.at(-1);
  if (typeof list !== 'object' || list.parts.length === 1) return undefined;
  const before = live.slice(0, -1);
  const isSafe = ([only]: SourceBlock[]) =>
    before.length === 1 && plainWords.test(rawOf(only ?? '')) && beginsClearly(list);
  if (before.length > 0 && !isSafe(before)) return undefined;
  const start = offset + lengthOf(before) + finishedLength(list);
  const [first, ...others] = readPieces(source.slice(start), list);
  if (!first || typeof first.block === 'string') return undefined;
  return [...before.map((block) => ({ block })), first, ...others];
}

function lengthOf(blocks: readonly SourceBlock[]): number {
  return blocks.reduce((sum, block) => sum + rawOf(block).length, 0);
}

/**
 * A block is finished when a blank line ends it and a whole line of another block follows: no rule
 * looks across a blank line except those of lists, notes, fences and raw HTML, and these would have
 * taken the following line.
 */
function countSettled(pieces: Piece[], source: string, offset: number): number {
  const wholeLines = source.lastIndexOf('\n') + 1;
  let settled = 0;
  let start = offset;
  for (const [index, piece] of pieces.entries()) {
    if (index === pieces.length - 1) break;
    const raw = rawOf(piece.block);
    start += raw.length;
    const firstLineEnd = source.indexOf('\n', start) + 1;
    if (firstLineEnd === 0 || firstLineEnd > wholeLines) break;
    if (/\n[ \t]*\n$/.test(raw)) settled = index + 1;
  }
  return settled;
}

/**
 * Blank space belongs to the block before it, so that pieces join to the text. `list` is the list whose
 * rest the text begins with.
 */
function readPieces(text: string, list?: ListBlock): Piece[] {
  const found: { token: Token; raw: string }[] = [];
  let start = 0;
  for (const token of readTokens(text)) {
    const last = found.at(-1);
    // The lexer has a line break for a single space at the end: only the length of `raw` is right.
    const raw = text.slice(start, start + token.raw.length);
    start += raw.length;
    if (token.type === 'space' && last) last.raw += raw;
    else found.push({ token, raw });
  }
  return found.map(({ token, raw }, index) => {
    if (token.type === 'list')
      return { block: cutList(token as Tokens.List, raw, index === 0 ? list : undefined) };
    return token.type === 'footnote'
      ? { block: raw, note: (token as FootnoteToken).label }
      : { block: raw };
  });
}

/** Text that the lexer gives up on stays one plain piece. */
function readTokens(text: string): Token[] {
  try {
    const tokens = lexBlocks(text);
    const length = tokens.reduce((sum, { raw }) => sum + raw.length, 0);
    return length === text.length ? tokens : [{ type: 'text', raw: text, text }];
  } catch (error) {
    console.warn('Shown as plain text:', error);
    return [{ type: 'text', raw: text, text }];
  }
}

function addToGroups(groups: SplitText['groups'], done: Piece[]): SplitText['groups'] {
  if (done.length === 0) return groups;
  const last = groups.at(-1);
  const open = last && last.length < groupSize ? last : [];
  const kept = open === last ? groups.slice(0, -1) : groups;
  const all = [...open, ...done.map(({ block }) => block)];
  const more: SourceBlock[][] = [];
  for (let at = 0; at < all.length; at += groupSize) more.push(all.slice(at, at + groupSize));
  return [...kept, ...more];
}

/** Each text is parsed separately, in its place among the others; the first definition of a name wins. */
function addLinks(links: Links, texts: string[]): Links {
  const found = texts.filter((text) => text.includes(']:')).map(readDefinitions);
  if (found.every((more) => Object.keys(more).length === 0)) return links;
  return Object.assign({}, ...found.toReversed(), links) as Links;
}

function addNotes(notes: readonly Note[], pieces: Piece[]): readonly Note[] {
  if (!pieces.some(({ note }) => note !== undefined)) return notes;
  const more = new Map(notes.map((note) => [note.label, note]));
  for (const { block, note } of pieces)
    if (note !== undefined && !more.has(note)) more.set(note, { label: note, raw: rawOf(block) });
  return [...more.values()];
}

function isSame(links: Links, others: Links): boolean {
  const names = Object.keys(links);
  if (names.length !== Object.keys(others).length) return false;
  return names.every(
    (name) =>
      links[name]?.href === others[name]?.href && links[name]?.title === others[name]?.title,
  );
}
