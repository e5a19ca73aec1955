/** The lines of a text box that are not empty, without the blanks around them. */
export function readLines(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/** Pairs written one on each line, such as `NAME=value`; or the line that is none. */
export function readPairs(
  text: string,
  separator: '=' | ':',
): { pairs: Record<string, string> } | { badLine: string } {
  const pairs: Record<string, string> = {};
  for (const line of readLines(text)) {
    const at = line.indexOf(separator);
    const name = line.slice(0, Math.max(0, at)).trim();
    if (name === '' || /\s/.test(name)) return { badLine: line };
    pairs[name] = line.slice(at + 1).trim();
  }
  return { pairs };
}
