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
  /^export (?:abstract |async )*(?<kind>function\*?|class|interface|type|const|let) (?<name>\w+)/gm;

interface Export {
  kind: string;
  name: string;
}

function exportsOf(source: string): Export[] {
  return [...source.matchAll(declaration)].map(({ groups }) => ({
    kind: groups?.['kind'] ?? '',
    name: groups?.['name'] ?? '',
  }));
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
  const all = files.flatMap((file) => exportsOf(readFileSync(`${root}/${file}`, 'utf8')));

  it('are none of those that the glossary forbids, in exports and names of files', () => {
    expect(words.size).toBeGreaterThan(15);
    expect(all.length).toBeGreaterThan(2000);
    const names = all.map(({ name }) => name);
    expect(withForbidden([...names, ...files.map((file) => basename(file))], words)).toEqual([]);
  });

  it('name each class once', () => {
    const classes = all.filter(({ kind }) => kind === 'class').map(({ name }) => name);
    expect(classes.length).toBeGreaterThan(50);
    expect(repeated(classes)).toEqual([]);
  });

  it('are found where they are planted', () => {
    const planted = exportsOf(
      'export const lastSeen = 1;\nexport async function found() {}\nexport class A {}\nconst kept = 2;\n',
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
