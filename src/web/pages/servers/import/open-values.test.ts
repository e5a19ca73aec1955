import { expect, it } from 'vitest';
import { withOpenValues } from './open-values.ts';

it('shows what is still to be filled in by its name alone', () => {
  const config = { type: 'stdio', args: ['-y', '${input:package0.path}', '--key=${input:key}'] };
  expect(withOpenValues(config)).toEqual({ type: 'stdio', args: ['-y', '<path>', '--key=<key>'] });
  const other = { type: 'sse', baseUrl: 'https://a.test/${input:x}' };
  expect(withOpenValues(other)).toBe(other);
});
