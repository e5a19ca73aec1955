import { expect, it } from 'vitest';
import { indentJson } from './indent-json.ts';

it('gives JSON on one line its lines', () => {
  expect(indentJson('{"a":[1]}')).toBe('{\n  "a": [\n    1\n  ]\n}');
});

it.each(['', '12', '{not json}', '{"a":1', '[]\n[]', 'a {"b":1}', `[${'1,'.repeat(1_000_001)}1]`])(
  'leaves %.20s as it is',
  (text) => {
    expect(indentJson(text)).toBe(text);
  },
);

it('survives more depth than a stack has', () => {
  const text = '['.repeat(900_000) + ']'.repeat(900_000);
  expect(indentJson(text)).toBe(text);
});
