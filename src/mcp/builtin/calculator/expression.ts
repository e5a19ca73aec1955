import { CeriseError } from '#shared/errors/errors.ts';
import { joinWords, say, type Words } from '#shared/errors/sentence.ts';
import {
  add,
  applyFunction,
  constants,
  divide,
  factorial,
  modulo,
  multiply,
  negate,
  power,
  subtract,
  type Value,
} from './arithmetic.ts';

const maxChars = 2000;
const maxDepth = 100;

interface Token {
  kind: 'number' | 'name' | 'sign' | 'end';
  text: string;
  /** Whether a blank stands before it: `50% - 3` and `10 % -3` mean different things. */
  spaced: boolean;
}

/**
 * The value of an arithmetic expression, an exact bigint wherever that is possible. Grammar, loosest
 * first: `+ -`, then `* / %` (also unwritten: `2pi`), unary signs, `^` (to the right), `!` and
 * percent, then numbers, names, calls and parentheses. Throws CeriseError `invalid_arguments`.
 */
export function evaluate(expression: string): Value {
  const parser: Parser = { tokens: tokenize(expression), position: 0, depth: 0 };
  const value = parseSum(parser);
  const rest = peek(parser);
  if (rest.kind !== 'end') throw unexpected(rest);
  if (typeof value === 'number' && !Number.isFinite(value)) {
    throw problem(say('calc-infinite')`The result isn't a finite real number.`);
  }
  return value;
}

interface Parser {
  tokens: Token[];
  position: number;
  depth: number;
}

function parseSum(parser: Parser): Value {
  let value = parseProduct(parser);
  for (;;) {
    if (take(parser, '+')) value = add(value, parseProduct(parser));
    else if (take(parser, '-')) value = subtract(value, parseProduct(parser));
    else return value;
  }
}

function parseProduct(parser: Parser): Value {
  let value = parseUnary(parser);
  for (;;) {
    const { kind, text } = peek(parser);
    if (take(parser, '*')) value = multiply(value, parseUnary(parser));
    else if (take(parser, '/')) value = divide(value, parseUnary(parser));
    else if (take(parser, '%')) value = modulo(value, parseUnary(parser));
    else if (kind === 'name' || text === '(') value = multiply(value, parsePower(parser));
    else return value;
  }
}

function parseUnary(parser: Parser): Value {
  if (take(parser, '-')) return negate(deeper(parser, parseUnary));
  if (take(parser, '+')) return deeper(parser, parseUnary);
  return parsePower(parser);
}

function parsePower(parser: Parser): Value {
  const base = parsePostfix(parser);
  if (!take(parser, '^')) return base;
  return power(base, deeper(parser, parseUnary));
}

function parsePostfix(parser: Parser): Value {
  let value = parsePrimary(parser);
  for (;;) {
    if (take(parser, '!')) value = factorial(value);
    else if (isPercent(parser) && take(parser, '%')) value = divide(value, 100n);
    else return value;
  }
}

/** `%` is a percent sign unless an operand follows that it could divide by. */
function isPercent(parser: Parser): boolean {
  const sign = peek(parser);
  const next = parser.tokens[parser.position + 1];
  if (sign.text !== '%' || !next) return false;
  if (next.text === '-') return !sign.spaced;
  return next.kind === 'end' || (next.kind === 'sign' && next.text !== '(');
}

function parsePrimary(parser: Parser): Value {
  const token = peek(parser);
  parser.position += 1;
  if (token.kind === 'number') return readNumber(token.text);
  if (token.kind === 'name') return parseName(parser, token);
  if (token.text !== '(') throw unexpected(token);
  const value = deeper(parser, parseSum);
  expect(parser, ')');
  return value;
}

function parseName(parser: Parser, token: Token): Value {
  const constant = constants.get(token.text);
  if (constant !== undefined) return constant;
  if (!take(parser, '(')) {
    throw problem(
      say(
        'calc-constant',
      )`"${token.text}" isn't a known constant, and it isn't followed by a parenthesis.`,
    );
  }
  const values: Value[] = [];
  if (!take(parser, ')')) {
    do values.push(deeper(parser, parseSum));
    while (take(parser, ','));
    expect(parser, ')');
  }
  return applyFunction(token.text, values);
}

function deeper(parser: Parser, parse: (parser: Parser) => Value): Value {
  parser.depth += 1;
  if (parser.depth > maxDepth)
    throw problem(say('calc-depth')`It is nested more than ${maxDepth} levels deep.`);
  const value = parse(parser);
  parser.depth -= 1;
  return value;
}

function peek(parser: Parser): Token {
  return parser.tokens[parser.position] ?? { kind: 'end', text: '', spaced: false };
}

function take(parser: Parser, sign: string): boolean {
  const token = peek(parser);
  const isSign = token.kind === 'sign' && token.text === sign;
  if (isSign) parser.position += 1;
  return isSign;
}

function expect(parser: Parser, sign: string): void {
  if (!take(parser, sign)) throw unexpected(peek(parser), sign);
}

const tokenPattern =
  /(?<space>\s*)(?:(?<number>0[xX][\da-fA-F]+|0[bB][01]+|0[oO][0-7]+|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|(?<name>[\p{L}_][\p{L}\d_]*)|(?<sign>\*\*|[-+*/%^!(),]))/uy;

function tokenize(expression: string): Token[] {
  if (expression.length > maxChars) {
    throw problem(say('calc-length')`It is longer than ${maxChars} characters.`);
  }
  const text = plainSigns(expression);
  const tokens: Token[] = [];
  let position = 0;
  while (position < text.length) {
    tokenPattern.lastIndex = position;
    const groups = tokenPattern.exec(text)?.groups;
    if (!groups)
      throw problem(say('calc-unreadable')`Can't read "${text.slice(position, position + 10)}".`);
    position = tokenPattern.lastIndex;
    tokens.push(tokenOf(groups));
  }
  tokens.push({ kind: 'end', text: '', spaced: false });
  return tokens;
}

function tokenOf(groups: Record<string, string | undefined>): Token {
  const spaced = groups['space'] !== '';
  if (groups['number'] !== undefined) return { kind: 'number', text: groups['number'], spaced };
  if (groups['name'] !== undefined) {
    return { kind: 'name', text: groups['name'].toLowerCase(), spaced };
  }
  const sign = groups['sign'] ?? '';
  return { kind: 'sign', text: sign === '**' ? '^' : sign, spaced };
}

/** Full-width and typographic signs become the plain ones. */
function plainSigns(text: string): string {
  return text
    .normalize('NFKC')
    .replaceAll(/[×·∙⋅]/g, '*')
    .replaceAll('÷', '/')
    .replaceAll(/[−–—]/g, '-')
    .replaceAll('√', 'sqrt')
    .trim()
    .replace(/=\s*\??$/, '')
    .trimEnd();
}

function readNumber(text: string): Value {
  return /^(\d+|0[xXbBoO][\da-fA-F]+)$/.test(text) ? BigInt(text) : Number(text);
}

function unexpected(token: Token, wanted?: string): CeriseError {
  const found =
    token.kind === 'end'
      ? say('calc-early-end')`It ends too early.`
      : say('calc-unexpected')`Unexpected "${token.text}".`;
  const missing = wanted ? say('calc-missing')`"${wanted}" is missing.` : undefined;
  const hint = token.text === ',' ? say('calc-comma')`Write thousands without a comma.` : undefined;
  return problem(joinWords(joinWords(found, missing), hint));
}

function problem(sentence: Words): CeriseError {
  return new CeriseError(
    'invalid_arguments',
    say('calc-expression')`The expression can't be calculated: ${sentence}`,
  );
}
