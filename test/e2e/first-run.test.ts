import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Provider } from '#shared/vocabulary/model.ts';
import { hasChromium } from '../chromium.ts';
import type { App } from './app.ts';
import { opener } from './opener.ts';
import { blocks, ended, watchTroubles } from './page.ts';
import { named, t, textLike } from './texts.ts';

describe.skipIf(!hasChromium())('the first run', () => {
  const visit = opener();
  let app: App;
  let page: Page;

  beforeAll(async () => {
    ({ app, page } = await visit.page({ own: true }));
  });

  it('says what works now, without anything to set up', async () => {
    await page.getByText(textLike('chat.worksScripted')).waitFor();
    expect(await page.getByTestId('found-models').count()).toBe(0);
  });

  it('shows the reader around with the demo model, once in the first place', async () => {
    const troubles = watchTroubles(page);
    const box = page.getByTestId('composer');
    await box.fill('My draft');
    await page.getByTestId('show-around').click();
    const answer = await ended(page, 0);
    expect(answer.blocks.length).toBeGreaterThan(8);
    const tour = page.getByTestId('tour');
    const places = ['message', 'composer-card', 'server-picker', 'model-picker'];
    for (const [index, target] of places.entries()) {
      await tour.getByText(t('chat.tourPlace', { index: index + 1, count: 4 })).waitFor();
      expect(await isPointedAt(page, target)).toBe(true);
      // A frame around the whole pane would look like an error.
      expect(await isPointedAt(page, 'scroller')).toBe(false);
      const waysOn = tour.getByRole('link');
      expect(await waysOn.count()).toBe(index === 3 ? 2 : 0);
      await page.getByTestId('tour-next').click();
    }
    await tour.waitFor({ state: 'detached' });
    expect(await isPointedAt(page, 'model-picker')).toBe(false);
    // What was being written waits where it was, and is not the demo's to answer.
    expect(await box.inputValue()).toBe('');
    await page.goto(app.url);
    expect(await box.inputValue()).toBe('My draft');
    await box.fill('');
    await page.getByRole('button', named('chat.suggestTourLabel')).waitFor();
    expect(await page.getByTestId('show-around').count()).toBe(0);
    expect(troubles).toEqual([]);
  });

  it('draws a picture when a suggestion asks for one', async () => {
    await page.getByRole('button', named('chat.suggestDraw')).click();
    const answer = await ended(page, 0);
    expect(answer.blocks.map(({ type }) => type)).toEqual(['image', 'main_text']);
    const picture = blocks(page, 'image').getByRole('img').first();
    await expect
      .poll(() => picture.evaluate((img) => (img as HTMLImageElement).naturalWidth))
      .toBe(192);
  });

  it('offers a model that was found, can be told not now, and makes it the default', async () => {
    await app.api('/providers', {
      method: 'POST',
      body: {
        name: 'cellar',
        kind: 'openai-compatible',
        baseUrl: 'http://127.0.0.1:9/v1',
        models: ['small', 'large'],
      },
    });
    // Also one that somebody added and then left without choosing a model.
    await page.goto(app.url);
    await page.getByTestId('found-models').getByText(t('chat.foundAdded')).waitFor();
    // Nothing can be found on the machine that runs the test, so this one is said to be.
    await page.route('**/api/providers', async (route) => {
      const response = await route.fetch();
      const { providers } = (await response.json()) as { providers: Provider[] };
      await route.fulfill({
        json: { providers: providers.map((one) => ({ ...one, fromDiscovery: true })) },
      });
    });
    await page.goto(app.url);
    const offer = page.getByTestId('found-models');
    await offer.getByText(t('chat.found', { name: 'cellar' })).waitFor();
    await offer.getByRole('button', named('chat.foundDismiss')).click();
    await page.reload();
    await page.getByTestId('suggestion').first().waitFor();
    await page.getByTestId('model-picker').waitFor();
    expect(await offer.count()).toBe(0);

    await page.evaluate(() => localStorage.removeItem('cerise.foundModels'));
    await page.reload();
    await offer.getByRole('combobox', named('chat.foundModel')).selectOption('cellar/large');
    await page.getByRole('button', named('chat.foundUse')).click();
    await offer.waitFor({ state: 'detached' });
    const { defaultModel } = await app.api<{ defaultModel: string }>('/models');
    expect(defaultModel).toBe('cellar/large');
    await page.getByText(textLike('chat.works', { model: /.*large/ })).waitFor();
  });
});

function isPointedAt(page: Page, testId: string): Promise<boolean> {
  return page
    .getByTestId(testId)
    .last()
    .evaluate((element) => {
      const isMarked = getComputedStyle(element, '::before').content !== 'none';
      const isAnswer = element.tagName === 'ARTICLE';
      return isAnswer ? isMarked : getComputedStyle(element).outlineStyle === 'solid';
    });
}
