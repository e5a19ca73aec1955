/**
 * Splits a command line into words as a shell does, without running one: quotes hold words together,
 * a backslash takes a quote, a space or a backslash literally (elsewhere it is part of a Windows
 * path), nothing is expanded. Undefined if a quote is not closed.
 */
export function splitCommandLine(line: string): string[] | undefined {
  const words: string[] = [];
  let word: string | undefined;
  let quote: string | undefined;
  for (let at = 0; at < line.length; at++) {
    const character = line.charAt(at);
    const next = line.charAt(at + 1);
    if (character === '\\' && quote !== "'" && isEscapable(next, quote)) {
      word = (word ?? '') + next;
      at += 1;
    } else if (character === quote) quote = undefined;
    else if (quote === undefined && (character === '"' || character === "'")) {
      quote = character;
      word ??= '';
    } else if (quote === undefined && /\s/.test(character)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = (word ?? '') + character;
  }
  if (quote !== undefined) return undefined;
  return word === undefined ? words : [...words, word];
}

function isEscapable(character: string, quote: string | undefined): boolean {
  if (quote === '"') return character === '"' || character === '\\';
  return character !== '' && /["'\\\s]/.test(character);
}

/** An option and the value that stands in the same word: `--name=value`. */
export function splitOption(word: string): [option: string, value: string | undefined] {
  const at = word.startsWith('--') ? word.indexOf('=') : -1;
  return at < 0 ? [word, undefined] : [word.slice(0, at), word.slice(at + 1)];
}
