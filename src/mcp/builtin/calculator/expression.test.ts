import { describe, expect, it } from 'vitest';
import { CeriseError } from '#shared/errors/errors.ts';
import { evaluate } from './expression.ts';

describe('an expression', () => {
  it.each<[string, bigint | number]>([
    ['1 + 2 * 3', 7n],
    ['(1 + 2) * 3', 9n],
    ['10 - 4 - 3', 3n],
    ['2 ^ 3 ^ 2', 512n],
    ['2 ** 10', 1024n],
    ['-2 ^ 2', -4n],
    ['(-2) ^ 2', 4n],
    ['2 ^ -1', 0.5],
    ['--3', 3n],
    ['7 / 2', 3.5],
    ['8 / 2', 4n],
    ['17 % 5', 2n],
    ['-7 % 3', 2n],
    ['10 % -3', -2n],
    ['200 * 15%', 30],
    ['50% + 1', 1.5],
    ['50%-1', -0.5],
    ['5!', 120n],
    ['3!!', 720n],
    ['2pi', 2 * Math.PI],
    ['2(3 + 4)', 14n],
    ['sqrt(144)', 12n],
    ['sqrt(2)', Math.SQRT2],
    ['√(9)', 3n],
    ['log(1000)', 3],
    ['log(8, 2)', 3n],
    ['ln(e)', 1],
    ['sin(pi)', 0],
    ['max(1, 7, 3) - min(4, 2)', 5n],
    ['round(2.345, 2)', 2.35],
    ['round(-2.5)', -3n],
    ['floor(-1.5)', -2n],
    ['gcd(12, 18) * lcm(4, 6)', 72n],
    ['avg(1, 2, 3, 4)', 2.5],
    ['0xff + 0b11', 258n],
    ['1e3 + .5', 1000.5],
    ['２＋３×（４－１）', 11n],
    ['6 ÷ 3 − 1', 1n],
    ['12 * 12 =', 144n],
    ['2^100', 1267650600228229401496703205376n],
    ['99999999999999999999 + 1', 100000000000000000000n],
    ['sqrt(10^40)', 10n ** 20n],
    ['30! / 28!', 870n],
    ['0 * 5 + sqrt(0)', 0n],
  ])('%s is %s', (expression, value) => {
    const result = evaluate(expression);
    if (typeof value === 'bigint') expect(result).toBe(value);
    else expect(Number(result)).toBeCloseTo(value, 12);
  });

  it.each([
    ['', /ends too early/],
    ['1 +', /ends too early/],
    ['(1 + 2', /"\)" is missing/],
    ['1 2', /Unexpected "2"/],
    ['1,000 + 1', /without a comma/],
    ['1 / 0', /by zero/],
    ['5 % 0', /by zero/],
    ['0 ^ -1', /by zero/],
    ['sqrt(-1)', /isn't real/],
    ['ln(-1)', /isn't a real/],
    ['foo(1)', /Unknown function "foo"/],
    ['process.exit()', /Can't read|isn't a known constant/],
    ['constructor(1)', /Unknown function "constructor"/],
    ['__proto__', /isn't a known constant/],
    ['9^9^9', /too large/],
    ['2^2^2^2^2^2', /too large/],
    ['9999!', /0 to 2000/],
    ['2.5!', /isn't a whole number/],
    ['round()', /takes/],
    ['1e308 * 10', /finite/],
    ['1; 2', /Can't read/],
  ])('%s fails with a sentence', (expression, sentence) => {
    const failure = catchError(() => evaluate(expression));
    expect(failure).toBeInstanceOf(CeriseError);
    expect(failure).toMatchObject({
      code: 'invalid_arguments',
      message: expect.stringMatching(sentence),
    });
  });

  it.each([
    ['too many parentheses', `${'('.repeat(500)}1${')'.repeat(500)}`, /nested/],
    ['too many signs', `${'-'.repeat(1999)}1`, /nested/],
    ['too many characters', '1+'.repeat(2000), /longer/],
  ])('%s are refused', (_what, expression, sentence) => {
    expect(() => evaluate(expression)).toThrow(sentence);
  });

  it('stays quick for the largest numbers it accepts', () => {
    const started = performance.now();
    const product = Array.from({ length: 60 }, () => '2000!').join('-');
    expect(evaluate(product)).toBeTypeOf('bigint');
    expect(performance.now() - started).toBeLessThan(2000);
  });
});

function catchError(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  return undefined;
}
