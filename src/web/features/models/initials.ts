/** The letters that stand for a name: of its first two words, or the first one of a script without case. */
export function initialsOf(name: string): string {
  const words = name.match(/[\p{L}\p{N}]+/gu) ?? [];
  const [first = '', second = ''] = words;
  const [letter = '?'] = first;
  if (!/^[a-z0-9]/i.test(letter)) return letter;
  const inner = /^.+?([A-Z])/.exec(first)?.[1] ?? '';
  const [next = ''] = /^[a-z0-9]/i.test(second) ? second : inner;
  return (letter + next).toUpperCase();
}

/** A hue between 0 and 359, the same for the same name on every machine. */
export function hueOf(name: string): number {
  let hash = 7;
  for (const letter of name) hash = (hash * 31 + (letter.codePointAt(0) ?? 0)) % 3_600_007;
  return hash % 360;
}
