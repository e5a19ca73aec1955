import type { Links } from 'marked';
import { findFenceEnd } from './fence.ts';
import { lexBlocks, readDefinitions } from './lexer.ts';

/**
 * A growing text cut into its top-level blocks. Those in `groups` are finished: they can no longer
 * change, whatever follows. `live` ones still may. Joined, they are the text.
 */
export interface SplitText {
  source: string;
  /** Full groups stay the same arrays; only the last one is replaced. */
  groups: readonly (readonly string[])[];
  live: readonly string[];
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
  return addLinks(links, [{ raw: live.join('') }]);
}

interface Piece {
  raw: string;
  note?: string;
}

function settle(previous: SplitText, source: string): SplitText {
  const rest = source.slice(previous.offset);
  const code = growOpenFence(previous, rest);
  if (code) return { ...previous, source, live: code };
  const pieces = readPieces(rest);
  const count = countSettled(pieces, source, previous.offset);
  const done = pieces.slice(0, count);
  const live = pieces.slice(count);
  const finishedLinks = addLinks(previous.finishedLinks, done);
  const finishedNotes = addNotes(previous.finishedNotes, done);
  const offset = previous.offset + done.reduce((sum, { raw }) => sum + raw.length, 0);
  const wholeLines = source.slice(offset, source.lastIndexOf('\n') + 1);
  const links = addLinks(finishedLinks, [{ raw: wholeLines }]);
  return {
    source,
    groups: addToGroups(previous.groups, done),
    live: live.map(({ raw }) => raw),
    isFenceOpen: findFenceEnd(live.at(-1)?.raw ?? '', 0) === -1,
    offset,
    links: isSame(links, previous.links) ? previous.links : links,
    notes: addNotes(finishedNotes, live),
    finishedLinks,
    finishedNotes,
  };
}

/** Code that goes on needs no parser: only its new lines are looked at, for one that closes it. */
function growOpenFence({ isFenceOpen, live }: SplitText, rest: string): string[] | undefined {
  const known = live.at(-1);
  if (!isFenceOpen || known === undefined) return undefined;
  const before = live.slice(0, -1);
  const code = rest.slice(before.reduce((sum, { length }) => sum + length, 0));
  const closed = findFenceEnd(code, Math.max(0, known.lastIndexOf('\n'))) !== -1;
  return closed ? undefined : [...before, code];
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
    start += piece.raw.length;
    const firstLineEnd = source.indexOf('\n', start) + 1;
    if (firstLineEnd === 0 || firstLineEnd > wholeLines) break;
    if (/\n[ \t]*\n$/.test(piece.raw)) settled = index + 1;
  }
  return settled;
}

/** Blank space belongs to the block before it, so that pieces join to the text. */
function readPieces(text: string): Piece[] {
  const pieces: Piece[] = [];
  for (const token of readTokens(text)) {
    const last = pieces.at(-1);
    if (token.type === 'space' && last) last.raw += token.raw;
    else if (token.type === 'footnote') pieces.push({ raw: token.raw, note: token.label });
    else pieces.push({ raw: token.raw });
  }
  return pieces;
}

/** Text that the lexer gives up on stays one plain piece. */
function readTokens(text: string): { type: string; raw: string; label?: string }[] {
  try {
    const tokens = lexBlocks(text);
    const length = tokens.reduce((sum, { raw }) => sum + raw.length, 0);
    return length === text.length ? tokens : [{ type: 'text', raw: text }];
  } catch (error) {
    console.warn('Shown as plain text:', error);
    return [{ type: 'text', raw: text }];
  }
}

function addToGroups(groups: SplitText['groups'], done: Piece[]): SplitText['groups'] {
  if (done.length === 0) return groups;
  const last = groups.at(-1);
  const open = last && last.length < groupSize ? last : [];
  const kept = open === last ? groups.slice(0, -1) : groups;
  const all = [...open, ...done.map(({ raw }) => raw)];
  const more: string[][] = [];
  for (let at = 0; at < all.length; at += groupSize) more.push(all.slice(at, at + groupSize));
  return [...kept, ...more];
}

function addLinks(links: Links, pieces: Piece[]): Links {
  const text = pieces.map(({ raw }) => (raw.includes(']:') ? raw : '')).join('');
  if (text === '') return links;
  const more = readDefinitions(text);
  return Object.keys(more).length === 0 ? links : { ...more, ...links };
}

function addNotes(notes: readonly Note[], pieces: Piece[]): readonly Note[] {
  if (!pieces.some(({ note }) => note !== undefined)) return notes;
  const more = new Map(notes.map((note) => [note.label, note]));
  for (const { raw, note } of pieces)
    if (note !== undefined && !more.has(note)) more.set(note, { label: note, raw });
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
