import { expect, it } from 'vitest';
import { otherTheme } from './other-theme.ts';

it('changes what is seen at each step, and follows the system where that looks the same', () => {
  expect(otherTheme('system', false)).toBe('dark');
  expect(otherTheme('dark', false)).toBe('system');
  expect(otherTheme('light', false)).toBe('dark');
  expect(otherTheme('system', true)).toBe('light');
  expect(otherTheme('light', true)).toBe('system');
  expect(otherTheme('dark', true)).toBe('light');
});
