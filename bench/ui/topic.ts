import type { CDPSession, Page } from 'playwright-core';
import { launchChromium } from '../../test/chromium.ts';
import { App } from '../../test/e2e/app.ts';
import { writeTopics } from '../../test/fixtures/long-topic.ts';

/** One measured fact, with the most it should be. */
export interface TopicRow {
  what: string;
  unit: string;
  value: number;
  aim?: number;
}

const shapes = [
  { id: 'many-messages', title: 'Many messages', answers: 1000, blocks: 9 },
  { id: 'one-answer', title: 'One answer', answers: 1, blocks: 10_000 },
];
/** How far is scrolled in one measurement: pixels a step, and steps. */
const step = 400;
const steps = 150;

/**
 * How a topic of 10,000 blocks opens and scrolls in Chromium: the first content, the longest task while
 * scrolling back through many pages, and what is then in the page.
 */
export async function measureTopics(): Promise<TopicRow[]> {
  const app = await App.start({ prepare: (home) => writeTopics(home, shapes) });
  const browser = await launchChromium();
  try {
    const { page } = await app.signIn(browser, { viewport: { width: 1280, height: 900 } });
    const rows: TopicRow[] = [];
    for (const { id, title } of shapes) {
      // The first opening also warms the caches of the browser, as any page does for the next.
      await open(page, `${app.url}/t/${id}`);
      const first = await open(page, `${app.url}/t/${id}`);
      rows.push({ what: `${title}: first content`, unit: 'ms', value: first, aim: 1000 });
      rows.push(...(await scroll(page, title)));
    }
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

async function scroll(page: Page, title: string): Promise<TopicRow[]> {
  const devtools = await page.context().newCDPSession(page);
  await page.evaluate(() => {
    const found: number[] = [];
    Object.assign(globalThis, { longTasks: found });
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) found.push(duration);
    }).observe({ type: 'longtask' });
  });
  const { x, y } = await middleOf(page);
  await page.mouse.move(x, y);
  const before = await taskTime(devtools);
  for (let n = 0; n < steps; n += 1) {
    await page.mouse.wheel(0, -step);
    await page.evaluate(() => new Promise(requestAnimationFrame));
  }
  const work = (await taskTime(devtools)) - before;
  const { long, nodes, height } = await page.evaluate(() => {
    const { longTasks } = globalThis as unknown as { longTasks: number[] };
    const scroller = document.querySelector('[data-testid="scroller"]');
    return {
      long: Math.max(0, ...longTasks),
      nodes: document.querySelectorAll('*').length,
      height: scroller?.scrollHeight ?? 0,
    };
  });
  await devtools.detach();
  return [
    { what: `${title}: longest task over 50 ms while scrolling`, unit: 'ms', value: long, aim: 50 },
    { what: `${title}: main thread for ${steps} steps`, unit: 'ms', value: work },
    { what: `${title}: height that was read`, unit: 'px', value: height },
    { what: `${title}: elements in the page`, unit: '', value: nodes },
  ];
}

async function middleOf(page: Page): Promise<{ x: number; y: number }> {
  const box = await page.getByTestId('scroller').boundingBox();
  if (!box) throw new Error('The conversation is not there.');
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** Milliseconds the main thread has worked so far. */
async function taskTime(devtools: CDPSession): Promise<number> {
  await devtools.send('Performance.enable');
  const { metrics } = await devtools.send('Performance.getMetrics');
  return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1000;
}
