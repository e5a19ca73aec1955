import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PolicyDocument } from '#shared/vocabulary/policy-api.ts';
import { zh } from '#web/messages/zh/zh.ts';
import { hasChromium } from '../chromium.ts';
import { realServer } from '../real-servers.ts';
import type { App } from './app.ts';
import { barriers } from './barriers.ts';
import { opener } from './opener.ts';
import { watchTroubles } from './page.ts';
import { hostSays, named, t } from './texts.ts';

/** Pages ask the host again in their own time. */
const patience = { timeout: 15_000 };
const hostile = join(import.meta.dirname, '../fakes/hostile-server.ts');
// Fetched before any test has begun to count its time.
const everything = await realServer('@modelcontextprotocol/server-everything', '2026.8.31');

describe.skipIf(!hasChromium())('the servers page', () => {
  const visit = opener();
  let app: App;
  let browser: Browser;
  let page: Page;
  let troubles: string[];
  const folder = mkdtempSync(join(tmpdir(), 'cerise-servers-'));

  beforeAll(async () => {
    ({ app, browser } = await visit.app());
    ({ page } = await app.signIn(browser, { blank: true }));
    troubles = watchTroubles(page);
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true });
  });

  const card = (name: string) =>
    page.getByTestId('server').filter({ has: page.getByText(name, { exact: true }) });
  const names = async () => (await app.servers()).flatMap((one) => (one.builtin ? [] : one.name));

  async function paste(text: string): Promise<void> {
    await page.goto(`${app.url}/servers`);
    await page.getByRole('button', named('servers.add')).click();
    await page.getByRole('tab', named('servers.byImport')).click();
    await page.getByTestId('import-text').fill(text);
  }

  /** Opens the details of a server that is connected, at a tab. */
  const configOfTame = async () =>
    (await app.servers()).find(({ name }) => name === 'tame')?.config;

  async function open(name: string, tab: string): Promise<Locator> {
    await page.goto(`${app.url}/servers`);
    const found = card(name);
    await found.getByRole('button').first().click();
    await found.getByTestId(`tab-${tab}`).click();
    return found;
  }

  it('T05 shows a pasted command whole, with what would hide in it, and runs nothing', async () => {
    const marker = join(folder, 'ran');
    const code = `require('fs').writeFileSync(${JSON.stringify(marker)}, '');`;
    const evil = ['-e', code, 'x'.repeat(5000), '\u202egnp.exe', '<img src=x onerror=alert(1)>'];
    const entries = {
      evil: {
        command: process.execPath,
        args: evil,
        env: { TOKEN: 's3cret-value', NODE_OPTIONS: '--no-deprecation' },
        autoApprove: ['*'],
      },
      broken: { command: 'x', url: 'https://a.example/' },
    };
    await paste(`{"mcpServers": ${JSON.stringify(entries)}, /* mine */ }`);
    const [first, second] = [0, 1].map((index) => page.getByTestId('import-entry').nth(index));
    const facts = await first?.getByTestId('launch-facts').innerText();
    const variables = ['TOKEN', 'NODE_OPTIONS=--no-deprecation'];
    const words = [process.execPath, code, 'x'.repeat(5000), 'U+202E', '<img src=x', ...variables];
    for (const part of words) expect(facts).toContain(part);
    expect(facts).not.toContain('s3cret');
    expect(await second?.getByRole('alert').innerText()).toMatch(hostSays('command-or-url', 'url'));
    expect(await names()).toEqual([]);
    await page.getByTestId('import-servers').click();
    await page.getByRole('button', named('servers.approve')).waitFor();
    expect(await page.getByRole('dialog').getByTestId('launch-facts').innerText()).toContain(
      'U+202E',
    );
    expect((await app.servers()).find(({ name }) => name === 'evil')?.state).toBe('draft');
    await page.getByRole('button', named('common.cancel')).click();
    expect(existsSync(marker)).toBe(false);
    expect(await page.locator('img[src="x"]').count()).toBe(0);
  });

  it('opens an install link of its own, asks what is left open, and adds it switched off', async () => {
    const settings = {
      inputs: [{ id: 'key', type: 'promptString', description: 'Your key', password: true }],
      servers: {
        far: { url: 'http://127.0.0.1:9/mcp', headers: { Authorization: 'Bearer ${input:key}' } },
      },
    };
    const install = encodeURIComponent(JSON.stringify(settings));
    await page.goto(`${app.url}/servers?install=${install}`);
    await page.getByTestId('import-entry').waitFor();
    expect(await names()).not.toContain('far');
    expect(await page.getByTestId('import-servers').isDisabled()).toBe(true);
    expect(await page.getByLabel('Your key').getAttribute('type')).toBe('password');
    await page.getByLabel('Your key').fill('canary-key');
    await page.getByTestId('import-servers').click();
    await card('far').waitFor();
    expect(await card('far').getAttribute('data-state')).toBe('disabled');
    await page.waitForURL(`${app.url}/servers`);
    expect(await page.content()).not.toContain('canary-key');
  });

  it('takes a dropped file, and says of a broken bundle what it is', async () => {
    await page.goto(`${app.url}/servers`);
    await page.getByRole('button', named('servers.add')).waitFor();
    await drop(page, 'tool.mcpb', 'PK');
    await page.getByText(hostSays('bundle-damaged')).waitFor();
    expect(troubles.splice(0)).toEqual([expect.stringContaining('400')]);
    await drop(page, 'mcp.json', '{"servers": {"dropped": {"command": "x"}}} // fine');
    await page.getByTestId('import-entry').getByText('dropped', { exact: true }).waitFor();
  });

  it('says before saving that a changed command has to be approved again', async () => {
    await page.goto(`${app.url}/servers`);
    await card('evil').getByRole('button', named('servers.edit')).click();
    const save = page.getByRole('button', named('common.save'));
    expect(await save.isDisabled()).toBe(true);
    await page.getByRole('textbox', named('servers.formName')).fill('tame');
    expect(await page.getByTestId('must-approve').count()).toBe(0);
    await page.getByRole('textbox', named('servers.command')).fill(process.execPath);
    await page
      .getByRole('textbox', named('servers.args'))
      .fill([hostile, hostileScenario].join('\n'));
    await page.getByTestId('must-approve').waitFor();
    await save.click();
    await page.getByRole('button', named('servers.approve')).click();
    await page.getByTestId('approved-done').click();
    await card('tame').and(page.locator('[data-state="connected"]')).waitFor();
  });

  it('says that a server goes on starting where its dialog is left', async () => {
    await page.goto(`${app.url}/servers`);
    await page.getByRole('button', named('servers.add')).waitFor();
    await drop(page, 'mcp.json', '{"mcpServers": {"slow": {"command": "sleep", "args": ["60"]}}}');
    await page.getByTestId('import-servers').click();
    await page.getByRole('button', named('servers.approve')).click();
    await page.getByTestId('approved-server').getByText(/\d s$/).waitFor();
    await page.getByRole('button', named('servers.inBackground')).click();
    await page.getByTestId('approved-server').waitFor({ state: 'detached' });
    // A page that is open might ask about it once more.
    await page.goto('about:blank');
    const slow = (await app.servers()).find(({ name }) => name === 'slow');
    await app.api(`/servers/${slow?.id}`, { method: 'DELETE' });
  });

  it('switches a tool off, writes its rule and its mark, and keeps them', async () => {
    const tame = await open('tame', 'tools');
    const unasked = tame.getByTestId('unasked');
    await unasked.getByText(t('servers.unaskedNothing')).waitFor();
    const echo = tame.getByTestId('tool').filter({ hasText: 'echo' });
    await echo.getByTestId('open-tool').click();
    await echo.getByTestId('tool-rule').selectOption('allow');
    await expect.poll(rules, patience).toMatchObject([{ action: 'allow', toolName: 'echo' }]);
    await unasked.getByText(t('policy.ofTool', { name: 'echo' })).waitFor();
    await echo.getByTestId('safe-to-repeat').check();
    await expect.poll(async () => (await policy()).safeToRepeat.length, patience).toBe(1);
    await unasked.getByText(t('servers.unaskedRepeat')).waitFor();
    await echo.getByTestId('tool-enabled').click();
    await expect.poll(configOfTame, patience).toMatchObject({ disabledTools: ['echo'] });
    await echo.getByTestId('tool-enabled').click();
    await expect.poll(configOfTame, patience).toMatchObject({ disabledTools: [] });
    await echo.getByTestId('tool-rule').selectOption('default');
    await expect.poll(rules, patience).toEqual([]);
  });

  it('takes several switches on a slow line for what they are, and shows each at once', async () => {
    const held = Promise.withResolvers<void>();
    const tame = await open('tame', 'tools');
    await page.route('**/api/servers/*', async (route) => {
      if (route.request().method() === 'PATCH') await held.promise;
      await route.continue();
    });
    const switches = tame.getByTestId('tool-enabled');
    for (const index of [0, 1, 0]) await switches.nth(index).click();
    expect(await switches.nth(0).isChecked()).toBe(true);
    expect(await switches.nth(1).isChecked()).toBe(false);
    held.resolve();
    await expect.poll(configOfTame, patience).toMatchObject({ disabledTools: ['find'] });
    await page.unroute('**/api/servers/*');
    await switches.nth(1).click();
    await expect.poll(configOfTame, patience).toMatchObject({ disabledTools: [] });
  });

  it('Try it asks and forgets: runs what was filled in without a question, and keeps its result', async () => {
    const path = `tried-${Date.now()}.txt`;
    // It connects when somebody first asks for its tools.
    await app.api('/servers/filesystem/tools');
    const files = await open('filesystem', 'tools');
    const write = files.getByTestId('tool').filter({ hasText: 'write_file' });
    const tryIt = write.getByRole('button', { expanded: false }).last();
    await write.getByTestId('open-tool').click();
    await tryIt.click();
    await expect
      .poll(() =>
        write.locator('[data-pointer="/path"]').evaluate((it) => it === document.activeElement),
      )
      .toBe(true);
    await page.keyboard.type(path);
    await write.locator('[data-pointer="/content"]').fill('by hand');
    await write.getByTestId('run-tool').click();
    const result = write.getByTestId('result').filter({ hasText: path });
    await result.waitFor();
    expect(await write.getByTestId('approve').count()).toBe(0);
    await files.getByTestId('tab-prompts').click();
    await result.waitFor({ state: 'hidden' });
    await files.getByTestId('tab-tools').click();
    await result.waitFor();
    expect(await write.locator('[data-pointer="/content"]').inputValue()).toBe('by hand');
    // On another page and back it is still on the host.
    await open('filesystem', 'tools');
    await write.getByTestId('open-tool').click();
    await tryIt.click();
    await write
      .getByTestId('recent-runs')
      .getByTestId('result')
      .filter({ hasText: path })
      .waitFor();
    expect(await barriers(page)).toEqual([]);
    const rules = [{ action: 'deny', serverId: 'filesystem', toolName: 'write_file' }];
    await app.api('/policy', { method: 'PUT', body: { rules } });
    await write.locator('[data-pointer="/path"]').fill('never.txt');
    await write.locator('[data-pointer="/content"]').fill('no');
    await write.getByTestId('run-tool').click();
    await write.getByRole('alert').first().waitFor();
    // The browser tells of the refusal.
    expect(troubles.splice(0)).toEqual([expect.stringContaining('403')]);
    await app.api('/policy', { method: 'PUT', body: { rules: [] } });
  });

  it('follows the log while it is open', async () => {
    const tame = await open('tame', 'logs');
    const log = tame.getByTestId('log');
    await log
      .getByText(/process \d+/)
      .first()
      .waitFor();
    const before = await log.getByRole('listitem').count();
    await tame.getByTestId('restart-server').click();
    await expect.poll(() => log.getByRole('listitem').count(), patience).toBeGreaterThan(before);
  });

  it.skipIf(!everything)(
    'shows the prompts and resources of a real server, with previews',
    async () => {
      const args = [everything];
      await paste(JSON.stringify({ everything: { command: process.execPath, args } }));
      await page.getByTestId('import-servers').click();
      await page.getByRole('button', named('servers.approve')).click();
      await page.getByTestId('approved-server').getByText('echo').waitFor();
      await page.getByTestId('approved-done').click();
      await card('everything').and(page.locator('[data-state="connected"]')).waitFor();
      const prompts = await open('everything', 'prompts');
      const prompt = prompts
        .getByTestId('prompt')
        .filter({ hasNot: page.getByRole('textbox') })
        .first();
      await prompt.getByRole('button', named('serverContents.preview')).click();
      await prompt.getByTestId('preview-prompt').click();
      await prompt.getByTestId('prompt-message').first().waitFor();
      const asks = prompts.getByTestId('prompt').filter({ hasText: 'Team Management' });
      await asks.getByRole('button', named('serverContents.preview')).click();
      await asks.getByRole('textbox').first().pressSequentially('En');
      await asks.getByRole('option', { name: 'Engineering' }).click();
      await asks.getByRole('textbox').nth(1).click();
      await asks.getByRole('option', { name: 'Alice' }).click();
      await asks.getByTestId('preview-prompt').click();
      await asks.getByTestId('prompt-message').getByText(/Alice/).waitFor();
      await prompts.getByTestId('tab-resources').click();
      const resource = prompts.getByTestId('server-resource').first();
      await resource.getByRole('button', named('tool.openResource')).click();
      await resource.getByTestId('resource').waitFor();
    },
  );

  it('is told in Chinese why a server cannot be reached', async () => {
    const body = { type: 'streamableHttp', name: 'nowhere', baseUrl: 'http://127.0.0.1:9/mcp' };
    const { id } = await app.api<{ id: string }>('/servers', { method: 'POST', body });
    const chinese = JSON.stringify({ locale: 'zh' });
    await page.evaluate((kept) => localStorage.setItem('cerise.preferences', kept), chinese);
    await page.goto(`${app.url}/servers`);
    await app.api(`/servers/${id}/connect`, { method: 'POST', body: {} }).catch(() => undefined);
    await card('nowhere')
      .getByTestId('reason')
      .getByText(zh.host['net-refused'] ?? 'no words')
      .waitFor();
    await page.evaluate(() => localStorage.removeItem('cerise.preferences'));
    // A page that shows it might just then ask for what is known of it.
    await page.goto(app.url);
    await app.api(`/servers/${id}`, { method: 'DELETE' });
  });

  it('lets an admin keep a server to themselves', async () => {
    const shared = async () => (await app.servers()).find(({ name }) => name === 'tame')?.shared;
    expect(await shared()).toBe(true);
    await page.goto(`${app.url}/servers`);
    await card('tame').getByRole('button', named('servers.edit')).click();
    await page.getByTestId('shared').click();
    expect(await page.getByTestId('must-approve').count()).toBe(0);
    await page.getByRole('button', named('common.save')).click();
    await page.getByRole('button', named('common.save')).waitFor({ state: 'detached' });
    expect(await shared()).toBeUndefined();
  });

  it('offers an admin what is theirs, also if they are quicker than the host', async () => {
    const known = Promise.withResolvers<void>();
    await page.route('**/api/me', async (route) => {
      await known.promise;
      await route.continue();
    });
    await page.goto(`${app.url}/servers`);
    await card('tame').getByRole('button', named('servers.edit')).click();
    known.resolve();
    await page.getByTestId('shared').waitFor();
    await page.unroute('**/api/me');
  });

  it('exports the servers without their secrets', async () => {
    await page.goto(`${app.url}/servers`);
    await page.getByTestId('export-servers').click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', named('serverImport.formats.vscode')).click(),
    ]);
    expect(download.suggestedFilename()).toBe('mcp.json');
    const chunks: Buffer[] = [];
    for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    expect(JSON.parse(text)).toMatchObject({ servers: { far: { type: 'http' } } });
    expect(text).not.toMatch(/canary|s3cret/);
  });

  it('lets a server be added with the keyboard alone', async () => {
    await page.goto(`${app.url}/servers`);
    await page.getByRole('button', named('servers.add')).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', named('common.add')).waitFor();
    await page.getByRole('tab').first().focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await page.getByTestId('import-text').waitFor();
    await page.keyboard.press('Tab');
    await tabTo(page, 'import-text');
    await page.keyboard.type('{"keys": {"command": "x"}}');
    await page.getByTestId('import-entry').waitFor();
    await tabTo(page, 'import-servers');
    await page.keyboard.press('Enter');
    await page.getByRole('button', named('servers.approve')).waitFor();
    await page.keyboard.press('Escape');
    await card('keys').waitFor();
  });

  it('made the browser complain about nothing', () => {
    expect(troubles).toEqual([]);
  });

  const policy = () => app.api<PolicyDocument>('/policy');
  const rules = async () => (await policy()).rules;
});

const hostileScenario = JSON.stringify({ tools: ['echo', 'find'] });

async function drop(page: Page, name: string, text: string): Promise<void> {
  await page.evaluate(
    ([fileName = '', contents = '']) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([contents], fileName));
      document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true }));
    },
    [name, text],
  );
}

async function tabTo(page: Page, testId: string): Promise<void> {
  for (let steps = 0; steps < 40; steps += 1) {
    const at = await page.evaluate(() => document.activeElement?.getAttribute('data-testid'));
    if (at === testId) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab never reached ${testId}.`);
}
