import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The words of the table at the end of the glossary. */
function forbiddenWords(glossary: string): Set<string> {
  const table = glossary.split('## Words we do not use')[1] ?? '';
  const cells = [...table.matchAll(/^\| (`.*?) \|/gm)].map((row) => row[1] ?? '');
  return new Set(
    cells.flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].map((word) => word[1] ?? '')),
  );
}

const declaration =
  /^(?<exported>export )?(?:abstract |async )*(?<kind>function\*?|class|interface|type|const|let) (?<name>\w+)/gm;
/** Numbers that say by their name what they measure, but not in which unit. */
const withoutUnit =
  /^(?:export )?const (\w*(?:[tT]imeout|[tT]ime|[dD]elay|[iI]nterval|[lL]ength|[cC]haracters)) = [\d_ *.]+;/gm;

interface Declaration {
  kind: string;
  name: string;
}

/** What a file exports, and its own types and functions; how it names its own values is its own business. */
function declarationsOf(source: string): Declaration[] {
  return [...source.matchAll(declaration)]
    .map(({ groups = {} }) => groups)
    .filter(({ exported, kind }) => exported !== undefined || !/^(?:const|let)$/.test(kind ?? ''))
    .map(({ kind = '', name = '' }) => ({ kind, name }));
}

function namesWithoutUnit(source: string): string[] {
  return [...source.matchAll(withoutUnit)].map(([, name = '']) => name);
}

/** Names that have one of the words; "not found" is a word of its own. */
function withForbidden(names: readonly string[], words: ReadonlySet<string>): string[] {
  return names.filter((name) =>
    name
      .replace(/(?:N|\bn)ot-?[Ff]ound/, '')
      .split(/(?=[A-Z])|[-_.\d]/)
      .some((word) => words.has(word.toLowerCase())),
  );
}

function repeated(names: readonly string[]): string[] {
  return names.filter((name, place) => names.indexOf(name) !== place);
}

describe('the words of the code', () => {
  const words = forbiddenWords(readFileSync(`${root}/docs/glossary.md`, 'utf8'));
  const files = globSync('src/**/*.{ts,tsx}', { cwd: root }).filter(
    (file) => !/\.test\.tsx?$/.test(file),
  );
  const all = files.flatMap((file) => declarationsOf(readFileSync(`${root}/${file}`, 'utf8')));

  it('are none of those that the glossary forbids, in declarations and names of files', () => {
    expect(words.size).toBeGreaterThan(15);
    expect(all.length).toBeGreaterThan(2000);
    const names = all.map(({ name }) => name);
    expect(withForbidden([...names, ...files.map((file) => basename(file))], words)).toEqual([]);
  });

  it('name numbers by their unit', () => {
    const sources = files.map((file) => readFileSync(`${root}/${file}`, 'utf8'));
    expect(sources.flatMap(namesWithoutUnit)).toEqual([]);
    const planted =
      'const maxLength = 20;\nexport const idleTimeout = 5 * 60_000;\nconst idleMs = 1;\n';
    expect(namesWithoutUnit(planted)).toEqual(['maxLength', 'idleTimeout']);
  });

  it('name each class once', () => {
    const classes = all.filter(({ kind }) => kind === 'class').map(({ name }) => name);
    expect(classes.length).toBeGreaterThan(50);
    expect(repeated(classes)).toEqual([]);
  });

  it('are found where they are planted', () => {
    const planted = declarationsOf(
      'export const lastSeen = 1;\nasync function found() {}\nexport class A {}\nconst kept = 2;\n',
    );
    expect(planted.map(({ name }) => name)).toEqual(['lastSeen', 'found', 'A']);
    const names = [
      ...planted.map(({ name }) => name),
      'topicNotFound',
      'not-found.ts',
      'left-out.ts',
      'unseen',
    ];
    expect(withForbidden(names, words)).toEqual(['lastSeen', 'found', 'left-out.ts']);
    expect(repeated(['A', 'B', 'A'])).toEqual(['A']);
  });
});
