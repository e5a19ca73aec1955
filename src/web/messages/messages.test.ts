import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createTranslator } from 'use-intl/core';
import { describe, expect, it } from 'vitest';
import { forbiddenIn, forbiddenInChinese, otherNamesIn } from '../../../test/forbidden-words.ts';
import { en } from './en/en.ts';
import { zh } from './zh/zh.ts';

type Texts = { [key: string]: string | Texts };

const { host: _, ...ownEn } = en;
const { host: __, ...ownZh } = zh;
const languages = { en: flatten(ownEn), zh: flatten(ownZh) };
const sources = readSources(resolve(import.meta.dirname, '..'));

/**
 * Texts whose keys are put together from values of other parts (a state, a role), so that they stand
 * nowhere in the code as they are.
 */
const fromValues = [
  /^waiting\.retryReasons\./,
  /^approval\.(reasons|scopes|meaning|as)\./,
  /^errors\./,
  /^notifications\.(approval|question|finished|failed|inChat|asks|wantsToRun|denied|insecure|unsupported)$/,
  /^palette\.groups\./,
  /^shortcuts\./,
  /^form\.problems\./,
  /^hidden\.(reasons|scripts)\./,
  /^inputs\.(asks|warnings|roles|media)\./,
  /^policy\.(actions|verdicts|kinds|problems|not)\./,
  /^untrusted\.(sources|kept)\./,
  /^requests\.own\./,
  /^serverContents\.roles\./,
  /^serverImport\.formats\./,
  /^servers\.filters\./,
  /^access\.filesOf\./,
  /^diagnosis\.(auth-|modern$)/,
  /^composer\.command[A-Z]/,
  /^approval\.(added|removed)$/,
  /^markdown\.(elsewhere|lookalike|hidden)$/,
  /^settings\.(default|title|translation)ModelHint$/,
  /^sidebar\.(yesterday|week)$/,
  /^timeline\.(kinds|steps)\./,
  /^rehearsal\.outcomes\./,
  /^versions\.calls\./,
  /^hostLog\.(shown|levels)\./,
  /^tool\.(proposed|approved|dispatching|parked|succeeded|failed|cancelled|timed_out|denied|outcome_unknown)$/,
];

/** What is written alike in both languages: names, units and signs. */
const alike = new Set([
  'composer.topP',
  'tool.asJson',
  'approval.as.json',
  'form.item',
  'inputs.address',
  'policy.isEqual',
  'bundles.url',
  'servers.address',
  'servers.typeHttp',
  'settings.sendEnter',
  'usage.p95',
]);

describe('the texts of the page', () => {
  it('are there in both languages', () => {
    expect([...languages.zh.keys()].toSorted()).toEqual([...languages.en.keys()].toSorted());
  });

  it.for(['en', 'zh'] as const)('are none of them empty or unreadable in %s', (locale) => {
    const broken: string[] = [];
    const t = createTranslator({
      locale,
      messages: locale === 'en' ? en : zh,
      onError: ({ message }) => broken.push(message),
    });
    for (const [key, text] of languages[locale]) {
      if (text.trim() === '') broken.push(`${key} is empty`);
      const values = Object.fromEntries([...placesOf(text)].map((name) => [name, 1]));
      const tags = Object.fromEntries([...tagsOf(text)].map((name) => [name, () => name]));
      void t.rich(key as never, { ...values, ...tags } as never);
    }
    expect(broken).toEqual([]);
  });

  it('take the same values and tags in both languages', () => {
    const different = [...languages.en].filter(([key, text]) => {
      const other = languages.zh.get(key) ?? '';
      const [given, taken] = [placesOf(text), placesOf(other)];
      const missing = given.difference(taken).difference(onlyCounted(text));
      const more = taken.difference(given);
      return missing.size + more.size + tagsOf(text).symmetricDifference(tagsOf(other)).size > 0;
    });
    expect(different.map(([key]) => key)).toEqual([]);
  });

  it('are translated, unless they are names', () => {
    const same = [...languages.en].filter(([key, text]) => languages.zh.get(key) === text);
    expect(same.map(([key]) => key).filter((key) => !alike.has(key))).toEqual([]);
  });

  it('have no words that read translated', () => {
    expect(forbiddenIn(languages.en)).toEqual([]);
    expect(forbiddenInChinese(languages.zh)).toEqual([]);
  });

  it('have one name for each part of the product', () => {
    expect(otherNamesIn(languages.en)).toEqual([]);
  });

  it('are known where the page asks for them', () => {
    const unknown = sources.flatMap(({ name, code }) =>
      askedFor(code).flatMap((key) => (languages.en.has(key) ? [] : [`${name}: ${key}`])),
    );
    expect(unknown).toEqual([]);
  });

  it('are all used', () => {
    const words = wordsByArea();
    const unused = [...languages.en.keys()].filter((key) => {
      const [area = '', ...path] = key.split('.');
      const isWritten =
        words.get(area)?.has(path.join('.')) ||
        words.get(key.replace(/\.[^.]+$/, ''))?.has(path.at(-1) ?? '');
      return !isWritten && !fromValues.some((pattern) => pattern.test(key));
    });
    expect(unused).toEqual([]);
  });

  it('come from no rule that fits nothing any more', () => {
    const keys = [...languages.en.keys()];
    expect(fromValues.filter((pattern) => !keys.some((key) => pattern.test(key)))).toEqual([]);
    expect([...alike].filter((key) => !languages.en.has(key))).toEqual([]);
  });
});

function flatten(texts: Texts, before = ''): Map<string, string> {
  const entries = Object.entries(texts).flatMap(([key, value]): [string, string][] =>
    typeof value === 'string' ? [[before + key, value]] : [...flatten(value, `${before}${key}.`)],
  );
  return new Map(entries);
}

/** The names in braces, also inside the branches of a plural, but not the branches themselves. */
function placesOf(text: string): Set<string> {
  const names = [...text.matchAll(/\{\s*(\w+)\s*(?=[,}])/g)].map(([, name = '']) => name);
  // A branch holds a sentence; one of a single word would look like a name.
  const branches = new Set(
    [...text.matchAll(/(?:=\d+|\b(?:zero|one|two|few|many|other))\s*\{\s*(\w+)\s*\}/g)].map(
      ([, word = '']) => word,
    ),
  );
  return new Set(names.filter((name) => !branches.has(name)));
}

/** Numbers that only choose between singular and plural, which not every language has. */
function onlyCounted(text: string): Set<string> {
  if (text.includes('#')) return new Set();
  return new Set([...text.matchAll(/\{(\w+), plural,/g)].map(([, name = '']) => name));
}

function tagsOf(text: string): Set<string> {
  return new Set([...text.matchAll(/<(\w+)>/g)].map(([, name = '']) => name));
}

/** What every file of the page says, without tests and the texts themselves. */
function readSources(folder: string): { name: string; code: string }[] {
  return globSync('**/*.{ts,tsx}', { cwd: folder })
    .filter((name) => !name.startsWith('messages/') && !/\.test\.tsx?$/.test(name))
    .map((name) => ({ name, code: readFileSync(join(folder, name), 'utf8') }));
}

/** The keys that stand as they are in a call of what `useTranslations` gave. */
function askedFor(code: string): string[] {
  return [...code.matchAll(/const (\w+) = useTranslations\('([\w.]+)'\)/g)].flatMap(
    ([, name = '', area = '']) => {
      // The same name may stand for several areas in one file: then only a type check can tell.
      const areas = new Set(
        [
          ...code.matchAll(
            new RegExp(String.raw`const ${name} = useTranslations\('([\w.]+)'\)`, 'g'),
          ),
        ].map(([, one]) => one),
      );
      if (areas.size > 1) return [];
      const calls = new RegExp(String.raw`\b${name}(?:\.rich|\.markup)?\('([\w.-]+)'`, 'g');
      return [...code.matchAll(calls)].map(([, key = '']) => `${area}.${key}`);
    },
  );
}

/** Every word in quotes in the files that have to do with an area. */
function wordsByArea(): Map<string, Set<string>> {
  const words = new Map<string, Set<string>>();
  for (const { code } of sources) {
    const areas = [...code.matchAll(/(?:useTranslations\(|Messages\[)'([\w.]+)'/g)];
    const quoted = [...code.matchAll(/['"]([\w.-]+)['"]/g)].map(([, word = '']) => word);
    // A key of an object can be a state that is a text's key too.
    for (const [, area = ''] of areas) {
      const known = words.get(area) ?? new Set();
      for (const word of quoted) known.add(word);
      words.set(area, known);
    }
  }
  return words;
}
