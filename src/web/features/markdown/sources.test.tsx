import { renderToStaticMarkup } from 'react-dom/server';
import { IntlProvider } from 'use-intl';
import { describe, expect, it } from 'vitest';
import type { Block, Citation } from '#shared/vocabulary/block.ts';
import { en } from '../../messages/en/en.ts';
import { createSourceIndex, type Sources, SourcesContext } from '../sources/sources.tsx';
import { Markdown } from './markdown.tsx';

const citations: Citation[] = [
  { number: 1, url: 'https://one.example/a?b=1&c', title: 'One "quoted"' },
  { number: 2, url: 'https://two.example/' },
  { number: 3, url: 'javascript:alert(1)', title: 'Three' },
  { number: 4, title: 'Only a title' },
];
const known: Sources = new Map(citations.map((citation) => [citation.number, citation]));

function html(text: string, sources: Sources = known): string {
  return renderToStaticMarkup(
    <IntlProvider locale="en" messages={en} timeZone="UTC">
      <SourcesContext value={sources}>
        <Markdown text={text} />
      </SourcesContext>
    </IntlProvider>,
  );
}

const links = (shown: string): string[] =>
  [...shown.matchAll(/<a href="([^"]*)"/g)].map((found) => found[1] ?? '');
const words = (shown: string): string => shown.replaceAll(/<[^>]*>/g, '');

const one = 'https://one.example/a?b=1&amp;c';
const two = 'https://two.example/';

describe('marks of sources in a text', () => {
  it('are numbered links with the title, that give no way back', () => {
    const shown = html('Fruit [1].');
    expect(shown).toMatch(
      /^<div class="prose"><div class="prose-group first last"><p>Fruit <a href="https:\/\/one\.example\/a\?b=1&amp;c" target="_blank" rel="noopener noreferrer nofollow" id="[^"]*" aria-label="1: One &quot;quoted&quot;" class="[^"]*">1<\/a>\.<\/p><\/div><\/div>$/,
    );
  });

  it.each([
    ['Side by side[1][2].', [one, two], 'Side by side12.'],
    ['A list [1, 2]', [one, two], 'A list 12'],
    ['宽的【2】。', [two], '宽的2。'],
    ['**Bold [1]** and _x [2]_', [one, two], 'Bold 1 and x 2'],
    ['- item [1]\n- item [2]', [one, two], 'item 1item 2'],
    ['| a |\n|---|\n| [1] |', [one], 'a1'],
    ['# Title [1]', [one], 'Title 1'],
    ['Some of it [1, 9]', [one], 'Some of it 1[9]'],
  ])('are found in %j', (text, wanted, said) => {
    const shown = html(text);
    expect(links(shown)).toEqual(wanted);
    expect(words(shown)).toBe(said);
  });

  it.each([
    'No such source [9], [8, 9], 【7】, [0]',
    'Code `a[1]` stays',
    '```js\na[1][2]\n```',
    '    indented[1]',
    String.raw`Escaped \[1\]`,
    'A footnote [^1] and [x]',
  ])('are none in %j', (text) => {
    expect(links(html(text))).toEqual([]);
  });

  it('leave the links of the text what they are', () => {
    expect(links(html('[1](https://other.example/) [see [2]](https://b.example/)'))).toEqual([
      'https://other.example/',
      'https://b.example/',
    ]);
    expect(links(html('As [1] says.\n\n[1]: https://own.example/\n\nEnd\n\nof it'))).toEqual([
      'https://own.example/',
    ]);
  });

  it('never lead to an address a browser should not open', () => {
    const shown = html('[3][4]');
    expect(shown).not.toMatch(/<a |javascript/);
    expect(shown).toMatch(/<span [^>]*aria-label="3: Three"[^>]*>3<\/span>/);
    expect(shown).toContain('aria-label="4: Only a title"');
  });

  it('stay text where the answer has no sources', () => {
    expect(html('Fruit [1]【2】', new Map())).toBe(
      '<div class="prose"><div class="prose-group first last"><p>Fruit [1]【2】</p></div></div>',
    );
  });
});

describe('the index of sources', () => {
  it('changes only with the citation blocks', () => {
    const base = { messageId: 'm', status: 'success', content: '', createdAt: 0 } as const;
    const list = (id: string, of: Citation[]) =>
      ({ ...base, id, ordinal: 0, type: 'citation', citations: of }) as unknown as Block;
    const text = (content: string) =>
      ({ ...base, id: 't', ordinal: 1, type: 'main_text', content }) as unknown as Block;
    const index = createSourceIndex();
    const first = list('a', citations.slice(0, 1));
    const before = index([first, text('a')]);
    expect(index([first, text('ab')])).toBe(before);
    const after = index([first, text('ab'), list('b', citations.slice(1))]);
    expect(after).not.toBe(before);
    expect([...after.keys()]).toEqual([1, 2, 3, 4]);
  });
});
