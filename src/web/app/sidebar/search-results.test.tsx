import { renderToStaticMarkup } from 'react-dom/server';
import { IntlProvider } from 'use-intl';
import { describe, expect, it } from 'vitest';
import { Router } from 'wouter';
import type { SearchHit } from '#shared/api/api.ts';
import { en } from '../../messages/en/en.ts';
import { HitList } from './search-results.tsx';

const title = 'Bake a cherry pie';
const inTitle: SearchHit = { topicId: 't', topicTitle: title, snippet: title };
const inText = (snippet: string): SearchHit => ({
  ...inTitle,
  blockId: 'b',
  messageId: 'm',
  snippet,
});

function draw(hits: SearchHit[]): string {
  return renderToStaticMarkup(
    <IntlProvider locale="en" messages={en} timeZone="UTC">
      <Router ssrPath="/">
        <HitList hits={hits} query="CHERRY" onLeave={() => {}} />
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
    expect(linesOf([inTitle])).toEqual([title]);
  });

  it('stumble: print a title once where the chat begins with the same words', () => {
    expect(linesOf([inTitle, inText(title)])).toEqual([title]);
    expect(linesOf([inText(`${title}  `)])).toEqual([title]);
  });

  it('show what was found in a text below the title', () => {
    const words = 'Stone the cherry first';
    expect(linesOf([inTitle, inText(words)])).toEqual([title, title, words]);
  });

  it('mark the words that were found, in a title too', () => {
    expect(draw([inTitle])).toMatch(/<mark[^>]*>cherry<\/mark>/);
  });
});
