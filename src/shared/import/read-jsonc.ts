import { CeriseError } from '../errors/errors.ts';
import { say, type Sentence } from '../errors/sentence.ts';

/** Deeper than any list of servers; what walks through the value afterwards may recurse. */
const maxDepth = 64;
const mostObjects = 100;

/**
 * Reads JSON as people keep it in settings: with comments and trailing commas. Throws CeriseError
 * `invalid_server` that names the line and the column.
 */
export function readJsonc(text: string): unknown {
  const plain = toPlainJson(text.replace(/^\uFEFF/, ''));
  try {
    return JSON.parse(plain);
  } catch (cause) {
    throw unreadable(plain, placeOf(plain, cause), cause);
  }
}

/** The same of a text with several values one after the other, as documents show alternatives. */
export function readAllJsonc(text: string): unknown[] {
  const plain = toPlainJson(text.replace(/^\uFEFF/, ''));
  const ends = topLevelEnds(plain);
  if (ends.length < 2) return [readJsonc(text)];
  return ends.map((end, at) => readJsonc(plain.slice(ends[at - 1] ?? 0, end)));
}

/** The first objects in a text that is no JSON itself, such as a page of a document. */
export function objectsIn(text: string): string[] {
  const objects: string[] = [];
  for (let at = text.indexOf('{'); at >= 0 && objects.length < mostObjects;) {
    const end = endOfObject(text, at);
    if (end === undefined) break;
    objects.push(text.slice(at, end));
    at = text.indexOf('{', end);
  }
  return objects;
}

/** Where the object ends that begins here; undefined if it does not. */
function endOfObject(text: string, start: number): number | undefined {
  let depth = 0;
  for (let at = start; at < text.length;) {
    const first = text.charAt(at);
    at = endOfToken(text, at);
    if (first === '{') depth += 1;
    if (first === '}' && --depth === 0) return at;
  }
  return undefined;
}

/** Where objects end that stand in nothing else; none if anything follows the last. */
function topLevelEnds(plain: string): number[] {
  const ends: number[] = [];
  let depth = 0;
  for (let at = 0; at < plain.length;) {
    const first = plain.charAt(at);
    at = endOfToken(plain, at);
    if (first === '[' || first === '{') depth += 1;
    if (first === ']' || first === '}') depth -= 1;
    if (first === '}' && depth === 0) ends.push(at);
  }
  return plain.slice(ends.at(-1) ?? 0).trim() === '' ? ends : [];
}

/** The same text as plain JSON: everything else becomes blanks, so that places stay true. */
function toPlainJson(text: string): string {
  const out: string[] = [];
  let depth = 0;
  let comma = -1;
  for (let at = 0; at < text.length;) {
    const end = endOfToken(text, at);
    const first = text.charAt(at);
    const isComment = first === '/' && end > at + 1;
    if (isComment) out.push(text.slice(at, end).replaceAll(/[^\n]/g, ' '));
    else {
      if (first === '[' || first === '{') depth += 1;
      if (depth > maxDepth) throw tooDeep(text, at);
      if (first === ']' || first === '}') {
        depth -= 1;
        if (comma !== -1) out[comma] = ' ';
      }
      if (first === ',') comma = out.length;
      else if (!/\s/.test(first)) comma = -1;
      // Blanks of word processors and web pages are blanks, and `<your key>` is a text without its quotes.
      if (first === '<' && end > at + 1) out.push(JSON.stringify(text.slice(at, end)));
      else out.push(/\s/.test(first) && first !== '\n' ? ' ' : text.slice(at, end));
    }
    at = end;
  }
  return out.join('');
}

/** Where a string, a comment or a single character ends. */
function endOfToken(text: string, at: number): number {
  const two = text.slice(at, at + 2);
  if (two === '//') return orEnd(text, text.indexOf('\n', at), 0);
  if (two === '/*') return orEnd(text, text.indexOf('*/', at + 2), 2);
  if (text.charAt(at) === '<')
    return at + (/^<\$?[A-Za-z][\w .-]{1,60}>/.exec(text.slice(at, at + 70))?.[0].length ?? 1);
  if (text.charAt(at) !== '"') return at + 1;
  for (let next = at + 1; next < text.length; next += 1) {
    const character = text.charAt(next);
    if (character === '\\') next += 1;
    else if (character === '"') return next + 1;
  }
  return text.length;
}

function orEnd(text: string, found: number, more: number): number {
  return found === -1 ? text.length : found + more;
}

/** Engines say where in their own words; without them, the end is as good a guess as any. */
function placeOf(text: string, cause: unknown): number {
  const said = /position (\d+)/.exec(cause instanceof Error ? cause.message : '');
  return said ? Number(said[1]) : text.length;
}

function unreadable(text: string, at: number, cause: unknown): CeriseError {
  return new CeriseError(
    'invalid_server',
    say('import-no-json')`This isn't valid JSON: see ${lineOf(text, at)}.`,
    {
      hint: say(
        'import-no-json-hint',
      )`Comments and trailing commas are fine. Look for a missing quote, comma or bracket.`,
      cause,
    },
  );
}

function tooDeep(text: string, at: number): CeriseError {
  return new CeriseError(
    'invalid_server',
    say('import-deep')`This is nested too deeply at ${lineOf(text, at)}.`,
  );
}

function lineOf(text: string, at: number): Sentence {
  const before = text.slice(0, at);
  const line = before.split('\n').length;
  return say('line-and-column')`line ${line}, column ${at - before.lastIndexOf('\n')}`;
}
