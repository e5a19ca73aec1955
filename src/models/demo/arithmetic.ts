import type { Intent } from './context.ts';
import { file } from './skills.ts';

const functions = 'sqrt|sin|cos|tan|ln|log|exp|abs|round|floor|ceil|min|max';
const operand = String.raw`[-−(\s]*(?:(?:${functions})\s*\([^()\n]{1,60}\)|\d+(?:,\d{3})*(?:\.\d+)?!?|pi\b|π)[)\s]*`;
const operator = String.raw`(?:\*\*|[-−+*×/÷^%]|x(?=\s*[\d(])|plus\b|minus\b|times\b|multiplied by\b|divided by\b|over\b|to the power of\b|加上?|减去?|乘以?|除以)`;
const number = String.raw`\d+(?:,\d{3})*(?:\.\d+)?`;
const notations = [
  String.raw`(?<part>\d+(?:\.\d+)?)\s*%\s+of\s+(?<whole>${number})`,
  String.raw`(?:the\s+)?square\s+root\s+of\s+(?<root>${number})|(?<root>${number})\s*的平方根`,
  String.raw`${operand}(?:${operator}${operand})+|(?:${functions})\s*\([^()\n]{1,60}\)|\d{1,4}!`,
];
const cue =
  /what(?:'s|’s|\s+is)|calculat|comput|how\s+much|evaluate|solve|=|计算|等于|多少|算|是几/i;
const noArithmetic = new RegExp(
  String.raw`https?:\/\/\S+|\d{4}-\d{1,2}-\d{1,2}|\d{1,2}:\d{2}|[\p{L}_][\p{L}\w./-]*\/[\w./-]+|${file}`,
  'gu',
);

/** Arithmetic in a message, in the notation of a calculator. Dates, paths and addresses are none. */
export function findExpressions(text: string): [start: number, length: number, Intent[]][] {
  const masked = text.replaceAll(noArithmetic, (match) => ' '.repeat(match.length));
  const matches = notations.flatMap((notation) => [
    ...masked.matchAll(new RegExp(notation, 'giu')),
  ]);
  return matches.map(({ 0: match, index, groups: { part, whole, root } = {} }) => {
    const { length } = match.trimEnd();
    const words = root ? `sqrt(${root})` : part ? `${part} / 100 * ${whole}` : match;
    const isMeant = cue.test(text) || length > text.trim().length * 0.6;
    return [index, length, isMeant ? [{ kind: 'calculate', expression: normalise(words) }] : []];
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
    .replaceAll(/\s+/g, ' ');
  return balance(notation).trim();
}

/** Drops the parentheses that have no partner. */
function balance(notation: string): string {
  const pair = /\(([^()]*)\)/g;
  let marked = notation;
  while (marked.search(pair) >= 0) marked = marked.replaceAll(pair, '‹$1›');
  return marked.replaceAll(/[()]/g, '').replaceAll('‹', '(').replaceAll('›', ')');
}
