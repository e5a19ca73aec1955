import type { Tokens } from 'marked';

const opening = /^ {0,3}(`{3,}(?=[^`\n]*\n)|~{3,})([^\n]*)\n/;
const lastLine = /\n {0,3}(?:`{3,}|~{3,})[~`]*[ \t]*\n*$/;

/** Where the line of a text after `from` begins that closes the fence it opens; -1 while it is open. */
export function findFenceEnd(text: string, from: number): number | undefined {
  const mark = opening.exec(text)?.[1];
  if (mark === undefined) return undefined;
  const closing = new RegExp(`\\n {0,3}${mark}[~\`]* *(?=\\n|$)`, 'g');
  closing.lastIndex = from;
  return closing.exec(text)?.index ?? -1;
}

/** The code of a fence that is still open as a token, made without a parser. */
export function readOpenFence(raw: string): Tokens.Code | undefined {
  const found = opening.exec(raw);
  if (!found || raw.startsWith(' ')) return undefined;
  const lang = (found[2] ?? '').trim();
  return { type: 'code', raw, lang, text: raw.slice(found[0].length) };
}

/** Whether the text of a code token holds its closing line. */
export function isClosedFence(raw: string): boolean {
  return lastLine.test(raw);
}
