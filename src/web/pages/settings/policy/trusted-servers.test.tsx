import { renderToStaticMarkup } from 'react-dom/server';
import { IntlProvider } from 'use-intl';
import { expect, it } from 'vitest';
import { en } from '../../../messages/en/en.ts';
import { TrustedServers } from './trusted-servers.tsx';

it('says nothing of servers that were not read yet', () => {
  const policy = { version: '1', rules: [], remembered: [], trustedServers: [], safeToRepeat: [] };
  const html = renderToStaticMarkup(
    <IntlProvider locale="en" messages={en} timeZone="UTC">
      <TrustedServers
        policy={policy}
        error={undefined}
        busy={false}
        change={() => Promise.resolve(true)}
      />
    </IntlProvider>,
  );
  expect(html).not.toContain(en.policy.noServers);
});
