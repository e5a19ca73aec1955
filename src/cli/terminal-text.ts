import { stripVTControlCharacters } from 'node:util';

/**
 * Text from models and servers as it may reach a terminal: without escape sequences and control
 * characters, which could move the cursor, rename the window or hide what is there.
 */
export function terminalText(text: string): string {
  return stripVTControlCharacters(text).replaceAll(/(?![\n\t])\p{Cc}|\p{Bidi_Control}/gu, '');
}

/** The same on one line, for where a line of its own would look like words of ours. */
export function terminalLine(text: string): string {
  return terminalText(text).replaceAll(/\s+/g, ' ').trim();
}

/** The same behind a bar, line by line: what strangers wrote cannot look like words of ours. */
export function quotedText(text: string): string {
  return terminalText(text)
    .split('\n')
    .map((line) => `  │ ${line}`)
    .join('\n');
}
