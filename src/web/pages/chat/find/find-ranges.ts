/** The most places that are marked at once. */
const most = 2000;

/** The places in drawn text where a word of the query stands, in order. */
export function findRanges(root: Node, query: string): Range[] {
  const words = query.split(/\s+/).filter((word) => word !== '');
  if (words.length === 0) return [];
  const ranges: Range[] = [];
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node && ranges.length < most; node = walker.nextNode()) {
    for (const { start, end } of placesOf(node.nodeValue ?? '', words)) {
      const range = document.createRange();
      range.setStart(node, start);
      range.setEnd(node, end);
      ranges.push(range);
    }
  }
  return ranges;
}

/** Where words stand in a text, whatever their case; a longer word before a shorter at the same place. */
export function placesOf(text: string, words: string[]): { start: number; end: number }[] {
  const lower = toSmall(text);
  const places: { start: number; end: number }[] = [];
  for (const word of words.map(toSmall))
    for (let at = lower.indexOf(word); at !== -1; at = lower.indexOf(word, at + word.length))
      places.push({ start: at, end: at + word.length });
  const sorted = places.toSorted((a, b) => a.start - b.start || b.end - a.end);
  let last = 0;
  return sorted.filter(({ start, end }) => {
    if (start < last) return false;
    last = end;
    return true;
  });
}

/** In small letters, each as long as it was: a longer one would move every place after it. */
function toSmall(text: string): string {
  const lower = text.toLowerCase();
  if (lower.length === text.length) return lower;
  return Array.from(text, (letter) => letter.toLowerCase().slice(0, letter.length)).join('');
}
