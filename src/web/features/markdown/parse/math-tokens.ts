import type { TokenizerExtension, Tokens } from 'marked';
import { paragraphEnd } from './paragraph-end.ts';

/** A formula: `text` is its source, without the marks around it. */
export interface MathToken extends Tokens.Generic {
  type: 'math';
  text: string;
  display: boolean;
}

const maxInlineChars = 1000;
const displayMarks = { $$: '$$', '\\[': '\\]' } as const;

/** `$$…$$` and `\[…\]` on lines of their own. No blank line inside, as in TeX, and no code. */
export const displayMath: TokenizerExtension = {
  name: 'math',
  level: 'block',
  start(src) {
    const match = /\n {0,3}(?:\$\$|\\\[)/.exec(src.slice(0, paragraphEnd(src)));
    return match ? match.index + 1 : undefined;
  },
  tokenizer(src) {
    const open = /^ {0,3}(\$\$|\\\[)/.exec(src);
    if (!open) return undefined;
    const limit = paragraphEnd(src);
    const close = displayMarks[open[1] as keyof typeof displayMarks];
    const end = src.indexOf(close, open[0].length);
    if (end === -1 || end >= limit) return undefined;
    const rest = /^[ \t]*(?:\n|$)/.exec(src.slice(end + close.length, limit + 1));
    if (!rest) return undefined;
    const text = src.slice(open[0].length, end).trim();
    if (text === '') return undefined;
    return mathToken(src.slice(0, end + close.length + rest[0].length), text, true);
  },
};

/** Formulas between words: `$x$`, `\(x\)`, and the display marks where a line goes on. */
export const inlineMath: TokenizerExtension = {
  name: 'math-inline',
  level: 'inline',
  start(src) {
    const at = src.search(/\$|\\[([]/);
    return at === -1 ? undefined : at;
  },
  tokenizer(src, tokens) {
    if (src.startsWith('$$')) return between(src, '$$', '$$', true);
    if (src.startsWith('\\[')) return between(src, '\\[', '\\]', true);
    if (src.startsWith('\\(')) return between(src, '\\(', '\\)', false);
    if (!src.startsWith('$') || /[\w$\\]$/.test(tokens.at(-1)?.raw ?? '')) return undefined;
    return dollars(src);
  },
};

function between(
  src: string,
  open: string,
  close: string,
  display: boolean,
): MathToken | undefined {
  const end = src.slice(0, maxInlineChars).indexOf(close, open.length);
  const text = end === -1 ? '' : src.slice(open.length, end).trim();
  return text === '' ? undefined : mathToken(src.slice(0, end + close.length), text, display);
}

const dollarPair = /^\$(?![\s$])((?:\\[^\n]|[^\n$\\]){0,1000})\$(?![\w$])/;
/** `$5 and 6$`, `$20-30`, `$1,000 more`, `$5/month`: an amount, and words after it. */
const amount =
  /^\d[\d.,]*(?:\s*(?:[-–—~]|to|and|or|per)\s*\d[\d.,]*)?(?:\s+[a-z]{2,}|\s*[,;]|\s*\/\s*[a-z]{2,}|$)/i;
/** Digits alone, or what only TeX has. */
const formula = /^\d+$|\\[a-z]|\^/i;

/** Prices are no formulas: `$5 and $6` has a space before its second mark, `$5-$6` a digit after it. */
function dollars(src: string): MathToken | undefined {
  const match = dollarPair.exec(src);
  const text = match?.[1];
  if (!match || text === undefined || /\s$/.test(text)) return undefined;
  if (amount.test(text) && !formula.test(text)) return undefined;
  return mathToken(match[0], text, false);
}

function mathToken(raw: string, text: string, display: boolean): MathToken {
  return { type: 'math', raw, text, display };
}
