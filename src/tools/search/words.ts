import { stem } from './stem.ts';

/** A word of a query, as the index keeps it, and how much it says (1 for an ordinary word). */
export interface Word {
  term: string;
  weight: number;
}

const unspaced =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\p{Script=Thai}ー';
const runs = new RegExp(`[${unspaced}]+|[[\\p{L}\\p{N}\\p{M}]--[${unspaced}]]+`, 'gv');
const unspacedStart = new RegExp(`^[${unspaced}]`, 'v');
const beyondAscii = /[^\p{ASCII}]/u;
const segmenter = new Intl.Segmenter('und', { granularity: 'word' });
const maxTermChars = 40;

const insideWeight = 0.8;
const acrossWeight = 0.3;
const characterWeight = 0.15;
const grammarWeight = 0.05;

/**
 * The words of a text as the index keeps them. `identifier` also cuts at changes of case (`listIssues`).
 * Runs of scripts without spaces give single characters and pairs, so that a word is found wherever a
 * dictionary would cut.
 */
export function termsOf(text: string, identifier = false): string[] {
  const terms: string[] = [];
  for (const run of runsOf(text)) {
    if (isUnspaced(run)) addCharacters(terms, run);
    else for (const term of spacedTerms(run, identifier)) terms.push(term);
  }
  return terms;
}

/** The words of a query. In scripts without spaces a dictionary tells which pairs are words. */
export function wordsOf(query: string): Word[] {
  return runsOf(query).flatMap((run) =>
    isUnspaced(run)
      ? unspacedWords(run)
      : spacedTerms(run, false).map((term) => ({ term, weight: 1 })),
  );
}

function runsOf(text: string): string[] {
  if (!beyondAscii.test(text)) return text.match(/[A-Za-z0-9]+/g) ?? [];
  return text.normalize('NFKC').match(runs) ?? [];
}

function isUnspaced(run: string): boolean {
  return run.charCodeAt(0) > 0x7f && unspacedStart.test(run);
}

type WordCache = Map<string, readonly string[]>;
const knownProse: WordCache = new Map();
const knownIdentifiers: WordCache = new Map();
const maxKnown = 10_000;
/** Longer words are rare, and as cut-outs they would keep the text they were cut from. */
const maxCachedChars = 12;

function spacedTerms(run: string, identifier: boolean): readonly string[] {
  if (run.length > maxCachedChars) return makeTerms(run.slice(0, maxTermChars), identifier);
  const cache = identifier ? knownIdentifiers : knownProse;
  const cached = cache.get(run);
  if (cached) return cached;
  const terms = makeTerms(run, identifier);
  if (cache.size >= maxKnown) cache.clear();
  cache.set(run, terms);
  return terms;
}

function makeTerms(run: string, identifier: boolean): string[] {
  const parts = identifier || /^[a-z]/.test(run) ? splitCase(run) : [run];
  const words = parts.length > 1 ? [...parts, run] : parts;
  // One letter is the rest of `user's` or a list mark.
  return words
    .map((word) => withoutAccents(word).toLowerCase())
    .filter((word) => word.length > 1 || /[^a-z]/.test(word))
    .map((word) => stem(word));
}

/** `listIssues` → list, Issues; `getHTTPStatus` → get, HTTP, Status. */
function splitCase(run: string): string[] {
  return run
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .split(' ');
}

function withoutAccents(word: string): string {
  return beyondAscii.test(word) ? word.normalize('NFD').replace(/[\u0300-\u036F]/g, '') : word;
}

function addCharacters(terms: string[], run: string): void {
  const characters = Array.from(run);
  for (const [at, character] of characters.entries()) {
    const next = characters[at + 1];
    terms.push(character);
    if (next !== undefined) terms.push(character + next);
  }
}

function unspacedWords(run: string): Word[] {
  const words: Word[] = [];
  let before = '';
  for (const { segment } of segmenter.segment(run)) {
    const characters = Array.from(segment);
    const inside = characters.length === 2 ? 1 : insideWeight;
    for (const [at, character] of characters.entries()) {
      if (before !== '') words.push(weigh(before + character, at === 0 ? acrossWeight : inside));
      words.push(weigh(character, characterWeight));
      before = character;
    }
  }
  return words;
}

const grammar =
  /^[\p{Script=Hiragana}的了吗呢吧把给我你他她它们请帮让在是和与或就都也个这那些为对从到一下里有要想怎么什哪]+$/u;

/** Particles and endings stand in every sentence and say nothing of what is wanted. */
function weigh(term: string, weight: number): Word {
  return { term, weight: grammar.test(term) ? grammarWeight : weight };
}
