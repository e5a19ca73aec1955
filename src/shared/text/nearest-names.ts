/** The names that share the most pairs of letters with the wanted one, best first. */
export function nearestNames(wanted: string, names: readonly string[], count = 3): string[] {
  const pairs = letterPairs(wanted.slice(0, 300));
  const score = (name: string) => {
    const own = letterPairs(name);
    return (2 * pairs.intersection(own).size) / (pairs.size + own.size || 1);
  };
  return names
    .map((name) => ({ name, score: score(name) }))
    .toSorted((a, b) => b.score - a.score)
    .slice(0, count)
    .map(({ name }) => name);
}

function letterPairs(text: string): Set<string> {
  const lower = text.toLowerCase();
  const count = Math.max(0, lower.length - 1);
  return new Set(Array.from({ length: count }, (_, at) => lower.slice(at, at + 2)));
}
