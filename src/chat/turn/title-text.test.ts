import { describe, expect, it } from 'vitest';
import { titleText } from './title-text.ts';

describe('the words of a title', () => {
  it.each([
    ['# Plan the *summer* party', 'Plan the summer party'],
    ['> quoted\n\n## Why?', 'quoted Why?'],
    ['- **Fix** `main.ts`\n- then [read](https://a.example/b)', 'Fix main.ts then read'],
    ['1. first\n2) second', 'first second'],
    ['```ts\nconst a = 1;\n```', 'const a = 1;'],
    ['---\nafter a line', 'after a line'],
    ['![a cat](cat.png) **和** 樱桃', 'a cat 和 樱桃'],
  ])('of %j are %j', (text, title) => expect(titleText(text)).toBe(title));

  it.each([
    'C# or F#?',
    '#hashtag and snake_case_name',
    '2 * 3 * 4 = 24',
    '/call write_file {"path":"a_b.txt"}',
    'a ** b',
    '-5 degrees',
    '__init__.py and a[0](x',
    '---',
  ])('stay where they only look like markdown: %s', (text) => expect(titleText(text)).toBe(text));
});
