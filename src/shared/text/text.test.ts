import { describe, expect, it } from 'vitest';
import { sanitiseJson } from './text.ts';

describe('a JSON value that is sanitised', () => {
  it('is a copy that stays as it is where both databases can keep it', () => {
    const value = { a: ['中文', '😀', '\\u0000', '\\ud800'], 'k\n': null, gone: undefined };
    const clean = sanitiseJson(value);
    expect(clean).toEqual({ a: ['中文', '😀', '\\u0000', '\\ud800'], 'k\n': null });
    expect(clean.a).not.toBe(value.a);
  });

  it('has no NUL and no lone surrogate, in texts and keys', () => {
    const value = { 'a\0': ['x\0y', '\uD800', { '\uDFFF': '\uDBFFz' }], b: 1 };
    expect(sanitiseJson(value)).toEqual({
      'a\uFFFD': ['x\uFFFDy', '\uFFFD', { '\uFFFD': '\uFFFDz' }],
      b: 1,
    });
  });
});
