import { describe, expect, it } from 'vitest';
import { hueOf, logoOf } from './server-logo.ts';

describe('logoOf', () => {
  it('takes pictures that are in the config itself', () => {
    const logo = 'data:image/png;base64,AAAA';
    expect(logoOf({ logo })).toBe(logo);
    expect(logoOf({ logo: 'data:image/svg+xml,%3Csvg/%3E' })).toBeDefined();
  });

  it.each([
    'https://example.com/logo.png',
    '//example.com/logo.png',
    'data:text/html,<script>',
    'javascript:alert(1)',
    ' data:image/png;base64,AAAA',
    42,
    undefined,
  ])('never loads %s', (logo) => {
    expect(logoOf({ logo })).toBeUndefined();
  });

  it('takes any config', () => {
    for (const config of [undefined, null, 'x', {}]) expect(logoOf(config)).toBeUndefined();
  });
});

describe('hueOf', () => {
  it('is the same for a name and within the circle', () => {
    expect(hueOf('time')).toBe(hueOf('time'));
    expect(hueOf('time')).not.toBe(hueOf('fetch'));
    for (const name of ['', '樱桃', '🍒'.repeat(1000)]) {
      expect(hueOf(name)).toBeGreaterThanOrEqual(0);
      expect(hueOf(name)).toBeLessThan(360);
    }
  });
});
