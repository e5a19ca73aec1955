import { renderToStaticMarkup } from 'react-dom/server';
import { IntlProvider } from 'use-intl';
import { describe, expect, it } from 'vitest';
import type { ServerView } from '#shared/api/api.ts';
import { en } from '../../messages/en/en.ts';
import { zh } from '../../messages/zh/zh.ts';
import { ServerHeadline } from './server-headline.tsx';

const minuteMs = 60_000;

function drawn(more: Partial<ServerView>, [locale, messages]: [string, typeof en] = ['en', en]) {
  const server: ServerView = {
    id: 'a',
    name: 'a',
    type: 'stdio',
    state: 'idle',
    since: 0,
    builtin: false,
    launchHash: '',
    config: {},
    ...more,
  };
  return renderToStaticMarkup(
    <IntlProvider locale={locale} messages={messages} timeZone="UTC">
      <ServerHeadline server={server} />
    </IntlProvider>,
  );
}

/** What is said of the last use of a server. */
function lastUse(agoMs: number): string {
  const html = drawn({ lastUsedAt: Date.now() - agoMs });
  const words = /data-testid="last-use">(.*)/.exec(html)?.[1] ?? '';
  return words.replaceAll(/<[^>]*>/g, '').replace(' · ', '');
}

describe('when a server was last used', () => {
  it('is not said more exactly than it is known: to a quarter of an hour', () => {
    for (const minutes of [0, 13, 59])
      expect(lastUse(minutes * minuteMs)).toBe(en.servers.usedLately);
    expect(lastUse(125 * minuteMs)).toBe('used 2h ago');
  });
});

describe('stumble: the description of a server', () => {
  const text = 'Opens and reads PDF documents.';
  const picked = { registry: 'picked', name: 'x', version: '1.0.0', place: 'packages[0]' } as const;
  const inChinese = (description: string, installedFrom?: ServerView['installedFrom']) =>
    drawn({ config: { description }, installedFrom }, ['zh', zh]);

  it('is in the language of the reader where Cerise suggested the server', () => {
    expect(inChinese(text, picked)).toContain('打开并阅读 PDF 文档。');
  });

  it('is what a person made of it, or what others say', () => {
    expect(inChinese('My PDFs.', picked)).toContain('My PDFs.');
    expect(inChinese(text, { ...picked, registry: 'other' })).toContain(text);
    expect(inChinese(text)).toContain(text);
  });
});
