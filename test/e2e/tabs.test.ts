import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { demoProse } from '#models/demo/prose.ts';
import { hasChromium } from '../chromium.ts';
import { type App, openBrowser } from './app.ts';
import { CountingProxy } from './counting-proxy.ts';
import { opener } from './opener.ts';
import { answers, ask, ended, send, shownMessages, shows, topicOf } from './page.ts';

const count = 500;
const whole = demoProse(count).join('');
/** Long enough that none of eight has ended when all of them are seen to run. */
const longCount = 1500;
const longWhole = demoProse(longCount).join('');

describe.skipIf(!hasChromium())('the tabs of one browser', () => {
  let proxy: CountingProxy;
  const visit = opener();
  let app: App;
  let browser: Browser;
  let context: BrowserContext;
  let first: Page;

  beforeAll(async () => {
    proxy = await CountingProxy.start();
    ({ app, browser } = await visit.app({ own: true, pace: 25, allowedHosts: proxy.host }));
    proxy.pointTo(app.url);
  });
  beforeEach(async () => {
    context = await openBrowser(browser, { baseURL: proxy.url });
    first = await context.newPage();
    const link = new URL(await app.nextLink());
    await first.goto(link.pathname + link.search);
    await first.getByTestId('composer').waitFor();
    proxy.mostStreams = 0;
  });
  afterEach(() => context.close());
  afterAll(() => proxy?.close());

  const newTab = async (path = '/') => {
    const page = await context.newPage();
    await page.goto(path);
    await page.getByTestId('composer').waitFor();
    return page;
  };

  const newTopic = async () =>
    (await app.api<{ id: string }>('/topics', { method: 'POST', body: {} })).id;

  it(
    'follow eight running answers over one connection, past a kill and without the first tab',
    { timeout: 120_000 },
    async () => {
      const topics = await Promise.all(Array.from({ length: 8 }, newTopic));
      await first.goto(`/t/${topics[0]}`);
      const pages = [first];
      for (const id of topics.slice(1)) pages.push(await newTab(`/t/${id}`));
      const message = { method: 'POST', body: { text: `/write ${longCount}` } };
      for (const id of topics) await app.api(`/topics/${id}/messages`, message);
      await Promise.all(pages.map((page) => textReaches(page, 20)));
      expect(proxy.streams).toBe(1);

      // Slow only until all of them were seen to run.
      await app.restart('SIGKILL', 2);
      await Promise.all(pages.map((page) => answers(page).first().waitFor()));
      await first.close();

      const others = pages.slice(1);
      const shown = await Promise.all(others.map((page) => ended(page, 0)));
      let cut = 0;
      for (const [index, answer] of shown.entries()) {
        const { messages } = await app.conversation(topics[index + 1] ?? '');
        const log = messages.at(-1)?.blocks ?? [];
        cut += log.length - 1;
        expect(answer.status).toBe('success');
        expect(log.at(-1)?.content).toBe(longWhole);
        expect(answer.blocks.map(({ length }) => length)).toEqual(
          log.map(({ content }) => content.length),
        );
        expect(bare(answer.blocks.at(-1)?.text ?? '')).toBe(bare(longWhole));
      }
      expect(cut).toBeGreaterThan(0);
      await expect.poll(() => proxy.streams).toBe(1);
      expect(proxy.mostStreams).toBeLessThanOrEqual(2);
    },
  );

  it('go on when the line is cut, again and again', { timeout: 60_000 }, async () => {
    const second = await newTab();
    for (const page of [first, second]) await send(page, `/write ${count}`);
    for (const length of [100, 400, 900]) {
      await Promise.all([textReaches(first, length), textReaches(second, length)]);
      proxy.cut();
    }
    for (const page of [first, second]) {
      const { status, blocks } = await ended(page, 0);
      expect(status).toBe('success');
      expect(bare(blocks.at(-1)?.text ?? '')).toBe(bare(whole));
    }
  });

  it('show the same topic alike, whichever of them a message was sent in', async () => {
    await ask(first, 'What is 2+2?');
    const topicId = await topicOf(first);
    const second = await newTab(`/t/${topicId}`);
    await second.getByTestId('composer').fill('half a thought');
    await ask(first, 'What is 3+3?');
    await shows(second, await shownMessages(first));
    expect(await second.getByTestId('composer').inputValue()).toBe('half a thought');
    await second.getByTestId('composer').press('Enter');
    await answers(first).nth(2).and(first.locator('[aria-busy="false"]')).waitFor();
    await shows(second, await shownMessages(first));
  });

  it('all show the sign-in page when the sign-in ends', async () => {
    const second = await newTab();
    expect((await context.request.post('/api/sign-out')).status()).toBe(204);
    for (const page of [first, second]) await page.getByTestId('sign-in').waitFor();
    await expect.poll(() => proxy.streams).toBe(0);
  });

  it('have a stream each where there are no shared workers', async () => {
    await context.addInitScript(() => {
      Reflect.deleteProperty(globalThis, 'SharedWorker');
    });
    const [a, b] = [await newTab(), await newTab()];
    await first.close();
    await ask(a, 'What is 2+2?');
    const row = b.locator(`[data-testid="topic-row"][data-id="${await topicOf(a)}"]`);
    await row.waitFor();
    await expect.poll(() => proxy.streams).toBe(2);
  });
});

async function textReaches(page: Page, length: number): Promise<void> {
  await page.waitForFunction((least) => {
    const blocks = document.querySelectorAll('[data-role="assistant"] [data-type="main_text"]');
    return [...blocks].some((block) => Number(block.getAttribute('data-length')) >= least);
  }, length);
}

/** Without spaces and what stands for headings, lists, bold words and code. */
function bare(text: string): string {
  return text.replaceAll(/[\s#*`-]/g, '');
}
