import { renderToStaticMarkup } from 'react-dom/server';
import { IntlProvider } from 'use-intl';
import { describe, expect, it } from 'vitest';
import type { ServerView } from '#shared/api/api.ts';
import { en } from '../../messages/en/en.ts';
import { ServerHeadline } from './server-headline.tsx';

const minuteMs = 60_000;

/** What is said of the last use of a server. */
function lastUse(agoMs: number): string {
  const server: ServerView = {
    id: 'a',
    name: 'a',
    type: 'stdio',
    state: 'idle',
    since: 0,
    builtin: false,
    launchHash: '',
    config: {},
    lastUsedAt: Date.now() - agoMs,
  };
  const html = renderToStaticMarkup(
    <IntlProvider locale="en" messages={en} timeZone="UTC">
      <ServerHeadline server={server} />
    </IntlProvider>,
  );
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
