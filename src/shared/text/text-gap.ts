const gap = /\n\[… (\d+) characters left out …\]\n/;

/** The line that stands where a text was cut. */
export function gapLine(missing: number): string {
  return `\n[… ${missing} characters left out …]\n`;
}

/** Where the preview of a text was cut, and how many characters are missing there. */
export function findGap(text: string): { at: number; length: number; missing: number } | undefined {
  const match = gap.exec(text);
  if (!match) return undefined;
  return { at: match.index, length: match[0].length, missing: Number(match[1]) };
}
