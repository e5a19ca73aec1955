import { renderToStaticMarkup } from 'react-dom/server';
import { IntlProvider } from 'use-intl';
import { describe, expect, it } from 'vitest';
import { en } from '../messages/en.ts';
import { Markdown } from './markdown.tsx';

function html(text: string): string {
  return renderToStaticMarkup(
    <IntlProvider locale="en" messages={en} timeZone="UTC">
      <Markdown text={text} />
    </IntlProvider>,
  );
}

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
      '<a href="https://example.com/" target="_blank" rel="noopener noreferrer nofollow">a</a>',
    );
  });

  it('never loads a remote picture', () => {
    expect(html('![cat](https://example.com/cat.png)')).not.toContain('<img');
    expect(html('![x](data:image/svg+xml;base64,AAAA)')).not.toContain('<img');
    expect(html('![x](data:image/png;base64,AAAA)')).toContain('<img');
  });

  it('renders lists, tasks and tables', () => {
    expect(html('- [x] done\n- [ ] open')).toMatch(/<li class="task"><input[^>]*checked/);
    expect(html('3. c\n4. d')).toContain('<ol start="3"><li>c</li>');
    expect(html('| a | b |\n|---|--:|\n| 1 | 2 |')).toContain('<td class="text-right">2</td>');
  });

  it('closes emphasis beside Chinese text and ends bare addresses at Chinese marks', () => {
    expect(html('这是**重点。**后面')).toContain('<strong>重点。</strong>后面');
    expect(html('见https://example.com。好')).toContain('href="https://example.com/"');
  });

  it('uses link definitions that come later', () => {
    expect(html('See [docs].\n\n[docs]: https://example.com\n\nEnd\n\nof text')).toContain('href=');
  });

  it('resolves character references in text but not in code', () => {
    expect(html('a &lt; b `&lt;`')).toContain('a &lt; b <code>&amp;lt;</code>');
  });

  it('shows deeply nested text instead of failing', () => {
    expect(html(`${'>'.repeat(200)} deep`)).toContain('deep');
    expect(html(`${'>'.repeat(20_000)} deep`)).toContain('deep');
  });
});
