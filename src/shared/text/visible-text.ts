import { lazy } from '../async/lazy.ts';
import { heapedMarks, hiddenCharacters, wholePictures } from './hidden-characters.ts';
import { splitLookalikes } from './lookalikes.ts';
import { type HiddenReason, type VisiblePart } from './visible-part.ts';

/** Spaces at the end of a line or in great number, empty lines in great number or at the end. */
const empty = String.raw`[ \t]{16,}|[ \t]{1,15}(?=\n|$)|\n{4,}|\n{1,3}$`;
const notable = lazy(
  () => new RegExp(`${hiddenCharacters}|${empty}|${heapedMarks}|${wholePictures}`, 'gv'),
);

/** Lines may begin with fewer spaces than this. */
const deepestIndent = 64;
/** A label of more than this would be a text of its own. */
const maxCodes = 16;
const mostTags = 200;

/**
 * Splits a text so that nothing in it stays unseen: what draws nothing, turns the direction of writing
 * or pushes the rest out of sight is named, and words that mix scripts are marked. Where more text
 * follows, `goesOn` leaves a few spaces or line feeds at the end as they are. Pure.
 */
export function visibleParts(text: string, { goesOn = false } = {}): VisiblePart[] {
  const parts: VisiblePart[] = [];
  const take = (part: VisiblePart): unknown => parts.push(part);
  let from = 0;
  for (const { 0: found, index } of text.matchAll(notable())) {
    const end = index + found.length;
    if (goesOn && end === text.length && isFewBlanks(found)) continue;
    const marks = nameMatch(text, found, index);
    if (marks.length === 0) continue;
    if (index > from) splitLookalikes(text.slice(from, index)).forEach(take);
    marks.forEach(take);
    from = end;
  }
  if (from < text.length) splitLookalikes(text.slice(from)).forEach(take);
  return parts;
}

function isFewBlanks(found: string): boolean {
  return /^(?:[ \t]{1,15}|\n{1,3})$/.test(found);
}

/**
 * The same as plain text, for a terminal: `⟨U+202E⟩`. A bracket of the text itself is written as its
 * code, so that no text can pass for a mark.
 */
export function markedText(text: string): string {
  const escaped = (part: string): string => part.replaceAll('⟨', '⟨U+27E8⟩');
  return visibleParts(text)
    .map((part) => {
      if (part.kind === 'text') return escaped(part.text);
      if (part.kind === 'lookalike') return `${escaped(part.text)}⟨${part.scripts.join(' + ')}⟩`;
      return `⟨${part.label}⟩${endsLine(part) ? '\n' : ''}`;
    })
    .join('');
}

/** Whether the text goes on in a new line after this part. */
export function endsLine(part: VisiblePart): boolean {
  return part.kind === 'hidden' && part.reason === 'line' && part.text.endsWith('\n');
}

/** The parts that stand for what was found; none if it is seen as it is. */
function nameMatch(text: string, found: string, index: number): VisiblePart[] {
  if (/^[ \t]/.test(found)) {
    const isIndent = index === 0 || text[index - 1] === '\n';
    const end = index + found.length;
    const isInside = end < text.length && text[end] !== '\n';
    return isIndent && isInside && found.length < deepestIndent ? [] : named(found, () => 'space');
  }
  if (found.startsWith('\n')) return named(found, () => 'line');
  if (/^\p{M}{9}/u.test(found)) return named(found, () => 'marks');
  return isHidden(found) ? named(found, reasonOf) : [];
}

const isHiddenStart = new RegExp(`^${hiddenCharacters}`, 'v');
function isHidden(found: string): boolean {
  return isHiddenStart.test(found);
}

/** Neighbours of one reason share a mark, as far as it stays short. */
function named(found: string, reasonFor: (character: string) => HiddenReason): VisiblePart[] {
  const groups: { reason: HiddenReason; runs: [character: string, count: number][] }[] = [];
  for (const character of found) {
    const reason = reasonFor(character);
    let group = groups.at(-1);
    const last = group?.runs.at(-1);
    if (group?.reason === reason && last?.[0] === character) {
      last[1] += 1;
      continue;
    }
    if (group?.reason !== reason || group.runs.length >= (reason === 'tag' ? mostTags : maxCodes))
      groups.push((group = { reason, runs: [] }));
    group.runs.push([character, 1]);
  }
  return groups.map(({ reason, runs }) => ({
    kind: 'hidden',
    reason,
    text: runs.map(([character, count]) => character.repeat(count)).join(''),
    label: reason === 'tag' ? tagLabel(runs) : runs.map(runLabel).join(' '),
  }));
}

function runLabel([character, count]: [character: string, count: number]): string {
  return count === 1 ? nameOf(character) : `${nameOf(character)} × ${count}`;
}

/** Tags spell words that nobody sees: they are read out. */
function tagLabel(runs: [character: string, count: number][]): string {
  const letters = runs.map(([character, count]) =>
    String.fromCodePoint(codeOf(character) - 0xe_00_00).repeat(count),
  );
  return `tags “${letters.join('')}”`;
}

function nameOf(character: string): string {
  if (character === '\n') return '⏎';
  return `U+${codeOf(character).toString(16).toUpperCase().padStart(4, '0')}`;
}

function codeOf(character: string): number {
  return character.codePointAt(0) ?? 0;
}

function reasonOf(character: string): HiddenReason {
  if (/\p{Co}/u.test(character)) return 'private';
  if (/\p{Cn}/u.test(character)) return 'unassigned';
  if (/\p{Cs}/u.test(character)) return 'surrogate';
  if (/\p{Cc}/u.test(character)) return 'control';
  if (/\p{Zs}/u.test(character)) return 'space';
  if (/[\p{Zl}\p{Zp}]/u.test(character)) return 'line';
  if (/[\u{E0020}-\u{E007E}]/u.test(character)) return 'tag';
  return /\p{Bidi_Control}/u.test(character) ? 'direction' : 'invisible';
}
