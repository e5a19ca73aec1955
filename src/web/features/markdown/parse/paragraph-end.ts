/**
 * Where the first blank line or the first fence after the first line of a text begins, or its end: no
 * paragraph reaches further, and what stands behind must not change how it is read.
 */
export function paragraphEnd(src: string): number {
  const end = /\n(?:[ \t]*\n| {0,3}(?:`{3}|~{3}))/.exec(src);
  return end ? end.index : src.length;
}
