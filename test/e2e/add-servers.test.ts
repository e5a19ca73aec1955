import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { hasChromium } from '../chromium.ts';
import type { App } from './app.ts';
import { barriers } from './barriers.ts';
import { opener } from './opener.ts';
import { named } from './texts.ts';

const hostile = join(import.meta.dirname, '../fakes/hostile-server.ts');
const hostileScenario = JSON.stringify({ tools: ['echo', 'find'] });

describe.skipIf(!hasChromium())('adding servers in the page', () => {
  const visit = opener();
  let app: App;
  let page: Page;

  beforeAll(async () => {
    ({ app, page } = await visit.page());
  });

  it('approves several servers at once, each shown whole, and shows what they can do', async () => {
    const run = (args: string[]) => ({ command: process.execPath, args });
    await page.goto(`${app.url}/servers`);
    await page.getByRole('button', named('servers.add')).click();
    await page.getByRole('tab', named('servers.byImport')).click();
    await page.getByTestId('import-text').fill(
      JSON.stringify({
        mcpServers: {
          first: run([hostile, hostileScenario]),
          second: run([hostile, hostileScenario, '--key=<YOUR_KEY>']),
          third: run(['-e', '']),
        },
      }),
    );
    await page.getByLabel('<YOUR_KEY>').fill('canary-key');
    await page.getByTestId('import-servers').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('checkbox', { name: 'third' }).uncheck();
    const facts = (await dialog.getByTestId('launch-facts').allInnerTexts()).join('\n');
    expect(facts).toContain('--key=${secret:YOUR_KEY}');
    expect(facts).not.toContain('canary-key');
    expect(await barriers(page)).toEqual([]);
    await dialog.getByRole('button', named('servers.approveCount', { count: 2 })).click();
    const approved = dialog.getByTestId('approved-server');
    await approved.filter({ hasText: 'first' }).getByText('echo').waitFor();
    await approved.filter({ hasText: 'second' }).getByText('echo').waitFor();
    expect(await barriers(page)).toEqual([]);
    await dialog.getByTestId('approved-done').click();
    const third = page.getByTestId('server').filter({ hasText: 'third' });
    await third.and(page.locator('[data-state="draft"]')).waitFor();
  });
});
