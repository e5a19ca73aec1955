import { lazy } from '#shared/async/lazy.ts';

/**
 * Words as the index keeps them. The rules are our own and the same for both databases, so that neither
 * a locale nor a newer dictionary changes what is found: words of scripts with spaces are one token;
 * runs of scripts without spaces are overlapping pairs of characters, so that any word of two or more
 * characters is a phrase of pairs wherever a dictionary would cut.
 */
const unspaced =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}ー';
const runs = lazy(
  () => new RegExp(`(?<unspaced>[${unspaced}]+)|[[\\p{L}\\p{N}\\p{M}]--[${unspaced}]]+`, 'gv'),
);
const segmenter = lazy(() => new Intl.Segmenter('und', { granularity: 'word' }));

/** So that a word across the cut is whole in one of the two pieces. */
const pieceOverlapChars = 20;
const maxTokenChars = 64;
const queryTermLimit = 20;

/** One word of a query: consecutive tokens, the last one perhaps only begun. */
export interface Term {
  /** As it stands in a normalised text. */
  text: string;
  tokens: string[];
  prefix: boolean;
}

/**
 * The tokens of a text, in pieces of bounded length, each made when it is asked for; `start` is about where a
 * piece begins in the text.
 */
export function* pieces(
  text: string,
  pieceTokens: number,
): Generator<{ start: number; tokens: string[] }> {
  let piece: Token[] = [];
  for (const token of tokensOf(text)) {
    piece.push(token);
    if (piece.length < pieceTokens + pieceOverlapChars) continue;
    yield toPiece(piece);
    piece = piece.slice(pieceTokens);
  }
  if (piece.length > 0) yield toPiece(piece);
}

interface Token {
  start: number;
  token: string;
}

function toPiece(piece: Token[]): { start: number; tokens: string[] } {
  return { start: piece[0]?.start ?? 0, tokens: piece.map(({ token }) => token) };
}

function* tokensOf(text: string): Generator<Token> {
  for (const { start, text: run, unspaced } of findRuns(text)) {
    if (!unspaced) yield { start, token: run };
    else for (const [at, token] of pairs(run).entries()) yield { start: start + at, token };
  }
}

/** What to look for; the last word may be only begun. */
export function queryTerms(query: string): Term[] {
  const terms: Term[] = [];
  for (const run of findRuns(query)) {
    if (!run.unspaced) {
      terms.push({ text: run.text, tokens: [run.text], prefix: false });
      continue;
    }
    terms.push(...wordsOf(run.text).map(unspacedTerm));
  }
  const wanted = terms.slice(0, queryTermLimit);
  const last = wanted.at(-1);
  if (last?.tokens.length === 1) last.prefix = true;
  return wanted;
}

/**
 * Plain text around a place after `start` where terms stand: where the rarest of them first does, which others mostly
 * surround. Undefined if some term stands nowhere: SQLite's index knows which pairs of characters there are, not that
 * they follow each other.
 */
export function snippet(text: string, start: number, terms: Term[]): string | undefined {
  const places = terms.map((term) => firstMatch(text, start, term));
  if (places.includes(-1)) return undefined;
  const at = Math.max(...places);
  const from = Math.max(0, at - 40);
  const end = at + 120;
  // Half a word at either end is left out where words are told apart by spaces.
  const before = text.slice(from, at).replace(from > 0 ? /^\S{0,20}\s/ : '', '');
  const after = text.slice(at, end).replace(end < text.length ? /\s\S{0,20}$/ : '', '');
  const cut = `${before}${after}`.toWellFormed().replaceAll(/\s+/g, ' ').trim();
  return `${from > 0 ? '…' : ''}${cut}${end < text.length ? '…' : ''}`;
}

interface Run {
  start: number;
  text: string;
  unspaced: boolean;
}

function* findRuns(text: string): Generator<Run> {
  for (const match of text.matchAll(runs())) {
    const unspaced = match.groups?.['unspaced'] !== undefined;
    const run = normalise(match[0]);
    // Nothing is left of a mark without a letter.
    if (run === '') continue;
    // Nobody looks for the end of a very long word (base64, hashes).
    yield {
      start: match.index,
      text: unspaced ? run : run.slice(0, maxTokenChars).toWellFormed(),
      unspaced,
    };
  }
}

/** Case, width and Latin accents do not matter; some letters come apart into more than letters. */
function normalise(word: string): string {
  if (/^[A-Za-z0-9]+$/.test(word)) return word.toLowerCase();
  return word
    .normalize('NFKD')
    .replace(/[\u0300-\u036F]/g, '')
    .normalize('NFKC')
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, '')
    .toLowerCase();
}

/** `abc` → `ab bc c`: the last character stands alone so that it is found as a beginning, too. */
function pairs(run: string): string[] {
  const characters = Array.from(run);
  return characters.map((character, at) => character + (characters[at + 1] ?? ''));
}

/** Words by the dictionary; characters that it leaves alone side by side are one word it does not know. */
function wordsOf(run: string): string[] {
  const words: string[] = [];
  let alone = false;
  for (const { segment } of segmenter().segment(run)) {
    const single = Array.from(segment).length === 1;
    if (single && alone) words.push((words.pop() ?? '') + segment);
    else words.push(segment);
    alone = single;
  }
  return words;
}

function unspacedTerm(word: string): Term {
  const tokens = pairs(word);
  return tokens.length > 1
    ? { text: word, tokens: tokens.slice(0, -1), prefix: false }
    : { text: word, tokens, prefix: true };
}

function firstMatch(text: string, start: number, term: Term): number {
  for (const run of findRuns(text.slice(start))) {
    const at = matchInRun(run, term);
    if (at >= 0) return start + run.start + at;
  }
  return -1;
}

function matchInRun(run: Run, term: Term): number {
  if (run.unspaced) return run.text.indexOf(term.text);
  if (run.text === term.text || (term.prefix && run.text.startsWith(term.text))) return 0;
  return -1;
}
