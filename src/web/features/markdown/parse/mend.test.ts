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

  it('leaves code fences alone', () => {
    expect(mend('```js\na ** b')).toBe('```js\na ** b');
  });

  it('takes time that grows with the length only', () => {
    for (const unit of ['**', '`', '[', '[a](', '~', ' ', '\n'])
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
