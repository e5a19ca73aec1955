import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '#shared/vocabulary/json.ts';
import type { ArgumentCondition } from '#shared/vocabulary/policy-api.ts';
import { argumentJudge, hostOf, matchesWildcard } from './policy-arguments.ts';

const fitsArgument = (condition: ArgumentCondition, args: JsonObject) =>
  argumentJudge(args)(condition);

describe('matchesWildcard', () => {
  it.each([
    ['', '', true],
    ['', '*', true],
    ['abc', 'abc', true],
    ['abc', 'a*c', true],
    ['abc', '*b*', true],
    ['abc', 'a*b', false],
    ['ab', 'a*ab', false],
    ['aab', 'a*ab', true],
    ['a.c', 'a?c', false],
    ['a+b', 'a+b', true],
    ['abcabc', 'abc*abc', true],
    ['abc', 'abc*abc', false],
  ])('%j fits %j: %s', (text, pattern, expected) => {
    expect(matchesWildcard(text, pattern)).toBe(expected);
  });

  it('takes no time over patterns that ruin others', () => {
    expect(matchesWildcard('a'.repeat(60_000), `${'a*'.repeat(120)}b`)).toBe(false);
  });
});

describe('a condition on an argument', () => {
  const args: JsonObject = {
    path: '/home/me/notes.txt',
    list: [{ 'a/b': { '~': 1 } }, 2],
    deep: { x: [1, { y: null }] },
  };

  it('finds values by their pointer, and nothing that is not their own', () => {
    expect(fitsArgument({ pointer: '/list/0/a~1b/~0', equals: 1 }, args)).toBe('yes');
    expect(fitsArgument({ pointer: '/list/1', equals: 2 }, args)).toBe('yes');
    expect(fitsArgument({ pointer: '/list/01', equals: 2 }, args)).toBe('no');
    expect(fitsArgument({ pointer: '/deep', equals: { x: [1, { y: null }] } }, args)).toBe('yes');
    for (const pointer of ['/constructor', '/__proto__', '/list/length', '/path/length', '/no'])
      expect(fitsArgument({ pointer, glob: '*' }, args), pointer).toBe('no');
  });

  it('compares texts by beginning and by pattern', () => {
    expect(fitsArgument({ pointer: '/path', prefix: '/home/me/' }, args)).toBe('yes');
    expect(fitsArgument({ pointer: '/path', prefix: '/etc/' }, args)).toBe('no');
    expect(fitsArgument({ pointer: '/path', glob: '*.txt' }, args)).toBe('yes');
    expect(fitsArgument({ pointer: '/list', prefix: '[' }, args)).toBe('no');
  });

  it.each([
    '/home/me/../you/secret',
    '/home/me/..',
    '/home/me/%2e%2e/x',
    '/home/me/%2E./x',
    String.raw`/home/me/..\x`,
    '/home/me/\0',
    '/home/me/a\nb',
    `/home/me/${'a'.repeat(70_000)}`,
  ])('is in doubt over a text that may lead elsewhere', (path) => {
    expect(fitsArgument({ pointer: '/path', prefix: '/home/me/' }, { path })).toBe('doubt');
  });

  it('is in doubt over values too large to compare', () => {
    let value: Json = 1;
    for (let level = 0; level < 20_000; level += 1) value = [value];
    expect(fitsArgument({ pointer: '/v', equals: [] }, { v: value })).toBe('doubt');
    expect(fitsArgument({ pointer: '', host: 'a.example' }, { v: value })).toBe('doubt');
  });
});

describe('a condition on the host', () => {
  const fit = (url: string, host = 'good.example') =>
    fitsArgument({ pointer: '/url', host }, { url });

  it('is met by addresses on it, whatever follows', () => {
    expect(fit('https://good.example')).toBe('yes');
    expect(fit('HTTPS://GOOD.example/a?b=https://evil.example/#c')).toBe('yes');
    expect(fit('https://a.good.example/', '*.good.example')).toBe('yes');
    expect(fit('https://good.example:443/')).toBe('yes');
  });

  it('is not met by others', () => {
    expect(fit('https://evil.example/good.example')).toBe('no');
    expect(fit('https://good.example.evil.example/')).toBe('no');
    expect(fit('https://good.example:8443/')).toBe('no');
    expect(fit('https://evilgood.example/', '*.good.example')).toBe('no');
  });

  it.each([
    'https://good.example@evil.example/',
    'https://user:pass@good.example/',
    String.raw`https://good.example\@evil.example/`,
    String.raw`https:\\good.example/`,
    'https://good.example./',
    ' https://good.example/',
    'https://good.exa\tmple/',
    'https://göod.example/',
    '//good.example/',
    'good.example',
    'file://good.example/x',
    'https://*/',
    'https://',
    'https://[::1',
  ])('is in doubt over %j, which two programs may read differently', (url) => {
    expect(fit(url)).not.toBe('yes');
    expect(fit(url)).not.toBe('no');
  });

  it('looks at every address in what it points to', () => {
    const fitAll = (args: JsonObject) => fitsArgument({ pointer: '', host: 'good.example' }, args);
    expect(fitAll({ a: 'https://good.example/', b: [{ c: 'https://good.example/x' }] })).toBe(
      'yes',
    );
    expect(fitAll({ a: 'https://good.example/', b: ['https://evil.example/'] })).toBe('doubt');
    expect(fitAll({ a: 'nothing' })).toBe('no');
  });
});

describe('hostOf', () => {
  it('finds the one host of the arguments and where it stands', () => {
    expect(hostOf({ n: 1, 'my/url': 'https://a.example/x' })).toEqual({
      host: 'a.example',
      pointer: '/my~1url',
    });
  });

  it.each<JsonObject>([
    {},
    { text: 'see https://a.example/' },
    { url: 'https://a.example/', other: 'https://b.example/' },
    { url: 'https://*/' },
    { url: 'https://me@a.example/' },
  ])('finds none in %j', (args) => {
    expect(hostOf(args)).toBeUndefined();
  });
});
