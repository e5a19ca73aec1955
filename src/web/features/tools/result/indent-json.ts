const maxChars = 2_000_000;

/** JSON of a structure that stands on one line, in lines; any other text as it is. */
export function indentJson(text: string): string {
  if (!/^[[{]/.test(text) || text.length > maxChars || text.includes('\n')) return text;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch (error) {
    // A RangeError means that it is nested deeper than the stack.
    if (error instanceof SyntaxError || error instanceof RangeError) return text;
    throw error;
  }
}
