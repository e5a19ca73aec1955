import type { Browser, Page } from 'playwright-core';
import { launchChromium } from '../../test/chromium.ts';
import { App } from '../../test/e2e/app.ts';
import { writeTopics } from '../../test/fixtures/long-topic.ts';
import type { Fact } from '../bench.ts';
import { type Task, traceTasks } from './trace-tasks.ts';

/** Where is scrolled, and by how many pixels a step. */
interface Scrolled {
  title: string;
  scroller: string;
  by: number;
}

const shapes = [
  { id: 'many-messages', title: '10,000 blocks in 1,000 answers', answers: 1000, blocks: 9 },
  { id: 'one-answer', title: '10,000 blocks in one answer', answers: 1, blocks: 10_000 },
];
const listed = 10_000;
const step = 400;
const steps = 150;

/**
 * How a topic of 10,000 blocks opens and scrolls in Chromium: the first content, the longest task while
 * scrolling back through many pages, and what is then in the page. The same for a list of 10,000 topics.
 */
export async function measureTopics(): Promise<Fact[]> {
  const others = Array.from({ length: listed }, (_, n) => ({
    id: `topic-${n}`,
    title: `Topic ${n}`,
    answers: 0,
    blocks: 0,
    updatedAt: Date.now() - n * 3_600_000,
  }));
  const app = await App.start({ prepare: (home) => writeTopics(home, [...shapes, ...others]) });
  const browser = await launchChromium();
  try {
    const { page } = await app.signIn(browser, {
      viewport: { width: 1280, height: 900 },
      idle: true,
    });
    const rows: Fact[] = [];
    for (const { id, title } of shapes) {
      // The first opening also warms the caches of the browser, as any page does for the next.
      await open(page, `${app.url}/t/${id}`);
      const first = await open(page, `${app.url}/t/${id}`);
      rows.push({ what: `${title}: first content`, unit: 'ms', value: first, aim: 1000 });
      const scrolled = { title, scroller: '[data-testid="scroller"]', by: -step };
      rows.push(...(await scroll(browser, page, scrolled)));
    }
    await page.getByTestId('topic-row').first().waitFor();
    const list = { title: '10,000 topics', scroller: 'nav > .overflow-y-auto', by: step };
    rows.push(...(await scroll(browser, page, list)));
    return rows;
  } finally {
    await browser.close();
    await app.close();
  }
}

/** Milliseconds from the navigation to the first block in sight. */
async function open(page: Page, url: string): Promise<number> {
  await page.goto(url, { waitUntil: 'commit' });
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const look = () => {
          const isThere = document.querySelector('[data-role="assistant"] [data-testid="block"]');
          if (isThere) requestAnimationFrame(() => resolve(performance.now()));
          else requestAnimationFrame(look);
        };
        look();
      }),
  );
}

async function scroll(
  browser: Browser,
  page: Page,
  { title, scroller, by }: Scrolled,
): Promise<Fact[]> {
  const box = await page.locator(scroller).boundingBox();
  if (!box) throw new Error('There is nothing to scroll.');
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  const devtools = await browser.newBrowserCDPSession();
  const { tasks } = await traceTasks(devtools, async () => {
    for (let n = 0; n < steps; n += 1) {
      await page.mouse.wheel(0, by);
      await page.evaluate(() => new Promise(requestAnimationFrame));
    }
  });
  await devtools.detach();
  const { elements, height } = await page.evaluate(
    (scroller) => ({
      elements: document.querySelectorAll('*').length,
      height: document.querySelector(scroller)?.scrollHeight ?? 0,
    }),
    scroller,
  );
  const longest = (of: (task: Task) => number) => Math.max(0, ...tasks.map(of));
  const all = tasks.reduce((sum, { cpu }) => sum + cpu, 0);
  return [
    { what: `${title}: longest task`, unit: 'ms', value: longest(({ wall }) => wall), aim: 50 },
    {
      what: `${title}: longest task, CPU time`,
      unit: 'ms',
      value: longest(({ cpu }) => cpu),
    },
    { what: `${title}: CPU time of ${steps} steps`, unit: 'ms', value: all },
    { what: `${title}: height that was read`, unit: 'px', value: height },
    { what: `${title}: elements in the page`, unit: '', value: elements },
  ];
}
