/** A stretch of text, or one character that a reader would not see. */
export type TextPart = { text: string } | { hidden: string };

/**
 * Controls, characters that turn the direction of writing, and those without width. Ends of lines and
 * tabs are seen as they are; a joiner after a pictograph belongs to it.
 */
const hidden =
  // oxlint-disable-next-line no-control-regex -- controls are what is looked for
  /(?<!\p{Extended_Pictographic}\uFE0F?)\u200D|[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u00AD\u061C\u115F\u1160\u180E\u200B\u200C\u200E\u200F\u2028-\u202E\u2060-\u206F\u3164\uFEFF\uFFA0\uFFF9-\uFFFB]|[\u{E0000}-\u{E007F}]/gu;

/** Splits a text at the characters that hide or turn others, and names those by their code. */
export function splitHidden(text: string): TextPart[] {
  const parts: TextPart[] = [];
  let from = 0;
  for (const found of text.matchAll(hidden)) {
    if (found.index > from) parts.push({ text: text.slice(from, found.index) });
    parts.push({ hidden: codeOf(found[0]) });
    from = found.index + found[0].length;
  }
  if (from < text.length) parts.push({ text: text.slice(from) });
  return parts;
}

function codeOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
}
