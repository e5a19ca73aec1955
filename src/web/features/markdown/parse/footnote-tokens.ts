import type { Token, TokenizerExtension, Tokens } from 'marked';
import { paragraphEnd } from './paragraph-end.ts';

/** `[^label]: words`, with further paragraphs if they are indented. */
export interface FootnoteToken extends Tokens.Generic {
  type: 'footnote';
  label: string;
  tokens: Token[];
}

const definition = /^ {0,3}\[\^([^\]\s^]{1,64})\]:[ \t]*/;
const nextDefinition = /\n {0,3}\[\^[^\]\s^]{1,64}\]:/;
const indented = /^(?:[ \t]*\n)*(?: {2,}|\t)[^\n]*(?:\n|$)/;

/** The note itself; it is shown at the end of the text. */
export const footnote: TokenizerExtension = {
  name: 'footnote',
  level: 'block',
  start(src) {
    const found = nextDefinition.exec(src.slice(0, paragraphEnd(src)));
    return found ? found.index + 1 : undefined;
  },
  tokenizer(src) {
    const found = definition.exec(src);
    const label = found?.[1];
    if (!found || label === undefined) return undefined;
    const raw = wholeNote(src, found[0].length);
    const body = raw.slice(found[0].length).replaceAll(/\n(?: {1,4}|\t)/g, '\n');
    const token: FootnoteToken = { type: 'footnote', raw, label, tokens: [] };
    this.lexer.blockTokens(body, token.tokens);
    return token;
  },
};

/** The first paragraph, up to the next note, and everything indented after it. */
function wholeNote(src: string, from: number): string {
  const end = paragraphEnd(src);
  const next = nextDefinition.exec(src.slice(from, end));
  if (next) return src.slice(0, from + next.index + 1);
  let length = src[end] === '\n' ? end + 1 : end;
  for (;;) {
    const more = indented.exec(src.slice(length));
    if (!more || more[0] === '') return src.slice(0, length);
    length += more[0].length;
  }
}

/** `[^label]` in a text. */
export const footnoteMark: TokenizerExtension = {
  name: 'footnote-mark',
  level: 'inline',
  start(src) {
    const at = src.indexOf('[^');
    return at === -1 ? undefined : at;
  },
  tokenizer(src) {
    const found = /^\[\^([^\]\s^]{1,64})\](?!\()/.exec(src);
    return found ? { type: 'footnote-mark', raw: found[0], label: found[1] } : undefined;
  },
};
