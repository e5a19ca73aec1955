import { describe, expect, it } from 'vitest';
import { isSafePattern } from './pattern-guard.ts';

describe('isSafePattern', () => {
  it.each([
    '^[a-z0-9-]+$',
    '^\\d{4}-\\d{2}-\\d{2}$',
    '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$',
    '^https?://[^/]+/.*$',
    '^(red|green|blue)$',
    '^#?[A-Fa-f0-9]{1,64}$',
    '\\.(txt|md)$',
  ])('accepts %s', (pattern) => {
    expect(isSafePattern(pattern)).toBe(true);
  });

  it.each([
    '(a+)+$',
    '(a|a)*$',
    '(.*)*x',
    '((a+))+',
    '([a-z]+)*!',
    '(a{1,40}){1,40}$',
    '(a{1,9}){1,9}$',
    '(x+x+)+y',
    'a*a*a*a*b',
    '(a+)\\1',
    '(?:a?b*)+',
    '([)(]+)+',
    '(',
    '\\_',
    'a'.repeat(257),
  ])('refuses %s', (pattern) => {
    expect(isSafePattern(pattern)).toBe(false);
  });
});
