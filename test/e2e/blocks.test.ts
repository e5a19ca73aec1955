import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { hasChromium } from '../chromium.ts';
import type { App } from './app.ts';
import { barriers } from './barriers.ts';
import { opener } from './opener.ts';
import { answers, ask, ended, inMenu, send, topicOf } from './page.ts';
import { named, t } from './texts.ts';

describe.skipIf(!hasChromium())('blocks of an answer', () => {
  const visit = opener();
  let app: App;
  let page: Page;
  let troubles: string[];

  beforeAll(async () => {
    ({ app, page, troubles } = await visit.page({
      context: { permissions: ['clipboard-read', 'clipboard-write'] },
    }));
  });

  const tools = (): Locator => answers(page).last().getByTestId('tool');
  const copied = () => page.evaluate(() => navigator.clipboard.readText());

  async function newChat(): Promise<void> {
    await page.getByTestId('new-chat').click();
    await page.waitForURL((url) => url.pathname === '/');
  }

  /** The one call of a new conversation, opened. */
  async function openCall(text: string): Promise<Locator> {
    await newChat();
    await ask(page, text);
    await tools().first().getByRole('button').first().click();
    return tools().first();
  }

  it('show records as a table that can be sorted, shown whole and copied', async () => {
    const call = await openCall('/call show_table {"rows": 250}');
    const table = call.getByTestId('record-table');
    await expect.poll(() => table.getByRole('row').count()).toBe(201);
    await table.getByRole('button', { name: 'kilograms' }).click();
    const sorted = table.getByRole('columnheader', { name: 'kilograms' });
    expect(await sorted.getAttribute('aria-sort')).toBe('ascending');
    const least = await table.getByRole('row').nth(1).getByRole('cell').nth(3).textContent();
    expect(least).toBe('20');
    await table.getByRole('button', named('tool.allRows', { count: 250 })).click();
    await expect.poll(() => table.getByRole('row').count()).toBe(251);
    await table.getByRole('button', named('tool.copyCsv')).click();
    await table.getByText(t('common.copied')).waitFor();
    const lines = (await copied()).split(/\r?\n/);
    expect(lines[0]).toBe('tree,kind,orchard,kilograms,ripe,notes');
    expect(lines).toHaveLength(251);
  });

  it('open a linked resource through its server', async () => {
    const call = await openCall('/call link_recipe {}');
    await call.getByTestId('resource-link').getByRole('button', named('tool.openResource')).click();
    const resource = call.getByTestId('resource');
    await resource.getByRole('heading', { name: 'Cherry cake' }).waitFor();
    expect(await resource.getByRole('listitem').count()).toBe(3);
  });

  it('show data as a tree that the arrow keys go through', async () => {
    const call = await openCall('/call get_current_time {"timezone":"Asia/Tokyo"}');
    await call.getByRole('button', named('tool.structured')).click();
    const tree = call.getByRole('tree');
    await tree.getByRole('treeitem').first().focus();
    await page.keyboard.press('End');
    const last = tree.getByRole('treeitem').last();
    await expect.poll(() => last.evaluate((item) => item === document.activeElement)).toBe(true);
    await call.getByRole('button', named('tool.raw')).click();
    await call.getByText('"structuredContent"').waitFor();
  });

  it('never take what a tool says for HTML, whatever it looks like', async () => {
    const evil = '# Title\n\n<img src=x onerror=alert(1)> [a](javascript:alert(2))';
    const rows = JSON.stringify([{ '<b>x</b>': '<script>alert(3)</script>', constructor: 1 }]);
    await newChat();
    const echo = (message: string) => `/call echo ${JSON.stringify({ message })}`;
    await ask(page, `${echo(evil)}\n${echo(rows)}`);
    for (const index of [0, 1]) await tools().nth(index).getByRole('button').first().click();
    const markdown = tools().nth(0).getByTestId('markdown-part');
    await markdown.getByRole('heading', { name: 'Title' }).waitFor();
    expect(await markdown.locator('img, script, a').count()).toBe(0);
    const table = tools().nth(1).getByTestId('record-table');
    await table.getByText('<script>alert(3)</script>').waitFor();
    expect(await table.locator('script, b').count()).toBe(0);
  });

  it('run a call again beside the answer, which stays as it was', async () => {
    const call = await openCall('/call get_current_time {"timezone":"Asia/Tokyo"}');
    const before = await app.conversation(await topicOf(page));
    await call.getByRole('button', named('tool.runAgain')).click();
    await call.getByTestId('new-result').getByText('Asia/Tokyo').first().waitFor();
    expect(await app.conversation(await topicOf(page))).toEqual(before);
  });

  it('ask before they run a call again that may change something', async () => {
    const file = join(app.home, 'workspace/again.txt');
    await newChat();
    await send(page, '/call write_file {"path":"again.txt","content":"once more"}');
    await page.getByTestId('approve').click();
    await ended(page, 0);
    rmSync(file);
    await tools().first().getByRole('button').first().click();
    const again = tools().first().getByTestId('run-again');
    await again.getByRole('button', named('tool.runAgain')).click();
    await again.getByTestId('approve').waitFor();
    expect(existsSync(file)).toBe(false);
    await again.getByTestId('approve').click();
    await again.getByTestId('new-result').waitFor();
    expect(readFileSync(file, 'utf8')).toBe('once more');
  });

  it('group calls that run at once, of which one can be stopped alone', async () => {
    await newChat();
    const slow = (seconds: number) => `/call slow_task {"seconds":${seconds},"steps":2}`;
    await send(page, `${slow(60)}\n${slow(1)}`);
    const group = answers(page).getByTestId('tool-group');
    await group.getByText(groupHead(2, 0)).waitFor();
    const waiting = answers(page).getByTestId('waiting');
    await waiting.getByText(t('waiting.tool', { count: 2 })).waitFor();
    await page.reload();
    await group.getByText(groupHead(2, 1)).waitFor();
    await waiting.getByText(t('waiting.namedTool', { name: 'Slow task' })).waitFor();
    await tools().first().getByTestId('abort-call').click();
    const answer = await ended(page, 0);
    expect(answer.blocks.map(({ status }) => status)).toEqual(['cancelled', 'success', 'success']);
    await group.getByText(groupHead(2, 1, 1)).waitFor();
  });

  it('fold a long series, but not what waits for a person', async () => {
    await newChat();
    const round = '/call get_current_time {"timezone":"UTC"}\n\n';
    const zones = ['UTC', 'Asia/Tokyo', 'Europe/Paris', 'America/Lima'];
    const calls = zones.map((zone) => round.replace('UTC', zone)).join('');
    await send(page, `${calls}/call write_file {"path":"series.txt","content":"x"}`);
    const group = answers(page).getByTestId('tool-group');
    await page.getByTestId('approve').waitFor();
    expect(await group.getAttribute('data-open')).toBe('false');
    expect(await tools().count()).toBe(1);
    await group.getByRole('button', { name: groupHead(5, 4) }).click();
    expect(await tools().count()).toBe(5);
    await page.getByTestId('deny').click();
    await ended(page, 0);
  });

  it('open pictures large: zoom, next, and back to where one was', async () => {
    await newChat();
    await ask(page, '/call show_image {}\n/call show_image {}');
    const picture = answers(page).locator('[data-large]').first();
    await picture.focus();
    await page.keyboard.press('Enter');
    const lightbox = page.getByTestId('lightbox');
    await lightbox.getByText(t('block.place', { index: 1, count: 2 })).waitFor();
    await page.keyboard.press('+');
    await lightbox.locator('[data-zoom="1.5"]').waitFor();
    await page.keyboard.press('0');
    await page.keyboard.press('ArrowRight');
    await lightbox.getByText(t('block.place', { index: 2, count: 2 })).waitFor();
    await page.keyboard.press('Escape');
    await lightbox.waitFor({ state: 'detached' });
    await expect.poll(() => picture.evaluate((one) => one === document.activeElement)).toBe(true);
  });

  it('say what a source is when it has the focus', async () => {
    await newChat();
    await ask(page, '/call cite {"topic":"cherries"}');
    await answers(page).locator('[data-type="citation"]').getByRole('link').first().focus();
    await page.keyboard.press('Tab');
    const card = page.getByTestId('source-card');
    await card.getByText('The history of cherries').waitFor();
    await card.getByText('example.org').waitFor();
    await page.keyboard.press('Escape');
    await card.waitFor({ state: 'detached' });
  });

  it('offer a remedy for an error where there is one', async () => {
    await newChat();
    await ask(page, '/error model_unauthorized');
    await answers(page).getByTestId('try-again').click();
    await answers(page).getByTestId('version').getByText('2/2').waitFor();
    await ended(page, 0);
    await answers(page).getByRole('link', named('block.openSettings')).click();
    await page.waitForURL(/\/settings/);
  });

  it('have no serious barrier when everything is open', async () => {
    await newChat();
    const zone = '/call get_current_time {"timezone":"UTC"}';
    await ask(page, `/call show_table {}\n${zone}\n/call link_recipe {}`);
    for (const index of [0, 1, 2]) await tools().nth(index).getByRole('button').first().click();
    await page.getByRole('button', named('tool.structured')).click();
    await page.getByTestId('resource-link').getByRole('button', named('tool.openResource')).click();
    await page.getByTestId('resource').getByRole('heading').waitFor();
    await inMenu(answers(page), 'translate');
    await page.getByRole('menuitem', { name: 'German' }).click();
    await answers(page).locator('[data-type="translation"][data-status="success"]').waitFor();
    expect(await barriers(page)).toEqual([]);
  });

  it('caused no trouble in the page', () => {
    expect(troubles).toEqual([]);
  });
});

/** What stands over a group of calls. */
function groupHead(tools: number, done: number, failed = 0): string {
  const parts = [t('tool.groupTools', { count: tools }), t('tool.groupDone', { count: done })];
  if (failed > 0) parts.push(t('tool.groupFailed', { count: failed }));
  return parts.join(' · ');
}
