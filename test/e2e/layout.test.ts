import type { Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { en } from '#web/messages/en/en.ts';
import { hasChromium } from '../chromium.ts';
import type { App } from './app.ts';
import { opener } from './opener.ts';
import { answers, ask, topicOf } from './page.ts';

describe.skipIf(!hasChromium())('the layout of the page', () => {
  const visit = opener();
  let app: App;
  let page: Page;

  beforeAll(async () => {
    ({ app, page } = await visit.page({ context: { viewport: { width: 1280, height: 800 } } }));
  });

  it('stumble: has the versions of a question, and the model and time of an answer, without a pointer over them', async () => {
    await ask(page, 'What is 2+2?');
    const elsewhere = { text: 'What is 3+3?', parentId: null };
    const topicId = await topicOf(page);
    await app.api(`/topics/${topicId}/messages`, { method: 'POST', body: elsewhere });
    const question = page.locator('[data-testid="message"][data-role="user"]');
    await question.getByText(elsewhere.text).waitFor();
    await answers(page).locator('time').waitFor();
    await page.mouse.move(0, 0);
    await page.getByTestId('composer').focus();
    await expect.poll(() => opacityOf(question.getByTestId('version'))).toBe(1);
    await expect.poll(() => opacityOf(answers(page).locator('time'))).toBe(1);
    await expect.poll(() => opacityOf(question.getByLabel(en.message.edit))).toBe(0);
  });

  it('stumble: has a finished call in one line that opens, also on a phone', async () => {
    const call = answers(page)
      .last()
      .locator('[data-testid="tool"][data-state="succeeded"]')
      .first();
    const heightOf = async () => (await call.boundingBox())?.height;
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 800 });
      await expect.poll(heightOf).toBeLessThanOrEqual(44);
      expect(await call.textContent()).toMatch(/calculate\s*on calculator.*\d\s*m?s/is);
    }
    await call.getByRole('button').first().click();
    await expect.poll(heightOf).toBeGreaterThan(100);
    await page.setViewportSize({ width: 1280, height: 800 });
  });
});

/** How much of an element is seen, by itself and by all that it stands in. */
function opacityOf(element: Locator): Promise<number> {
  return element.evaluate((start) => {
    let opacity = 1;
    for (let each: Element | null = start; each; each = each.parentElement)
      opacity *= Number(getComputedStyle(each).opacity);
    return opacity;
  });
}
