import { describe, expect, it } from 'vitest';
import { parseJson, pointerTo, resolvePointer } from './json.ts';

describe('parseJson', () => {
  it.each([
    ['{"a":[1]}', { a: [1] }],
    ['null', null],
    ['"x"', 'x'],
    ['', undefined],
    ['{', undefined],
    ['undefined', undefined],
  ])('reads %j as %j', (text, value) => {
    expect(parseJson(text)).toEqual(value);
  });
});

describe('a JSON pointer', () => {
  const root = { 'a/b': { '~': [{ c: 1 }] }, 'x y': 2, '%20': 3, list: [4], '': 5 };

  it.each([
    ['', root],
    ['#', root],
    ['/a~1b/~0/0/c', 1],
    ['#/a~1b/~0/0/c', 1],
    ['#/x%20y', 2],
    ['/x%20y', undefined],
    ['/%20', 3],
    ['#/%2520', 3],
    ['#/%', undefined],
    ['/list/0', 4],
    ['/list/00', undefined],
    ['/list/-1', undefined],
    ['/list/length', undefined],
    ['/', 5],
    ['/constructor', undefined],
    ['/list/0/x', undefined],
    ['/none/x', undefined],
  ])('%j leads to %j', (pointer, value) => {
    expect(resolvePointer(root, pointer)).toEqual(value);
  });

  it('leads back to where it was made', () => {
    const pointer = pointerTo(pointerTo(pointerTo('', 'a/b'), '~'), 0);
    expect(pointer).toBe('/a~1b/~0/0');
    expect(resolvePointer(root, pointer)).toEqual({ c: 1 });
  });
});
