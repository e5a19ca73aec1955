import fc from 'fast-check';
import type { Token, Tokens } from 'marked';
import { renderToStaticMarkup } from 'react-dom/server';
import { IntlProvider } from 'use-intl';
import { describe, expect, it } from 'vitest';
import { en } from '../../messages/en/en.ts';
import { Markdown, SplitMarkdown } from './markdown.tsx';
import { lexWhole } from './parse/lexer.ts';
import { createSplitter, linksAtEnd, type SplitText } from './parse/split.ts';
import { listDocument } from '../../../../test/fixtures/list-documents.ts';
import { renderBlocks } from './render-blocks.tsx';

function html(text: string): string {
  return renderToStaticMarkup(
    <IntlProvider locale="en" messages={en} timeZone="UTC">
      <Markdown text={text} />
    </IntlProvider>,
  );
}

const line = fc.constantFrom(
  'plain words',
  'Some **bold** and `code` 中文**重点。**后',
  '# Title',
  '- item',
  '  - [x] inner',
  '1. first',
  '> quote',
  '```ts',
  '```',
  '~~~',
  '| a | b |',
  '|---|--:|',
  '$$',
  'x = $a$',
  '\\[ y \\]',
  '[^1]: note',
  'mark[^1] and [a] and [b][a]',
  '[a]: https://example.com',
  '> [a]: https://example.org',
  '<div>',
  '![p](https://example.com/p.png)',
  '    indented',
  '',
  '',
  '',
);
const document = fc.array(line, { maxLength: 16 }).map((lines) => lines.join('\n'));

function tree(split: SplitText, growing: boolean): string {
  return renderToStaticMarkup(
    <IntlProvider locale="en" messages={en} timeZone="UTC">
      <SplitMarkdown split={split} growing={growing} />
    </IntlProvider>,
  );
}

describe('Markdown that grows', () => {
  it('ends in the tree of the whole text, however it came', () => {
    fc.assert(
      fc.property(document, fc.array(fc.nat(300), { maxLength: 10 }), (text, at) => {
        const splitter = createSplitter();
        for (const cut of at.toSorted((a, b) => a - b)) splitter(text.slice(0, cut));
        const grown = splitter(text);
        expect(tree(grown, false)).toBe(html(text));
        expect(tree(grown, true)).toBe(tree(createSplitter()(text), true));
      }),
      { numRuns: 300 },
    );
  });
});

/** The tree of a text that is read as one, without any splitting. */
function treeAtOnce(text: string): string {
  const links = linksAtEnd(createSplitter()(text));
  return renderToStaticMarkup(
    <IntlProvider locale="en" messages={en} timeZone="UTC">
      <div className="prose">
        {text !== '' && (
          <div className="prose-group first last">{renderBlocks(lexWhole(text, links))}</div>
        )}
      </div>
    </IntlProvider>,
  );
}

/** What a reader sees: notes are left out, and how much blank space the source of a paragraph has. */
const seen = (shown: string) =>
  shown
    .replace(/<section role="doc-endnotes"[^]*<\/section>/, '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ (?=<\/)/g, '');

/** Whether a task is a heading: the parser then takes its brackets away instead of those of another task. */
function hasTaskHeading(tokens: Token[]): boolean {
  return tokens.some((token) => {
    if (token.type === 'heading') return /^\[[ x]\] /i.test(String(token['text']));
    if (token.type === 'list') return hasTaskHeading((token as Tokens.List).items);
    return 'tokens' in token && hasTaskHeading(token.tokens ?? []);
  });
}

describe('Lists that grow', () => {
  it('end in the tree of the whole text read at once', () => {
    fc.assert(
      fc.property(listDocument, fc.array(fc.nat(9000), { maxLength: 12 }), (text, at) => {
        fc.pre(!hasTaskHeading(lexWhole(text, {})));
        const splitter = createSplitter();
        for (const cut of at.toSorted((a, b) => a - b)) splitter(text.slice(0, cut));
        const grown = splitter(text);
        expect(seen(tree(grown, false))).toBe(seen(treeAtOnce(text)));
      }),
      { numRuns: 150 },
    );
  });

  it.each([
    ['tight', '', ''],
    ['loose', '\n', ''],
    ['loose by its last item', '', '\n\n- end'],
    ['loose inside of its last item', '', '- end\n\n  more'],
    ['followed by words', '', '\nWords'],
  ])('are %s as a whole', (_, gap, end) => {
    const items = Array.from(
      { length: 40 },
      (_item, at) => `- [${at % 2 ? 'x' : ' '}] ${'word '.repeat(30)}\n`,
    );
    const text = items.join(gap) + end;
    const splitter = createSplitter();
    for (let cut = 100; cut < text.length; cut += 100) splitter(text.slice(0, cut));
    const shown = tree(splitter(text), false);
    expect(shown).toBe(treeAtOnce(text));
    expect(shown.match(/<ul/g)).toHaveLength(1);
  });
});

describe('Markdown', () => {
  it('shows raw HTML as text, in blocks and in lines', () => {
    const shown = html(
      '<img src=x onerror=alert(1)>\n\na <b onclick="x">b</b>\n\n<script>x</script>',
    );
    expect(shown).not.toMatch(/<img|<b |<script/);
    expect(shown).toContain('&lt;img src=x onerror=alert(1)&gt;');
  });

  it('makes script links inert and opens others without a way back', () => {
    expect(html('[a](javascript:alert(1))')).not.toContain('href');
    expect(html('[a](https://example.com)')).toContain(
      '<a href="https://example.com/" target="_blank" rel="noopener noreferrer nofollow" title="example.com">a</a>',
    );
  });

  it('never loads a remote picture', () => {
    expect(html('![cat](https://example.com/cat.png)')).not.toContain('<img');
    expect(html('![x](data:image/svg+xml;base64,AAAA)')).not.toContain('<img');
    expect(html('![x](data:image/png;base64,AAAA)')).toContain('<img');
  });

  it('renders lists, tasks and tables', () => {
    expect(html('- [x] done\n- [ ] open')).toMatch(/<li class="task"><input[^>]*checked/);
    expect(html('3. c\n4. d')).toContain('<ol dir="auto" start="3"><li>c</li>');
    expect(html('| a | b |\n|---|--:|\n| 1 | 2 |')).toContain('<td class="text-right">2</td>');
  });

  it('clipped list numbers: says how many digits the longest has, also in a list of many parts', () => {
    const list = (count: number) =>
      Array.from({ length: count }, (_, at) => `${at + 1}. ${'words '.repeat(9)}`).join('\n');
    expect(html(list(99))).toContain('<ol dir="auto"><li>');
    expect(html(list(100))).toContain('<ol dir="auto" style="--digits:3">');
    expect(html(list(1000))).toContain('<ol dir="auto" style="--digits:4">');
    expect(html('> 998. a\n> 999. b\n> 1000. c')).toContain(
      '<ol dir="auto" start="998" style="--digits:4">',
    );
    // As it comes, piece by piece.
    const text = list(1000);
    const read = createSplitter();
    let split = read('');
    for (let end = 0; end < text.length; end += 997) split = read(text.slice(0, end));
    expect(tree(read(text), false)).toContain('<ol dir="auto" style="--digits:4">');
    expect(tree(split, true)).toContain('--digits:');
  });

  it('closes emphasis beside Chinese text and ends bare addresses at Chinese marks', () => {
    expect(html('这是**重点。**后面')).toContain('<strong>重点。</strong>后面');
    expect(html('**中文**字')).toContain('<strong>中文</strong>字');
    expect(html('他说**“你好”**了，*“好”*吧')).toMatch(/<strong>“你好”<\/strong>.*<em>“好”<\/em>/);
    expect(html('用**`code`。**后')).toContain('<strong><code>code</code>。</strong>');
    expect(html('见https://example.com。好')).toContain('href="https://example.com/"');
    expect(html('见https://example.com是的')).toContain('href="https://example.com/"');
  });

  it('uses link definitions that come later', () => {
    expect(html('See [docs].\n\n[docs]: https://example.com')).toContain('href=');
    expect(html('See [docs].\n\n[docs]: https://example.com\n\nEnd\n\nof text')).toContain('href=');
  });

  it('knows formulas from prices', () => {
    for (const text of [
      '$5 and $6',
      'from $5-$6 to $7',
      'US$5 or US$ 6',
      '$HOME/bin:$PATH',
      '\\$x\\$',
      '`$x$`',
      'a $ b $ c',
      '$1,000 more, 5$',
      '$20 million and 30$',
      '$5/month (US$)',
      '$5, or less$',
    ])
      expect(html(text)).not.toContain('data-testid="math"');
    const usual = ['$x^2$', '$5$', '\\(x\\)', '\\[x\\]', '$$x$$', '中$x$文', '$2x + 1$'];
    const withNumbers = ['$1/\\lambda^4$', '$1/n$', '$1/2$', '$1, 2, \\dots, n$', '$10^{-3}$'];
    for (const text of [...usual, ...withNumbers])
      expect(html(text)).toContain('data-testid="math"');
    expect(html('$$\na\n- b\n+ c\n$$')).not.toContain('<li>');
    expect(html('Words:\n$$\nx\n$$\nmore')).toMatch(/<p>Words:<\/p><span[^>]*display-math/);
    expect(html('```math\nx\n```')).toContain('display-math');
  });

  it('numbers footnotes and shows them at the end', () => {
    const shown = html(
      'One[^a] and two[^b], none[^c].\n\n[^a]: First *note*.\n[^b]: Second.\n\nEnd.',
    );
    expect(shown).toMatch(/One<sup[^>]*><a[^>]*>1<\/a><\/sup> and two<sup[^>]*><a[^>]*>2</);
    expect(shown).toContain('none[^c].');
    expect(shown).toMatch(/<p>End\.<\/p><\/div><section role="doc-endnotes".*First <em>note<\/em>/);
  });

  it('leaves the first level of headings to the page', () => {
    expect(html('# A\n\n## B\n\n###### F')).toContain('<h2>A</h2><h3>B</h3><h6>F</h6>');
  });

  it('breaks lines where it is said, also in tables', () => {
    expect(html('a  \nb')).toContain('a<br/>b');
    expect(html('a\\\nb')).toContain('a<br/>b');
    expect(html('| a |\n|---|\n| b<br>c |')).toContain('b<br/>c');
  });

  it('marks links that lead elsewhere than they say', () => {
    expect(html('[paypal.com](https://evil.example)')).toContain('link-doubt');
    expect(html('[a](https://xn--pypal-4ve.com)')).toContain('link-doubt');
    expect(html('[a\u202Eb](https://example.com)')).toContain('link-doubt');
    expect(html('[x](https://paypal.com@evil.example)')).toContain('<bdi>evil.example</bdi>');
    expect(html('[docs.example.com](https://www.docs.example.com/a)')).not.toContain('link-doubt');
    expect(html('https://example.com/a')).not.toContain('link-doubt');
  });

  it('resolves character references in text but not in code', () => {
    expect(html('a &lt; b `&lt;`')).toContain('a &lt; b <code>&amp;lt;</code>');
  });

  it('shows deeply nested text instead of failing', () => {
    expect(html(`${'>'.repeat(200)} deep`)).toContain('deep');
    expect(html(`${'>'.repeat(20_000)} deep`)).toContain('deep');
    const list = Array.from({ length: 200 }, (_, depth) => `${'  '.repeat(depth)}- deep`);
    expect(html(list.join('\n'))).toContain('deep');
    expect(html(`${'*a **b '.repeat(2000)} deep`)).toContain('deep');
  });
});
