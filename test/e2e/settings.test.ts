import { readFileSync } from 'node:fs';
import type { Browser, Locator, Page } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { en } from '../../src/web/messages/en/en.ts';
import { hasChromium } from '../chromium.ts';
import { startFakeOpenAi, textChunks } from '../fakes/fake-openai.ts';
import type { App } from './app.ts';
import { barriers } from './barriers.ts';
import { opener } from './opener.ts';
import { ask, topicOf, watchTroubles } from './page.ts';
import { hostSays, named, t, textLike } from './texts.ts';

/** Pages ask the host in their own time. */
const patience = { timeout: 20_000 };

describe.skipIf(!hasChromium())('the settings', () => {
  const visit = opener();
  let app: App;
  let browser: Browser;
  let page: Page;
  let troubles: string[];
  let topicId: string;

  beforeAll(async () => {
    ({ app, browser } = await visit.app({ own: true }));
    ({ page } = await app.signIn(browser, { reducedMotion: 'reduce' }));
    troubles = watchTroubles(page);
    await ask(page, '/tour');
    topicId = await topicOf(page);
  });

  beforeEach(() => page.evaluate(() => localStorage.removeItem('cerise.preferences')));

  const open = async (section: string) => {
    await page.goto(`${app.url}/settings/${section}`);
    await page.getByTestId(`settings-${section}`).waitFor();
  };

  it('show what was used', async () => {
    await open('usage');
    const usage = page.getByTestId('usage');
    await usage.getByRole('row', { name: /demo\/scripted/ }).waitFor();
    expect(await usage.getByRole('img').count()).toBe(2);
    await usage.getByRole('button', named('usage.days', { count: 7 })).click();
    await usage
      .getByRole('img', { name: textLike('usage.chart', { days: 7 }) })
      .first()
      .waitFor();
  });

  it('charts without tooltips: show the numbers of a day to pointer, keys and finger', async () => {
    await open('usage');
    const chart = page.getByTestId('day-chart').last();
    const tip = chart.getByTestId('day-tip');
    await chart.scrollIntoViewIfNeeded();
    const box = await chart.boundingBox();
    if (!box) throw new Error('There is no chart.');
    const y = box.y + box.height / 2;
    await page.mouse.move(box.x + box.width - 3, y);
    await tip.waitFor();
    const newest = await tip.textContent();
    expect(await tip.locator('dd').allTextContents()).toEqual([
      expect.stringMatching(/^[\d,]+$/),
      expect.stringMatching(/^[\d,]+$/),
    ]);
    await page.mouse.move(box.x + 3, y);
    await expect.poll(() => tip.textContent()).not.toBe(newest);
    await page.mouse.move(box.x, box.y - 200);
    await tip.waitFor({ state: 'detached' });
    const spans = page.getByTestId('usage').getByRole('group').first();
    await spans.getByRole('button').last().focus();
    for (let step = 0; step < 10 && (await tip.count()) === 0; step += 1)
      await page.keyboard.press('Tab');
    expect(await tip.textContent()).toBe(newest);
    expect(await barriers(page)).toEqual([]);
    await page.keyboard.press('Home');
    await expect.poll(() => tip.textContent()).not.toBe(newest);
    await page.keyboard.press('Escape');
    await tip.waitFor({ state: 'detached' });
    const touch = { pointerType: 'touch', clientX: box.x + box.width - 3, clientY: y };
    await chart.dispatchEvent('pointerdown', touch);
    await chart.dispatchEvent('pointerleave', touch);
    expect(await tip.textContent()).toBe(newest);
  });

  it('have lines and colours where the system has taken all backgrounds', async () => {
    await open('usage');
    await page.emulateMedia({ forcedColors: 'active' });
    const look = (target: Locator) =>
      target.evaluate((element) => {
        const { borderTopWidth, outlineStyle, backgroundColor } = getComputedStyle(element);
        return { borderTopWidth, outlineStyle, backgroundColor };
      });
    const keys = page.getByTestId('usage').locator('li > .rounded-xs');
    await keys.last().waitFor();
    const [input, output] = await Promise.all([look(keys.first()), look(keys.last())]);
    expect(input.backgroundColor).not.toBe(output.backgroundColor);
    const current = page.locator('nav a[aria-current="page"]').last();
    expect((await look(current)).outlineStyle).toBe('solid');
    await open('host');
    const save = page.getByRole('button', named('common.save'));
    expect((await look(save)).borderTopWidth).toBe('1px');
    await page.emulateMedia({ forcedColors: 'none' });
  });

  it('take everything out, delete it, and bring it back', async () => {
    const before = await app.conversation(topicId);
    await open('data');
    const saved = page.waitForEvent('download');
    await page.getByTestId('export').click();
    const path = await (await saved).path();
    expect(readFileSync(path, 'utf8')).toMatch(/^\{"kind":"cerise-export"[^]*\{"kind":"end"\}\n$/);

    await page.getByTestId('delete-all').click();
    const really = page.getByRole('dialog').getByRole('button', named('data.deleteAction'));
    expect(await really.isDisabled()).toBe(true);
    await page.getByTestId('delete-word').fill(t('data.deleteWord'));
    await really.click();
    await really.waitFor({ state: 'detached' });
    expect(await app.topics()).toEqual([]);

    const file = { name: 'mine.jsonl', mimeType: '', buffer: readFileSync(path) };
    await page.getByTestId('import-file').setInputFiles({ ...file, buffer: Buffer.from('no') });
    await page.getByRole('alert').getByText(hostSays('export-line', 1)).waitFor();
    await page.getByTestId('import-file').setInputFiles(file);
    const found = { topics: 1, messages: 2, files: 1, assistants: 0, servers: 0 };
    await page.getByTestId('import-counts').getByText(t('data.counts', found)).waitFor();
    expect(await app.topics()).toEqual([]);
    await page.getByTestId('import-now').click();
    await page.getByText(t('data.imported'), { exact: true }).waitFor();
    const after = await app.conversation(topicId);
    expect(after.messages.map(({ id }) => id)).toEqual(before.messages.map(({ id }) => id));
    await page.goto(`${app.url}/t/${topicId}`);
    await page.locator('[data-testid="message"][data-role="assistant"]').first().waitFor();
    // The browser itself reports the answer to the file that is none.
    expect(troubles.filter((text) => !text.includes('400'))).toEqual([]);
  });

  it('list the calls outside of conversations, open one, and delete one and all', async () => {
    for (const expression of ['1+1', '6*7', 'no('])
      await app
        .api('/servers/calculator/tools/calculate/call', {
          method: 'POST',
          body: { arguments: { expression } },
        })
        .catch(() => undefined);
    await open('data');
    const calls = page.getByTestId('direct-call');
    await calls.first().waitFor();
    expect(await calls.count()).toBe(3);
    await calls.nth(1).getByRole('button').first().click();
    await calls.nth(1).getByText('42').waitFor();
    expect(await barriers(page)).toEqual([]);
    await calls.nth(1).getByTestId('delete-call').click();
    await expect.poll(() => calls.count(), patience).toBe(2);
    await page.getByTestId('delete-calls').click();
    await page.getByRole('dialog').getByRole('button', named('common.delete')).click();
    await expect.poll(() => calls.count(), patience).toBe(0);
    expect(await app.api('/tool-calls')).toEqual({ calls: [] });
  });

  it('send with Ctrl + Enter where that is wanted, and make the text larger', async () => {
    await open('appearance');
    await page.getByTestId('send-key').selectOption('modifier');
    await page.getByTestId('text-size').selectOption('larger');
    const size = () => page.evaluate(() => getComputedStyle(document.documentElement).fontSize);
    await expect.poll(size).toBe('20px');
    await page.goto(app.url);
    const composer = page.getByTestId('composer');
    await composer.fill('first');
    await composer.press('Enter');
    await composer.pressSequentially('second');
    expect(await composer.inputValue()).toBe('first\nsecond');
    await composer.press('Control+Enter');
    await page.waitForURL(/\/t\//);
    expect(await size()).toBe('20px');
  });

  it('add a provider by its vendor and its key, and test it at once', async () => {
    const fake = await startFakeOpenAi(['small-mini', 'large']);
    try {
      fake.respond({ chunks: textChunks(['OK']) });
      await open('models');
      await page.getByRole('button', named('settings.addProvider')).click();
      await page.getByTestId('vendor-search').fill('deeps');
      await page.getByRole('button', { name: 'DeepSeek' }).click();
      await page.getByTestId('provider-key').fill('sk-canary');
      await page.getByTestId('provider-more').click();
      await page.getByTestId('provider-address').fill(fake.baseUrl);
      await page.getByRole('button', named('settings.connectProvider')).click();
      await page
        .getByRole('dialog')
        .getByText(textLike('settings.testAnswered', { model: 'small-mini', count: 2 }))
        .waitFor();
      expect(await page.content()).not.toContain('sk-canary');
      await page
        .getByRole('dialog')
        .getByRole('button', { name: en.common.close, exact: true })
        .last()
        .click();

      await page.getByTestId('defaultModel').selectOption('deepseek/large');
      await page.getByTestId('titleModel').selectOption('deepseek/small-mini');
      await page.getByTestId('reasoningEffort').selectOption('low');
      await page.getByTestId('translationModel').selectOption('deepseek/small-mini');
      const chosen = {
        defaultModel: 'deepseek/large',
        titleModel: 'deepseek/small-mini',
        translationModel: 'deepseek/small-mini',
        reasoningEffort: 'low',
      };
      await expect.poll(() => app.api('/settings'), patience).toMatchObject(chosen);
      await page
        .getByTestId('translationModel')
        .selectOption({ label: t('settings.asConversation') });
      await expect
        .poll(() => app.api('/settings'), patience)
        .not.toHaveProperty('translationModel');

      await page.getByRole('button', named('settings.modelsOf')).click();
      const models = page.getByTestId('provider-models');
      await models.getByRole('searchbox').fill('MINI');
      expect(await models.getByTestId('model-switch').count()).toBe(1);
      await models.getByRole('switch', { name: 'small-mini' }).click();
      await models.getByText(t('settings.modelsOffered', { count: 1, all: 2 })).waitFor();
      expect(await barriers(page)).toEqual([]);
      await page.goto(app.url);
      await page.getByTestId('model-picker').getByText('large').waitFor();
      await page.getByTestId('model-picker').click();
      await page.getByRole('option', { name: /large/ }).waitFor();
      expect(await page.getByRole('option', { name: /small-mini/ }).count()).toBe(0);
      await open('models');
      const titles = page.getByTestId('titleModel');
      await expect.poll(() => titles.inputValue(), patience).toBe('deepseek/small-mini');
      await page.getByTestId('defaultModel').selectOption('demo/scripted');
      await expect
        .poll(() => app.api('/settings'), patience)
        .toMatchObject({ defaultModel: 'demo/scripted' });
    } finally {
      await fake.close();
    }
  });

  it('change the colours of everything at once where motion is not wanted', async () => {
    await open('about');
    const moving = await page.evaluate(() => {
      const { documentElement: root } = document;
      root.dataset['theme'] = root.dataset['theme'] === 'dark' ? 'light' : 'dark';
      return document.getAnimations().length;
    });
    expect(moving).toBe(0);
  });

  it('undo nothing that another tab has set meanwhile', async () => {
    const other = await page.context().newPage();
    try {
      await open('models');
      await page.getByTestId('reasoningEffort').selectOption('low');
      await expect
        .poll(() => app.api('/settings'), patience)
        .toMatchObject({ reasoningEffort: 'low' });
      await other.goto(`${app.url}/settings/host`);
      const allowed = other.getByRole('textbox', named('settings.fetch'));
      await allowed.fill('10.0.0.7');
      const set = { defaultModel: 'demo/scripted', reasoningEffort: 'high', fetchAllow: [] };
      await app.api('/settings', { method: 'PUT', body: set });
      await page.getByTestId('titleModel').selectOption('demo/scripted');
      const chosen = { ...set, titleModel: 'demo/scripted' };
      await expect.poll(() => app.api('/settings'), patience).toEqual(chosen);
      await other.getByRole('button', named('common.save')).click();
      await expect
        .poll(() => app.api('/settings'), patience)
        .toEqual({ ...chosen, fetchAllow: ['10.0.0.7'] });
    } finally {
      await other.close();
      await app.api('/settings', { method: 'PUT', body: { fetchAllow: [] } });
    }
  });

  it('say what the host is', async () => {
    await open('about');
    const about = page.getByTestId('about');
    await about.getByText('SQLite').waitFor();
    await about.getByText(app.home).waitFor();
    const { version } = await app.api<{ version: string }>('/about');
    await about.getByText(`Cerise ${version}`).waitFor();
    await about.getByText(/2026-07-28/).waitFor();
    expect(await barriers(page)).toEqual([]);
  });
});
