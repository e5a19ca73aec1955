import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ServerView } from '#shared/api/api.ts';
import { hasChromium } from '../chromium.ts';
import type { App } from './app.ts';
import { opener } from './opener.ts';
import { hostSays, textLike } from './texts.ts';

const script = join(import.meta.dirname, '../fakes/hostile-server.ts');
const evil = '<img src=x onerror=alert(1)>';
const scenario = {
  tools: ['echo', 'find', 'monstrous'],
  schemas: { find: { type: 'object', properties: { [evil]: { type: 'string' } } } },
};

describe.skipIf(!hasChromium())('the servers page', () => {
  const visit = opener();
  let app: App;
  let page: Page;

  beforeAll(async () => {
    ({ app, page } = await visit.page({ context: { blank: true } }));
    const { id, launchHash } = await app.api<ServerView>('/servers', {
      method: 'POST',
      body: { name: 'odd', command: process.execPath, args: [script, JSON.stringify(scenario)] },
    });
    await app.api(`/servers/${id}/approve`, { method: 'POST', body: { launchHash } });
    await app.api(`/servers/${id}/connect`, { method: 'POST', body: {} });
  });

  it('says beside a tool which models are not offered it, and why', async () => {
    await page.goto(`${app.url}/servers`);
    const card = page.getByTestId('server').filter({ hasText: 'odd' });
    await card.getByRole('button').first().click();
    await card.getByTestId('left-out').first().waitFor();
    const notes = await card.getByTestId('left-out').getByRole('listitem').allTextContents();
    expect(notes).toEqual([
      expect.stringMatching(textLike('servers.leftOutAnthropic', { reason: /.*<img src=x.*/ })),
      expect.stringMatching(textLike('servers.leftOutGoogle', { reason: /.*<img src=x.*/ })),
      expect.stringMatching(textLike('servers.leftOutAll', { reason: hostSays('schema-depth') })),
    ]);
    expect(await card.locator('img').count()).toBe(0);
  });
});
