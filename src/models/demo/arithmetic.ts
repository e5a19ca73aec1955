import { filePattern, type Found } from './intent.ts';

const functions = 'sqrt|sin|cos|tan|ln|log|exp|abs|round|floor|ceil|min|max';
const number = String.raw`\d+(?:,\d{3})*(?:\.\d+)?!?`;
const operand = String.raw`[-−(\s]*(?:(?:${functions})\s*\([^()\n]{1,60}\)|${number}|pi\b|π)[)\s]*`;
const operator = String.raw`(?:\*\*|[-−+*×/÷^%]|x(?=\s*[\d(])|plus\b|minus\b|times\b|multiplied by\b|divided by\b|over\b|to the power of\b|加上?|减去?|乘以?|除以)`;
const expression = new RegExp(
  String.raw`(?:${operand}(?:${operator}${operand})+|(?:${functions})\s*\([^()\n]{1,60}\)|\d{1,4}!)`,
  'giu',
);
const root = /(?:the\s+)?square\s+root\s+of\s+(\d[\d,.]*\d|\d)|(\d[\d,.]*\d|\d)\s*的平方根/gi;
const percent = /(\d+(?:\.\d+)?)\s*%\s+of\s+(\d[\d,]*(?:\.\d+)?)/gi;
const cue =
  /what(?:'s|’s|\s+is)|calculat|comput|how\s+much|evaluate|solve|=|计算|等于|多少|算|是几/i;

/** Arithmetic in a message, in the notation of a calculator. Dates, paths and addresses are none. */
export function findExpressions(text: string): Found[] {
  const masked = mask(text);
  const found = [
    ...collect(masked, percent, ([, part = '', whole = '']) => `${part} / 100 * ${whole}`),
    ...collect(masked, root, ([, english, chinese]) => `sqrt(${english ?? chinese})`),
    ...collect(masked, expression, ([match]) => match),
  ];
  return found.filter(({ start, end }) => cue.test(text) || end - start > text.trim().length * 0.6);
}

function mask(text: string): string {
  const other = new RegExp(
    String.raw`https?:\/\/\S+|\d{4}-\d{1,2}-\d{1,2}|\d{1,2}:\d{2}|[\p{L}_]+[\w./-]*\/[\w./-]+|${filePattern}`,
    'gu',
  );
  return text.replaceAll(other, (match) => ' '.repeat(match.length));
}

function collect(text: string, pattern: RegExp, read: (match: RegExpExecArray) => string): Found[] {
  return [...text.matchAll(pattern)].map((match) => {
    const notation = normalise(read(match));
    return {
      start: match.index,
      end: match.index + match[0].trimEnd().length,
      intents: [{ kind: 'calculate', expression: notation }],
    };
  });
}

function normalise(words: string): string {
  const notation = words
    .replaceAll(/(\d),(?=\d{3}\b)/g, '$1')
    .replaceAll(/to the power of/gi, '^')
    .replaceAll(/multiplied by|times|乘以?|[×x](?=\s*[\d(])/gi, '*')
    .replaceAll(/divided by|\bover\b|除以|÷/gi, '/')
    .replaceAll(/\bplus\b|加上?/gi, '+')
    .replaceAll(/\bminus\b|减去?|−/gi, '-')
    .replaceAll('π', 'pi')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return balance(notation);
}

/** Drops the parentheses that have no partner. */
function balance(notation: string): string {
  const open: number[] = [];
  const lone = new Set<number>();
  for (const [index, char] of notation.split('').entries()) {
    if (char === '(') open.push(index);
    if (char === ')' && open.pop() === undefined) lone.add(index);
  }
  for (const index of open) lone.add(index);
  return notation
    .split('')
    .filter((_, index) => !lone.has(index))
    .join('')
    .trim();
}
