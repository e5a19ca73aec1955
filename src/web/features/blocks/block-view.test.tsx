import { renderToStaticMarkup } from 'react-dom/server';
import { IntlProvider } from 'use-intl';
import { describe, expect, it } from 'vitest';
import type { MediaBlock } from '#shared/vocabulary/block.ts';
import type { ToolResult } from '#shared/vocabulary/tool.ts';
import { t } from '../../../../test/e2e/texts.ts';
import { en } from '../../messages/en/en.ts';
import { zh } from '../../messages/zh/zh.ts';
import { ResultView } from '../tools/result/result-view.tsx';
import { FirstLines } from '../media/text-preview.tsx';
import { BlockView } from './block-view.tsx';

const evil = '<img src=x onerror=alert(1)>"\'><script>alert(2)</script>';
const stored = { id: 'b1', size: 1_363_149 };

function html(shown: React.ReactElement, locale: 'en' | 'zh' = 'en'): string {
  return renderToStaticMarkup(
    <IntlProvider locale={locale} messages={{ en, zh }[locale]} timeZone="UTC">
      {shown}
    </IntlProvider>,
  );
}

function medium(more: Partial<MediaBlock>): string {
  const base = { id: 'x', messageId: 'm', ordinal: 0, round: 0, startedAt: 0, content: '' };
  return html(<BlockView block={{ ...base, type: 'file', status: 'success', ...more }} />);
}

const result = (shown: ToolResult, locale?: 'en' | 'zh') =>
  html(<ResultView result={shown} />, locale);

describe('a medium', () => {
  it('is shown from where it is kept, when it comes near', () => {
    const shown = medium({ type: 'image', mimeType: 'image/png', name: 'Cherries', stored });
    expect(shown).toMatch(/<img[^>]*src="\/api\/blobs\/b1"/);
    expect(shown).toMatch(/<img[^>]*loading="lazy"/);
    expect(shown).toContain('alt="Cherries"');
    const film = medium({ type: 'video', mimeType: 'video/mp4', stored });
    expect(film).toMatch(/<video[^>]*controls=""[^>]*src="\/api\/blobs\/b1"/);
    expect(film).not.toContain('autoplay');
  });

  it.each(['image/svg+xml', 'text/html', 'application/xhtml+xml', undefined])(
    'of the type %s is only offered as a file',
    (mimeType) => {
      const shown = medium({ type: 'image', mimeType, stored, name: evil });
      expect(shown).not.toMatch(/<img|<video|<audio|<script|target=/);
      expect(shown).toMatch(/<a href="\/api\/blobs\/b1" download=/);
    },
  );

  it('cannot be shown where nothing of it is there', () => {
    const shown = medium({ type: 'image', mimeType: 'image/png', name: 'lost.png' });
    expect(shown).toContain('lost.png');
    expect(shown).not.toMatch(/<img|<a /);
  });
});

describe('stumble: what the model thought', () => {
  it.each([
    [84, t('block.thoughtBriefly')],
    [2_340, t('block.thoughtFor', { duration: '2.3 s' })],
    [undefined, t('block.thought')],
  ])('in %s ms is told in words or seconds', (endedAt, words) => {
    const block = {
      type: 'thinking',
      id: 'x',
      messageId: 'm',
      ordinal: 0,
      round: 0,
      startedAt: 0,
      status: 'success',
      content: 'Hm.',
    } as const;
    const shown = html(<BlockView block={{ ...block, ...(endedAt && { endedAt }) }} />);
    expect(shown).toContain(`>${words}<`);
  });
});

describe('a file', () => {
  it('has its name, type, size and a way to take it away, and is not shown unasked', () => {
    const shown = medium({ mimeType: 'image/png', name: 'a.png', stored });
    const download = `aria-label="${t('block.download', { name: 'a.png' })}"`;
    for (const words of ['a.png', 'image/png · 1.3 MB', download, `>${en.block.show}<`])
      expect(shown).toContain(words);
    expect(shown).not.toContain('<img');
  });

  it('stumble: can be looked into if it is text, and is only downloaded otherwise', () => {
    for (const mimeType of [
      'text/plain',
      'text/html',
      'text/csv; charset=utf-8',
      'application/json',
    ])
      expect(medium({ mimeType, name: 'a.txt', stored })).toContain('>Show<');
    expect(medium({ mimeType: 'application/zip', name: 'a.zip', stored })).not.toContain('>Show<');
    expect(medium({ mimeType: 'text/plain', name: 'a.txt' })).not.toContain('>Show<');
  });

  it('is never HTML where its first lines are shown', () => {
    const shown = html(<FirstLines text={`${evil}\u202e\n${'x\n'.repeat(100)}`} />);
    expect(shown).not.toMatch(/<script|<img/);
    expect(shown).toContain('&lt;script&gt;');
    expect(shown).toContain('U+202E');
    expect(shown.match(/x\n/g)?.length).toBeLessThan(50);
    expect(shown).toContain(en.block.previewCut);
    expect(html(<FirstLines text="short" />)).not.toContain(en.block.previewCut);
  });

  it('stumble: shows the ends of its lines as such, and not as hidden characters', () => {
    const lines = html(<FirstLines text={'a\nb'} />);
    for (const text of ['a\nb\n', 'a\r\nb\r\n', 'a\r\nb'])
      expect(html(<FirstLines text={text} />)).toBe(lines);
    for (const text of ['a\nb\n\n', 'a\rb'])
      expect(html(<FirstLines text={text} />)).toContain(
        en.hidden.reasons[text.includes('\r') ? 'control' : 'line'],
      );
  });

  it('opens in a page of its own if it is a PDF that is kept here', () => {
    const pdf = { mimeType: 'application/pdf', name: 'a.pdf' };
    expect(medium({ ...pdf, stored })).toMatch(/<a href="\/api\/blobs\/b1" target="_blank"/);
    expect(medium({ ...pdf, data: 'AAAA' })).not.toContain('target=');
  });
});

describe('a result', () => {
  const text = `head\n[… 1234567 characters left out …]\ntail`;

  it('says in both languages how much its preview leaves out, and how to get the whole', () => {
    const part = { type: 'text' as const, text, stored };
    const english = result({ content: [part] });
    expect(english).toMatch(/head.*1,234,567.*tail/s);
    expect(english).toContain(t('tool.leftOut', { count: 1_234_567 }));
    expect(english).toContain(t('tool.showAll', { size: '1.3 MB' }));
    expect(english).toContain('download="result.txt"');
    expect(english).not.toContain(`aria-label="${en.common.copy}"`);
    const chinese = result({ content: [part] }, 'zh');
    expect(chinese).toContain(t('tool.leftOut', { count: 1_234_567 }, 'zh'));
    expect(chinese).toContain(t('tool.showAll', { size: '1.3 MB' }, 'zh'));
  });

  it('is whole where nothing of it is stored, whatever it says of itself', () => {
    const shown = result({ content: [{ type: 'text', text }] });
    expect(shown).toContain('[… 1234567 characters left out …]');
    expect(shown).not.toContain(en.tool.download);
    expect(shown).toContain(`aria-label="${en.common.copy}"`);
  });

  it('is empty where it has no words at all', () => {
    for (const content of [[], [{ type: 'text' as const, text: ' \n' }]])
      expect(result({ content })).toContain(en.tool.emptyResult);
  });

  it('offers stored structured content once', () => {
    const preview = { type: 'text' as const, text: '{', stored };
    const only = result({ content: [], structuredStored: stored });
    const both = result({ content: [preview], structuredStored: stored });
    const other = result({ content: [preview], structuredStored: { ...stored, id: 'b2' } });
    const offers = (shown: string) => shown.split(t('tool.showAll', { size: '1.3 MB' })).length - 1;
    expect([only, both, other].map(offers)).toEqual([1, 1, 2]);
    expect(only).toContain('download="result.json"');
    expect(only).not.toContain(en.tool.emptyResult);
  });

  it('offers a stored resource by its name, as a medium if it is one', () => {
    const part = (mimeType: string, more: object = {}) => ({
      type: 'resource' as const,
      resource: { uri: 'file:///shop/report.csv?x', mimeType, ...more },
      stored,
    });
    const file = result({ content: [part('application/zip', { blob: '' })] });
    expect(file).toMatch(/<a href="\/api\/blobs\/b1" download="report.csv"/);
    expect(result({ content: [part('audio/wav')] })).toContain('<audio');
    expect(result({ content: [part('text/csv', { text })] })).toContain(
      t('tool.showAll', { size: '1.3 MB' }),
    );
  });

  it('is never HTML', () => {
    const shown = result({
      content: [
        { type: 'text', text: evil },
        { type: 'text', text: evil, stored },
        { type: 'image', data: evil, mimeType: evil },
        { type: 'audio', data: '', mimeType: `audio/${evil}`, stored },
        { type: 'resource', resource: { uri: evil, mimeType: evil, text: evil } },
        { type: 'resource', resource: { uri: evil, mimeType: evil, blob: evil }, stored },
        { type: 'resource_link', uri: `javascript:${evil}`, name: evil, description: evil },
      ],
      problem: evil,
    });
    expect(shown).not.toMatch(/<script|<img|<audio|href="javascript:/i);
    expect(shown).toContain('&lt;script&gt;');
  });
});
