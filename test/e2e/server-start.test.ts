import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ServerView } from '#shared/api/api.ts';
import { hasChromium } from '../chromium.ts';
import { type NpmRegistry, startRegistry, tinyPackage } from '../fakes/npm-registry.ts';
import type { App } from './app.ts';
import { opener } from './opener.ts';
import { hostSays, named, t } from './texts.ts';

describe.skipIf(!hasChromium())('the start of a server', () => {
  const visit = opener();
  let app: App;
  let page: Page;
  let registry: NpmRegistry;

  beforeAll(async () => {
    registry = await startRegistry();
    const opened = await visit.app();
    app = opened.app;
    ({ page } = await app.signIn(opened.browser, { reducedMotion: 'reduce' }));
  });
  afterAll(() => registry.close());

  const card = (name: string) =>
    page.getByTestId('server').filter({ has: page.getByText(name, { exact: true }) });

  async function add(config: object): Promise<void> {
    const { id, launchHash } = await app.api<ServerView>('/servers', {
      method: 'POST',
      body: config,
    });
    await app.api(`/servers/${id}/approve`, { method: 'POST', body: { launchHash } });
    await page.goto(`${app.url}/servers`);
  }

  it('shows an installation with its time and its last line, which can be stopped and begun again', async () => {
    const release = registry.hold();
    await add({
      name: 'tiny',
      command: 'npx',
      args: ['-y', tinyPackage],
      env: { npm_config_cache: mkdtempSync(join(tmpdir(), 'cerise-')) },
      registryUrl: registry.url,
    });
    const tiny = card('tiny');
    await tiny.getByRole('button', named('servers.connect')).click();
    await registry.held();
    const progress = tiny.getByTestId('installing');
    await progress.getByText(tinyPackage).waitFor();
    const time = t('servers.installingFor', { time: '#' }).replace('#', '\\d+ m?s');
    expect(await progress.innerText()).toMatch(new RegExp(time));
    await tiny.getByRole('button', named('servers.stop')).click();
    await progress.waitFor({ state: 'detached' });
    expect(await tiny.getAttribute('data-state')).toBe('idle');
    release();
    await tiny.getByRole('button', named('servers.connect')).click();
    await tiny.getByRole('button', named('servers.restart')).waitFor();
    expect(await tiny.getAttribute('data-state')).toBe('connected');
  });

  it('offers to add the variable that is missing, and starts with it', async () => {
    const server = join(import.meta.dirname, '../fakes/hostile-server.mjs');
    const script = `if (!process.env.ACME_KEY) throw new Error('ACME_KEY is required'); process.argv.splice(1, 0, ''); import(${JSON.stringify(server)});`;
    await add({ name: 'keyed', command: process.execPath, args: ['-e', script, '{}'] });
    const keyed = card('keyed');
    await keyed.getByRole('button', named('servers.connect')).click();
    await keyed.getByText(hostSays('fix-variable', 'ACME_KEY')).waitFor();
    await keyed.getByRole('button', named('servers.fixVariable', { name: 'ACME_KEY' })).click();
    const rows = page.getByTestId('env-rows');
    expect(await rows.getByLabel(t('servers.rowName', { n: 1 })).inputValue()).toBe('ACME_KEY');
    await rows.getByLabel(t('servers.rowValue', { n: 1 })).fill('a value');
    await page.getByTestId('save-server').click();
    await page.getByRole('button', named('servers.approve')).click();
    await keyed.and(page.locator('[data-state="connected"]')).waitFor();
  });
});
