import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cpuTime } from '../../../../../test/cpu-time.ts';
import { mend } from './mend.ts';

describe('mend', () => {
  it.each([
    ['Some **bold wor', 'Some **bold wor**'],
    ['Some **bold ', 'Some **bold** '],
    ['Some **', 'Some '],
    ['Use `npm sta', 'Use `npm sta`'],
    ['Gone ~~away', 'Gone ~~away~~'],
    ['See [the docs](https://exa', 'See the docs'],
    ['Done **bold** and `code`.', 'Done **bold** and `code`.'],
    ['`**` is two stars', '`**` is two stars'],
    ['- one\n- **two', '- one\n- **two**'],
  ])('shows %j as %j', (raw, shown) => {
    expect(mend(raw)).toBe(shown);
  });

  it.each([
    ['so $x', 'so …'],
    ['so $', 'so …'],
    ['so $x + y^2 = \\frac{1', 'so …'],
    ['so $x$ and \\(y_1', 'so $x$ and …'],
    ['so $x^2$, \\', 'so $x^2$, '],
    ['then\n$$\na &= b \\\\\nc &= d', 'then\n…'],
    ['\\[ \\int_0^1 f(x)\\,d', '…'],
    ['- one\n- $a_1$ and $b_', '- one\n- $a_1$ and …'],
  ])('raw formulas: hides the formula that is not whole in %j', (raw, shown) => {
    expect(mend(raw)).toBe(shown);
  });

  it.each([
    'It costs $5 and then',
    'It costs $1,000 or $2,000 more than',
    'Set $HOME to the folder of the',
    'so $x^2$ is',
    '`$x` is a variable of',
    'an escaped \\$x',
    '$$x$$ was',
    'an open \\( bracket\nand a line after it',
  ])('raw formulas: leaves %j as it is', (raw) => {
    expect(mend(raw)).toBe(raw);
  });

  it('leaves code fences alone', () => {
    expect(mend('```js\na ** b')).toBe('```js\na ** b');
  });

  it('takes time that grows with the length only', () => {
    for (const unit of ['**', '`', '[', '[a](', '~', ' ', '\n', '$', '$$', '\\[', '$x '])
      expect(cpuTime(() => mend(unit.repeat(50_000)))).toBeLessThan(500);
  });

  it('never fails and never loses whole lines', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('*', '`', '~', '[', ']', '(', 'a', ' ', '\n') }),
        (raw) => {
          const lines = raw.split('\n').length;
          expect(mend(raw).split('\n').length).toBe(lines);
        },
      ),
    );
  });
});
