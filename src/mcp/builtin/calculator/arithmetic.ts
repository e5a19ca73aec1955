import { CeriseError } from '#shared/errors/errors.ts';
import { counted, say, type Words } from '#shared/errors/sentence.ts';

/** An exact integer, or a floating-point number where exactness is lost. */
export type Value = bigint | number;

/** Larger integers are not worth the time they take. */
const maxBits = 65_536;
const maxFactorial = 2000n;

/** Names that stand for a number. */
export const constants: ReadonlyMap<string, number> = new Map([
  ['pi', Math.PI],
  ['π', Math.PI],
  ['tau', 2 * Math.PI],
  ['τ', 2 * Math.PI],
  ['e', Math.E],
]);

/** The sum. */
export function add(a: Value, b: Value): Value {
  return typeof a === 'bigint' && typeof b === 'bigint' ? bounded(a + b) : Number(a) + Number(b);
}

/** The difference. */
export function subtract(a: Value, b: Value): Value {
  return add(a, negate(b));
}

/** The product. */
export function multiply(a: Value, b: Value): Value {
  return typeof a === 'bigint' && typeof b === 'bigint' ? bounded(a * b) : Number(a) * Number(b);
}

/** The value with the other sign. */
export function negate(a: Value): Value {
  return typeof a === 'bigint' ? -a : -a;
}

/** The quotient, exact when it is an integer. Throws for a zero divisor. */
export function divide(a: Value, b: Value): Value {
  if (Number(b) === 0) throw problem(say('calc-zero')`Division by zero.`);
  if (typeof a === 'bigint' && typeof b === 'bigint') {
    return a % b === 0n ? a / b : quotient(a, b);
  }
  return Number(a) / Number(b);
}

/** The remainder, with the sign of the divisor. Throws for a zero divisor. */
export function modulo(a: Value, b: Value): Value {
  if (Number(b) === 0) throw problem(say('calc-zero')`Division by zero.`);
  if (typeof a === 'bigint' && typeof b === 'bigint') return ((a % b) + b) % b;
  const divisor = Number(b);
  return ((Number(a) % divisor) + divisor) % divisor;
}

/** The power, exact for integers with a natural exponent as long as it is not huge. */
export function power(a: Value, b: Value): Value {
  if (typeof a === 'bigint' && typeof b === 'bigint' && b >= 0n) {
    const size = BigInt(bitLength(a)) * b;
    if (size <= maxBits || (a >= -1n && a <= 1n)) return a ** b;
    throw problem(say('calc-power')`The exponent is too large.`);
  }
  if (Number(a) === 0 && Number(b) < 0) throw problem(say('calc-zero')`Division by zero.`);
  return finite(Number(a) ** Number(b));
}

/** The factorial of a natural number up to 2000. */
export function factorial(a: Value): Value {
  const n = asInteger(a);
  if (n < 0n || n > maxFactorial) {
    throw problem(
      say(
        'calc-factorial',
      )`Factorials only work for whole numbers from 0 to ${String(maxFactorial)}.`,
    );
  }
  let product = 1n;
  for (let factor = 2n; factor <= n; factor += 1n) product *= factor;
  return product;
}

/** Calls a function by its name. Throws for an unknown name or a wrong number of values. */
export function applyFunction(name: string, values: Value[]): Value {
  const entry = functions.get(name);
  if (!entry) {
    throw problem(
      say(
        'calc-function',
      )`Unknown function "${name}". Available: ${[...functions.keys()].join(', ')}.`,
    );
  }
  const [least, most, compute] = entry;
  if (values.length < least || values.length > most) {
    throw problem(
      least === most
        ? say('calc-values')`${name} takes ${counted(least, 'argument')}.`
        : Number.isFinite(most)
          ? say('calc-values-range')`${name} takes ${least} to ${counted(most, 'argument')}.`
          : say('calc-values-least')`${name} takes at least ${counted(least, 'argument')}.`,
    );
  }
  const [first = 0n, second] = values;
  return compute(first, second, values);
}

type Compute = (first: Value, second: Value | undefined, all: Value[]) => Value;
const many = 1000;

const functions = new Map<string, [least: number, most: number, compute: Compute]>([
  ['sqrt', [1, 1, squareRoot]],
  ['cbrt', [1, 1, (x) => exactIfWhole(Math.cbrt(Number(x)))]],
  ['abs', [1, 1, (x) => (x < 0 ? negate(x) : x)]],
  ['sign', [1, 1, (x) => (x > 0 ? 1n : x < 0 ? -1n : 0n)]],
  ['round', [1, 2, roundTo]],
  ['floor', [1, 1, whole(Math.floor)]],
  ['ceil', [1, 1, whole(Math.ceil)]],
  ['trunc', [1, 1, whole(Math.trunc)]],
  ['sin', [1, 1, (x) => nearZero(Math.sin(Number(x)))]],
  ['cos', [1, 1, (x) => nearZero(Math.cos(Number(x)))]],
  ['tan', [1, 1, (x) => nearZero(Math.tan(Number(x)))]],
  ['asin', [1, 1, (x) => finite(Math.asin(Number(x)))]],
  ['acos', [1, 1, (x) => finite(Math.acos(Number(x)))]],
  ['atan', [1, 1, (x) => Math.atan(Number(x))]],
  ['atan2', [2, 2, (y, x = 0n) => Math.atan2(Number(y), Number(x))]],
  ['sinh', [1, 1, (x) => finite(Math.sinh(Number(x)))]],
  ['cosh', [1, 1, (x) => finite(Math.cosh(Number(x)))]],
  ['tanh', [1, 1, (x) => Math.tanh(Number(x))]],
  ['exp', [1, 1, (x) => finite(Math.exp(Number(x)))]],
  ['ln', [1, 1, (x) => finite(Math.log(Number(x)))]],
  ['log', [1, 2, logarithm]],
  ['log10', [1, 1, (x) => finite(Math.log10(Number(x)))]],
  ['log2', [1, 1, (x) => finite(Math.log2(Number(x)))]],
  ['pow', [2, 2, (x, y = 1n) => power(x, y)]],
  ['mod', [2, 2, (x, y = 1n) => modulo(x, y)]],
  ['hypot', [1, many, (_x, _y, all) => finite(Math.hypot(...all.map(Number)))]],
  ['min', [1, many, (_x, _y, all) => all.reduce((a, b) => (b < a ? b : a))]],
  ['max', [1, many, (_x, _y, all) => all.reduce((a, b) => (b > a ? b : a))]],
  ['sum', [1, many, (_x, _y, all) => all.reduce(add)]],
  ['avg', [1, many, (_x, _y, all) => divide(all.reduce(add), BigInt(all.length))]],
  ['mean', [1, many, (_x, _y, all) => divide(all.reduce(add), BigInt(all.length))]],
  ['gcd', [1, many, (_x, _y, all) => all.map(asInteger).reduce(greatestDivisor)]],
  ['lcm', [1, many, (_x, _y, all) => all.map(asInteger).reduce(leastMultiple)]],
  ['factorial', [1, 1, factorial]],
  ['deg', [1, 1, (x) => (Number(x) * 180) / Math.PI]],
  ['rad', [1, 1, (x) => (Number(x) * Math.PI) / 180]],
]);

function squareRoot(x: Value): Value {
  if (x < 0) throw problem(say('calc-root')`The square root of a negative number isn't real.`);
  if (typeof x === 'number') return Math.sqrt(x);
  let root = 1n << BigInt(Math.ceil(bitLength(x) / 2));
  for (;;) {
    const next = root === 0n ? 0n : (root + x / root) >> 1n;
    if (next >= root) break;
    root = next;
  }
  return root * root === x ? root : finite(Math.sqrt(Number(x)));
}

function logarithm(x: Value, base?: Value): Value {
  if (base === undefined) return finite(Math.log10(Number(x)));
  return exactIfWhole(Number((Math.log(Number(x)) / Math.log(Number(base))).toPrecision(15)));
}

function roundTo(x: Value, digits: Value = 0n): Value {
  if (typeof x === 'bigint') return x;
  const places = Number(asInteger(digits));
  if (places < 0 || places > 15) throw problem(say('calc-round')`round takes 0 to 15 digits.`);
  const rounded = Math.sign(x) * Math.round(Number(`${Math.abs(x)}e${places}`));
  if (Number.isNaN(rounded)) return x;
  return places === 0 ? exactIfWhole(rounded) : Number(`${rounded}e-${places}`);
}

function whole(round: (x: number) => number): Compute {
  return (x) => (typeof x === 'bigint' ? x : exactIfWhole(round(x)));
}

function greatestDivisor(a: bigint, b: bigint): bigint {
  let [x, y] = [a < 0n ? -a : a, b < 0n ? -b : b];
  while (y > 0n) [x, y] = [y, x % y];
  return x;
}

function leastMultiple(a: bigint, b: bigint): bigint {
  const divisor = greatestDivisor(a, b);
  if (divisor === 0n) return 0n;
  const multiple = (a / divisor) * b;
  return bounded(multiple < 0n ? -multiple : multiple);
}

function asInteger(x: Value): bigint {
  if (typeof x === 'bigint') return x;
  if (!Number.isInteger(x)) throw problem(say('calc-whole')`${x} isn't a whole number.`);
  return BigInt(x);
}

/** Floating point is exact for whole numbers of this size. */
function exactIfWhole(x: number): Value {
  return Number.isSafeInteger(x) ? BigInt(x) : finite(x);
}

/** What is zero but for the rounding of pi is zero. */
function nearZero(x: number): number {
  return Math.abs(x) < 1e-15 ? 0 : finite(x);
}

/** Divides integers that may each be beyond the range of floating point. */
function quotient(a: bigint, b: bigint): number {
  const shift = BigInt(Math.max(0, Math.min(bitLength(a), bitLength(b)) - 1000));
  return finite(Number(a >> shift) / Number(b >> shift));
}

function bounded(x: bigint): bigint {
  if (bitLength(x) > maxBits) throw problem(say('calc-large')`The number is too large.`);
  return x;
}

function bitLength(x: bigint): number {
  return (x < 0n ? -x : x).toString(16).length * 4;
}

function finite(x: number): number {
  if (Number.isFinite(x)) return x;
  throw problem(
    Number.isNaN(x)
      ? say('calc-not-real')`The result isn't a real number.`
      : say('calc-large')`The number is too large.`,
  );
}

function problem(sentence: Words): CeriseError {
  return new CeriseError(
    'invalid_arguments',
    say('calc-failed')`This can't be calculated: ${sentence}`,
  );
}
