/** A percent-encoded text, decoded; the text itself where it cannot be decoded. */
export function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
