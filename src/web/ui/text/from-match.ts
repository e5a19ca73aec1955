/** How much stands before the match, so that it is in sight on one short line. */
const mostBefore = 12;

/** The text from shortly before the first match of a word of the query; the whole where there is none. */
export function fromMatch(text: string, query: string): string {
  const words = query
    .split(/\s+/)
    .filter(Boolean)
    .map((word) => RegExp.escape(word));
  const at = words.length === 0 ? -1 : text.search(new RegExp(words.join('|'), 'iu'));
  if (at <= mostBefore) return text;
  const near = text.slice(at - mostBefore, at);
  // Whole words before it, where the writing has spaces.
  const before = near.includes(' ') ? near.slice(near.indexOf(' ') + 1) : near;
  return `…${before}${text.slice(at)}`;
}
