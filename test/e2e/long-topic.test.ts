import type { Browser, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { hasChromium } from '../chromium.ts';
import { answerId, rareWord, writeTopics } from '../fixtures/long-topic.ts';
import type { App } from './app.ts';
import { opener } from './opener.ts';
import { t } from './texts.ts';

const patience = { timeout: 15_000 };
/** For many pages, one after the other. */
const long = { timeout: 45_000 };
const many = { id: 'many', title: 'Many messages', answers: 400, blocks: 9 };
const one = { id: 'one', title: 'One answer', answers: 1, blocks: 3000 };

describe.skipIf(!hasChromium())('a long topic', () => {
  const visit = opener();
  let app: App;
  let page: Page;
  let troubles: string[];

  beforeAll(async () => {
    ({ app, page, troubles } = await visit.page({
      prepare: (home) => writeTopics(home, [many, one]),
      context: { blank: true },
    }));
  });

  it('opens at its end with one small page', async () => {
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.goto(`${app.url}/t/many`);
    await block(page, answerId('many', 399), 8).waitFor();
    expect(await isInSight(page, answerId('many', 399), 8)).toBe(true);
    expect(await page.getByTestId('jump-latest').count()).toBe(0);
    expect(asked.filter((path) => path.endsWith('/many'))).not.toEqual([]);
    expect(await drawn(page)).toBeLessThan(80);
  });

  it.each([
    ['many', answerId('many', 399)],
    ['one', answerId('one', 0)],
  ])('%s: reads back without a jump and lets go of what is far away', async (topicId, last) => {
    await page.goto(`${app.url}/t/${topicId}`);
    await page.locator(`[data-testid="message"][data-id="${last}"]`).waitFor();
    const jumps = await watchJumps(page);
    await moveOver(page);
    const readBack = async () => {
      await page.mouse.wheel(0, -500);
      await nextFrame(page);
      return page.getByTestId('scroller').evaluate(({ scrollHeight }) => scrollHeight);
    };
    for (let n = 0; n < 60; n += 1) await readBack();
    await expect.poll(readBack, { ...long, interval: 0 }).toBeGreaterThan(20_000);
    expect(await jumps()).toEqual([]);
    await expect.poll(() => drawn(page), patience).toBeLessThan(150);
    await page.getByTestId('jump-latest').click();
    await page.getByTestId('jump-latest').waitFor({ state: 'detached' });
    await expect
      .poll(() => page.getByTestId('scroller').evaluate(distanceToEnd), patience)
      .toBeLessThan(61);
  });

  it('shows the message that an address names, however far back it is', async () => {
    await page.goto(`${app.url}/t/many#${answerId('many', 2)}`);
    await expect.poll(() => isInSight(page, answerId('many', 2), 0), patience).toBe(true);
    await page.evaluate((id) => (location.hash = id), answerId('many', 200));
    await expect.poll(() => isInSight(page, answerId('many', 200), 0), patience).toBe(true);
  });

  it('finds words in all of it by keyboard, and goes from one to the next', async () => {
    await page.goto(`${app.url}/t/many`);
    await block(page, answerId('many', 399), 8).waitFor();
    await page.getByTestId('composer').focus();
    await page.keyboard.press('Control+f');
    const field = page.getByTestId('find');
    await field.fill(rareWord.toUpperCase());
    const count = page.getByTestId('find-count');
    await count.getByText(t('find.count', { index: 1, count: 12 })).waitFor();
    await expect.poll(() => isInSight(page, answerId('many', 357), 6), patience).toBe(true);
    await expect.poll(() => page.locator('[data-found]').count(), patience).toBe(1);
    await field.press('Enter');
    await field.press('Enter');
    await count.getByText(t('find.count', { index: 3, count: 12 })).waitFor();
    await expect.poll(() => isInSight(page, answerId('many', 307), 0), patience).toBe(true);
    await expect.poll(() => marked(page, 'find-current'), patience).toEqual([rareWord]);
    await field.press('Shift+Enter');
    await count.getByText(t('find.count', { index: 2, count: 12 })).waitFor();
    await field.press('Shift+Enter');
    await field.press('Shift+Enter');
    await count.getByText(t('find.count', { index: 12, count: 12 })).waitFor();
    await expect.poll(() => isInSight(page, answerId('many', 7), 0), patience).toBe(true);
    await field.fill('nowhere-to-be-found');
    await count.getByText(t('find.none')).waitFor();
    await field.press('Escape');
    await field.waitFor({ state: 'detached' });
    await expect.poll(() => marked(page, 'find'), patience).toEqual([]);
    await expect.poll(() => page.getByTestId('composer').evaluate(isFocused), patience).toBe(true);
  });

  it("leaves the browser's own search to a second press", async () => {
    // A key may be quicker than what was asked of the page before it: it listens first.
    const second = await page.evaluateHandle(() => {
      const { promise, resolve } = Promise.withResolvers<boolean>();
      let presses = 0;
      addEventListener('keydown', (event) => {
        if (event.key === 'f' && (presses += 1) === 2) resolve(!event.defaultPrevented);
      });
      return { isKept: promise };
    });
    await page.keyboard.press('Control+f');
    await page.getByTestId('find').waitFor();
    await page.keyboard.press('Control+f');
    expect(await second.evaluate(({ isKept }) => isKept)).toBe(true);
    await page.keyboard.press('Escape');
  });

  it('goes on at its end, and keeps what a reader has opened', async () => {
    await page.goto(`${app.url}/t/many`);
    const tool = block(page, answerId('many', 398), 3);
    await tool.getByRole('button').first().click();
    await tool.locator('[aria-expanded="true"]').first().waitFor();
    await moveOver(page);
    for (let n = 0; n < 30; n += 1) {
      await page.mouse.wheel(0, -800);
      await nextFrame(page);
    }
    await page.getByTestId('jump-latest').click();
    await tool.locator('[aria-expanded="true"]').first().waitFor();
    await page.goto(`${app.url}/t/one`);
    await page.locator('[data-testid="message"]').first().waitFor();
    const answer = page.locator('[data-testid="message"][data-role="assistant"]').last();
    await page.getByTestId('composer').fill('What is 2+2?');
    await page.getByTestId('composer').press('Enter');
    await answer.getByText('4').first().waitFor();
    expect(troubles).toEqual([]);
  });
});

describe.skipIf(!hasChromium())('a long list of conversations', () => {
  const visit = opener();
  let app: App;
  let browser: Browser;
  let page: Page;
  const count = 1200;

  beforeAll(async () => {
    const at = new Date(2026, 0, 15).getTime();
    const topics = Array.from({ length: count }, (_, n) => ({
      id: `topic-${n}`,
      title: `Topic ${n}`,
      answers: 0,
      blocks: 0,
      updatedAt: at - n * 3_600_000,
    }));
    ({ app, browser, page } = await visit.page({ prepare: (home) => writeTopics(home, topics) }));
  });

  const rows = () => page.getByTestId('topic-row');
  const title = () => page.evaluate(() => document.activeElement?.textContent);

  it('is gone through with the arrow keys, from the search field on', async () => {
    await rows().first().waitFor();
    await page.getByTestId('search').focus();
    await page.keyboard.press('ArrowDown');
    expect(await title()).toBe('Topic 0');
    // Where rows have to come first, a step waits for them.
    const goTo60 = async () => {
      const at = Number((await title())?.replace('Topic ', ''));
      if (at !== 60) await page.keyboard.press(at < 60 ? 'ArrowDown' : 'ArrowUp');
      return title();
    };
    await expect.poll(goTo60, { ...patience, interval: 0 }).toBe('Topic 60');
    await page.keyboard.press('ArrowUp');
    expect(await title()).toBe('Topic 59');
    await page.keyboard.press('Home');
    expect(await title()).toBe('Topic 0');
  });

  it('is divided by the months of the reader, in their language', async () => {
    await page.getByRole('heading', { name: 'January 2026' }).waitFor();
    const { page: chinese } = await app.signIn(browser, { locale: 'zh-CN' });
    await chinese.getByRole('heading', { name: '2026年1月' }).waitFor();
    await chinese.context().close();
  });

  it('is read to its end while it is scrolled, and holds few rows at a time', async () => {
    await rows().first().hover();
    const more = page.getByTestId('more-topics');
    const scroll = async () => {
      await page.mouse.wheel(0, 2000);
      await nextFrame(page);
      expect(await rows().count()).toBeLessThan(500);
      return more.count();
    };
    await expect.poll(scroll, { ...long, interval: 0 }).toBe(0);
    await page.mouse.wheel(0, 100_000);
    await rows()
      .filter({ hasText: /^Topic 1199$/ })
      .waitFor();
  });
});

function block(page: Page, messageId: string, ordinal: number) {
  return page.locator(`[data-id="${messageId}"] [data-testid="block"][data-ordinal="${ordinal}"]`);
}

/** How many blocks the page holds, near or far. */
function drawn(page: Page): Promise<number> {
  return page.locator('[data-testid="block"]').count();
}

async function isInSight(page: Page, messageId: string, ordinal: number): Promise<boolean> {
  const found = block(page, messageId, ordinal);
  if ((await found.count()) === 0) return false;
  return found.evaluate((element) => {
    const box = element.closest('[data-testid="scroller"]')?.getBoundingClientRect();
    const { top, bottom } = element.getBoundingClientRect();
    return box !== undefined && bottom > box.top && top < box.bottom;
  });
}

function isFocused(element: Element): boolean {
  return element === document.activeElement;
}

/** The texts that a highlight marks. */
function marked(page: Page, name: string): Promise<string[]> {
  return page.evaluate((name) => {
    const texts: string[] = [];
    CSS.highlights
      .get(name)
      ?.forEach((range) => texts.push((range as Range).toString().toLowerCase()));
    return texts;
  }, name);
}

function distanceToEnd(box: Element): number {
  return box.scrollHeight - box.scrollTop - box.clientHeight;
}

async function moveOver(page: Page): Promise<void> {
  const box = await page.getByTestId('scroller').boundingBox();
  if (!box) throw new Error('The conversation is not there.');
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
}

function nextFrame(page: Page): Promise<unknown> {
  return page.evaluate(() => new Promise(requestAnimationFrame));
}

/**
 * Watches from inside the page, frame by frame, a block that is in sight: scrolling up moves it down by
 * what was scrolled. What moves it up, or further than a turn of the wheel, is a jump.
 */
async function watchJumps(page: Page): Promise<() => Promise<number[]>> {
  await page.evaluate(() => {
    const jumps: number[] = [];
    Object.assign(globalThis, { jumps });
    const scroller = document.querySelector('[data-testid="scroller"]');
    let seen: { element: Element; top: number } | undefined;
    const look = () => {
      const box = scroller?.getBoundingClientRect();
      if (!box || !scroller) return;
      if (seen?.element.isConnected) {
        const moved = seen.element.getBoundingClientRect().top - seen.top;
        if (moved < -2 || moved > 1600) jumps.push(Math.round(moved));
      }
      const middle = (box.top + box.bottom) / 2;
      const element = [...scroller.querySelectorAll('[data-testid="block"]')].find(
        (one) => one.getBoundingClientRect().bottom > middle,
      );
      seen = element && { element, top: element.getBoundingClientRect().top };
      requestAnimationFrame(look);
    };
    look();
  });
  return () => page.evaluate(() => (globalThis as unknown as { jumps: number[] }).jumps);
}
