import { expansionOf, isEmptyWord, synonymsOf } from './synonyms.ts';
import { type Word, wordsOf } from './words.ts';

/** One thing a query asks for: its word and other words for the same, and how much it matters. */
export interface Concept {
  terms: Word[];
  importance: number;
}

/** What the query is judged against: the words of all tools. */
export interface Vocabulary {
  has(term: string): boolean;
  /** Words that begin or end with this one (`mailbox` for `mail`). */
  compounds(term: string): readonly string[];
  /** Greater for words that few tools have. */
  rarity(term: string): number;
}

const synonymWeight = 0.65;
const joinedWeight = 0.9;
const splitWeight = 0.7;
const partWeight = 0.45;
const emptyWorth = 0.1;
const maxConcepts = 60;

/** What a query asks for, as terms that the tools may have. Words that carry no wish are left out. */
export function collectConcepts(query: string, vocabulary: Vocabulary): Concept[] {
  const words = wordsOf(withoutValues(query)).map(({ term, weight }) => ({
    term,
    weight: weight * worthOf(term),
  }));
  const wanted = unique(words).slice(0, maxConcepts);
  const concepts = wanted.flatMap((word) => conceptsOf(word, vocabulary));
  return [...concepts, ...joinedConcepts(words, vocabulary)];
}

/** Values are for the arguments: what they are helps to choose a tool, what they say does not. */
function withoutValues(query: string): string {
  const rest = query
    .replace(/"[^"]*"|“[^”]*”|「[^」]*」/g, ' ')
    .replace(/\bhttps?:\/\/\S+/g, ' url page ')
    .replace(/\S+@\S+\.\S+/g, ' email ')
    .replace(/(?<![\w.])[\w-]+\.[a-z][a-z0-9]{1,3}(?![\w.])/g, ' file ');
  return rest.trim() === '' ? query : rest;
}

/** Little words and numbers choose no tool, but they may stand in a name (`who_is_on_call`). */
function worthOf(term: string): number {
  return isEmptyWord(term) || /^[0-9]+$/.test(term) ? emptyWorth : 1;
}

function conceptsOf({ term, weight }: Word, vocabulary: Vocabulary): Concept[] {
  const terms: Word[] = [{ term, weight: 1 }];
  for (const other of synonymsOf(term)) terms.push({ term: other, weight: synonymWeight });
  for (const longer of vocabulary.compounds(term)) terms.push({ term: longer, weight: partWeight });
  const concepts = [toConcept(terms, weight, vocabulary)];
  const parts = vocabulary.has(term)
    ? expansionOf(term)
    : [...expansionOf(term), ...splitWord(term, vocabulary)];
  for (const part of parts)
    concepts.push(toConcept([{ term: part, weight: splitWeight }], weight, vocabulary));
  return concepts.filter((concept) => concept.importance > 0);
}

/** A concept matters as much as its own word is rare; a word no tool has, as the best of the others. */
function toConcept(terms: Word[], weight: number, vocabulary: Vocabulary): Concept {
  const known = terms.filter(({ term }) => vocabulary.has(term));
  const [own] = known;
  if (!own) return { terms: [], importance: 0 };
  const rarities = known.map(({ term }) => vocabulary.rarity(term));
  return { terms: known, importance: weight * Math.min(...rarities) };
}

/** A word no tool has may be two words written as one: `changelog`. */
function splitWord(term: string, vocabulary: Vocabulary): string[] {
  for (let at = 3; at <= term.length - 3; at += 1) {
    const [first, second] = [term.slice(0, at), term.slice(at)];
    if (vocabulary.has(first) && vocabulary.has(second)) return [first, second];
  }
  return [];
}

/** Two words may be one in the tools: `web hook`. */
function joinedConcepts(words: readonly Word[], vocabulary: Vocabulary): Concept[] {
  return words.slice(1).flatMap(({ term: second }, at) => {
    const term = `${words[at]?.term ?? ''}${second}`;
    if (!/^[a-z0-9]{6,}$/.test(term) || !vocabulary.has(term)) return [];
    return [toConcept([{ term, weight: joinedWeight }], 1, vocabulary)];
  });
}

function unique(words: readonly Word[]): Word[] {
  const best = new Map<string, Word>();
  for (const word of words)
    if (word.weight > (best.get(word.term)?.weight ?? 0)) best.set(word.term, word);
  return [...best.values()];
}
