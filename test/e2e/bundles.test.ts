import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { hasChromium } from '../chromium.ts';
import { helloBundle, settings } from '../fixtures/bundles.ts';
import type { App } from './app.ts';
import { barriers } from './barriers.ts';
import { drop } from './drop.ts';
import { opener } from './opener.ts';
import { named, t } from './texts.ts';

const patience = { timeout: 15_000 };

// A browser, because a drop, a form and an approval are one way through the page.
describe.skipIf(!hasChromium())('a bundle in the page', () => {
  const visit = opener();
  let app: App;
  let page: Page;

  beforeAll(async () => {
    ({ app, page } = await visit.page({ context: { blank: true } }));
  });

  const card = () =>
    page.getByTestId('server').filter({ has: page.getByText('Hello node', { exact: true }) });

  it('is dropped, filled in, approved and used', async () => {
    await page.goto(`${app.url}/servers`);
    await page.getByRole('button', named('servers.add')).waitFor();
    await drop(page, 'hello.mcpb', helloBundle('node', settings));
    const preview = page.getByTestId('bundle-preview');
    await preview.waitFor(patience);
    expect(await barriers(page)).toEqual([]);
    await preview.getByTestId('install-bundle').click();
    await expect.poll(() => preview.getByRole('alert').count()).toBeGreaterThan(0);
    await preview.getByLabel('Hello key').fill('a-secret-key');
    await preview.getByLabel('Level').fill('4');
    const facts = preview.getByTestId('launch-facts');
    await expect.poll(() => facts.innerText()).toContain('--level=4');
    expect(await facts.innerText()).toContain(t('servers.unverified', { name: 'Test Author' }));
    expect(await preview.innerText()).not.toContain('a-secret-key');
    await preview.getByTestId('install-bundle').click();
    await page.getByTestId('approve-server').click();
    await page.getByTestId('approved-done').click();
    await expect.poll(() => card().getAttribute('data-state'), patience).toBe('connected');
    await card().getByRole('button').first().click();
    await card().getByTestId('open-tool').getByText('Says hello').waitFor(patience);
  });

  it('shows what an update changes, and asks again', async () => {
    await page.goto(`${app.url}/servers`);
    await card().waitFor(patience);
    await drop(page, 'hello.mcpb', helloBundle('node', { ...settings, version: '2.0.0' }));
    const preview = page.getByTestId('bundle-preview');
    await preview.waitFor(patience);
    const changes = await preview.getByTestId('bundle-difference').innerText();
    expect(changes).toContain('1.0.0 → 2.0.0');
    await preview.getByTestId('install-bundle').click();
    const approve = page.getByTestId('approve-server');
    await approve.waitFor(patience);
    expect(await page.getByTestId('launch-facts').innerText()).toContain('--level=4');
    await page.getByRole('button', named('common.cancel')).click();
    await expect.poll(() => card().getAttribute('data-state'), patience).toBe('draft');
    await card().getByTestId('edit-server').click();
    await page.getByLabel('Level').fill('2');
    await page.getByTestId('save-bundle').click();
    await approve.click();
    await expect.poll(() => card().getAttribute('data-state'), patience).toBe('connected');
  });

  it('that is hostile says why it is refused', async () => {
    await page.goto(`${app.url}/servers`);
    await card().waitFor(patience);
    await drop(page, 'bad.dxt', Buffer.from('no bundle'));
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('alert').waitFor(patience);
    expect(await barriers(page)).toEqual([]);
  });
});
