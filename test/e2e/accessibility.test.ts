import { AxeBuilder } from '@axe-core/playwright';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasChromium, launchChromium } from '../chromium.ts';
import { App } from './app.ts';
import { answers, ask, blocks, ended, send, topicOf } from './page.ts';

const looks = (['light', 'dark'] as const).flatMap((theme) =>
  (['en', 'zh'] as const).map((locale) => ({ theme, locale })),
);

describe.skipIf(!hasChromium())('the page for everyone', () => {
  let app: App;
  let browser: Browser;
  let page: Page;
  let topicId: string;

  beforeAll(async () => {
    [app, browser] = await Promise.all([App.start(), launchChromium()]);
    ({ page } = await app.signIn(browser, { reducedMotion: 'reduce' }));
    await ask(page, '/tour');
    topicId = await topicOf(page);
    await send(page, '/call write_file {"path":"seen.txt","content":"hi"}');
    await page.getByTestId('approve').waitFor();
  });
  afterAll(async () => {
    await browser?.close();
    await app?.close();
  });

  it.for(looks)('has no serious barrier in $theme, $locale', async (look) => {
    await page.evaluate(
      (look) => localStorage.setItem('cerise.preferences', JSON.stringify(look)),
      look,
    );
    await page.goto(`${app.url}/t/${topicId}`);
    await page.getByTestId('approve').waitFor();
    const large = answers(page).first().locator('[data-type="tool"]').last();
    await large.getByRole('button').first().click();
    expect(await barriers(page)).toEqual([]);

    await page.goto(`${app.url}/servers`);
    const time = page.getByTestId('server').filter({ hasText: 'time' }).first();
    await time.getByRole('button').first().click();
    expect(await barriers(page)).toEqual([]);

    await page.goto(`${app.url}/settings`);
    await page.getByTestId('language').waitFor();
    expect(await barriers(page)).toEqual([]);
  });

  it('has none in a form, in a picker and where a stranger arrives', async () => {
    await page.goto(`${app.url}/servers`);
    await page.getByTestId('add-server').click();
    await page.getByTestId('create-server').waitFor();
    expect(await barriers(page)).toEqual([]);
    await page.goto(app.url);
    await page.getByTestId('model-picker').click();
    await page.getByRole('dialog').waitFor();
    expect(await barriers(page)).toEqual([]);
    const stranger = await browser.newContext({ reducedMotion: 'reduce' });
    const door = await stranger.newPage();
    await door.goto(`${app.url}/?sign-in=used`);
    await door.getByTestId('sign-in').waitFor();
    expect(await barriers(door)).toEqual([]);
    await stranger.close();
  });

  it('has none on a phone, where nothing is wider than the screen', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`${app.url}/t/${topicId}`);
    await page.getByTestId('approve').waitFor();
    expect(await barriers(page)).toEqual([]);
    for (const path of [`/t/${topicId}`, '/servers', '/settings', '/']) {
      await page.goto(app.url + path);
      await page.getByRole('main').waitFor();
      const spare = await page.evaluate(() => innerWidth - document.documentElement.scrollWidth);
      expect(spare).toBe(0);
    }
    await page.getByTestId('open-sidebar').click();
    await page.getByRole('dialog').getByTestId('topic-row').first().waitFor();
    expect(await barriers(page)).toEqual([]);
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  it('can be used with the keyboard alone, from the question to the approval', async () => {
    await page.evaluate(() => localStorage.removeItem('cerise.preferences'));
    await page.goto(app.url);
    await page.getByTestId('composer').waitFor();
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
    await tabTo(page, 'composer');
    await page.keyboard.type('/call write_file {"path":"keys.txt","content":"typed"}');
    await page.keyboard.press('Enter');
    await page.getByTestId('approve').waitFor();
    expect(existsSync(join(app.home, 'workspace/keys.txt'))).toBe(false);
    await tabTo(page, 'approve');
    await page.keyboard.press('Enter');
    await ended(page, 0);
    expect(existsSync(join(app.home, 'workspace/keys.txt'))).toBe(true);
    await tabTo(page, 'topic-menu');
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Rename' }).waitFor();
    await page.keyboard.press('Escape');
    expect(await blocks(page, 'main_text').count()).toBe(1);
  });
});

/** What axe finds that would keep someone out, with where; not while something still fades in. */
async function barriers(page: Page): Promise<string[]> {
  await page.evaluate(() =>
    Promise.allSettled(document.getAnimations().map((one) => one.finished)),
  );
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}

/** Goes on with Tab until something with this test id has the focus. */
async function tabTo(page: Page, testId: string): Promise<void> {
  for (let steps = 0; steps < 60; steps += 1) {
    await page.keyboard.press('Tab');
    const at = await page.evaluate(() => document.activeElement?.getAttribute('data-testid'));
    if (at === testId) return;
  }
  throw new Error(`Tab never reached ${testId}.`);
}
