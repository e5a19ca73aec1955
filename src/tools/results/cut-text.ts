import { gapLine, findGap } from '#shared/text/text-gap.ts';

/** The most bytes one text may keep so that all fit; undefined if all fit as they are. */
export function shareOf(texts: string[], maxBytes: number): number | undefined {
  const sizes = texts.map((text) => Buffer.byteLength(text)).toSorted((a, b) => a - b);
  if (sizes.reduce((sum, size) => sum + size, 0) <= maxBytes) return undefined;
  let left = maxBytes;
  for (const [index, size] of sizes.entries()) {
    const share = Math.floor(left / (sizes.length - index));
    if (size > share) return share;
    left -= size;
  }
  return undefined;
}

/**
 * The beginning and the end of a text, with a line between them that says how much is missing: of a
 * text that was cut before, how much is missing of the whole.
 */
export function headAndTail(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= maxBytes) return text;
  const room = Math.max(0, maxBytes - gapBytes);
  const headEnd = wholeCharacter(bytes, Math.floor((room * 2) / 3), -1);
  const tailStart = wholeCharacter(bytes, bytes.length - Math.floor(room / 3), 1);
  const head = bytes.toString('utf8', 0, headEnd);
  const tail = bytes.toString('utf8', tailStart);
  const middle = text.slice(head.length, text.length - tail.length);
  const earlier = findGap(middle);
  const missing = middle.length + (earlier ? earlier.missing - earlier.length : 0);
  return head + gapLine(missing) + tail;
}

/** As many bytes as the line in the gap may have. */
const gapBytes = 48;

/** The nearest place in that direction where no character is cut. */
function wholeCharacter(bytes: Buffer, at: number, step: 1 | -1): number {
  let place = at;
  while (place > 0 && place < bytes.length && ((bytes[place] ?? 0) & 0xc0) === 0x80) place += step;
  return place;
}
