import { expect, it } from 'vitest';
import { z } from 'zod';
import { createProviderSchema } from '../api/provider-api.ts';
import { CeriseError, errorInfo, toErrorInfo } from './errors.ts';
import { issueWords } from './issue-words.ts';
import { changeWords, counted, joinWords, sayIn, sentenceRef, say, textOf } from './sentence.ts';

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

it('tells what is wrong with a value by its schema', () => {
  const schema = z.strictObject({ name: z.string().min(2), age: z.number(), url: z.url() });
  const given = { name: 'x', url: 'nowhere', more: 1 };
  const issues = schema.safeParse(given).error?.issues ?? [];
  expect(issues.map((issue) => sentenceRef(issueWords(issue)))).toEqual([
    { id: 'issue-few', values: [2] },
    { id: 'issue-missing' },
    { id: 'issue-format', values: ['url'] },
    { id: 'issue-keys', values: ['more'] },
  ]);
});

it('counts in the singular and the plural, and in other languages by the number alone', () => {
  const least = (count: number) => say('least')`must have at least ${counted(count, 'item')}.`;
  expect(least(1).text).toBe('must have at least 1 item.');
  expect(least(2).text).toBe('must have at least 2 items.');
  expect(counted(1, 'property', 'properties').text).toBe('1 property');
  expect(sayIn({ least: '至少 {0} 项。', counted: '{0}' }, least(2))).toBe('至少 2 项。');
});
