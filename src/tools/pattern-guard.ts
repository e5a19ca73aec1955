const longestPattern = 256;
const mostLongRepeats = 3;
const longCount = 16;

/**
 * Whether a stranger's pattern is cheap to run: legal, short, and without the repeats inside repeats
 * that make matching take exponential time. Errs on the side of refusing.
 */
export function isSafePattern(pattern: string): boolean {
  if (pattern.length > longestPattern || !isLegal(pattern)) return false;
  if (/\\[1-9]|\\k</.test(pattern)) return false;
  // Classes and escapes are single characters to this check.
  const plain = pattern.replace(/\\[pPu]\{[^}]*\}|\\./gs, 'x').replace(/\[[^\]]*\]/g, 'x');
  return !hasNestedRepeat(plain);
}

function isLegal(pattern: string): boolean {
  try {
    return new RegExp(pattern, 'u') instanceof RegExp;
  } catch {
    return false;
  }
}

/** Walks the groups: one that repeats must not hold a repeat or a choice. */
function hasNestedRepeat(pattern: string): boolean {
  const groups: { inner: boolean }[] = [{ inner: false }];
  let long = 0;
  let closed: { inner: boolean } | undefined;
  for (let at = 0; at < pattern.length; at++) {
    const repeat = repeatAt(pattern, at);
    if (repeat) {
      if (closed?.inner) return true;
      if (repeat === 'long' && ++long > mostLongRepeats) return true;
      for (const group of groups) group.inner = true;
    } else if (pattern[at] === '|') {
      for (const group of groups) group.inner = true;
    } else if (pattern[at] === '(') groups.push({ inner: false });
    closed = pattern[at] === ')' ? groups.pop() : undefined;
  }
  return false;
}

/** `?` and exact counts of single things are harmless. */
function repeatAt(pattern: string, at: number): 'short' | 'long' | undefined {
  const character = pattern[at];
  if (character === '*' || character === '+') return 'long';
  if (character !== '{') return undefined;
  const counts = /^\{(\d+)(,?)(\d*)\}/.exec(pattern.slice(at, at + 24));
  if (!counts) return undefined;
  const [, least, comma, most] = counts;
  if (comma && !most) return 'long';
  if (Number(most || least) > longCount) return 'long';
  return comma || pattern[at - 1] === ')' ? 'short' : undefined;
}
