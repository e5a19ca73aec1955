import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

it('has no rule that makes the browser look at everything when something is added', () => {
  // `:last-child > :last-child`: whichever element becomes or ceases to be the last of anything, all that
  // is in it gets its styles anew.
  const costly = /:(?:first|last|only|nth)-[\w-]+(?:\([^)]*\))?\s*[\s>+~]\s*(?:\*|:(?!is\())/;
  expect('.a:last-child > :last-child').toMatch(costly);
  const files = globSync(`${import.meta.dirname}/**/*.css`);
  expect(files.length).toBeGreaterThan(1);
  const lines = files.flatMap((file) => readFileSync(file, 'utf8').split('\n'));
  expect(lines.filter((line) => costly.test(line))).toEqual([]);
});
