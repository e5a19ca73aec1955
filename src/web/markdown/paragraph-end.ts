/** Where the first blank line of a text begins, or its end: no paragraph reaches further. */
export function paragraphEnd(src: string): number {
  const blank = /\n[ \t]*\n/.exec(src);
  return blank ? blank.index : src.length;
}
