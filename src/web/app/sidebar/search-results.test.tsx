import { renderToStaticMarkup } from 'react-dom/server';
import { IntlProvider } from 'use-intl';
import { describe, expect, it } from 'vitest';
import { Router } from 'wouter';
import type { SearchHit } from '#shared/api/api.ts';
import { en } from '../../messages/en/en.ts';
import { HitList } from './search-results.tsx';

const title = 'Bake a cherry pie';
const date = 'Jun 8, 2026';
const at = Date.parse('2026-06-08T12:00:00Z');
const inTitle: SearchHit = { topicId: 't', topicTitle: title, snippet: title, at };
const inText = (snippet: string): SearchHit => ({
  ...inTitle,
  blockId: 'b',
  messageId: 'm',
  snippet,
});

function draw(hits: SearchHit[], query = 'CHERRY'): string {
  return renderToStaticMarkup(
    <IntlProvider locale="en" messages={en} timeZone="UTC">
      <Router ssrPath="/">
        <HitList hits={hits} query={query} onLeave={() => {}} />
      </Router>
    </IntlProvider>,
  );
}

function linesOf(hits: SearchHit[]): string[] {
  const html = draw(hits).replaceAll(/<\/?mark[^>]*>/g, '');
  return html.split(/<[^>]+>/).filter(Boolean);
}

describe('the hits of a search', () => {
  it('stumble: print a title once where the words are in the title itself', () => {
    expect(linesOf([inTitle])).toEqual([title, date]);
  });

  it('stumble: print a title once where the chat begins with the same words', () => {
    expect(linesOf([inTitle, inText(title)])).toEqual([title, date]);
    expect(linesOf([inText(`${title}  `)])).toEqual([title, date]);
  });

  it('stumble: print a title once for everything that was found in its chat', () => {
    const words = ['Stone the cherry first', 'A cherry cake'];
    const other: SearchHit = { ...inTitle, topicId: 'u', topicTitle: 'Another cherry' };
    const hits = [
      inTitle,
      inText(words[0] ?? ''),
      other,
      { ...inText(words[1] ?? ''), blockId: 'c' },
    ];
    expect(linesOf(hits)).toEqual([title, date, ...words, 'Another cherry', date, title]);
    expect([...draw(hits).matchAll(/href="([^"]+)"/g)].map(([, to]) => to)).toEqual([
      '/t/t',
      '/t/t#m',
      '/t/t#m',
      '/t/u',
    ]);
  });

  it('tell when each chat was, so that the one of last week is found', () => {
    expect(draw([inTitle])).toContain('dateTime="2026-06-08T12:00:00.000Z"');
  });

  it('mark the words that were found, in a title too', () => {
    expect(draw([inTitle])).toMatch(/<mark[^>]*>cherry<\/mark>/);
  });

  it('mark each of several words, wherever it is', () => {
    const marks = [...draw([inTitle], 'PIE bake (').matchAll(/<mark[^>]*>(.*?)<\/mark>/g)];
    expect(marks.map(([, word]) => word)).toEqual(['Bake', 'pie']);
  });
});
