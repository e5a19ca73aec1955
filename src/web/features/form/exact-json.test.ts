import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readExactJson, readExactNumber } from './exact-json.ts';
import { toJsonText, toUnread } from './unread.ts';

describe('JSON that a person typed', () => {
  it.each(['12345678901234567890', '{"a":[9007199254740993]}', '1e400', '0.12345678901234567890'])(
    'is not read where %s would be sent as another number',
    (text) => expect(readExactJson(text)).toBe('inexact'),
  );

  it.each([
    '9007199254740992',
    '1e23',
    '-0.10',
    '1.50e-7',
    '"12345678901234567890"',
    '"\\" 1e999"',
  ])('is read where %s stays what it is', (text) =>
    expect(readExactJson(text)).toEqual({ value: JSON.parse(text) as unknown }),
  );

  it('is every JSON that a program writes', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value);
        expect(readExactJson(text)).toEqual({ value: JSON.parse(text) as unknown });
      }),
    );
  });

  it('is broken until it is whole', () => {
    expect(readExactJson('{"a":')).toBe('broken');
    expect(readExactNumber('12a')).toBe('broken');
    expect(readExactNumber(' +.5 ')).toEqual({ value: 0.5 });
  });

  it('shows what could not be read as it was typed', () => {
    const value = { n: toUnread('12a'), rows: [toUnread('{"x": "')], plain: 'y' };
    expect(toJsonText(value)).toBe(
      '{\n  "n": 12a,\n  "rows": [\n    {"x": "\n  ],\n  "plain": "y"\n}',
    );
  });
});
