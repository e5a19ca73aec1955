import { describe, expect, it } from 'vitest';
import { matchesGlob } from './glob.ts';

describe('a pattern', () => {
  it.each([
    ['a/b/File.txt', 'file', true],
    ['a/b/file.txt', 'a/b', true],
    ['a/b/file.txt', '*.txt', true],
    ['a/b/file.txt', '*.md', false],
    ['a/b/file.txt', 'f??e.*', true],
    ['a/b/file.txt', 'a/*/file.txt', true],
    ['a/b/c/file.txt', 'a/*/file.txt', false],
    ['a/b/c/file.txt', 'a/**/file.txt', true],
    ['a/file.txt', 'a/**/file.txt', true],
    ['a/b/file.txt', '**/*.txt', true],
    ['file.txt', '**/*.txt', true],
    ['a/b', 'a/**', true],
    ['b/a', 'a/**', false],
    ['a.b', 'a?b', true],
    ['说明.md', '说*', true],
    ['a+b(1).txt', '*(1)*', true],
  ])('%s and %s: %s', (path, pattern, expected) => {
    expect(matchesGlob(path, pattern)).toBe(expected);
  });

  it('is quick whatever it is', () => {
    const started = performance.now();
    expect(matchesGlob('a'.repeat(4000), `${'*a'.repeat(240)}b`)).toBe(false);
    expect(matchesGlob('a/'.repeat(2000), `${'**/a/'.repeat(90)}b`)).toBe(false);
    expect(performance.now() - started).toBeLessThan(1000);
  });
});
