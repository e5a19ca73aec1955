import { describe, expect, it } from 'vitest';
import { newRun, Unchecked } from './check.ts';
import { guardPattern, withinTime } from './pattern-guard.ts';

describe('guardPattern', () => {
  it.each([
    ['^[a-z0-9-]+$', 'a-1', 'A'],
    ['^\\d{4}-\\d{2}-\\d{2}$', '2026-11-15', '2026-11'],
    ['^[0-9a-f]{8}(-[0-9a-f]{4}){3}$', '0123abcd-0000-1111-2222', '0123abcd-0000'],
    ['^https?://[^/]+/.*$', 'https://example.com/a', 'example.com'],
    ['^(red|green|blue)$', 'red', 'redgreen'],
    ['^#?[A-Fa-f0-9]{1,64}$', '#ff', '#'],
    ['\\.(txt|md)$', 'notes.md', 'notes.exe'],
    ['^(?:a|b)c?$', 'ac', 'cc'],
    ['^\\p{L}+$', 'äß', '1'],
  ])('accepts and applies %s', (pattern, good, bad) => {
    const matches = guardPattern(pattern);
    expect(matches?.(good, newRun())).toBe(true);
    expect(matches?.(bad, newRun())).toBe(false);
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
    '(a?){16}a{16}',
    `${'a?'.repeat(30)}${'a'.repeat(30)}`,
    `${'a{0,9}'.repeat(20)}b`,
    '(',
    '\\_',
    'a'.repeat(257),
  ])('refuses %s', (pattern) => {
    expect(guardPattern(pattern)).toBeUndefined();
  });

  it('interrupts what takes long on a long text, and charges the time to the whole check', () => {
    const matches = guardPattern('^a*a*a*$');
    const run = newRun();
    const before = process.threadCpuUsage();
    expect(() => matches?.(`${'a'.repeat(50_000)}!`, run)).toThrow(Unchecked);
    expect(() => matches?.(`${'a'.repeat(50_000)}!`, run)).toThrow(Unchecked);
    expect(process.threadCpuUsage(before).user).toBeLessThan(250_000);
    expect(run.patternMs).toBeLessThanOrEqual(0);
  });

  it('still applies an ordinary pattern to a long text', () => {
    const matches = guardPattern('^https?://[^/]+/.*$');
    expect(matches?.(`https://example.com/${'x'.repeat(20_000)}`, newRun())).toBe(true);
  });
});

describe('withinTime', () => {
  const asleep = (time: number) =>
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, time);

  it('blames no action for the time that it was not let run', () => {
    let runs = 0;
    const action = () => {
      runs += 1;
      if (runs === 1) asleep(60_000);
      return runs;
    };
    expect(withinTime(action, 50)).toBe(2);
  });

  it('gives up on one that never comes to its end', () => {
    expect(() => withinTime(() => asleep(60_000), 10)).toThrow(Unchecked);
  });
});
