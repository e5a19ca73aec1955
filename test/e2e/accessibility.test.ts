import type { Browser, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { en } from '#web/messages/en/en.ts';
import { zh } from '#web/messages/zh/zh.ts';
import { hasChromium } from '../chromium.ts';
import { textChunks } from '../fakes/fake-openai.ts';
import { barriers } from './barriers.ts';
import { opener } from './opener.ts';
import { prepareStations, written } from './prepare-stations.ts';
import { isPage, type Station, stations, type Topics } from './stations.ts';
import type { ToldApp } from './told-model.ts';

/** Colours go by the theme and words by the language, so two looks show both of each. */
const looks = [
  { theme: 'light', locale: 'zh', texts: zh },
  { theme: 'dark', locale: 'en', texts: en },
] as const;
type Look = (typeof looks)[number];
const desk = { width: 1280, height: 800 };
const phone = { width: 390, height: 844 };
const oidc = {
  CERISE_OIDC_ISSUER: 'http://127.0.0.1:9/',
  CERISE_OIDC_CLIENT_ID: 'cerise',
  CERISE_OIDC_NAME: 'Example ID',
};

/** A page that goes from station to station, in one look and then in the other. */
class Walker {
  readonly page: Page;
  look: Look = looks[0];

  constructor(page: Page) {
    this.page = page;
  }

  /** What is wrong with a station: barriers, or that a phone would have to push it aside. */
  async visit(address: string, { show, part }: Station): Promise<string[]> {
    await this.page.goto(address, { waitUntil: 'commit' });
    await show(this.page);
    const first = await this.#barriers(part);
    if (!isPage(part)) {
      await this.prefer(this.#otherLook());
      return [...first, ...(await this.#barriers(part))];
    }
    await this.page.setViewportSize(phone);
    await this.page.getByTestId('open-sidebar').waitFor();
    const narrow = await this.#pushed();
    await this.prefer(this.#otherLook());
    const wide = await this.#pushed();
    await this.page.setViewportSize(desk);
    await this.page.getByTestId('open-sidebar').waitFor({ state: 'detached' });
    return [...first, ...narrow, ...wide, ...(await this.#barriers(part))];
  }

  /** Changes the look as another tab of the browser would: what is open stays open. */
  async prefer(look: Look): Promise<void> {
    const { theme, locale, texts } = look;
    await this.page.evaluate(
      ([key, value]) => {
        localStorage.setItem(key, value);
        dispatchEvent(new StorageEvent('storage', { key }));
      },
      ['cerise.preferences', JSON.stringify({ theme, locale })] as const,
    );
    const label = `[aria-label="${texts.sidebar.title}"], [aria-label="${texts.sidebar.open}"]`;
    await this.page.locator(label).first().waitFor({ state: 'attached' });
    this.look = look;
  }

  #otherLook(): Look {
    return looks.find((one) => one !== this.look) ?? looks[0];
  }

  async #barriers(part: string | undefined): Promise<string[]> {
    return (await barriers(this.page, part)).map((one) => `${this.look.theme}: ${one}`);
  }

  async #pushed(): Promise<string[]> {
    const more = await this.page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    return more > 0 ? [`${this.look.locale}: ${more} pixels too wide for a phone`] : [];
  }
}

describe.skipIf(!hasChromium())('the page for everyone', { timeout: 60_000 }, () => {
  const visit = opener();
  let told: ToldApp;
  let browser: Browser;
  let topics: Topics;
  /** Two go at once, each in a browser of its own: one waits for the host while the other is drawn. */
  const resting: Walker[] = [];
  const queue: ((walker: Walker) => void)[] = [];

  beforeAll(async () => {
    ({ told, browser } = await visit.told({ env: oidc }));
    told.fake.respond({ chunks: textChunks([written]) });
    topics = await prepareStations(told.app);
    for (let count = 0; count < 2; count += 1) {
      const options = { viewport: desk, reducedMotion: 'reduce' } as const;
      const walker = new Walker((await told.app.signIn(browser, options)).page);
      await walker.prefer(looks[0]);
      resting.push(walker);
    }
  });

  const withWalker = async <T>(walk: (walker: Walker) => Promise<T>): Promise<T> => {
    const walker = resting.pop() ?? (await new Promise<Walker>((resolve) => queue.push(resolve)));
    try {
      return await walk(walker);
    } finally {
      const next = queue.shift();
      if (next) next(walker);
      else resting.push(walker);
    }
  };

  it.concurrent.for(stations)(
    'has no serious barrier in both looks: $name',
    async (station, { expect }) => {
      const address = told.app.url + station.path(topics);
      expect(await withWalker((walker) => walker.visit(address, station))).toEqual([]);
    },
  );

  it.concurrent.for(looks)(
    'has no serious barrier where a stranger arrives, in $theme and $locale',
    async ({ theme, locale, texts }, { expect }) => {
      const { origin } = new URL(told.app.url);
      const preferences = { name: 'cerise.preferences', value: JSON.stringify({ theme, locale }) };
      const stranger = await browser.newContext({
        reducedMotion: 'reduce',
        storageState: { cookies: [], origins: [{ origin, localStorage: [preferences] }] },
      });
      const door = await stranger.newPage();
      await door.goto(`${told.app.url}/?sign-in=used`);
      await door.getByTestId('sign-in-oidc').waitFor();
      await door.getByLabel(texts.signIn.password).waitFor();
      expect(await barriers(door)).toEqual([]);
      await stranger.close();
    },
  );

  it('has the list of conversations in a drawer on a phone, without a serious barrier', async () => {
    await withWalker(async ({ page }) => {
      await page.setViewportSize(phone);
      await page.goto(told.app.url);
      await page.getByTestId('open-sidebar').click();
      await page.getByRole('dialog').getByTestId('topic-row').first().waitFor();
      expect(await barriers(page)).toEqual([]);
    });
  });
});
