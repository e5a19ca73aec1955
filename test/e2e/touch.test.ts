import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { hasChromium } from '../chromium.ts';
import { type App, moving } from './app.ts';
import { opener } from './opener.ts';
import { answers, ask, ended, send } from './page.ts';
import { named, t } from './texts.ts';

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
/** Like that of no other timer of the page. */
const pauseMs = 503;

describe.skipIf(!hasChromium())('a page under fingers', () => {
  const visit = opener();
  let app: App;
  let page: Page;

  beforeAll(async () => {
    ({ app, page } = await visit.page({
      context: { ...phone, ...moving },
      env: { CERISE_LIMIT_DECISION_PAUSE: `${pauseMs}ms` },
    }));
  });

  it('has no button in an answer that is smaller than a fingertip', async () => {
    await ask(page, '/call get_current_time {"timezone":"Asia/Tokyo"}');
    await answers(page).getByTestId('tool').first().getByRole('button').first().click();
    await page.getByRole('button', named('tool.structured')).waitFor();
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

  it('opens a dialog without the keyboard of a phone, which would cover half of it', async () => {
    await page.goto(`${app.url}/servers`);
    await page.getByTestId('add-server').tap();
    await page.getByRole('dialog').getByLabel(t('servers.formName'), { exact: true }).waitFor();
    const held = () => page.evaluate(() => document.activeElement?.getAttribute('role'));
    await expect.poll(held).toBe('dialog');
    await page.keyboard.press('Escape');
  });

  it('T84: takes no second tap for the call that comes to stand in its place', async () => {
    await page.goto(app.url);
    const write = (name: string) => `/call write_file {"path":"${name}","content":"d"}`;
    await send(page, ['d1.txt', 'd2.txt', 'd3.txt'].map(write).join('\n'));
    const approve = page.getByTestId('approve');
    const quiet = page.locator('[aria-disabled="false"]');
    await approve.nth(2).and(quiet).waitFor();
    const decided: string[] = [];
    page.on('request', (request) => {
      if (/\/decisions?$/.test(request.url())) decided.push(request.url());
    });
    const goOn = await holdPauses(page);
    await approve.first().tap();
    await approve.nth(2).waitFor({ state: 'detached' });
    // This is where the second of two taps may land while the page still moves: on the next call, and on
    // the list of both. A tap at a place on the screen could meet another button on its way.
    for (const button of [approve.first(), page.getByTestId('approve-picked')]) {
      expect(await button.getAttribute('aria-disabled')).toBe('true');
      await button.dispatchEvent('click', { detail: 1 });
    }
    await goOn();
    await approve.first().and(quiet).waitFor();
    expect(decided).toHaveLength(1);
    await approve.first().click();
    await approve.nth(1).waitFor({ state: 'detached' });
    await page.getByTestId('deny').click();
    await ended(page, 0);
    const isThere = ['d1.txt', 'd2.txt', 'd3.txt'].map((name) =>
      existsSync(join(app.home, 'workspace', name)),
    );
    expect(isThere).toEqual([true, true, false]);
  });

  it('T84: draws every call that can be approved, however many there are', async () => {
    await page.goto(app.url);
    const write = (_: unknown, at: number) =>
      `/call write_file {"path":"m${at}.txt","content":"m"}`;
    await send(page, Array.from({ length: 62 }, write).join('\n'));
    await page
      .getByTestId('approve-picked')
      .filter({ hasText: t('approval.approveSome', { count: 62 }) })
      .waitFor();
    await expect.poll(() => page.getByTestId('approval-arguments').count()).toBe(62);
    await page.getByTestId('deny-picked').click();
    await ended(page, 0);
    expect(existsSync(join(app.home, 'workspace/m0.txt'))).toBe(false);
  });
});

/** Lets no pause before a decision end in the page until what it gives is called. */
async function holdPauses(page: Page): Promise<() => Promise<void>> {
  await page.evaluate((pauseMs) => {
    const set = window.setTimeout.bind(window);
    const held: (() => void)[] = [];
    const hold = (act: () => void, wait?: number) => {
      if (wait !== pauseMs) return set(act, wait);
      held.push(act);
      return set(act, 3_600_000);
    };
    const letGo = () => {
      window.setTimeout = set;
      for (const act of held) act();
    };
    Object.assign(window, { setTimeout: hold, letGo });
  }, pauseMs);
  return () => page.evaluate(() => (window as unknown as { letGo: () => void }).letGo());
}

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
