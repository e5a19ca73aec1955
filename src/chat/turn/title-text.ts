/** A title is short; what comes later is not looked at. */
const maxChars = 2000;

/**
 * The words of a text without the signs of markdown, in one line: what a title is made of. Where it has only
 * signs, those.
 */
export function titleText(text: string): string {
  const start = text.slice(0, maxChars);
  return inOneLine(withoutSigns(start)) || inOneLine(start);
}

function withoutSigns(text: string): string {
  return text
    .replaceAll(/^\s*(?:```|~~~).*$|^\s*(?:[-*_]\s*){3,}$/gm, ' ')
    .replaceAll(/^(?:\s*(?:#{1,6}|>|[-*+]|\d{1,3}[.)])(?=\s))+/gm, ' ')
    .replaceAll(/!?\[([^\]\n]*)\]\([^)\s]*\)/g, '$1')
    .replaceAll(/(\*\*|~~|`+)(?=\S)(.+?)(?<=\S)\1/g, '$2')
    .replaceAll(
      /(?<![\p{L}\p{N}*_])([*_])(?=[^\s*_])([^\n]+?)(?<=[^\s*_])\1(?![\p{L}\p{N}*_])/gu,
      '$2',
    );
}

function inOneLine(text: string): string {
  return text.trim().split(/\s+/).join(' ');
}
