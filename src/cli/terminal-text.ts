import { stripVTControlCharacters } from 'node:util';

/**
 * Text from models and servers as it may reach a terminal: without escape sequences and control
 * characters, which could move the cursor, rename the window or hide what is there.
 */
export function terminalText(text: string): string {
  return stripVTControlCharacters(text).replaceAll(/(?![\n\t])\p{Cc}|\p{Bidi_Control}/gu, '');
}
