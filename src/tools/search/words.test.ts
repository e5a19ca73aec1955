import { describe, expect, it } from 'vitest';
import { stem } from './stem.ts';
import { termsOf, wordsOf } from './words.ts';

describe('stem', () => {
  it.each([
    ['files file'],
    ['created create creates creating creation'],
    ['deletion delete deleted'],
    ['repositories repository'],
    ['branches branch'],
    ['searches search searching searched'],
    ['stopped stop stopping'],
    ['organisation organization organise organized'],
    ['deployment deploy deployments'],
    ['sent send sends sending'],
    ['statuses status'],
  ])('brings the forms of a word together: %s', (forms) => {
    expect(new Set(forms.split(' ').map((form) => stem(form))).size).toBe(1);
  });

  it.each([['user use'], ['add ad'], ['string str'], ['process proceed'], ['station static']])(
    'keeps different words apart: %s',
    (words) => {
      const [one = '', other = ''] = words.split(' ');
      expect(stem(one)).not.toBe(stem(other));
    },
  );
});

describe('termsOf and wordsOf', () => {
  it('cuts identifiers and keeps names that are written with capitals', () => {
    expect(termsOf('getHTTPStatus', true)).toEqual(
      expect.arrayContaining(['get', 'http', 'status']),
    );
    expect(termsOf('list_pull-requests', true)).toEqual(['list', 'pull', 'request']);
    expect(termsOf('GitHub')).toEqual(['github']);
    expect(termsOf('GitHub', true)).toEqual(expect.arrayContaining(['git', 'hub', 'github']));
    expect(termsOf("Élan's café")).toEqual(['elan', 'caf']);
  });

  it('weighs dictionary words over pairs, pairs over characters, and particles least', () => {
    const weights = new Map(wordsOf('我的天气GitHub').map(({ term, weight }) => [term, weight]));
    expect(weights.get('天气')).toBe(1);
    expect(weights.get('天')).toBeLessThan(weights.get('的天') ?? 0);
    expect(weights.get('的')).toBeLessThan(weights.get('天') ?? 0);
    expect(weights.get('github')).toBe(1);
  });
});
