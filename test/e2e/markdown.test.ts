import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startWeb } from '../fakes/test-web.ts';
import { hasChromium } from '../chromium.ts';
import { shellSize } from '../shell-size.ts';
import { opener } from './opener.ts';
import { answers, watchTroubles } from './page.ts';
import type { ToldApp } from './told-model.ts';
import { hostSays, named, t } from './texts.ts';

const built = resolve(import.meta.dirname, '../../dist/web');
const png =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

describe.skipIf(!hasChromium())('an answer in markdown', { timeout: 60_000 }, () => {
  const visit = opener();
  let told: ToldApp;
  let browser: Browser;
  let page: Page;
  let troubles: string[];

  beforeAll(async () => {
    ({ told, browser } = await visit.told());
    ({ page } = await told.app.signIn(browser, {
      colorScheme: 'light',
      permissions: ['clipboard-read', 'clipboard-write'],
    }));
    troubles = watchTroubles(page);
  });
  beforeEach(async () => {
    await page.goto(told.app.url);
    await page.getByTestId('composer').waitFor();
  });

  const clipboard = () => page.evaluate(() => navigator.clipboard.readText());

  it('draws finished blocks once: their nodes stay untouched while the text grows', async () => {
    await page.evaluate(() => {
      const changed = new Set<string>();
      Object.assign(globalThis, { changed });
      const watched = new WeakSet<Node>();
      const note = (node: Node | null) => {
        if (node && watched.has(node)) changed.add((node.textContent ?? '').slice(0, 60));
      };
      new MutationObserver((records) => {
        for (const { target, removedNodes } of records) {
          const element = target instanceof Element ? target : target.parentElement;
          note(element?.closest('.prose-group > *') ?? null);
          for (const node of removedNodes) note(node);
        }
        // By the rules of markdown all but the last blocks are finished.
        const blocks = [...document.querySelectorAll('.prose-group > *')];
        for (const node of blocks.slice(0, -3)) watched.add(node);
      }).observe(document, { subtree: true, childList: true, characterData: true });
    });
    const paragraphs = Array.from({ length: 80 }, (_, at) => `Paragraph ${at} with **words**.`);
    await told.say(page, `# Title\n\n${paragraphs.join('\n\n')}\n\n[a]: https://example.com\n`, 4);
    expect(
      await page.evaluate(() => [...(globalThis as never as { changed: Set<string> }).changed]),
    ).toEqual([]);
    expect(await page.locator('.prose p').count()).toBe(80);
  });

  it('highlights code, also before it has ended, in both themes without doing it again', async () => {
    await told.begin(page, 'Code:\n\n```ts\nconst a = 1;\nconst b = "unfin');
    const code = answers(page).last().getByTestId('code');
    await code.locator('.hl-keyword').first().waitFor();
    expect(await code.locator('.hl-keyword').allTextContents()).toEqual(['const', '=']);
    expect(await code.locator('code').textContent()).toBe('const a = 1;\nconst b = "unfin');
    const keyword = code.locator('.hl-keyword').first();
    const colour = () => keyword.evaluate((element) => getComputedStyle(element).color);
    const light = await colour();
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await colour()).not.toBe(light);
    await page.emulateMedia({ colorScheme: 'light' });
    await page.getByTestId('stop').click();
  });

  it('copies, wraps and saves code', async () => {
    await told.say(page, '```python\nprint("x")\n```\n');
    const code = answers(page).last().getByTestId('code');
    await code.getByRole('button', named('common.copy')).click();
    expect(await clipboard()).toBe('print("x")');
    await code.getByRole('button', named('markdown.wrap')).click();
    expect(await code.locator('pre').evaluate((pre) => getComputedStyle(pre).whiteSpace)).toBe(
      'pre-wrap',
    );
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      code.getByRole('button', named('markdown.saveCode')).click(),
    ]);
    expect(file.suggestedFilename()).toBe('code.py');
  });

  it('copies a table as CSV', async () => {
    await told.say(page, '| a | b |\n|---|--:|\n| **x**, "y" | =1+1 |\n| 中文 | -5 |\n');
    await page.getByRole('button', named('markdown.copyTable')).click();
    expect(await clipboard()).toBe('a,b\r\n"x, ""y""",\'=1+1\r\n中文,-5');
  });

  it('shows formulas as MathML, and the source of those that make no sense', async () => {
    await told.say(
      page,
      'So $\\frac{a}{\\mathbb{R}}$ and $\\nosuch{x}$ for $5 or $6.\n\n$$\nx^2\n$$\n',
    );
    const answer = answers(page).last();
    await answer.locator('mfrac').waitFor();
    expect(await answer.locator('mfrac').textContent()).toBe('aℝ');
    expect(await answer.getByTestId('math').locator('code').textContent()).toBe('\\nosuch{x}');
    expect(await answer.locator('math[display="block"] msup').count()).toBe(1);
    expect(await answer.textContent()).toContain('for $5 or $6.');
  });

  it('draws diagrams as pictures in the colours of the page', async () => {
    await told.say(page, '```mermaid\nflowchart LR\n  A[First] --> B[Second]\n```\n\nEnd.');
    const diagram = answers(page).last().getByTestId('diagram');
    await diagram.and(page.locator('[data-state="drawn"]')).waitFor();
    const source = () => diagram.locator('img').getAttribute('src');
    const light = (await source()) ?? '';
    expect(decodeURIComponent(light)).toMatch(/^data:image\/svg\+xml.*First/s);
    const width = await diagram
      .locator('img')
      .evaluate((image) => (image as HTMLImageElement).naturalWidth);
    expect(width).toBeGreaterThan(100);
    await page.emulateMedia({ colorScheme: 'dark' });
    await expect.poll(source).not.toBe(light);
    await page.emulateMedia({ colorScheme: 'light' });
    await diagram.getByRole('button', named('markdown.showSource')).click();
    await diagram.locator('code').getByText('A[First]').waitFor();
    await diagram.getByRole('button', named('markdown.showDiagram')).click();
    await diagram.getByRole('button', named('markdown.copySvg')).click();
    expect(await clipboard()).toMatch(/^<svg/);
    await diagram.getByRole('button', named('markdown.openLarge')).click();
    await page.getByRole('dialog').locator('img').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  it('shows the source of a diagram that is not whole', async () => {
    await told.begin(page, '```mermaid\nflowchart LR\n  A --> B\n');
    await answers(page).last().getByTestId('code').getByText('A --> B').waitFor();
    expect(await answers(page).last().getByTestId('diagram').count()).toBe(0);
    await page.getByTestId('stop').click();
  });

  it('loads a picture of another host after a click, through our own', async () => {
    await using web = await startWeb(
      (_request, response) => void response.end(Buffer.from(png, 'base64')),
    );
    const { app } = told;
    const settings = await app.api<object>('/settings');
    await app.api('/settings', { method: 'PUT', body: { ...settings, fetchAllow: [web.host] } });
    await told.say(page, `![a cat](${web.url}cat.png)\n\n![no](http://127.0.0.1:1/dog.png)`);
    const pictures = answers(page).last().getByTestId('remote-picture');
    expect(await pictures.first().textContent()).toContain(
      t('markdown.loadPicture', { host: web.host }),
    );
    expect(web.requests).toEqual([]);
    await pictures.first().getByRole('button').click();
    const image = answers(page).last().getByRole('img', { name: 'a cat' });
    await expect
      .poll(() => image.evaluate((img) => (img as HTMLImageElement).naturalWidth), {
        timeout: 15_000,
      })
      .toBe(1);
    expect(web.requests.map(({ url, headers }) => [url, headers.cookie])).toEqual([
      ['/cat.png', undefined],
    ]);
    await answers(page).last().getByTestId('remote-picture').getByRole('button').click();
    await page.getByRole('alert').getByText(hostSays('address-blocked')).waitFor();
    troubles = troubles.filter(
      (line) => !line.includes('status of 4') && !line.includes('status of 5'),
    );
  });

  it('leads from a footnote to its words and back', async () => {
    await told.say(page, 'Said[^1].\n\n[^1]: The reason.\n');
    await page.locator('[role=doc-noteref]').click();
    const note = page.locator('[role=doc-endnotes]').getByRole('listitem');
    expect(await note.evaluate((element) => element === document.activeElement)).toBe(true);
    await page.getByRole('button', named('markdown.footnoteBack', { number: 1 })).click();
    const mark = page.locator('[role=doc-noteref]');
    expect(await mark.evaluate((element) => element === document.activeElement)).toBe(true);
  });

  it('clipped list numbers: has room for numbers of three and four digits, on a phone too', async () => {
    const before = page.viewportSize();
    await page.setViewportSize({ width: 360, height: 700 });
    const items = (from: number) =>
      Array.from({ length: 6 }, (_, at) => `${from + at}. Item ${from + at}`).join('\n');
    await told.say(page, `${items(97)}\n\nand\n\n${items(998)}\n`);
    const rooms = await page.locator('.prose ol').evaluateAll((lists) =>
      lists.map((list) => {
        const item = list.lastElementChild as HTMLElement;
        const number = (list as HTMLOListElement).start + list.children.length - 1;
        const probe = document.createElement('span');
        probe.textContent = `${number}.\u00A0`;
        item.append(probe);
        const { width } = probe.getBoundingClientRect();
        probe.remove();
        const frame = list.closest('.prose-group') as HTMLElement;
        const room = item.getBoundingClientRect().left - frame.getBoundingClientRect().left;
        return { number, isWhole: room >= width };
      }),
    );
    if (before) await page.setViewportSize(before);
    expect(rooms).toEqual([
      { number: 102, isWhole: true },
      { number: 1003, isWhole: true },
    ]);
  });

  it('has what is written from right to left begin at the right, and code at the left', async () => {
    const text = 'שלום עולם';
    await told.say(
      page,
      `${text}\n\nHello\n\n- ${text}\n\n  \`\`\`\n  code\n  \`\`\`\n\n> ${text}\n`,
    );
    const sides = await page.locator('.prose').evaluate((prose) => {
      const middle = prose.getBoundingClientRect().x + prose.clientWidth / 2;
      const sideOf = (selector: string) => {
        const range = document.createRange();
        range.selectNodeContents(prose.querySelector(selector) ?? prose);
        const { left, right } = range.getBoundingClientRect();
        return left > middle ? 'right' : right < middle ? 'left' : 'across';
      };
      return ['p', 'p + p', 'li > p', 'li code', 'blockquote p'].map(sideOf);
    });
    expect(sides).toEqual(['right', 'left', 'right', 'left', 'right']);
    await page.getByTestId('composer').fill(text);
    expect(await page.locator('textarea:dir(rtl)').count()).toBe(1);
  });

  it('complains about nothing', () => {
    expect(troubles).toEqual([]);
  });
});

describe('the first JavaScript of the page', () => {
  it.skipIf(!existsSync(join(built, 'index.html')))(
    'is at most 200 KB gzipped, with nothing heavy in it',
    () => {
      const size = shellSize(built);
      expect(size).toBeLessThanOrEqual(200 * 1024);
      expect(size).toBeGreaterThan(50 * 1024);
    },
  );
});
