import { expect, it } from 'vitest';
import { fromMatch } from './from-match.ts';

it.each([
  ['the plan', 'plan', 'the plan'],
  ['One long sentence before the cherry tree', 'cherry', '…before the cherry tree'],
  ['One long sentence before the Cherry tree', 'none CHERRY', '…before the Cherry tree'],
  ['这是一个很长很长很长的句子，里面有一棵樱桃树', '樱桃', '…长很长的句子，里面有一棵樱桃树'],
  [
    'Whatever is meant by it is not in the words',
    'absent',
    'Whatever is meant by it is not in the words',
  ],
  ['A text that is asked for by a sign (a)', '(a)', '…by a sign (a)'],
])('shows %j from shortly before %j', (text, query, shown) => {
  expect(fromMatch(text, query)).toBe(shown);
});
