import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import type { PolicyDocument } from '#shared/vocabulary/policy-api.ts';
import { en } from '#web/messages/en/en.ts';
import { hasChromium } from '../chromium.ts';
import type { App } from './app.ts';
import { barriers } from './barriers.ts';
import { opener } from './opener.ts';

describe.skipIf(!hasChromium())('the permissions of tools on the page of a server', () => {
  const visit = opener();
  let app: App;
  let page: Page;

  beforeAll(async () => {
    ({ app, page } = await visit.page({ context: { blank: true } }));
  });

  it('stumble: are shown as they take effect, and set for several tools at once', async () => {
    await app.api('/servers/filesystem/connect', { method: 'POST' });
    await page.goto(`${app.url}/servers`);
    const card = page
      .getByTestId('server')
      .filter({ has: page.getByText('filesystem', { exact: true }) });
    await card.getByRole('button').first().click();
    await card.getByTestId('tab-tools').click();
    const row = (name: string) =>
      card.getByTestId('tool').filter({ has: page.getByText(name, { exact: true }) });
    const verdict = (name: string) => row(name).getByTestId('tool-verdict');
    const opener = (name: string) => row(name).getByTestId('open-tool');
    // A server with many tools is looked through in a minute: two lines for each, its verdict in them.
    await opener('write_file').getByText(en.policy.actions.ask).waitFor();
    const heights = await card
      .getByTestId('tool')
      .evaluateAll((rows) => rows.map((it) => it.getBoundingClientRect().height));
    expect(heights.length).toBeGreaterThan(8);
    expect(Math.max(...heights)).toBeLessThan(80);
    for (const name of ['read_text_file', 'write_file']) await opener(name).click();
    await verdict('read_text_file').getByText(en.policy.actions.allow).waitFor();
    await verdict('read_text_file').getByText(en.approval.reasons.read_only).waitFor();
    await verdict('write_file').getByText(en.policy.actions.ask).waitFor();

    const writes: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'PUT') writes.push(new URL(request.url()).pathname);
    });
    await card.getByTestId('select-tools').click();
    expect(await card.getByTestId('set-deny').isDisabled()).toBe(true);
    for (const name of ['write_file', 'read_text_file'])
      await row(name).getByTestId('pick-tool').check();
    expect(await barriers(page)).toEqual([]);
    await card.getByTestId('set-deny').click();
    for (const name of ['write_file', 'read_text_file']) {
      await verdict(name).getByText(en.policy.actions.deny).waitFor();
      await verdict(name).getByText(en.servers.verdictOwn).waitFor();
    }
    expect(writes).toEqual(['/api/policy']);
    const { rules } = await app.api<PolicyDocument>('/policy');
    const named = rules.map(({ action, toolName }) => `${action} ${toolName}`);
    expect(new Set(named)).toEqual(new Set(['deny read_text_file', 'deny write_file']));
    await card.getByTestId('pick-all').check();
    await card.getByTestId('set-default').click();
    await verdict('read_text_file').getByText(en.policy.actions.allow).waitFor();
    await card.getByTestId('select-tools').click();
    expect(await card.getByTestId('pick-tool').count()).toBe(0);
  });
});
