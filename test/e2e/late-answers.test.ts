import type { Page } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ServerView } from '#shared/api/api.ts';
import { hasChromium } from '../chromium.ts';
import type { App } from './app.ts';
import { opener } from './opener.ts';
import { named, textLike } from './texts.ts';

describe.skipIf(!hasChromium())('an answer that comes after that of a later question', () => {
  const visit = opener();
  let app: App;
  let page: Page;

  beforeAll(async () => {
    ({ app, page } = await visit.page({ own: true, context: { blank: true } }));
  });
  beforeEach(() => page.unrouteAll());

  /** Keeps back the first answer to a request, and lets it come after all others. */
  async function holdFirst(path: RegExp, answers: [first: object, ...later: object[]]) {
    const { promise: letGo, resolve: release } = Promise.withResolvers<void>();
    let count = 0;
    await page.route(path, async (route) => {
      const at = count;
      count += 1;
      if (at === 0) await letGo;
      await route.fulfill({ json: answers[at] ?? answers.at(-1) });
    });
    const url = (one: { url: () => string }) => path.test(one.url());
    return async () => {
      const ended = page.waitForEvent('requestfinished', url).catch(() => null);
      const left = page.waitForEvent('requestfailed', url).catch(() => null);
      release();
      await Promise.race([ended, left]);
      await page.evaluate(() => new Promise(requestAnimationFrame));
    };
  }

  it('is not taken for the test of the new key of a provider', async () => {
    const body = { name: 'far', baseUrl: 'http://127.0.0.1:9/v1', models: ['one'] };
    await app.api('/providers', { method: 'POST', body });
    const error = { code: 'model_unauthorized', message: 'The old key is wrong.' };
    const release = await holdFirst(/\/api\/providers\/[^/]+\/test$/, [
      { ok: false, ms: 5, error },
      { ok: true, ms: 5, models: 1, model: 'one' },
    ]);
    await page.goto(`${app.url}/settings/models`);
    await page.getByTestId('test-provider').click();
    await page.getByRole('button', named('settings.editProvider', { name: 'far' })).click();
    await page.getByTestId('provider-key').fill('sk-new');
    await page.getByRole('button', named('common.save')).click();
    await page.getByText(textLike('settings.testAnswered', { model: 'one', count: 1 })).waitFor();
    await release();
    expect(
      await page.getByText(textLike('settings.testAnswered', { model: 'one', count: 1 })).count(),
    ).toBe(1);
  });

  it('is not taken for the verdict on another tool', async () => {
    const release = await holdFirst(/\/api\/policy\/test$/, [{ action: 'deny', rule: 'old' }]);
    await page.goto(`${app.url}/settings/approvals`);
    const tester = page.getByTestId('policy-tester');
    await tester.getByTestId('pick-server').selectOption('filesystem');
    await tester.getByTestId('test-tool').selectOption('write_file');
    await tester.getByRole('button', named('policy.test')).click();
    await tester.getByTestId('test-tool').selectOption('');
    await release();
    expect(await tester.getByTestId('verdict').count()).toBe(0);
  });

  it('leaves no tools of one server to choose from for another', async () => {
    await page.goto(`${app.url}/settings/approvals`);
    const tester = page.getByTestId('policy-tester');
    const tools = tester.getByTestId('test-tool').getByRole('option');
    await tester.getByTestId('pick-server').selectOption('filesystem');
    await expect.poll(() => tools.count()).toBeGreaterThan(1);
    const { promise: letGo, resolve: release } = Promise.withResolvers<void>();
    await page.route(/\/api\/servers\/time\/tools$/, async (route) => {
      await letGo;
      await route.continue();
    });
    await tester.getByTestId('pick-server').selectOption('time');
    expect(await tools.count()).toBe(1);
    release();
    await tools.getByText('convert_time').waitFor({ state: 'attached' });
  });

  it('is not taken for the prompt with other arguments', async () => {
    const prompt = { name: 'greet', arguments: [{ name: 'who', required: true }] };
    await page.route(/\/api\/servers\/[^/]+\/prompts$/, (route) =>
      route.fulfill({ json: { prompts: [prompt] } }),
    );
    const said = (text: string) => ({
      messages: [{ role: 'user', content: { type: 'text', text } }],
    });
    const release = await holdFirst(/\/prompts\/greet\/get$/, [said('Hello A'), said('Hello B')]);
    await page.goto(`${app.url}/servers`);
    const card = page.getByTestId('server').filter({ hasText: 'calculator' });
    await card.getByRole('button').first().click();
    await card.getByTestId('connect-server').click();
    await card.getByTestId('tab-prompts').click();
    await card.getByTestId('prompt').getByRole('button').first().click();
    for (const who of ['A', 'B']) {
      await card.getByRole('textbox', { name: 'who' }).fill(who);
      await card.getByTestId('preview-prompt').click();
    }
    await card.getByText('Hello B').waitFor();
    await release();
    expect(await card.getByTestId('prompt-message').innerText()).toContain('Hello B');
  });

  it('is not taken for what a changed text would add', async () => {
    const text = (command: string) => JSON.stringify({ mcpServers: { one: { command } } });
    await page.goto(`${app.url}/servers`);
    await page.getByRole('button', named('servers.add')).click();
    await page.getByRole('tab', named('servers.byImport')).click();
    await page.getByTestId('import-text').fill(text('seen'));
    const facts = page.getByTestId('launch-facts');
    await facts.getByText('seen').waitFor();
    const { promise: letGo, resolve: release } = Promise.withResolvers<void>();
    await page.route(/\/api\/servers\/import$/, async (route) => {
      await letGo;
      await route.continue();
    });
    await page.getByTestId('import-text').fill(text('unseen'));
    expect(await page.getByTestId('import-servers').isEnabled()).toBe(false);
    release();
    await facts.getByText('unseen').waitFor();
    await page.getByTestId('import-servers').click();
    await page.getByRole('button', named('servers.approve')).waitFor();
    const { servers } = await app.api<{ servers: ServerView[] }>('/servers');
    expect(servers.find(({ name }) => name === 'one')?.config).toMatchObject({ command: 'unseen' });
  });
});
