import { describe, expect, it } from 'vitest';
import { readSettings } from './settings.ts';

const publicUrl = (text: string) => readSettings({ CERISE_PUBLIC_URL: text }).publicUrl;

describe('CERISE_DISCOVER', () => {
  it('switches the search for local model servers off', () => {
    const discover = (text?: string) => readSettings({ CERISE_DISCOVER: text }).discover;
    expect([discover(), discover(''), discover('1'), discover('0')]).toEqual([
      true,
      true,
      true,
      false,
    ]);
  });
});

describe('CERISE_PUBLIC_URL', () => {
  it('is an https address without a path, or absent', () => {
    expect(publicUrl('https://Cerise.example.com/')).toBe('https://cerise.example.com');
    expect(publicUrl('https://cerise.example.com:8443')).toBe('https://cerise.example.com:8443');
    expect(publicUrl('')).toBeUndefined();
  });

  it.each([
    'http://cerise.example.com',
    'https://cerise.example.com/path',
    'https://cerise.example.com/?a',
    'https://user@cerise.example.com',
    'cerise.example.com',
    'javascript:alert(1)',
  ])('is not %s', (text) => {
    expect(() => publicUrl(text)).toThrow(expect.objectContaining({ code: 'bad_setting' }));
  });
});

describe('a fault on purpose', () => {
  it('needs a second variable that allows it', () => {
    const env = { CERISE_FAULT: 'answer-ended:1:kill' };
    expect(() => readSettings(env)).toThrow(expect.objectContaining({ code: 'bad_setting' }));
    expect(() => readSettings({ ...env, CERISE_ALLOW_FAULTS: '0' })).toThrow('fail on purpose');
    expect(readSettings({ ...env, CERISE_ALLOW_FAULTS: '1' }).fault).toBe('answer-ended:1:kill');
    expect(readSettings({ CERISE_ALLOW_FAULTS: '1' }).fault).toBeUndefined();
  });
});
