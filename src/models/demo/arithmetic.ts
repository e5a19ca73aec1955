/** A file name with an extension, folders included. */
export const file = String.raw`[\p{L}\p{N}_][\p{L}\p{N}_./-]*\.[A-Za-z][A-Za-z0-9]{0,7}`;

const functions = String.raw`(?:sqrt|sin|cos|tan|ln|log|exp|abs|round|floor|ceil|min|max)\s*\([^()\n]{1,60}\)`;
const number = String.raw`\d+(?:,\d{3})*(?:\.\d+)?`;
const operand = String.raw`[-−(\s]*(?:${functions}|${number}!?|pi\b|π)[)\s]*`;
const operator = String.raw`(?:\*\*|[-−+*×/÷^%]|x(?=\s*[\d(])|(?:plus|minus|times|multiplied by|divided by|over|to the power of)\b|加上?|减去?|乘以?|除以)`;
/** Addresses, dates, times, paths and files hold signs that are no arithmetic. */
const others = String.raw`https?:\/\/\S+|\d{4}-\d{1,2}-\d{1,2}|\d{1,2}:\d{2}|[\p{L}_][\p{L}\w./-]*\/[\w./-]+|${file}`;

/** Arithmetic in a message. What it passes over without a group is none. */
export const arithmetic = new RegExp(
  String.raw`${others}|(?<part>\d+(?:\.\d+)?)\s*%\s+of\s+(?<whole>${number})|(?:the\s+)?square\s+root\s+of\s+(?<root>${number})|(?<root>${number})\s*的平方根|(?<expression>${operand}(?:${operator}${operand})+|${functions}|\d{1,4}!)`,
  'giu',
);
const cue =
  /^(?:and|now|then|so|or)\b|what(?:'s|’s|\s+is)|calculat|comput|how\s+much|evaluate|solve|=|^[那再]|计算|等于|多少|算|是几/i;

/** The notation of a calculator, by the words and signs for it. */
const signs: [RegExp, string][] = [
  [/(\d),(?=\d{3}\b)/g, '$1'],
  [/to the power of/gi, '^'],
  [/multiplied by|times|乘以?|[×x](?=\s*[\d(])/gi, '*'],
  [/divided by|over\b|除以|÷/gi, '/'],
  [/plus\b|加上?/gi, '+'],
  [/minus\b|减去?|−/gi, '-'],
  [/π/g, 'pi'],
  [/\s+/g, ' '],
];

/** The expression of a match, in the notation of a calculator; undefined where none is meant. */
export function expressionOf({ 0: all, input, groups = {} }: RegExpExecArray): string | undefined {
  const { part, whole, root, expression } = groups;
  const isMeant = cue.test(input) || all.trim().length > input.trim().length * 0.6;
  const words = root ? `sqrt(${root})` : part ? `${part} / 100 * ${whole}` : expression;
  if (!words || !isMeant) return undefined;
  return balance(signs.reduce((text, [sign, by]) => text.replaceAll(sign, by), words)).trim();
}

/** Drops the parentheses that have no partner. */
function balance(notation: string): string {
  const pair = /\(([^()]*)\)/g;
  let marked = notation;
  while (marked.search(pair) >= 0) marked = marked.replaceAll(pair, '‹$1›');
  return marked.replaceAll(/[()]/g, '').replaceAll('‹', '(').replaceAll('›', ')');
}
