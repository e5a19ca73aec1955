import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { blockTypes } from '#shared/vocabulary/block-schema.ts';
import { forbiddenIn, forbiddenInChinese, otherNamesIn } from './forbidden-words.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Links of a Markdown text that lead to a file of the repository. */
function fileLinks(text: string): string[] {
  const forms = /\]\(([^)\s#]*)(?:#[^)]*)?\)|\b(?:src|srcset)="([^"]*)"/g;
  const links = [...text.matchAll(forms)].map((match) => match[1] ?? match[2] ?? '');
  return links.filter((link) => link !== '' && !/^[a-z]+:/.test(link));
}

/** What the headings of a document are reached by. */
function anchorsIn(path: string): Set<string> {
  const headings = readFileSync(path, 'utf8').matchAll(/^#+ (.*)$/gm);
  const plain = [...headings].map(([, text = '']) =>
    text.toLowerCase().replaceAll(/[^\w\- ]/g, ''),
  );
  return new Set(plain.map((text) => text.trim().replaceAll(' ', '-')));
}

/** The paragraphs and cells of a document, by their lines, without code, targets of links and quotations. */
function prose(file: string): Map<string, string> {
  const text = readFileSync(join(root, file), 'utf8').replaceAll(/^```[^]*?^```/gm, '');
  const pieces = text.split(/\n\n|\n(?=[-|#])|\|/).map((piece) =>
    piece
      .replaceAll(/`[^`]*`|\]\([^)]*\)|“[^”]*”/g, '')
      .replaceAll(/\s+/g, ' ')
      .trim(),
  );
  return new Map(pieces.map((piece) => [`${file}: ${piece.slice(0, 60)}`, piece]));
}

describe('the words of the documents', () => {
  it.each([
    'README.md',
    'SECURITY.md',
    'CONTRIBUTING.md',
    'CHANGELOG.md',
    'docs/guide.md',
    'docs/cli.md',
    'docs/library.md',
    'docs/composer.md',
    'docs/models.md',
    'docs/operating.md',
    'docs/policy.md',
    'docs/api.md',
    'docs/gateway.md',
    'docs/observability.md',
    'docs/openai.md',
    'docs/replay.md',
  ])('are in %s those of a native', (file) => {
    expect(forbiddenIn(prose(file))).toEqual([]);
  });

  it.each(['docs/guide.md', 'docs/composer.md', 'CHANGELOG.md'])(
    'are in %s those of the page',
    (file) => {
      expect(otherNamesIn(prose(file))).toEqual([]);
    },
  );

  it('are in Chinese those of the page, too', () => {
    expect(forbiddenInChinese(prose('docs/guide.zh.md'))).toEqual([]);
  });
});

describe('the documents', () => {
  it.each(globSync(['*.md', 'docs/**/*.md'], { cwd: root }))(
    '%s links only to files that exist',
    (file) => {
      const links = fileLinks(readFileSync(join(root, file), 'utf8'));
      expect(links.filter((link) => !existsSync(join(root, dirname(file), link)))).toEqual([]);
    },
  );

  it.each(globSync(['*.md', 'docs/**/*.md'], { cwd: root }))(
    '%s calls no file by another name',
    (file) => {
      const named = /\[`?([\w./-]+\.(?:tsx?|md))`?\]\(([^)\s#]+)/g;
      const links = [...readFileSync(join(root, file), 'utf8').matchAll(named)];
      const wrong = links.filter(([, name = '', path = '']) => basename(name) !== basename(path));
      expect(wrong.map(([link]) => link)).toEqual([]);
    },
  );

  it.each(globSync(['*.md', 'docs/**/*.md'], { cwd: root }))(
    '%s links only to headings that exist',
    (file) => {
      const links = [
        ...readFileSync(join(root, file), 'utf8').matchAll(/\]\(([^)\s#:]*)#([^)]*)\)/g),
      ];
      const wrong = links.filter(([, path = '', anchor = '']) => {
        const target = path === '' ? file : join(dirname(file), path);
        return target.endsWith('.md') && !anchorsIn(join(root, target)).has(anchor);
      });
      expect(wrong.map(([link]) => link)).toEqual([]);
    },
  );

  it('explain every type of block in the glossary', () => {
    const glossary = readFileSync(join(root, 'docs/glossary.md'), 'utf8');
    const rows = glossary.split('### Block types')[1]?.split('\n## ')[0] ?? '';
    expect(blockTypes.filter((type) => !rows.includes(`\`${type}\``))).toEqual([]);
  });

  it('are read for links of every form', () => {
    const text =
      '[a](x.md) ![b](docs/y.png) [c](z.md#part) [d](#part) [e](https://example.com) <img src="f.webp">';
    expect(fileLinks(text)).toEqual(['x.md', 'docs/y.png', 'z.md', 'f.webp']);
  });

  it('name every error code a person can meet at the start', () => {
    const operating = readFileSync(join(root, 'docs/operating.md'), 'utf8');
    const codes = ['port_in_use', 'data_in_use', 'data_unreadable', 'wrong_key', 'bad_setting'];
    expect(codes.filter((code) => !operating.includes(code))).toEqual([]);
  });
});
