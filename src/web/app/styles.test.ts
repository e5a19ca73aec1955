import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const css = readFileSync(new URL('styles.css', import.meta.url), 'utf8');
const looks = {
  light: colorsAfter(':root {'),
  'dark by the system': colorsAfter(":root:not([data-theme='light']) {"),
  'dark by choice': colorsAfter(":root[data-theme='dark'] {"),
};
const surfaces = ['canvas', 'side', 'raised', 'sunken', 'hover'];

describe.each(Object.entries(looks))('the colours in %s', (_, color) => {
  it('tell the accent (Approve, Send, focus) from danger (Delete, Failed)', () => {
    for (const accent of ['accent', 'accent-text'])
      expect(angleBetween(hueOf(color(accent)), hueOf(color('danger')))).toBeGreaterThan(35);
  });

  it('tell danger from a warning', () => {
    expect(angleBetween(hueOf(color('warn')), hueOf(color('danger')))).toBeGreaterThan(25);
  });

  it('can be read on every surface (WCAG AA)', () => {
    const pairs = [
      ['accent-ink', 'accent'],
      ['accent-ink', 'accent-hover'],
      ['canvas', 'danger'],
      ...['accent-text', 'danger'].flatMap((text) =>
        [...surfaces, 'accent-soft', 'danger-soft', 'warn-soft'].map((on) => [text, on]),
      ),
    ] as [string, string][];
    const poor = pairs.filter(([text, on]) => contrast(color(text), color(on)) < 4.5);
    expect(poor).toEqual([]);
  });
});

it('dark is the same by the system and by choice', () => {
  for (const name of [...surfaces, 'accent', 'accent-text', 'accent-soft', 'danger', 'danger-soft'])
    expect(looks['dark by the system'](name)).toEqual(looks['dark by choice'](name));
});

/** The colours of the rule that begins so, as linear red, green and blue. */
function colorsAfter(start: string): (name: string) => number[] {
  const from = css.indexOf(start);
  const rule = css.slice(from, css.indexOf('}', from));
  return (name) => {
    const hex = new RegExp(`--${name}: #([0-9a-f]{6});`).exec(rule)?.[1];
    if (hex === undefined) throw new Error(`There is no ${name} after ${start}`);
    return [0, 2, 4].map((at) => linear(Number.parseInt(hex.slice(at, at + 2), 16) / 255));
  };
}

function linear(value: number): number {
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}

function contrast(one: number[], other: number[]): number {
  const luminances = [one, other].map(
    ([red = 0, green = 0, blue = 0]) => 0.2126 * red + 0.7152 * green + 0.0722 * blue,
  );
  return (Math.max(...luminances) + 0.05) / (Math.min(...luminances) + 0.05);
}

/** The hue as people see it, in degrees (OKLCH). */
function hueOf([red = 0, green = 0, blue = 0]: number[]): number {
  const l = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue);
  const m = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue);
  const s = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue);
  const a = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s;
  const b = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s;
  return (Math.atan2(b, a) * 180) / Math.PI;
}

function angleBetween(one: number, other: number): number {
  const angle = Math.abs(one - other) % 360;
  return Math.min(angle, 360 - angle);
}
