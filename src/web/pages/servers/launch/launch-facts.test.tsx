import { renderToStaticMarkup } from 'react-dom/server';
import { IntlProvider } from 'use-intl';
import { describe, expect, it } from 'vitest';
import type { ServerAccess } from '#shared/vocabulary/server-access.ts';
import { en } from '../../../messages/en/en.ts';
import { LaunchFacts } from './launch-facts.tsx';

/** The classes of what is shown beside a label. */
function lookOf(label: string, access: ServerAccess): string {
  const config = { type: 'stdio', command: 'npx', args: [], env: {}, access };
  const html = renderToStaticMarkup(
    <IntlProvider locale="en" messages={en} timeZone="UTC">
      <LaunchFacts config={config} />
    </IntlProvider>,
  );
  return new RegExp(`${label}</dt><dd class="([^"]*)"`).exec(html)?.[1] ?? '';
}

describe('the facts of a launch', () => {
  const folders = [{ path: '/tmp/notes', write: false }];

  it('show a folder exactly as it is written, and as code', () => {
    const look = lookOf(en.access.files, { files: { folders }, network: true });
    expect(look).toContain('font-mono');
    expect(look).not.toContain('uppercase');
  });

  it('make access to everything stand out, and nothing narrower', () => {
    const { files, network } = en.access;
    const all = { files: 'everything', network: true } as const;
    expect(lookOf(files, all)).toContain('text-warn');
    expect(lookOf(network, all)).toContain('text-warn');
    expect(lookOf(network, { ...all, network: false })).not.toContain('text-warn');
    for (const label of [files, network])
      expect(lookOf(label, { files: 'own', network: true })).not.toContain('text-warn');
  });

  it('do not show their own words as code', () => {
    for (const label of [en.access.files, en.access.network, en.servers.cwd])
      expect(lookOf(label, { files: 'own', network: false })).not.toContain('font-mono');
  });
});
