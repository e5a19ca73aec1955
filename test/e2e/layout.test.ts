import type { Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { en } from '#web/messages/en/en.ts';
import { hasChromium, launchChromium } from '../chromium.ts';
import { type App, moving } from './app.ts';
import { barriers } from './barriers.ts';
import { attach, attachments, newChat } from './composing.ts';
import { opener } from './opener.ts';
import { answers, ask, topicOf } from './page.ts';

describe.skipIf(!hasChromium())('the layout of the page', () => {
  const visit = opener();
  let app: App;
  let page: Page;

  beforeAll(async () => {
    ({ app, page } = await visit.page({
      context: { viewport: { width: 1280, height: 800 }, ...moving },
    }));
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

  it('stumble: has the sections of the settings in one column beside them, and above them on a phone', async () => {
    await page.goto(`${app.url}/settings`);
    const links = page.locator('[data-testid^="settings-"][href]');
    const title = page.locator('#section-title');
    await links.last().waitFor();
    const lefts = () =>
      links.evaluateAll((all) => [...new Set(all.map((each) => each.getBoundingClientRect().x))]);
    await expect.poll(async () => (await lefts()).length).toBe(1);
    const last = await links.last().boundingBox();
    const heading = await title.boundingBox();
    expect(heading?.x).toBeGreaterThan((last?.x ?? 0) + (last?.width ?? 0));
    expect(heading?.y).toBeLessThan(last?.y ?? 0);
    await page.setViewportSize({ width: 390, height: 800 });
    await expect.poll(async () => (await lefts()).length).toBeGreaterThan(1);
    expect((await title.boundingBox())?.y).toBeGreaterThan(
      (await links.last().boundingBox())?.y ?? 0,
    );
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  it('stumble: says in one line what an answer has waited for, however long', async () => {
    await newChat(page, app);
    await page.getByTestId('composer').fill('/call write_file {"path":"a.txt","content":"x"}');
    await page.getByTestId('send').click();
    const row = page.locator('[data-testid="waiting"][data-for="approval"]');
    await row.waitFor();
    await page.evaluate(() => {
      const now = Date.now;
      Date.now = () => now() + 12 * 60_000 + 34_000;
    });
    await row.getByText(/\d\d min/).waitFor();
    const isCut = await row.evaluate((each) =>
      [each, ...each.querySelectorAll('span')].some(
        ({ scrollWidth, clientWidth }) => clientWidth > 0 && scrollWidth > clientWidth,
      ),
    );
    expect(isCut).toBe(false);
    expect((await row.boundingBox())?.height).toBeLessThan(32);
    await page.reload();
    await page.getByTestId('deny').click();
    await row.waitFor({ state: 'detached' });
  });

  it('moves nothing when the menu of the account opens', async () => {
    const button = page.getByTestId('user-menu');
    const before = await button.boundingBox();
    await button.click();
    await page.getByRole('menuitem').first().waitFor();
    expect(await button.boundingBox()).toEqual(before);
    await page.keyboard.press('Escape');
  });

  it('stumble: folds the sidebar by a button and by Ctrl+B, and remembers it', async () => {
    const fold = page.getByRole('button', { name: en.sidebar.fold });
    const unfold = page.getByRole('button', { name: en.sidebar.open });
    const main = page.getByRole('main');
    const leftOf = async () => (await main.boundingBox())?.x ?? 0;
    await fold.waitFor();
    const before = await leftOf();
    await fold.click();
    await page.getByTestId('search').waitFor({ state: 'detached' });
    expect(await leftOf()).toBeLessThan(before / 3);
    await expect.poll(() => isFocused(unfold)).toBe(true);
    expect(await barriers(page)).toEqual([]);
    await page.reload();
    await unfold.waitFor();
    expect(await page.getByTestId('search').count()).toBe(0);

    await page.getByTestId('composer').fill('still here');
    await page.keyboard.press('Control+b');
    await page.getByTestId('search').waitFor();
    expect(await isFocused(page.getByTestId('composer'))).toBe(true);
    await page.getByTestId('search').focus();
    await page.keyboard.press('Control+b');
    await expect.poll(() => isFocused(unfold)).toBe(true);

    await page.setViewportSize({ width: 390, height: 800 });
    await page.getByTestId('open-sidebar').click();
    await page.getByRole('dialog').getByTestId('search').waitFor();
    expect(await fold.count()).toBe(0);
    await page.keyboard.press('Escape');
    await page.setViewportSize({ width: 1280, height: 800 });
    await unfold.click();
    await expect.poll(() => isFocused(fold)).toBe(true);
    await page.getByTestId('composer').fill('');
  });

  it('stumble: has notices where they cover nothing, also on a phone', async () => {
    await page.route('**/regenerate', (route) => route.abort());
    await answers(page)
      .last()
      .getByRole('button', { name: en.message.regenerate, exact: true })
      .click();
    const notice = page.getByTestId('notice');
    await notice.waitFor();
    expect(await coveredBy(notice)).toEqual([]);
    await page.setViewportSize({ width: 390, height: 800 });
    await page.getByTestId('open-sidebar').waitFor();
    expect(await coveredBy(notice)).toEqual([]);
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.getByRole('link', { name: en.sidebar.servers }).click();
    await page.getByRole('heading', { name: en.servers.title }).waitFor();
    expect(await coveredBy(notice)).toEqual([]);
    await notice.getByRole('button', { name: en.common.dismiss }).click();
    await page.unroute('**/regenerate');
  });

  it('stumble: stays where it is when a scrollbar comes', async () => {
    const seeing = await launchChromium({ ignoreDefaultArgs: ['--hide-scrollbars'] });
    try {
      const { page: barred } = await app.signIn(seeing);
      const middleOf = async (element: Locator) => {
        const { x = 0, width = 0 } = (await element.boundingBox()) ?? {};
        return x + width / 2;
      };
      const [topic] = await app.topics();
      const places = [`/t/${topic?.id}`, '/settings', '/servers', '/'];
      for (const place of places) {
        await barred.setViewportSize({ width: 1280, height: 4000 });
        await barred.goto(app.url + place);
        const shown = barred.locator('main').locator('article, h1:not(.sr-only)').first();
        await shown.waitFor();
        const before = await middleOf(shown);
        await barred.setViewportSize({ width: 1280, height: 330 });
        await expect.poll(() => hasScrollbar(shown)).toBe(true);
        expect(await middleOf(shown), place).toBe(before);
      }
    } finally {
      await seeing.close();
    }
  });

  it('stumble: has sent images as a grid of thumbnails that open large, also on a phone', async () => {
    const picture = await page.evaluate(() => {
      const canvas = Object.assign(document.createElement('canvas'), { width: 800, height: 600 });
      return canvas.toDataURL('image/png');
    });
    const buffer = Buffer.from(picture.slice(picture.indexOf(',') + 1), 'base64');
    await newChat(page, app);
    await page
      .getByTestId('attach-input')
      .setInputFiles(
        [1, 2, 3, 4].map((at) => ({ name: `${at}.png`, mimeType: 'image/png', buffer })),
      );
    await attachments(page, 'ready').nth(3).waitFor();
    await ask(page, 'What is in these?');
    const images = page.locator('[data-testid="message"][data-role="user"] img');
    await expect.poll(() => images.count()).toBe(4);
    for (const [width, most] of [
      [1280, 150],
      [390, 300],
    ] as const) {
      await page.setViewportSize({ width, height: 800 });
      const boxes = await Promise.all((await images.all()).map((each) => each.boundingBox()));
      const tops = boxes.map((box) => box?.y ?? 0);
      const bottoms = boxes.map((box) => (box?.y ?? 0) + (box?.height ?? 0));
      expect(Math.max(...bottoms) - Math.min(...tops)).toBeLessThan(most);
    }
    await page.setViewportSize({ width: 1280, height: 800 });
    await images.nth(2).click();
    await page.getByTestId('lightbox').getByText('3.png').waitFor();
    await page.keyboard.press('Escape');
  });

  it('stumble: shows the first lines of a sent text file on demand, as text', async () => {
    const lines = [
      '<b>bold</b>',
      'long '.repeat(20),
      ...Array.from({ length: 5000 }, (_, at) => `line ${at}`),
    ];
    await newChat(page, app);
    await attach(page, 'page.html', 'text/html', Buffer.from(lines.join('\n')));
    await ask(page, 'What is in this?');
    const file = page.locator('[data-testid="block"][data-type="file"]');
    await file.getByRole('button', { name: en.block.show }).click();
    const preview = file.getByTestId('text-preview');
    await preview.getByText('<b>bold</b>').waitFor();
    expect(await preview.textContent()).not.toContain('line 4999');
    expect((await preview.boundingBox())?.height).toBeLessThan(400);
    expect(await preview.locator('b').count()).toBe(0);
    // What it is called and what is in it have the same edges.
    const [text, link] = await Promise.all([
      preview.boundingBox(),
      file.getByRole('link').boundingBox(),
    ]);
    if (!text || !link) throw new Error('The file is not in sight.');
    expect(text.x + text.width - (link.x + link.width)).toBeLessThan(16);
    expect(await barriers(page)).toEqual([]);
  });
});

/** What is drawn below an element, apart from what it stands in. */
function coveredBy(element: Locator): Promise<string[]> {
  return element.evaluate((each) => {
    const { left, top, width, height } = each.getBoundingClientRect();
    const points = [0.02, 0.25, 0.5, 0.75, 0.98].flatMap((x) =>
      [0.05, 0.5, 0.95].map((y) => [left + x * width, top + y * height] as const),
    );
    return points.flatMap(([x, y]) =>
      document
        .elementsFromPoint(x, y)
        .filter((other) => !other.contains(each) && !each.contains(other))
        .map((other) => other.outerHTML.slice(0, 120)),
    );
  });
}

/** Whether what an element stands in has a bar to scroll by. */
function hasScrollbar(element: Locator): Promise<boolean> {
  return element.evaluate((start) => {
    for (let each = start.parentElement; each; each = each.parentElement)
      if (each.scrollHeight > each.clientHeight && getComputedStyle(each).overflowY === 'auto')
        return each.offsetWidth > each.clientWidth;
    return false;
  });
}

function isFocused(element: Locator): Promise<boolean> {
  return element.evaluate((each) => each === document.activeElement);
}

/** How much of an element is seen, by itself and by all that it stands in. */
function opacityOf(element: Locator): Promise<number> {
  return element.evaluate((start) => {
    let opacity = 1;
    for (let each: Element | null = start; each; each = each.parentElement)
      opacity *= Number(getComputedStyle(each).opacity);
    return opacity;
  });
}
