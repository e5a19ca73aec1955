import { describe, expect, it } from 'vitest';
import { appendChats, type Entry, matchScore, rankEntries } from './rank.ts';

const entry = (id: string, label: string, group: Entry['group'] = 'commands'): Entry => ({
  id,
  label,
  group,
});
const best = (query: string, ...labels: string[]): string[] =>
  labels
    .filter((label) => matchScore(query, label) > 0)
    .toSorted((a, b) => matchScore(query, b) - matchScore(query, a));

describe('a match', () => {
  it('needs every letter, in order, whatever its case', () => {
    expect(matchScore('nc', 'New chat')).toBeGreaterThan(0);
    expect(matchScore('NEW', 'new chat')).toBeGreaterThan(0);
    expect(matchScore('cn', 'New chat')).toBe(0);
    expect(matchScore('newx', 'New chat')).toBe(0);
    // Two letters are somewhere in any text.
    expect(matchScore('re', 'Cherry pie for twelve')).toBe(0);
  });

  it('is better at the beginning, then at the beginning of a word, then in one piece', () => {
    expect(best('the', 'Bathe', 'Use the model', 'Theme: Dark', 'Truth seen')).toEqual([
      'Theme: Dark',
      'Use the model',
      'Bathe',
      'Truth seen',
    ]);
    expect(best('rl', 'Regenerate the last answer', 'Curl')).toEqual([
      'Regenerate the last answer',
      'Curl',
    ]);
  });

  it('takes words in any order, and every one of them counts', () => {
    expect(matchScore('dark theme', 'Theme: Dark')).toBeGreaterThan(0);
    expect(matchScore('dark mouse', 'Theme: Dark')).toBe(0);
  });

  it('works in Chinese', () => {
    expect(matchScore('主题', '主题：深色')).toBeGreaterThan(matchScore('主题', '切换主题'));
    expect(matchScore('深主', '主题：深色')).toBe(0);
  });

  it('takes no time with long texts', () => {
    const start = performance.now();
    matchScore('a'.repeat(200), 'ab'.repeat(5000));
    expect(performance.now() - start).toBeLessThan(200);
  });
});

describe('the list', () => {
  const entries = [
    entry('new', 'New chat'),
    entry('theme-dark', '主题：深色', 'settings'),
    entry('chat-a', 'Cherry pie', 'chats'),
    entry('chat-b', 'New ideas', 'chats'),
    entry('model-x', 'Model X', 'models'),
  ];
  const shown = (query: string, recent: string[] = []) =>
    rankEntries(entries, { query, recent }).map(({ group, entries: own }) => [
      group,
      own.map(({ id }) => id),
    ]);

  it('begins with what was used last, each entry once, and leaves models and servers for a search', () => {
    expect(shown('', ['theme-dark', 'gone'])).toEqual([
      ['recent', ['theme-dark']],
      ['chats', ['chat-a', 'chat-b']],
      ['commands', ['new']],
    ]);
  });

  it('puts the group with the best match first', () => {
    expect(shown('new')).toEqual([
      ['commands', ['new']],
      ['chats', ['chat-b']],
    ]);
    expect(shown('model')).toEqual([['models', ['model-x']]]);
  });

  it('puts what was used last before what fits as well', () => {
    expect(shown('new', ['chat-b'])[0]).toEqual(['chats', ['chat-b']]);
  });

  it('finds an entry by its English name in any language', () => {
    expect(shown('dark')).toEqual([['settings', ['theme-dark']]]);
  });
});

describe('chats that the host found', () => {
  const old = entry('chat old', 'Old', 'chats');
  const listed = entry('chat new', 'New', 'chats');
  const command = entry('help', 'Help');
  const groupsOf = (entries: Entry[]) =>
    appendChats(rankEntries(entries, { query: 'e', recent: [] }), [old]).map((group) => [
      group.group,
      group.entries.map(({ id }) => id),
    ]);

  it('come below everything of their group, and never above what was listed before them', () => {
    expect(groupsOf([listed])).toEqual([['chats', ['chat new', 'chat old']]]);
    expect(groupsOf([command])).toEqual([
      ['commands', ['help']],
      ['chats', ['chat old']],
    ]);
  });
});
