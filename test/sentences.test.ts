import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { zhHost, zhSentences } from '#shared/messages/zh-host.ts';
import { zhCli } from '../src/cli/messages/zh.ts';
import { hostSentences } from './fixtures/host-sentences.ts';
import { forbiddenIn, forbiddenInChinese, otherNamesIn } from './forbidden-words.ts';

const folder = join(import.meta.dirname, '../src');
const files = globSync('**/*.{ts,tsx}', { cwd: folder }).filter(
  (name) => !/\.test\.tsx?$/.test(name),
);

const said = hostSentences();
const chinese: Record<string, string> = { ...zhSentences, ...zhCli };

describe('the sentences of host and command line', () => {
  const ids = [...said.keys()].toSorted();
  const isCli = (id: string) => id.startsWith('cli-');

  it('have words in Chinese, and no words are left over', () => {
    expect(Object.keys(zhSentences).toSorted()).toEqual(ids.filter((id) => !isCli(id)));
    expect(Object.keys(zhCli).toSorted()).toEqual(ids.filter(isCli));
    expect(ids.length).toBeGreaterThan(800);
  });

  it('have ids wherever people may read them', () => {
    const bare =
      /(?:new CeriseError|errorInfo)\(\s*'\w+',\s*['"`]|(?:signInFailed|adminOnly|misfit)\(\s*['"`]|\bhint: ['"`][^'"`\n]* /;
    // For tests, programs or models alone.
    const others =
      /^(?:web|models\/demo)\/|^shared\/errors\/fault|^mcp\/process\/process-tracker|^tools\/(?:registry\/direct-mcp|search\/deferred)-tools/;
    const found = files.filter(
      (name) => !others.test(name) && bare.test(readFileSync(join(folder, name), 'utf8')),
    );
    expect(found).toEqual([]);
  });

  it('say one thing under one id', () => {
    const several = [...said].filter(([, english]) => english.size > 1);
    expect(several.map(([id, english]) => [id, ...english])).toEqual([]);
  });

  it('have the apostrophe of a terminal in English; the page prints them', () => {
    const printed = [...said].filter(([, english]) => [...english].some((text) => /’/.test(text)));
    expect(printed.map(([id]) => id)).toEqual([]);
  });

  it('have their gaps in Chinese too', () => {
    const gaps = (words: string) => new Set(words.match(/\{\d+\}/g));
    const different = [...said].filter(([id, english]) =>
      [...english].some((text) => gaps(text).symmetricDifference(gaps(chinese[id] ?? '')).size > 0),
    );
    expect(different.map(([id]) => id)).toEqual([]);
  });
});

describe('the English of the host', () => {
  /** Summaries of routes, and what built-in servers and their tools say of themselves. */
  const described = files
    .filter((name) => /^(?:server\/routes|mcp\/builtin)\//.test(name))
    .flatMap((name) => {
      const code = readFileSync(join(folder, name), 'utf8');
      return [
        ...code.matchAll(/\b(?:summary|title|description):\s*(['"])(.*?)\1|describe\(\s*'(.*?)'/g),
      ].map(([, , text, other]) => text ?? other ?? '');
    });
  const sentences = new Map([...said].map(([id, english]) => [id, [...english].join('\n')]));
  const texts = new Map([...sentences, ...described.map((text) => [text, text] as const)]);
  /** Those that name a field or a line of the API, where a chat is a topic. */
  const isOfApi = /^(?:stream|attached-to|line)-|^cli-(?:one-attachment|topic)$/;

  it('has no word that reads translated', () => {
    expect(described.length).toBeGreaterThan(150);
    expect(forbiddenIn(texts)).toEqual([]);
  });

  it('has no such word in Chinese', () => {
    const all = new Map(Object.entries({ ...zhHost, ...zhCli }));
    expect(forbiddenInChinese(all)).toEqual([]);
  });

  it('calls everything by one name', () => {
    const forPeople = [...sentences].filter(([id]) => !isOfApi.test(id));
    expect(otherNamesIn(new Map(forPeople))).toEqual([]);
  });
});
