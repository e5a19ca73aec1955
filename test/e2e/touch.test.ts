import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { hasChromium } from '../chromium.ts';
import type { App } from './app.ts';
import { opener } from './opener.ts';
import { answers, ask } from './page.ts';

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

describe.skipIf(!hasChromium())('a page under fingers', () => {
  const visit = opener();
  let app: App;
  let page: Page;

  beforeAll(async () => {
    ({ app, page } = await visit.page({ context: phone }));
  });

  it('has no button in an answer that is smaller than a fingertip', async () => {
    await ask(page, '/call get_current_time {"timezone":"Asia/Tokyo"}');
    await answers(page).getByTestId('tool').first().getByRole('button').first().click();
    await page.getByRole('button', { name: 'Structured data' }).waitFor();
    expect(await tooSmall(page)).toEqual([]);
    await ask(page, '/write 40');
    expect(await tooSmall(page)).toEqual([]);
  });

  it.each(['/servers', '/settings/usage'])('has none on %s either', async (path) => {
    await page.goto(app.url + path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.getByRole('button', { expanded: false }).last().click();
    expect(await tooSmall(page)).toEqual([]);
  });
});

/** What is to be touched and is under 36 pixels either way, by its name; a line of text is left out. */
function tooSmall(page: Page): Promise<string[]> {
  const targets = page.locator('button:visible, nav a:visible, label:has(input):visible');
  return targets.evaluateAll((elements) =>
    elements
      .filter((element) => !element.matches('.prose :is(p, li) *'))
      .map((element) => ({ element, box: element.getBoundingClientRect() }))
      .filter(({ box }) => Math.min(box.width, box.height) < 36)
      .map(
        ({ element, box }) =>
          `${element.getAttribute('aria-label') ?? element.textContent} ${box.width}×${box.height}`,
      ),
  );
}
