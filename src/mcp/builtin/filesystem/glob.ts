/**
 * Whether a path with slashes fits a pattern, without regard to case: `*` and `?` within a name, `**`
 * over folders. A pattern without slash is about the name alone, one without wildcard about a part of
 * it. Takes time in proportion to both lengths, whatever the pattern.
 */
export function matchesGlob(path: string, pattern: string): boolean {
  const wanted = pattern.toLowerCase().replace(/^\.?\//, '');
  const segments = path.toLowerCase().split('/');
  if (!/[*?]/.test(wanted)) return segments.join('/').includes(wanted);
  if (!wanted.includes('/'))
    return matches((segments.at(-1) ?? '').split(''), wanted.split(''), character);
  return matches(segments, wanted.split('/'), (segment, part) => {
    if (part === '**') return 'any';
    return matches(segment.split(''), part.split(''), character) ? 'one' : 'none';
  });
}

type Fit = 'any' | 'one' | 'none';

function character(actual: string, wanted: string): Fit {
  if (wanted === '*') return 'any';
  return wanted === '?' || wanted === actual ? 'one' : 'none';
}

/** Goes along both, and back to the last `any` when it gets stuck. */
function matches(
  items: string[],
  pattern: string[],
  fit: (item: string, wanted: string) => Fit,
): boolean {
  let [at, next] = [0, 0];
  let retry: { at: number; next: number } | undefined;
  while (at < items.length) {
    const wanted = pattern[next];
    const verdict = wanted === undefined ? 'none' : fit(items[at] ?? '', wanted);
    if (verdict === 'any') {
      retry = { at, next };
      next += 1;
    } else if (verdict === 'one') {
      at += 1;
      next += 1;
    } else {
      if (!retry) return false;
      retry.at += 1;
      at = retry.at;
      next = retry.next + 1;
    }
  }
  return pattern.slice(next).every((wanted) => fit('', wanted) === 'any');
}
