import type { Browser, Page } from 'playwright-core';
import { launchChromium } from '../../test/chromium.ts';
import { App } from '../../test/e2e/app.ts';
import type { Fact } from '../bench.ts';
import { type Task, traceTasks } from './trace-tasks.ts';

const idleMs = 2000;
const pages = 5;
const aimed = 'while they come, CPU time';

/**
 * The longest tasks of the real page while the demo model answers, after it was idle: until the first
 * words, while they come, and at the end. The median of some fresh browsers.
 */
export async function measureAsked(): Promise<Fact[]> {
  const app = await App.start({ pace: 20 });
  try {
    const runs: Map<string, number>[] = [];
    for (let n = 0; n < pages; n += 1) {
      const browser = await launchChromium();
      try {
        const { page } = await app.signIn(browser, {
          viewport: { width: 1280, height: 900 },
          idle: true,
        });
        runs.push(await ask(browser, page));
      } finally {
        await browser.close();
      }
    }
    return [...(runs[0]?.keys() ?? [])].map((what) => {
      const values = runs.map((run) => run.get(what) ?? NaN).toSorted((a, b) => a - b);
      const value = values[Math.floor(pages / 2)] ?? NaN;
      return { what, unit: 'ms', value, ...(what.endsWith(aimed) && { aim: 8 }) };
    });
  } finally {
    await app.close();
  }
}

/** Longest task by what the page was doing. */
async function ask(browser: Browser, page: Page): Promise<Map<string, number>> {
  await page.waitForTimeout(idleMs);
  await page.getByTestId('composer').fill('/write 400');
  await page.waitForTimeout(idleMs);
  await markProgress(page);
  const devtools = await browser.newBrowserCDPSession();
  const { tasks, marks } = await traceTasks(devtools, async () => {
    await page.keyboard.press('Enter');
    await page.locator('[data-role="assistant"][data-status="success"]').waitFor();
    await page.waitForTimeout(idleMs);
  });
  await devtools.detach();
  const first = marks.get('first-words');
  const end = marks.get('answer-end');
  if (first === undefined || end === undefined) throw new Error('The answer was not seen.');
  // A mark is set within the task that shows what it stands for.
  const ends = ({ start, wall }: Task) => start + wall;
  const phases: [string, Task[]][] = [
    ['until the first words', tasks.filter((task) => task.start <= first)],
    ['while they come', tasks.filter((task) => task.start > first && ends(task) < end)],
    ['at the end', tasks.filter((task) => ends(task) >= end)],
  ];
  const longest = (of: Task[], by: 'wall' | 'cpu') => Math.max(0, ...of.map((task) => task[by]));
  return new Map(
    phases.flatMap(([phase, of]) => [
      [`an answer in the app: longest task ${phase}`, longest(of, 'wall')],
      [`an answer in the app: longest task ${phase}, CPU time`, longest(of, 'cpu')],
    ]),
  );
}

/** Lets the page mark when the first words and the end of an answer are in it. */
async function markProgress(page: Page): Promise<void> {
  await page.evaluate(() => {
    const states = [
      ['first-words', '[data-role="assistant"] [data-testid="block"]'],
      ['answer-end', '[data-role="assistant"][data-status="success"]'],
    ];
    const look = () => {
      const [next] = states;
      if (!next || !document.querySelector(next[1] ?? '')) return;
      performance.mark(next[0] ?? '');
      states.shift();
    };
    new MutationObserver(look).observe(document, {
      subtree: true,
      childList: true,
      attributeFilter: ['data-status'],
    });
  });
}
