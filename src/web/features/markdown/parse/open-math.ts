/** A formula without its end is taken for one up to here; further on it is shown as text. */
const maxOpenChars = 2000;
/** `$x + y` may become a formula; that it is one shows after so many letters, or never. */
const maxDoubtfulChars = 12;
const closes: Record<string, string> = { $: '$', $$: '$$', '\\[': '\\]', '\\(': '\\)' };
const marks = /\\[^]|`+|\$\$?|\n/g;
const texSign = /[\\^_{]/;

/**
 * A paragraph that is still being written, without the formula at its end that is not whole yet: TeX is
 * nothing to read, and as markdown it would lose its signs.
 */
export function hideOpenMath(text: string): string {
  const start = findOpenMath(text);
  if (start === -1) return text.replace(/\\$/, '');
  return `${text.slice(0, start)}…`;
}

function findOpenMath(text: string): number {
  let open: { mark: string; start: number } | undefined;
  let code: string | undefined;
  for (const { 0: mark, index } of text.matchAll(marks)) {
    if (mark.startsWith('`') && !open)
      code = code === undefined ? mark : code === mark ? undefined : code;
    if (code !== undefined) continue;
    if (open === undefined) {
      if (opensAt(text, mark, index)) open = { mark, start: index };
    } else if (mark === closes[open.mark]) {
      const isPrice = mark === '$' && /\s/.test(text.charAt(index - 1));
      if (!isPrice) open = undefined;
    } else if (mark === '\n' && (open.mark === '$' || open.mark === '\\(')) open = undefined;
  }
  return open && isLikely(open.mark, text.slice(open.start + open.mark.length)) ? open.start : -1;
}

function opensAt(text: string, mark: string, index: number): boolean {
  if (mark !== '$') return Object.hasOwn(closes, mark);
  return !/[\w$\\]/.test(text.charAt(index - 1)) && !/\s/.test(text.charAt(index + 1));
}

/** A dollar is more often one of a price or a variable. */
function isLikely(mark: string, source: string): boolean {
  if (source.length > maxOpenChars) return false;
  if (mark !== '$' || texSign.test(source)) return true;
  return source.length <= maxDoubtfulChars && !/^\d/.test(source);
}
