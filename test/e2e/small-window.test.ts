import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { hasChromium } from '../chromium.ts';
import { opener } from './opener.ts';
import { answers, ask, send } from './page.ts';

/** A phone whose keyboard is open; a window at 200 % is wider and not much higher. */
const small = { width: 320, height: 300 };

describe.skipIf(!hasChromium())('a small window', () => {
  const visit = opener();
  let page: Page;

  beforeAll(async () => {
    ({ page } = await visit.page({ context: { viewport: small, reducedMotion: 'reduce' } }));
  });

  it('shows the whole app and does not scroll it away', async () => {
    await ask(page, '/tour');
    const tall = () => page.evaluate(() => document.documentElement.scrollHeight);
    expect(await tall()).toBe(small.height);
    const names = Array.from({ length: 8 }, (_, index) => `${index}.txt`);
    await page.getByTestId('attach-input').setInputFiles(names.map((name) => file(name)));
    await page.locator('[data-testid="attachment"][data-state="ready"]').nth(7).waitFor();
    await page.getByTestId('composer').fill('A line.\n'.repeat(30));
    expect(await tall()).toBe(small.height);
    const box = await page.getByTestId('scroller').boundingBox();
    expect(box?.height).toBeGreaterThan(50);
  });

  it('keeps the list above a long message within its edges', async () => {
    await page.getByTestId('composer').press('End');
    await page.getByTestId('composer').pressSequentially('@');
    const box = await page.getByTestId('suggestions').boundingBox();
    expect(box?.y).toBeGreaterThanOrEqual(0);
    await page.keyboard.press('Escape');
    await page.getByTestId('composer').fill('');
  });

  it.each(['inbox-bell', 'open-sidebar'])('takes away what %s opened with the page', async (by) => {
    await page.getByTestId(by).click();
    await page.getByRole('dialog').waitFor();
    await page.goBack();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.goForward();
    await answers(page).first().waitFor();
  });

  it('covers nothing that the keys come to', async () => {
    await send(page, '/call write_file {"path":"a.txt","content":"x"}');
    await answers(page).last().getByTestId('approve').waitFor();
    await answers(page).last().getByTestId('tool').getByRole('button').first().focus();
    const covered: string[] = [];
    for (let step = 0; step < 12; step += 1) {
      await page.keyboard.press('Tab');
      covered.push(...(await page.evaluate(coverOfFocus)));
    }
    expect(covered).toEqual([]);
  });
});

function file(name: string) {
  return { name, mimeType: 'text/plain', buffer: Buffer.from(name) };
}

/** What lies over the middle of the focused element. */
function coverOfFocus(): string[] {
  const focused = document.activeElement;
  if (!focused) return [];
  const { left, top, width, height } = focused.getBoundingClientRect();
  const hit = document.elementFromPoint(left + width / 2, top + height / 2);
  if (hit && (focused.contains(hit) || hit.contains(focused))) return [];
  return [`${focused.outerHTML.slice(0, 200)} is under ${hit?.textContent}`];
}
