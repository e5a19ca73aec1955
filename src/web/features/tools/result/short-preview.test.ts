import { expect, it } from 'vitest';
import { shortPreview } from './short-preview.ts';

const gap = (missing: number) => `\n[… ${missing} characters left out …]\n`;

it('counts what the preview lacks', () => {
  expect(shortPreview(`ab${gap(1000)}yz`)).toEqual({ head: 'ab', missing: 1000, tail: 'yz' });
});

it('shows few lines, and counts what it leaves out of the preview itself', () => {
  const lines = Array.from({ length: 100 }, (_, index) => `${1000 + index}`);
  const text = lines.join('\n');
  const { head, missing, tail } = shortPreview(`${text}${gap(1000)}${text}\n`);
  expect(head).toBe(lines.slice(0, 12).join('\n'));
  expect(tail).toBe(lines.slice(-4).join('\n'));
  expect(missing).toBe(2 * text.length + 1 + 1000 - head.length - tail.length);
});

it('bounds lines without end, and cuts no character', () => {
  const cherries = `x${'🍒'.repeat(5000)}x`;
  const { head, tail } = shortPreview(`${cherries}${gap(7)}${cherries}`);
  expect(head.length).toBeLessThanOrEqual(1200);
  expect(tail.length).toBeLessThanOrEqual(400);
  expect(head.isWellFormed() && tail.isWellFormed()).toBe(true);
});

it('takes a preview that does not say where it was cut', () => {
  expect(shortPreview('{"a":')).toEqual({ head: '{"a":', missing: 0, tail: '' });
  expect(shortPreview('')).toEqual({ head: '', missing: 0, tail: '' });
});
