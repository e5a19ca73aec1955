import { expect, it } from 'vitest';
import { withoutMarks } from './without-marks.ts';

it('stumble: takes the signs of Markdown out of the words around a hit', () => {
  const cases = [
    ['Use **72 % hydration**, proof', 'Use 72 % hydration, proof'],
    ['…ration**, then `npm test`', '…ration, then npm test'],
    ['# Bread\n使用**粗体**文字', 'Bread\n使用粗体文字'],
    ['2**3 and __init__ and a * b', '2**3 and __init__ and a * b'],
  ];
  for (const [text = '', plain] of cases) expect(withoutMarks(text)).toBe(plain);
});
