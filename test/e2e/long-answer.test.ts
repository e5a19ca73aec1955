import type { Browser, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { demoProse } from '#models/demo/prose.ts';
import { hasChromium } from '../chromium.ts';
import type { App } from './app.ts';
import { opener } from './opener.ts';
import { answers, ended, send, shownMessages, topicOf, type ShownMessage } from './page.ts';

const count = 2000;
const whole = demoProse(count).join('');

interface Watch {
  /** How often the text on the page changed, over all reloads of the page. */
  samples: number;
  /** Lengths at which the page showed anything but that much of the final text. */
  wrong: number[];
}

describe.skipIf(!hasChromium())('an answer of 2,000 deltas', () => {
  const visit = opener();
  let app: App;
  let browser: Browser;

  beforeAll(async () => {
    ({ app, browser } = await visit.app({ own: true, pace: 10 }));
  });

  it(
    'ends with exactly the text of the log in two browsers that reload in the middle',
    { timeout: 60_000 },
    async () => {
      const first = await app.signIn(browser);
      const second = await app.signIn(browser);
      const watches = [await watchText(first.page), await watchText(second.page)];

      await send(first.page, `/write ${count}`);
      const topicId = await topicOf(first.page);
      await second.page.goto(`${app.url}/t/${topicId}`);

      const ends = await Promise.all([
        reloadAt(first.page, [0.15, 0.55]),
        reloadAt(second.page, [0.35]),
      ]);

      const third = await app.signIn(browser, { blank: true });
      await third.page.goto(`${app.url}/t/${topicId}`);
      ends.push(await ended(third.page, 0));
      const { messages } = await app.conversation(topicId);
      const log = messages.at(-1)?.blocks ?? [];
      expect(log.map(({ type, content }) => ({ type, content }))).toEqual([
        { type: 'main_text', content: whole },
      ]);
      for (const end of ends) {
        expect(end.status).toBe('success');
        expect(end.blocks).toHaveLength(1);
        expect(end.blocks[0]?.length).toBe(whole.length);
        expect(end.blocks[0]?.text).toBe(ends[0]?.blocks[0]?.text);
        expect(bare(end.blocks[0]?.text ?? '')).toBe(bare(whole));
      }
      for (const watch of watches) {
        expect(watch.samples).toBeGreaterThan(20);
        expect(watch.wrong).toEqual([]);
      }
      expect(await shownMessages(first.page)).toEqual(await shownMessages(third.page));
    },
  );
});

/** Reloads a page each time that share of the text is shown; resolves with the finished answer. */
async function reloadAt(page: Page, shares: number[]): Promise<ShownMessage> {
  for (const share of shares) {
    await textReaches(page, share);
    await page.reload();
    await textReaches(page, share);
    const { status, blocks } = (await shownMessages(page)).at(-1) ?? { blocks: [] };
    expect(status).toBe('processing');
    expect(blocks[0]?.length).toBeLessThan(whole.length);
  }
  return ended(page, 0);
}

async function textReaches(page: Page, share: number): Promise<void> {
  const least = share * whole.length;
  await page.waitForFunction((least) => {
    const block = document.querySelector('[data-role="assistant"] [data-type="main_text"]');
    return Number(block?.getAttribute('data-length')) >= least;
  }, least);
  await answers(page).first().waitFor();
}

/**
 * Checks from inside the page, at every change of the text and after every reload: what is shown is
 * the final text up to the length the block claims, without the marks that markdown turns into looks.
 */
async function watchText(page: Page): Promise<Watch> {
  const watch: Watch = { samples: 0, wrong: [] };
  await page.exposeFunction('reportText', (length: number, right: boolean) => {
    watch.samples += 1;
    if (!right) watch.wrong.push(length);
  });
  await page.addInitScript(
    ({ whole, marks }) => {
      const report = (globalThis as unknown as { reportText: (at: number, ok: boolean) => void })
        .reportText;
      const strip = (text: string) => text.replaceAll(new RegExp(marks, 'g'), '');
      let last = 0;
      const check = () => {
        const block = document.querySelector('[data-role="assistant"] [data-type="main_text"]');
        if (!block) return;
        const length = Number(block.getAttribute('data-length'));
        if (length === last) return;
        const right = length > last && strip(block.textContent) === strip(whole.slice(0, length));
        last = length;
        report(length, right);
      };
      new MutationObserver(check).observe(document, {
        subtree: true,
        childList: true,
        characterData: true,
        attributes: true,
      });
    },
    { whole, marks: marks.source },
  );
  return watch;
}

/** Spaces, and what stands for headings, lists, bold words and code. */
const marks = /[\s#*`-]/;

function bare(text: string): string {
  return text.replaceAll(new RegExp(marks, 'g'), '');
}
