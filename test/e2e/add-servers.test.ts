import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasChromium } from '../chromium.ts';
import { type NpmRegistry, npmSettings, startRegistry } from '../fakes/npm-registry.ts';
import type { App } from './app.ts';
import { barriers } from './barriers.ts';
import { opener } from './opener.ts';
import { isInSight } from './page.ts';
import { named, t } from './texts.ts';

const hostile = join(import.meta.dirname, '../fakes/hostile-server.ts');
const hostileScenario = JSON.stringify({
  tools: ['echo', 'find'],
  schemas: { echo: { type: 'object', properties: { message: { type: 'string' } } } },
});

describe.skipIf(!hasChromium())('adding servers in the page', () => {
  const visit = opener();
  let app: App;
  let page: Page;

  beforeAll(async () => {
    ({ app, page } = await visit.page({ context: { blank: true } }));
  });

  it('approves several servers at once, each shown whole, and shows what they can do', async () => {
    const run = (args: string[]) => ({ command: process.execPath, args });
    await page.goto(`${app.url}/servers`);
    await page.getByRole('button', named('servers.add')).click();
    await page.getByRole('tab', named('servers.byImport')).click();
    // Whoever chose to paste can paste.
    await expect.poll(() => page.locator('[data-testid="import-text"]:focus').count()).toBe(1);
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
    // The preview before it has boxes of the same names.
    await dialog.getByTestId('approve-server').waitFor();
    await dialog.getByText(t('servers.approveText', { count: 3 })).waitFor();
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
    expect(await dialog.getByTestId('approved-chat').getAttribute('href')).toBe('/');
    await approved.filter({ hasText: 'first' }).getByRole('button', { name: 'echo' }).click();
    const field = dialog.getByRole('textbox', { name: 'message' });
    await expect.poll(() => field.evaluate((it) => it === document.activeElement)).toBe(true);
    await page.keyboard.press('Escape');
    const first = page.getByTestId('server').filter({ hasText: 'first' });
    await first.getByText(t('servers.toolCount', { count: 2 })).waitFor();
    const third = page.getByTestId('server').filter({ hasText: 'third' });
    await third.and(page.locator('[data-state="draft"]')).waitFor();
  });

  it('stumble: has what a pasted server asks for in sight on a laptop', async () => {
    await page.setViewportSize({ width: 1180, height: 760 });
    await page.goto(`${app.url}/servers?add`);
    await page.getByRole('tab', named('servers.byImport')).click();
    const server = { command: 'npx', args: ['-y', '@acme/mcp'], env: { API_KEY: '<YOUR_KEY>' } };
    await page.getByTestId('import-text').fill(JSON.stringify({ mcpServers: { acme: server } }));
    const field = page.getByTestId('import-questions').getByRole('textbox');
    await field.waitFor();
    expect(await isInSight(field)).toBe(true);
    await page.setViewportSize({ width: 1280, height: 720 });
  });

  it('adds a server for one chat, which says so and never loses it', async () => {
    await page.goto(app.url);
    await page.getByTestId('composer').fill('hello');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/t\//);
    const chat = page.url();
    await page.getByTestId('server-picker').click();
    await page.getByTestId('add-for-chat').click();
    const place = page.getByTestId('available-in');
    await expect.poll(() => place.locator('option:checked').innerText()).not.toBe('');
    expect(await place.inputValue()).toContain('topic');
    await page.getByTestId('shared').waitFor({ state: 'detached' });
    expect(await barriers(page)).toEqual([]);
    await page.getByRole('tab', named('servers.byImport')).click();
    const own = { command: process.execPath, args: [hostile, hostileScenario] };
    await page.getByTestId('import-text').fill(JSON.stringify({ mcpServers: { own } }));
    await page.getByTestId('import-servers').click();
    await page.getByRole('dialog').getByTestId('approve-server').click();
    await page.getByRole('dialog').getByTestId('approved-done').click();
    await page.getByTestId('server').filter({ hasText: 'own' }).getByTestId('only-in').waitFor();
    await page.goto(chat);
    await page.getByTestId('server-picker').click();
    await page.getByRole('radio').last().check();
    await page.getByTestId('no-servers').click();
    const mark = page.getByTestId('server-mark').filter({ hasText: 'own' });
    await mark.getByText(t('composer.alwaysHere')).waitFor();
    expect(await mark.getByRole('checkbox').isChecked()).toBe(true);
    expect(await mark.getByRole('checkbox').isEnabled()).toBe(false);
    expect(await barriers(page)).toEqual([]);
    await page.goto(app.url);
    await page.getByTestId('server-picker').click();
    await page.getByTestId('server-mark').first().waitFor();
    expect(await page.getByTestId('server-mark').filter({ hasText: 'own' }).count()).toBe(0);
  });
});

describe.skipIf(!hasChromium())('from an empty host to a called tool', () => {
  const visit = opener();
  let app: App;
  let page: Page;
  let registry: NpmRegistry;
  let clicks = 0;

  beforeAll(async () => {
    registry = await startRegistry('@modelcontextprotocol/server-everything', '2026.8.31');
    ({ app, page } = await visit.page({ own: true, env: npmSettings(registry) }));
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.exposeFunction('countClick', () => (clicks += 1));
    await page.addInitScript(() => {
      const { countClick } = globalThis as unknown as { countClick: () => void };
      // The keyboard and labels make clicks of their own, which count as none.
      addEventListener('click', ({ detail }) => detail > 0 && countClick(), { capture: true });
    });
  });
  afterAll(() => registry.close());

  /** From what was approved to a result of its tool. */
  async function call(): Promise<void> {
    const dialog = page.getByRole('dialog');
    await dialog.getByTestId('try-approved').filter({ hasText: 'echo' }).click();
    await dialog.getByTestId('run-tool').click();
    await dialog.getByTestId('result').first().waitFor();
  }

  it('stumble: takes at most 5 clicks by the catalogue, and one dialog that says what installing does', async () => {
    await page.goto(app.url);
    clicks = 0;
    await page.getByRole('link', named('sidebar.servers')).click();
    await page.getByTestId('discover-entry').filter({ hasText: 'Everything' }).click();
    const facts = await page.getByTestId('launch-facts').innerText();
    expect(facts).toContain('@modelcontextprotocol/server-everything@2026.8.31');
    expect(await barriers(page)).toEqual([]);
    expect(registry.downloads()).toBe(0);
    await page.getByRole('dialog').getByText(t('discover.installRunsLimited')).waitFor();
    await page.getByTestId('import-servers').click();
    await call();
    expect(registry.downloads()).toBe(1);
    expect(clicks).toBeLessThanOrEqual(5);
    expect(clicks).toBeGreaterThan(3);
  });

  it('takes at most 6 clicks by pasting what another host calls a server', async () => {
    const text = JSON.stringify({
      mcpServers: { pasted: { command: process.execPath, args: [hostile, hostileScenario] } },
    });
    await page.goto(app.url);
    await page.evaluate((given) => navigator.clipboard.writeText(given), text);
    clicks = 0;
    await page.getByRole('link', named('sidebar.servers')).click();
    await page.getByTestId('server').first().waitFor();
    await page.keyboard.press('ControlOrMeta+V');
    await page.getByTestId('import-servers').click();
    await page.getByTestId('approve-server').click();
    await call();
    expect(clicks).toBeLessThanOrEqual(6);
  });

  it('shows the whole command once more where a value that is asked for becomes a part of it', async () => {
    await page.goto(`${app.url}/servers/discover`);
    await page.getByTestId('discover-entry').filter({ hasText: 'Filesystem' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(t('serverImport.nothingRuns')).waitFor();
    await dialog.getByLabel('Folder that the server can use').fill('/srv/notes');
    await page.getByTestId('import-servers').click();
    await dialog.getByTestId('approve-server').waitFor();
    await dialog.getByTestId('launch-facts').getByText('/srv/notes').first().waitFor();
    await dialog.getByRole('button', named('common.cancel')).click();
    const server = (await app.servers()).find(({ name }) => name === 'Filesystem');
    expect(server?.state).toBe('draft');
  });

  it('stumble: leads from what was added before on to its approval', async () => {
    const server = {
      type: 'stdio',
      name: 'Sequential Thinking',
      description: 'Helps a model solve a problem step by step.',
      command: 'npx',
      args: ['-y', '@modelcontextprotocol/server-sequential-thinking@2026.8.31'],
      env: {},
      access: { files: 'own', network: false },
    };
    await app.api('/servers', { method: 'POST', body: server });
    await page.goto(`${app.url}/servers/discover`);
    await page.getByTestId('discover-entry').filter({ hasText: 'server-sequential' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(t('serverImport.exists')).waitFor();
    expect(await dialog.getByText(t('discover.installRunsLimited')).count()).toBe(0);
    expect(await barriers(page)).toEqual([]);
    await dialog.getByTestId('review-present').click();
    await dialog.getByTestId('approve-server').waitFor();
    await dialog.getByRole('button', named('common.cancel')).click();
  });

  it('finds servers by a word, and is there for everybody', async () => {
    await page.goto(`${app.url}/servers/discover`);
    await page.getByTestId('search-catalogue').fill('fills in forms');
    await expect.poll(() => page.getByTestId('discover-entry').count()).toBe(1);
    await page.getByTestId('search-catalogue').fill('no such thing');
    await page.getByText(t('discover.found', { count: 0 })).waitFor();
    await page.getByTestId('search-catalogue').fill('');
    expect(await barriers(page)).toEqual([]);
  });
});
