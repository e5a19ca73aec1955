import { stripVTControlCharacters } from 'node:util';
import { markedText } from '#shared/text/visible-text.ts';

/**
 * Text from models and servers as it may reach a terminal: without escape sequences and control
 * characters, which could move the cursor, rename the window or hide what is there. For what is only
 * read; what somebody decides on is `markedText`.
 */
export function terminalText(text: string): string {
  return stripVTControlCharacters(text).replaceAll(/(?![\n\t])\p{Cc}|\p{Bidi_Control}/gu, '');
}

/** The same on one line, for where a line of its own would look like words of ours. */
export function terminalLine(text: string): string {
  return terminalText(text).replaceAll(/\s+/g, ' ').trim();
}

/** A name as it has to be typed on a command line. */
export function typedWord(name: string): string {
  const word = terminalLine(name);
  if (/^[\p{L}\p{N}_@%+=:,./-]+$/u.test(word)) return word;
  return /["$`\\!]/.test(word) ? `'${word.replaceAll("'", String.raw`'\''`)}'` : `"${word}"`;
}

/** Marked text on one line: ends of lines are marked too. */
export function markedLine(text: string): string {
  return markedText(text).replaceAll(
    /(⟨⏎[^⟩]*⟩)?\n/gu,
    (_, mark: string | undefined) => mark ?? '⟨⏎⟩',
  );
}

/** The same behind a bar, line by line: what strangers wrote cannot look like words of ours. */
export function quotedText(text: string): string {
  return markedText(text)
    .split('\n')
    .map((line) => `  │ ${line}`)
    .join('\n');
}
