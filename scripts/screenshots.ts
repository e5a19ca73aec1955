import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page, ViewportSize } from 'playwright-core';
import { launchChromium } from '../test/chromium.ts';
import { App } from '../test/e2e/app.ts';
import { answers, ask, topicOf } from '../test/e2e/page.ts';

// Makes the pictures of the documentation from the real program: `node scripts/screenshots.ts`.

const folder = join(import.meta.dirname, '../docs/images');
const desk: ViewportSize = { width: 1280, height: 960 };
const phone: ViewportSize = { width: 390, height: 920 };

interface Shot {
  name: string;
  path: string;
  size?: ViewportSize;
  theme?: 'light' | 'dark';
  locale?: 'en' | 'zh';
  /** Opens this call of the answer, counted from 0. */
  open?: number;
}

const draft = {
  type: 'stdio',
  name: 'everything',
  command: 'npx',
  args: ['-y', '@modelcontextprotocol/server-everything'],
};

await takeAll();

async function takeAll(): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const [app, browser] = await Promise.all([App.start(), launchChromium()]);
  try {
    const { context, page } = await app.signIn(browser, pictured(desk));
    await app.api('/servers', { method: 'POST', body: draft });
    for (const shot of await prepare(page)) await take(browser, app, context, shot);
  } finally {
    await browser.close();
    await app.close();
  }
}

/** Has the conversations that are shown; the newest stand first in the list. */
async function prepare(page: Page): Promise<Shot[]> {
  await converse(page, '/tour');
  await converse(page, 'Read welcome.md');
  const zh = await converse(page, '现在东京几点？工作区里有哪些文件？');
  const sources = await converse(page, 'Cite sources about cherries');
  const en = await converse(page, 'What time is it in Tokyo, and what files are in the workspace?');
  return [
    { name: 'conversation', path: en, open: 0 },
    { name: 'conversation-dark', path: sources, theme: 'dark' },
    { name: 'conversation-zh', path: zh, locale: 'zh', open: 0 },
    { name: 'phone', path: en, size: phone },
    { name: 'servers', path: '/servers' },
  ];
}

/** Asks in a new conversation; resolves with its path. */
async function converse(page: Page, question: string): Promise<string> {
  await page.getByTestId('new-chat').click();
  await page.getByTestId('suggestion').first().waitFor();
  await ask(page, question);
  return `/t/${await topicOf(page)}`;
}

async function take(
  browser: Browser,
  app: App,
  signedIn: BrowserContext,
  { name, path, size = desk, theme = 'light', locale = 'en', open }: Shot,
): Promise<void> {
  const storageState = await signedIn.storageState();
  const context = await browser.newContext({ storageState, ...pictured(size) });
  const page = await context.newPage();
  const preferences = JSON.stringify({ theme, locale });
  await page.addInitScript((it) => localStorage.setItem('cerise.preferences', it), preferences);
  await page.goto(app.url + path);
  await page
    .getByTestId(path === '/servers' ? 'server' : 'block')
    .first()
    .waitFor();
  await page
    .locator('[data-testid="topic-row"]')
    .first()
    .or(page.getByTestId('open-sidebar'))
    .waitFor();
  if (open !== undefined) {
    const call = answers(page).last().locator('[data-type="tool"]').nth(open);
    await call.getByRole('button').first().click();
    await page.getByTestId('composer').focus();
    await page.mouse.move(size.width - 20, size.height / 2);
  }
  const file = join(folder, `${name}.png`);
  await page.screenshot({ path: file });
  console.log(`${name}.png  ${Math.round(statSync(file).size / 1024)} KB`);
  await context.close();
}

function pictured(viewport: ViewportSize) {
  return { viewport, deviceScaleFactor: 2, reducedMotion: 'reduce' as const };
}
