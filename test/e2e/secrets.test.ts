import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ServerView } from '#shared/api/api.ts';
import { hasChromium } from '../chromium.ts';
import type { App } from './app.ts';
import { opener } from './opener.ts';
import { ask } from './page.ts';
import { settingsSections } from './stations.ts';
import { named } from './texts.ts';

const serverScript = join(import.meta.dirname, '../fakes/hostile-server.ts');
const canary = (what: string) => `canary-${what}-7f3a`;
/** What was given to the host and is nobody's to read again. */
const secrets = ['environment', 'header', 'query', 'provider', 'password'].map(canary);

describe.skipIf(!hasChromium())('secrets in the page (T23)', () => {
  const visit = opener();
  let app: App;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let far: Awaited<ReturnType<typeof startFarServer>>;
  /** Everything the browser was sent, apart from streams and code. */
  const received: Promise<string>[] = [];

  beforeAll(async () => {
    ({ app, browser } = await visit.app({ own: true }));
    far = await startFarServer();
    await giveSecrets(app, far.url);
    ({ context, page } = await app.signIn(browser));
    page.on('response', (response) => {
      const type = response.headers()['content-type'] ?? '';
      if (!/json|html|plain/.test(type)) return;
      received.push(response.text().catch(() => ''));
    });
  });
  afterAll(() => far?.close());

  it('are not in what any page shows, loads or keeps', { timeout: 120_000 }, async () => {
    await ask(page, '/call mcp__local__echo {"text":"hello"}\nand `tell` me everything');
    await look('conversation');
    await page.goto(`${app.url}/servers`);
    for (const name of ['local', 'far']) {
      const card = page.getByTestId('server').filter({ hasText: name });
      await card.getByRole('button').first().click();
      for (const tab of await card.getByRole('tab').all()) {
        await tab.click();
        await look(`${name}: ${await tab.textContent()}`);
      }
    }
    for (const section of Object.keys(settingsSections)) {
      await page.goto(`${app.url}/settings/${section}`);
      await page.locator('#section-title').waitFor();
      await look(section);
    }
    const texts = await Promise.all(received);
    expect(texts.length).toBeGreaterThan(20);
    expect(texts.filter((text) => secrets.some((secret) => text.includes(secret)))).toEqual([]);
  });

  it('are not in what a server is edited with, and stay when it is saved', async () => {
    await page.goto(`${app.url}/servers`);
    const card = page.getByTestId('server').filter({ hasText: 'far' });
    await card.getByRole('button').first().click();
    await card.getByRole('button', named('servers.edit')).click();
    await page.getByRole('dialog').waitFor();
    await look('edit');
    await page.getByRole('dialog').getByRole('textbox', named('servers.formName')).fill('far away');
    await page.getByRole('dialog').getByRole('button', named('common.save')).click();
    await page.getByTestId('server').filter({ hasText: 'far away' }).waitFor();
    far.asked.length = 0;
    const { id } = (await app.servers()).find(({ name }) => name === 'far away') ?? {};
    await app.api(`/servers/${id}/connect`, { method: 'POST' }).catch(() => undefined);
    expect(far.asked[0]).toEqual({
      url: `/mcp?key=${canary('query')}`,
      authorization: `Bearer ${canary('header')}`,
    });
  });

  it('are not in any file of the host', () => {
    const files = readdirSync(app.home, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name));
    expect(files.some((file) => file.endsWith('cerise.db'))).toBe(true);
    for (const file of files) {
      const bytes = readFileSync(file);
      expect(
        secrets.filter((secret) => bytes.includes(secret)),
        file,
      ).toEqual([]);
    }
  });

  async function look(where: string): Promise<void> {
    const fields = await page
      .locator('input, textarea, select')
      .evaluateAll((all) => all.map((field) => (field as HTMLInputElement).value));
    const kept = await context.storageState({ indexedDB: true });
    const shown = [await page.content(), ...fields, JSON.stringify(kept)].join('\n');
    expect(
      secrets.filter((secret) => shown.includes(secret)),
      where,
    ).toEqual([]);
  }
});

async function giveSecrets(app: App, farUrl: string): Promise<void> {
  const post = <T>(path: string, body: object) => app.api<T>(path, { method: 'POST', body });
  const local = await post<ServerView>('/servers', {
    name: 'local',
    type: 'stdio',
    command: process.execPath,
    args: [serverScript, '{}'],
    env: { LOCAL_TOKEN: canary('environment') },
  });
  await post(`/servers/${local.id}/approve`, { launchHash: local.launchHash });
  await post('/servers', {
    name: 'far',
    type: 'streamableHttp',
    baseUrl: `${farUrl}/mcp?key=${canary('query')}`,
    headers: { authorization: `Bearer ${canary('header')}` },
  });
  await post('/providers', {
    name: 'office',
    baseUrl: 'http://127.0.0.1:9/v1',
    apiKey: canary('provider'),
  });
  const change = { name: 'Ada', role: 'user', password: canary('password') };
  await post('/users', change);
}

/** A server that refuses everybody, and knows what they came with. */
async function startFarServer() {
  const asked: { url: string | undefined; authorization: string | undefined }[] = [];
  const server = createServer((request, response) => {
    asked.push({ url: request.url, authorization: request.headers.authorization });
    response.writeHead(500).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { asked, url: `http://127.0.0.1:${port}`, close: () => server.close() };
}
