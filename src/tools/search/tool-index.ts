import { wantedActions } from './actions.ts';
import { collectConcepts, type Concept } from './concepts.ts';
import { readTool, type SearchableTool, type ToolDocument } from './tool-document.ts';

export interface ToolMatch<T> {
  tool: T;
  /** Comparable within one search only. */
  score: number;
}

/** Finds tools by what a person or a model says it wants. Deterministic. */
export interface ToolIndex<T> {
  /** The best first; tools that share no word with the query are left out. */
  search(query: string, limit: number): ToolMatch<T>[];
}

interface Posting {
  /** Which tools hold the term, and how much it says of each (0..1 of its rarity). */
  tools: number[];
  impacts: number[];
}

/** The part of a score that depends on how much of the query a tool covers. */
const coverage = 0.5;
/** What is left of a score if the tool does something else than the query wants. */
const otherAction = 0.75;
const maxQueryChars = 1000;

const indexes = new WeakMap<readonly SearchableTool[], ToolIndex<SearchableTool>>();

/** The index of a set of tools, built once for one array: BM25 over weighted fields. */
export function createToolIndex<T extends SearchableTool>(tools: readonly T[]): ToolIndex<T> {
  const cached = indexes.get(tools) as ToolIndex<T> | undefined;
  if (cached) return cached;
  const index = buildIndex(tools);
  indexes.set(tools, index);
  return index;
}

function buildIndex<T extends SearchableTool>(tools: readonly T[]): ToolIndex<T> {
  const documents = tools.map(readTool);
  const postings = buildPostings(documents);
  const words = [...postings.keys()].filter((term) => /^[a-z]{6,}$/.test(term));
  const vocabulary = {
    has: (term: string): boolean => postings.has(term),
    compounds: (term: string): string[] => compoundsOf(term, words),
    rarity: (term: string): number => rarity(tools.length, postings.get(term)?.tools.length ?? 0),
  };
  return {
    search(query, limit) {
      const concepts = collectConcepts(query.slice(0, maxQueryChars), vocabulary);
      const scores = scoreTools(concepts, postings, tools.length);
      const wanted = wantedActions(query.slice(0, maxQueryChars));
      const matches = tools
        .map((tool, at) => ({
          tool,
          score: (scores[at] ?? 0) * fit(wanted, documents[at]?.actions),
        }))
        .filter(({ score }) => score > 0);
      return matches.sort((a, b) => b.score - a.score).slice(0, Math.max(0, limit));
    },
  };
}

/** A tool that does something else with the right thing stands behind those that do what is wanted. */
function fit(
  wanted: ReadonlySet<string> | undefined,
  offered: ReadonlySet<string> | undefined,
): number {
  if (!wanted) return offered?.has('remove') ? otherAction : 1;
  return !offered || !wanted.isDisjointFrom(offered) ? 1 : otherAction;
}

function compoundsOf(term: string, words: readonly string[]): string[] {
  if (!/^[a-z]{4,}$/.test(term)) return [];
  return words.filter(
    (word) => word.length > term.length && (word.startsWith(term) || word.endsWith(term)),
  );
}

function buildPostings(documents: readonly ToolDocument[]): Map<string, Posting> {
  const postings = new Map<string, Posting>();
  for (const [at, { terms, impacts }] of documents.entries())
    for (const [nth, term] of terms.entries()) {
      let posting = postings.get(term);
      if (!posting) postings.set(term, (posting = { tools: [], impacts: [] }));
      posting.tools.push(at);
      posting.impacts.push(impacts[nth] ?? 0);
    }
  return postings;
}

/** The rarer a word is among the tools, the more it tells them apart. */
function rarity(toolCount: number, holders: number): number {
  return Math.log(1 + (toolCount - holders + 0.5) / (holders + 0.5));
}

/** Of all words for one thing the best one counts, so that a list of synonyms gains nothing. */
function scoreTools(
  concepts: readonly Concept[],
  postings: ReadonlyMap<string, Posting>,
  toolCount: number,
): Float64Array {
  const scores = new Float64Array(toolCount);
  const covered = new Float64Array(toolCount);
  const best = new Float64Array(toolCount);
  let whole = 0;
  for (const { terms, importance } of concepts) {
    whole += importance;
    best.fill(0);
    for (const { term, weight } of terms) {
      const posting = postings.get(term);
      if (!posting) continue;
      for (const [nth, at] of posting.tools.entries()) {
        const impact = weight * (posting.impacts[nth] ?? 0);
        if (impact > (best[at] ?? 0)) best[at] = impact;
      }
    }
    for (const [at, impact] of best.entries())
      if (impact > 0) {
        scores[at] = (scores[at] ?? 0) + impact * importance;
        covered[at] = (covered[at] ?? 0) + Math.sqrt(impact) * importance;
      }
  }
  return scores.map(
    (score, at) => score * (1 - coverage + (coverage * (covered[at] ?? 0)) / (whole || 1)),
  );
}
