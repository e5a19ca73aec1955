import { expect, it } from 'vitest';
import { z } from 'zod';
import { createProviderSchema } from '../api/provider-api.ts';
import { zhHost } from '../messages/zh-host.ts';
import { CeriseError, errorInfo, toErrorInfo } from './errors.ts';
import { issueWords } from './issue-words.ts';
import {
  changeWords,
  counted,
  joinWords,
  say,
  sayIn,
  sentenceRef,
  textOf,
  type Words,
} from './sentence.ts';

const inner = say('inner')`closed by ${'Eve'}`;
const outer = say('outer')`The door is ${inner}, ${3} times.`;

it('is English, with the id and the values by which others say it', () => {
  expect(outer.text).toBe('The door is closed by Eve, 3 times.');
  expect(sentenceRef(outer)).toEqual({ id: 'outer', values: [inner, 3] });
  expect(sentenceRef(say('plain')`Nothing.`)).toEqual({ id: 'plain' });
  expect(sentenceRef('words of a vendor')).toBeUndefined();
});

it('is changed in every piece of its text, so that no secret stays in a value', () => {
  const clean = changeWords(outer, (text) => text.replaceAll('Eve', '•••'));
  expect(JSON.stringify(clean)).not.toContain('Eve');
  expect(textOf(clean)).toBe('The door is closed by •••, 3 times.');
});

it('stands after another', () => {
  expect(textOf(joinWords(outer, 'Knock.'))).toBe('The door is closed by Eve, 3 times. Knock.');
  expect(joinWords(outer, undefined)).toBe(outer);
});

it('goes along with an error, also where that was only told and is thrown again', () => {
  const hint = say('hint')`Knock.`;
  const info = errorInfo('conflict', outer, { hint });
  expect(info).toEqual({
    code: 'conflict',
    message: outer.text,
    hint: 'Knock.',
    messageSaid: sentenceRef(outer),
    hintSaid: { id: 'hint' },
  });
  expect(toErrorInfo(new CeriseError('conflict', outer, { hint }))).toEqual(info);
  expect(toErrorInfo(new CeriseError(info.code, info.message, info))).toEqual(info);
  expect(toErrorInfo(new CeriseError('conflict', 'Bare.'))).toEqual({
    code: 'conflict',
    message: 'Bare.',
  });
});

it('tells what a schema of ours says itself', () => {
  const given = createProviderSchema.safeParse({ name: 'a\u202Eb', kind: 'openai' });
  const [issue] = given.error?.issues ?? [];
  expect(issue && sentenceRef(issueWords(issue))).toEqual({ id: 'name-invisible' });
});

it('tells what is wrong with a value by its schema, never in the words of zod', () => {
  const schema = z.strictObject({
    name: z.string().min(2),
    age: z.number(),
    url: z.url(),
    list: z.array(z.string()).max(1),
    price: z.number().positive(),
    kind: z.enum(['a', 'b']),
    either: z.union([z.string(), z.number()]),
    odd: z.string().regex(/^x/),
  });
  const given = { name: 'x', url: 'nowhere', list: ['', ''], price: 0, kind: 'c', either: [] };
  const issues = schema.safeParse({ ...given, odd: 'y', more: 1 }).error?.issues ?? [];
  const all = issues.map((issue) => issueWords(issue));
  expect(all.map(textOf)).toEqual([
    'must be at least 2 characters long',
    'is missing',
    "isn't a URL",
    'must have at most 1 item',
    'must be more than 0',
    'must be one of a, b',
    "isn't valid",
    'has the wrong format',
    'has unknown fields: more',
  ]);
  const chinese = (words: Words) => sayIn(zhHost, words);
  expect(all.filter((words) => chinese(words) === textOf(words))).toEqual([]);
});

it('counts in the singular and the plural, and in other languages by the number alone', () => {
  const least = (count: number) => say('least')`must have at least ${counted(count, 'item')}.`;
  expect(least(1).text).toBe('must have at least 1 item.');
  expect(least(2).text).toBe('must have at least 2 items.');
  expect(counted(1, 'property', 'properties').text).toBe('1 property');
  expect(sayIn({ least: '至少 {0} 项。', counted: '{0}' }, least(2))).toBe('至少 2 项。');
});
