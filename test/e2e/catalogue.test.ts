import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasChromium } from '../chromium.ts';
import { type NpmRegistry, npmSettings, startRegistry } from '../fakes/npm-registry.ts';
import { listed, npm, startServerRegistry } from '../fakes/server-registry.ts';
import { type App, openBrowser } from './app.ts';
import { barriers } from './barriers.ts';
import { opener } from './opener.ts';
import { named, t } from './texts.ts';

const password = 'correct horse battery';
const weather = (version: string, more: object = {}, meta: object = {}) =>
  listed(
    'io.test/weather',
    {
      version,
      title: 'Weather',
      description: 'Forecasts for any place.',
      repository: { url: 'https://example.com/weather' },
      packages: [
        npm('weather', {
          version,
          environmentVariables: [{ name: 'API_KEY', isSecret: true, isRequired: true }],
          ...more,
        }),
      ],
      remotes: [{ type: 'sse', url: 'https://weather.example.com/sse' }],
    },
    meta,
  );

describe.skipIf(!hasChromium())('the catalogue in the page', () => {
  const visit = opener();
  let app: App;
  let browser: Browser;
  let page: Page;
  let packages: NpmRegistry;
  let registry: Awaited<ReturnType<typeof startServerRegistry>>;

  beforeAll(async () => {
    registry = await startServerRegistry([
      weather('1.0.0'),
      weather('0.9.0', {}, { isLatest: false, status: 'deprecated', statusMessage: 'Too old.' }),
    ]);
    packages = await startRegistry('weather', '0.9.0');
    ({ app, browser, page } = await visit.page({
      own: true,
      env: npmSettings(packages),
      context: { blank: true },
    }));
  });
  afterAll(() => Promise.all([registry.close(), packages.close()]));

  it('adds a registry, which is asked once somebody looks, and a limit', async () => {
    await page.goto(`${app.url}/servers/discover`);
    await page.getByTestId('manage-registries').click();
    expect(await page.title()).toBe(`${t('sidebar.servers')} · Cerise`);
    const dialog = page.getByRole('dialog');
    await dialog.getByTestId('registry-url').fill(registry.url);
    await dialog.getByTestId('add-registry').click();
    await dialog.getByTestId('limit').check();
    expect(await barriers(page)).toEqual([]);
    await dialog.getByTestId('save-registries').click();
    await page.getByText(t('discover.neverFetched')).waitFor();
    expect(registry.asked).toEqual([]);
    await page.reload();
    await page
      .getByTestId('registries')
      .getByText(t('discover.copied', { count: 1 }))
      .waitFor();
    // Spaces of our own are none that a stranger hides.
    expect(await page.getByTestId('registries').textContent()).not.toContain('U+');
    expect(registry.asked).toHaveLength(1);
    expect(await page.getByTestId('registries').getByTestId('hidden-character').count()).toBe(0);
    await page.reload();
    await page
      .getByTestId('registries')
      .getByText(t('discover.copied', { count: 1 }))
      .waitFor();
    expect(registry.asked).toHaveLength(1);
  });

  it('installs a chosen version, and shows and asks about an update of it', async () => {
    await page.goto(`${app.url}/servers/discover`);
    await page.getByTestId('search-catalogue').fill('forecasts');
    await page.getByTestId('discover-entry').filter({ hasText: 'Weather' }).click();
    const dialog = page.getByRole('dialog');
    const { registries } = await app.api<{ registries: { id: string; name: string }[] }>(
      '/registry',
    );
    const { id, name = '' } = registries.at(-1) ?? {};
    expect(name).not.toBe(id);
    await dialog.getByTestId('entry-facts').getByText(name).waitFor();
    await dialog.getByTestId('other-versions').click();
    await dialog.getByTestId('version').selectOption('0.9.0');
    await dialog.getByText('Too old.').waitFor();
    await dialog.getByLabel('API_KEY').fill('canary-key');
    await dialog.getByTestId('launch-facts').getByText('weather@0.9.0').first().waitFor();
    expect(await barriers(page)).toEqual([]);
    await dialog.getByTestId('import-servers').click();
    await dialog.getByTestId('approved-server').getByTestId('try-approved').waitFor();
    expect(packages.downloads()).toBe(1);
    await dialog.getByTestId('approved-done').click();

    await page.goto(`${app.url}/servers/discover`);
    await page.getByTestId('search-catalogue').fill('forecasts');
    const entry = page.getByTestId('discover-entry').filter({ hasText: 'Weather' });
    await entry.getByText(t('discover.isThere')).waitFor();
    await page.goto(`${app.url}/servers`);
    const card = page.getByTestId('server').filter({ hasText: 'Weather' });
    await card.getByRole('button', { expanded: false }).first().click();
    await card.getByTestId('show-update').click();
    const difference = await dialog.getByTestId('difference').innerText();
    expect(difference).toContain('weather@0.9.0');
    expect(difference).toContain('weather@1.0.0');
    expect(difference).not.toContain('API_KEY');
    expect(await barriers(page)).toEqual([]);
    await dialog.getByTestId('update-now').click();
    const facts = await dialog.getByTestId('launch-facts').innerText();
    expect(facts).toContain('weather@1.0.0');
    expect(facts).not.toContain('canary-key');
    await dialog.getByRole('button', named('common.cancel')).click();
    await card.and(page.locator('[data-state="draft"]')).waitFor();
    await expect.poll(() => card.getByTestId('show-update').count()).toBe(0);
  });

  it('lets a user request what only an admin can install, and tells both', async () => {
    for (const { id, name } of await app.servers())
      if (name === 'Weather') await app.api(`/servers/${id}`, { method: 'DELETE' });
    const body = { name: 'Ana', role: 'user', password };
    await app.api('/users', { method: 'POST', body });
    const ana = await (await openBrowser(browser)).newPage();
    await ana.goto(`${app.url}/servers/discover`);
    await ana.getByRole('textbox', named('signIn.name')).fill('Ana');
    await ana.getByLabel(t('signIn.password'), { exact: true }).fill(password);
    await ana.keyboard.press('Enter');
    await ana.getByTestId('search-catalogue').fill('forecasts');
    await ana.getByTestId('discover-entry').filter({ hasText: 'Weather' }).click();
    await ana.getByTestId('launch-facts').getByText('weather@1.0.0').first().waitFor();
    expect(await barriers(ana)).toEqual([]);
    await ana.getByTestId('request-install').click();
    await ana.getByTestId('request-entry').getByText(t('requests.requested')).waitFor();
    await ana.keyboard.press('Escape');

    await page.goto(app.url);
    const bell = page.getByTestId('inbox-bell').first();
    await expect.poll(() => bell.getAttribute('data-count')).toBe('1');
    await bell.click();
    await page.getByTestId('inbox-request').click();
    expect(await barriers(page)).toEqual([]);
    await page.getByTestId('review-request').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('API_KEY').fill('of-the-admin');
    await dialog.getByTestId('launch-facts').getByText('weather@1.0.0').first().waitFor();
    await dialog.getByTestId('import-servers').click();
    await dialog.getByTestId('approved-server').waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByTestId('request').count()).toBe(0);

    const text = t('requests.own.approved', { title: 'Weather' });
    await ana.getByTestId('request').getByText(text).waitFor();
    await expect
      .poll(() => ana.getByTestId('inbox-bell').first().getAttribute('data-count'))
      .toBe('1');
    await ana.getByRole('button', named('requests.dismiss')).click();
    await expect.poll(() => ana.getByTestId('request').count()).toBe(0);

    // The admin sees first what was asked for, which need not be what the entry names first.
    for (const { id, name } of await app.servers())
      if (name === 'Weather') await app.api(`/servers/${id}`, { method: 'DELETE' });
    await ana.goto(`${app.url}/servers/discover`);
    await ana.getByTestId('search-catalogue').fill('forecasts');
    await ana.getByTestId('discover-entry').filter({ hasText: 'Weather' }).click();
    await ana.getByTestId('way').selectOption('1');
    await ana.getByTestId('request-install').click();
    await ana.getByTestId('request-entry').getByText(t('requests.requested')).waitFor();
    await page.goto(`${app.url}/servers`);
    await page.getByTestId('review-request').click();
    await dialog.getByTestId('launch-facts').getByText('weather.example.com').first().waitFor();
    expect(await dialog.getByTestId('way').inputValue()).toBe('1');
    await ana.context().close();
  });
});
