import { describe, expect, it } from 'vitest';
import { regional, translationLanguages } from './languages.ts';

describe('the language of the page', () => {
  it.for([
    ['en', ['de-DE', 'en-GB', 'en'], 'en-GB'],
    ['en', ['de-DE'], 'en'],
    ['zh', ['en-US', 'zh-CN'], 'zh-CN'],
    // Its script is another one.
    ['zh', ['zh-TW', 'en'], 'zh'],
  ] as const)('is %s as readers of %j write it: %s', ([locale, preferred, expected]) => {
    expect(regional(locale, preferred)).toBe(expected);
  });

  it.for([
    ['en-GB', 'en'],
    ['zh-CN', 'zh-Hans'],
  ] as const)('stands first among those of a translation: %s', ([locale, first]) => {
    expect(translationLanguages(locale)[0]?.code).toBe(first);
  });
});
