import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { hasChromium } from '../chromium.ts';
import type { App } from './app.ts';
import { opener } from './opener.ts';
import { answers, blocks, ended, send, shownMessages, shows, watchBars } from './page.ts';
import { named, t, textLike } from './texts.ts';

describe.skipIf(!hasChromium())('the tour', () => {
  const visit = opener();
  let app: App;
  let page: Page;
  let troubles: string[];

  beforeAll(async () => {
    ({ app, page, troubles } = await visit.page());
  });

  it('shows every kind of block it promises, in order, live progress included', async () => {
    await page.reload();
    const bars = await watchBars(page);
    await send(page, '/tour');
    const answer = await ended(page, 0);
    const { most, values } = await bars();
    expect(most).toBe(1);
    expect(values.some((value) => value > 0 && value < 100)).toBe(true);
    expect(answer.status).toBe('success');
    expect(answer.blocks.map(({ type }) => type).join(' ')).toBe(
      'thinking tool tool main_text tool main_text tool citation main_text tool main_text tool main_text tool main_text',
    );
    expect(answer.blocks.map(({ ordinal }) => ordinal)).toEqual(answer.blocks.map((_, i) => i));
    expect(answer.blocks.filter(({ status }) => status === 'error')).toHaveLength(1);
    expect(answer.blocks.at(-1)?.text).toContain('/call ');
  });

  it('shows the picture, the sources and the table', async () => {
    const picture = blocks(page, 'tool').getByRole('img', named('block.image'));
    const width = await picture.evaluate((img) => (img as HTMLImageElement).naturalWidth);
    expect(width).toBeGreaterThan(100);
    expect(await picture.isVisible()).toBe(true);
    expect(await blocks(page, 'citation').getByRole('link').count()).toBe(3);
    expect(await answers(page).getByRole('table').getByRole('row').count()).toBe(7);
  });

  it('opens a call to its arguments and its whole result, also a large one', async () => {
    const large = blocks(page, 'tool').filter({ hasText: 'Large result' });
    await large.getByRole('button', { name: 'Large result' }).click();
    await large.getByText('kilobytes', { exact: true }).waitFor();
    await large.getByRole('button', { name: textLike('tool.showAll') }).click();
    await large.getByText('Line 3200 of 3200').waitFor();
    const failed = blocks(page, 'tool').and(page.locator('[data-status="error"]'));
    expect(await failed.textContent()).toContain(t('tool.failed'));
  });

  it('keeps what a reader opens in its place, and goes back to the end when asked', async () => {
    await page.reload();
    const head = blocks(page, 'tool').getByRole('button', { name: 'Large result' });
    await head.scrollIntoViewIfNeeded();
    const before = await head.boundingBox();
    await head.click();
    const jump = page.getByTestId('jump-latest');
    await jump.waitFor();
    expect((await head.boundingBox())?.y).toBeCloseTo(before?.y ?? 0, 0);
    await jump.click();
    await jump.waitFor({ state: 'detached' });
    await answers(page).getByRole('button', named('message.regenerate')).waitFor();
  });

  it('shows the same after a reload, and the page never complained', async () => {
    const before = await shownMessages(page);
    await page.reload();
    await answers(page).first().waitFor();
    const folded = await shownMessages(page);
    expect(folded[1]?.blocks.map(({ type }) => type)).toEqual(
      before[1]?.blocks.map(({ type }) => type),
    );
    const tab = await page.context().newPage();
    await tab.goto(page.url());
    await shows(tab, folded);
    await tab.close();
    expect(troubles).toEqual([]);
  });

  it('shows sound with controls and never loads what a result points to', async () => {
    const asked: string[] = [];
    page.on('request', (request) => {
      if (!request.url().startsWith(app.url) && !/^(data|blob):/.test(request.url()))
        asked.push(request.url());
    });
    const evil =
      '<img src=https://example.com/a.png><script>boom()</script> ![x](https://example.com/b.png)';
    await send(page, `/call play_sound {}\n/call echo ${JSON.stringify({ message: evil })}`);
    const answer = await ended(page, 1);
    expect(answer.status).toBe('success');
    await blocks(page, 'tool').locator('audio').waitFor();
    await blocks(page, 'tool').getByRole('button', { name: 'Echo' }).click();
    await blocks(page, 'tool').getByText('boom()').first().waitFor();
    expect(asked).toEqual([]);
    expect(troubles).toEqual([]);
  });
});
