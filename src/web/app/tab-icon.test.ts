import { expect, it } from 'vitest';
import { drawIcon, marks } from './tab-icon.ts';

const light = '#ffffff';
const dark = '#202124';
const plain = '<svg viewBox="0 0 32 32"><circle r="1"/></svg>';

it.each(Object.entries(marks))('the mark “%s” is seen on light and dark tabs', (_, { colour }) => {
  expect(contrast(colour, light)).toBeGreaterThanOrEqual(3);
  expect(contrast(colour, dark)).toBeGreaterThanOrEqual(3);
});

it('draws each mark in its own shape onto the same icon', () => {
  const drawn = (['waiting', 'finished', 'running'] as const).map((mark) =>
    decodeURIComponent(drawIcon(mark, plain)),
  );
  expect(new Set(drawn).size).toBe(3);
  for (const svg of drawn) {
    expect(svg).toContain('<circle r="1"/>');
    expect(svg.match(/<\/svg>/g)).toHaveLength(1);
  }
});

function contrast(one: string, other: string): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

function luminance(hex: string): number {
  const parts = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255);
  const [r = 0, g = 0, b = 0] = parts.map((part) =>
    part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4,
  );
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
