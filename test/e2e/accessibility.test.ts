import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasChromium, launchChromium } from '../chromium.ts';
import { textChunks } from '../fakes/fake-openai.ts';
import { barriers } from './barriers.ts';
import { prepareStations, written } from './prepare-stations.ts';
import { isPage, stations, type Topics } from './stations.ts';
import { startTold, type ToldApp } from './told-model.ts';

/** Colours go by the theme and words by the language, so two looks show both of each. */
const looks = [
  { theme: 'light', locale: 'zh' },
  { theme: 'dark', locale: 'en' },
];
const desk = { width: 1280, height: 800 };
const phone = { width: 390, height: 844 };
const oidc = {
  CERISE_OIDC_ISSUER: 'http://127.0.0.1:9/',
  CERISE_OIDC_CLIENT_ID: 'cerise',
  CERISE_OIDC_NAME: 'Example ID',
};

describe.skipIf(!hasChromium())('the page for everyone', { timeout: 60_000 }, () => {
  let told: ToldApp;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let topics: Topics;

  beforeAll(async () => {
    [told, browser] = await Promise.all([startTold({ env: oidc }), launchChromium()]);
    told.fake.respond({ chunks: textChunks([written]) });
    topics = await prepareStations(told.app);
    ({ context, page } = await told.app.signIn(browser, {
      viewport: desk,
      reducedMotion: 'reduce',
    }));
  });
  afterAll(async () => {
    await browser?.close();
    await told?.close();
  });

  const prefer = (look: object) =>
    page.evaluate((it) => localStorage.setItem('cerise.preferences', it), JSON.stringify(look));

  /** How much wider the screen of a phone is than the page; less than nothing where it has to be pushed. */
  const spareOnPhone = async () => {
    await page.setViewportSize(phone);
    await page.getByTestId('open-sidebar').waitFor();
    const spare = await page.evaluate(() => innerWidth - document.documentElement.scrollWidth);
    await page.setViewportSize(desk);
    return spare;
  };

  describe.each(looks)('in $theme and $locale', (look) => {
    beforeAll(() => prefer(look));

    it.each(stations)('has no serious barrier: $name', async ({ path, show, part }) => {
      await page.goto(told.app.url + path(topics));
      await show(page);
      expect(await barriers(page, part)).toEqual([]);
      if (isPage(part)) expect(await spareOnPhone()).toBe(0);
    });

    it('has no serious barrier where a stranger arrives', async () => {
      const storageState = await context.storageState();
      const stranger = await browser.newContext({
        reducedMotion: 'reduce',
        storageState: { ...storageState, cookies: [] },
      });
      const door = await stranger.newPage();
      await door.goto(`${told.app.url}/?sign-in=used`);
      await door.getByTestId('sign-in-oidc').waitFor();
      await door.getByLabel(look.locale === 'zh' ? '密码' : 'Password').waitFor();
      expect(await barriers(door)).toEqual([]);
      await stranger.close();
    });
  });

  it('has the list of conversations in a drawer on a phone, without a serious barrier', async () => {
    await page.setViewportSize(phone);
    await page.goto(told.app.url);
    await page.getByTestId('open-sidebar').click();
    await page.getByRole('dialog').getByTestId('topic-row').first().waitFor();
    expect(await barriers(page)).toEqual([]);
  });
});
