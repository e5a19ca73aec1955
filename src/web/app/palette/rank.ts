/** In the order in which they stand where nothing is searched. */
const entryGroups = ['chats', 'commands', 'settings', 'models', 'servers'] as const;

/** Something to choose in the palette. */
export interface Entry {
  /** Made of English words, by which it is found in any language. */
  id: string;
  label: string;
  /** More words by which it is found, in the language of the page. */
  words?: string | undefined;
  group: (typeof entryGroups)[number];
}

interface RankedGroup<E extends Entry> {
  group: E['group'] | 'recent';
  entries: E[];
}

const mostQueryChars = 100;
const mostTextChars = 300;
const mostPerGroup = 8;
const mostRecent = 4;
/** Letters further apart than this, on average, fit by accident. */
const widest = 4;
const mostIdleChats = 6;
/** There are too many to be listed unasked. */
const onlySearched = new Set<Entry['group']>(['models', 'servers', 'settings']);

/**
 * How well a text fits a query, 0 if it does not. Each word of the query has to fit: at the beginning of the text
 * best, then at that of a word, then anywhere, then with letters in between. Pure.
 */
export function matchScore(query: string, text: string): number {
  const words = query.slice(0, mostQueryChars).toLowerCase().split(/\s+/).filter(Boolean);
  const target = text.slice(0, mostTextChars).toLowerCase();
  let total = 0;
  for (const word of words) {
    const score = wordScore(word, target);
    if (score === 0) return 0;
    total += score;
  }
  // Of two that fit alike the shorter one is meant.
  return words.length === 0 ? 0 : total / words.length - target.length / 10_000;
}

/** The entries that fit, in the groups they are shown in; without a query what is likely wanted. Pure. */
export function rankEntries<E extends Entry>(
  entries: readonly E[],
  { query, recent }: { query: string; recent: readonly string[] },
): RankedGroup<E>[] {
  if (query.trim() === '') return idleGroups(entries, recent);
  const scored = entries
    .map((entry) => ({ entry, score: entryScore(entry, query, recent) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score);
  // The first of each group is its best.
  return [...Map.groupBy(scored, ({ entry }) => entry.group)].map(([group, own]) => ({
    group,
    entries: own.slice(0, mostPerGroup).map(({ entry }) => entry),
  }));
}

/** Adds chats that the host found below those that are listed already, so that nothing moves. Pure. */
export function appendChats<E extends Entry>(
  groups: readonly RankedGroup<E>[],
  chats: readonly E[],
): RankedGroup<E>[] {
  if (chats.length === 0) return [...groups];
  if (groups.every(({ group }) => group !== 'chats'))
    return [...groups, { group: 'chats', entries: [...chats] }];
  return groups.map(({ group, entries }) => ({
    group,
    entries: group === 'chats' ? [...entries, ...chats] : entries,
  }));
}

function idleGroups<E extends Entry>(
  entries: readonly E[],
  recent: readonly string[],
): RankedGroup<E>[] {
  const used = recent
    .flatMap((id) => entries.find((entry) => entry.id === id) ?? [])
    .slice(0, mostRecent);
  const rest = entries.filter((entry) => !used.includes(entry) && !onlySearched.has(entry.group));
  const groups = entryGroups.map((group) => {
    const own = rest.filter((entry) => entry.group === group);
    return { group, entries: group === 'chats' ? own.slice(0, mostIdleChats) : own };
  });
  return [{ group: 'recent' as const, entries: used }, ...groups].filter(
    ({ entries: own }) => own.length > 0,
  );
}

function entryScore(
  { id, label, words = '' }: Entry,
  query: string,
  recent: readonly string[],
): number {
  const others = Math.max(matchScore(query, id), matchScore(query, words));
  const byName = Math.max(matchScore(query, label), others * 0.8);
  return byName > 0 && recent.includes(id) ? byName + 15 : byName;
}

function wordScore(word: string, target: string): number {
  if (target.startsWith(word)) return 100;
  const starts = [...target.matchAll(/(?<![\p{L}\p{N}])[\p{L}\p{N}]/gu)].map(({ index }) => index);
  if (starts.some((start) => target.startsWith(word, start))) return 80;
  const initials = starts.map((start) => target[start]).join('');
  if (word.length > 1 && spanOf(word, initials) > 0) return 70;
  if (target.includes(word)) return 60;
  const span = word.length < 3 ? 0 : spanOf(word, target);
  return span > 0 && span <= word.length * widest ? 20 : 0;
}

/** From the first to the last of these letters in a text that has them in this order; else 0. */
function spanOf(word: string, target: string): number {
  const first = target.indexOf(word[0] ?? '');
  let at = first;
  for (const letter of word) {
    if (at < 0) return 0;
    at = target.indexOf(letter, at) + 1;
    if (at === 0) return 0;
  }
  return at - first;
}
